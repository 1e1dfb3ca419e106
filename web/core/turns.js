/** The running games in which it is the user's turn, over all tables. */

/**
 * @import { Api } from "./api.js"
 * @import { Channel } from "./channel.js"
 * @typedef {{ game: string, changed_at: string }} TurnGame  RULESET/ID, and since when.
 */

/** Without a play channel they are read this often. */
const POLL = 15_000;

export class Turns {
  /**
   * @param {object} parts
   * @param {Api} parts.api
   * @param {Channel} parts.channel
   * @param {(turns: Turns, entered: string | null) => void} parts.changed  `entered`: the game that has just become one.
   */
  constructor({ api, channel, changed }) {
    this.api = api;
    this.channel = channel;
    this.changed = changed;
    /** @type {Map<string, TurnGame>} */
    this.games = new Map();
  }

  start() {
    const heard = (/** @type {any} */ message) => this.heard(message);
    this.channel.follow({ subject: "turns", request: () => ({ type: "follow_turns" }), heard });
    setInterval(() => {
      if (this.channel.condition === "unavailable" && !document.hidden) this.read().catch(() => {});
    }, POLL);
  }

  /** The game that waits longest, other than this one. @param {string} [here] @returns {string | null} */
  next(here) {
    const others = [...this.games.values()].filter(({ game }) => game !== here);
    return others.toSorted((a, b) => a.changed_at < b.changed_at ? -1 : 1)[0]?.game ?? null;
  }

  /** @param {any} message */
  heard({ type, games, ...turn }) {
    if (type === "following_turns") return this.is(games);
    if (type !== "turn") return;
    const known = this.games.has(turn.game);
    if (turn.yours) this.games.set(turn.game, turn);
    else this.games.delete(turn.game);
    this.changed(this, turn.yours && !known ? turn.game : null);
  }

  /** @param {TurnGame[]} games */
  is(games) {
    this.games = new Map(games.map((each) => [each.game, each]));
    this.changed(this, null);
  }

  async read() {
    const { body } = await this.api.request("games", { query: { acting: "me" } });
    const named = (/** @type {any} */ { ruleset, id, changed_at }) => ({ game: `${ruleset}/${id}`, changed_at });
    this.is(body.items.map(named));
  }
}
