/** The user's own page: the latest games with faces and results, how it stands with others, and to play again. */

import { html, nothing } from "../core/html.js";
import { houseNames } from "../core/house.js";
import { later } from "../core/later.js";
import { beside, byGame, hasWon, placeOf, played, rivals, seatAt } from "../core/tallies.js";
import { minus } from "../core/talk.js";
import { portrait } from "../table/card.js";
import { memory, ruleset, tongue } from "./page.js";

/**
 * @import { Listed } from "../core/tallies.js"
 * @import { Say } from "../core/types.js"
 * @import { Known } from "./player.js"
 */

/** Games and people that are shown. */
const MOST = 10;

/**
 * @param {Listed[]} games  The latest first. @param {string} me @param {Known[]} known @param {Say} say
 * @param {(wrong: string) => void} wrong  Shows what is wrong.
 */
export function mine(games, me, known, say, wrong) {
  const all = played(games), people = rivals(games, me).filter(({ name }) => name !== null).slice(0, MOST);
  const of = (/** @type {string} */ name) => known.find((each) => each.name === name);
  const again = (/** @type {Listed} */ game) =>
    html`<button type="button" class="btn small" @click=${async () => wrong(await repeat(game, me, say))}>${
      say("mine.again")
    }</button>`;
  if (!all.length) return html`<p>${say("mine.none")} <a href=".">${say("ui.to_lobby")}</a></p>`;
  return html`
    <h2>${say("mine.latest")}</h2>
    <ul class="list latest">${all.slice(0, MOST).map((game) => latest(game, me, of(game.ruleset), say, again))}</ul>
    ${people.length
      ? html`
        <h2>${say("mine.people")}</h2>
        <ul class="list">${people.map(({ id, name, face, won, lost, last }) =>
          html`<li>${portrait(name, face)}<span><b><a href=${`player?id=${
            encodeURIComponent(id)
          }`}>${name}</a></b><small>${say("mine.stands", { won, lost })}</small></span>${again(last)}</li>`
        )}</ul>
      `
      : nothing}
    <h2>${say("mine.wins")}</h2>
    <ul class="list">${byGame(games, me).map(({ name, games: count, wins, streak }) =>
      html`
        <li
          data-cloth=${of(name)?.cloth ??
            "slate"}><i class="cloth-dot" aria-hidden="true"></i><span><b>${of(name)?.labels.title ??
            name}</b><small>${[say("mine.won_of", { wins, count }), streak > 1 && say("mine.streak", { count: streak })]
            .filter(Boolean)
            .join(" · ")}</small></span></li>
      `
    )}</ul>
  `;
}

/** @param {Listed} game @param {string} me @param {Known | undefined} known @param {Say} say @param {(game: Listed) => unknown} again */
function latest(game, me, known, say, again) {
  const { ruleset: name, id, seats, result, finished_at: at } = game, own = seatAt(game, me) ?? 0;
  const house = houseNames(seats.map(({ bot }) => bot), known?.labels.bots, memory.get(`house.${name}/${id}`) ?? []);
  const names = seats.map(({ player }, seat) => player ? player.name ?? say("people.former") : house[seat] ?? "");
  const others = names.filter((_, seat) => seat !== own).join(", "), won = hasWon(game, me);
  const how = won ? say("mine.won") : say("mine.place", { place: placeOf(game, own), count: seats.length });
  const day = new Date(at ?? game.created_at).toLocaleDateString(tongue);
  return html`<li data-cloth=${known?.cloth ?? "slate"}><span class="faces">${
    seats.map(({ player, bot, seat }) => portrait(names[seat] ?? "", Boolean(bot) || player?.face))
  }</span><span><b><a href=${`table?g=${name}/${id}#replay`}>${known?.labels.title ?? name}</a></b>
    <strong class=${won ? "won" : ""}>${how}</strong><small>${
    [say("mine.points", { points: result?.scores.map(minus).join(" : ") }), others, day].join(" · ")
  }</small></span>${again(game)}</li>`;
}

/** The same table with the same people. @param {Listed} game @param {string} me @param {Say} say */
async function repeat(game, me, say) {
  const [{ against }, rules] = await Promise.all([later(() => import("./opening.js")), ruleset(game.ruleset)]);
  const others = beside(game, me), own = seatAt(game, me);
  /** @type {(string | undefined)[]} */
  const names = memory.get(`house.${game.ruleset}/${game.id}`) ?? [];
  const called = names.length ? [undefined, ...names.filter((_, seat) => seat !== own)] : undefined;
  const people = others.some((each) => typeof each !== "string");
  const terms = { options: /** @type {any} */ (game)["options"], private: true, ...(people ? { undo: "agreed" } : {}) };
  return await against(rules, others, say, terms, () => {}, called);
}
