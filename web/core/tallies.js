/** What the latest games of a player say: wins, streaks, and how it stands between two people. */

/**
 * @typedef {{ seat: number, player: { id: string, name?: string | null, face?: string } | null, bot?: string, gone?: boolean }} Seat
 * @typedef {{ id: string, ruleset: string, status: string, seats: Seat[], parent?: string, hotseat?: boolean,
 *   created_at: string, finished_at: string | null, result: { scores: number[], winners: number[], ranks?: number[] } | null }} Listed
 * @typedef {{ id: string, name: string | null, face?: string | undefined, won: number, lost: number, last: Listed }} Rival
 */

/** Games that count here: finished, with others, and neither lessons nor branches. @param {Listed[]} games */
export const played = (games) =>
  games.filter(({ result, hotseat, parent }) => result !== null && !hotseat && parent === undefined);

/** The seat of the player; undefined: none. @param {Listed} game @param {string} id */
export const seatAt = ({ seats }, id) => seats.find(({ player }) => player?.id === id)?.seat;

/** @param {Listed} game @param {string} id */
export const hasWon = (game, id) => game.result?.winners.includes(seatAt(game, id) ?? -1) ?? false;

/** By ruleset, in the order of the latest game. @param {Listed[]} games  The latest first. @param {string} id */
export function byGame(games, id) {
  /** @type {Map<string, { name: string, games: number, wins: number, streak: number, runs: boolean }>} */
  const found = new Map();
  for (const game of played(games)) {
    const of = found.get(game.ruleset) ?? { name: game.ruleset, games: 0, wins: 0, streak: 0, runs: true };
    const won = hasWon(game, id);
    of.games++;
    of.wins += Number(won);
    of.runs &&= won;
    of.streak += Number(of.runs);
    found.set(game.ruleset, of);
  }
  return [...found.values()];
}

/** The people of these games, the latest first: games that only one of the two has won. @param {Listed[]} games  The latest first. @param {string} id @returns {Rival[]} */
export function rivals(games, id) {
  /** @type {Map<string, Rival>} */
  const found = new Map();
  for (const game of played(games)) {
    for (const { player } of game.seats) {
      if (!player || player.id === id) continue;
      const { id: other, name = null, face } = player;
      const of = found.get(other) ?? { id: other, name, face, won: 0, lost: 0, last: game };
      const [mine, theirs] = [hasWon(game, id), hasWon(game, player.id)];
      of.won += Number(mine && !theirs);
      of.lost += Number(theirs && !mine);
      found.set(player.id, of);
    }
  }
  return [...found.values()];
}

/** The place of a seat, from 1. The best points are those of the winners. @param {Listed} game @param {number} seat */
export function placeOf({ result }, seat) {
  if (!result) return 0;
  if (result.ranks) return (result.ranks[seat] ?? 0) + 1;
  const { scores, winners } = result, own = scores[seat] ?? 0;
  if (winners.includes(seat)) return 1;
  const low = winners.some((each) => scores.some((score) => score > (scores[each] ?? 0))) &&
    !winners.some((each) => scores.some((score) => score < (scores[each] ?? 0)));
  return 1 + scores.filter((score, at) => winners.includes(at) || (low ? score < own : score > own)).length;
}

/** Who sits beside the player, as the body of a new game names them. @param {Listed} game @param {string} id @returns {(string | { player: string })[]} */
export const beside = ({ seats }, id) =>
  seats.filter(({ player }) => player?.id !== id)
    .map(({ player, bot }) => player ? { player: player.id } : bot ?? "open");
