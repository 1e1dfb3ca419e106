/** How moves that were weighed are shown: marks on the table, moves and figures in sentences. Extensions use it. */

import { clicksOf, same } from "../core/compose.js";
import { html, styled } from "../core/html.js";
import * as models from "../core/model.js";
import { choicesOf } from "./choices.js";
import { more, tongue } from "./page.js";

/**
 * @import { Move, Say, Thing, View } from "../core/types.js"
 * @import { State } from "../core/model.js"
 */

await Promise.all([more(), styled("weighed")]);

/** Standard errors of half an interval of 95 %. */
export const HALF = 1.96;

/** @param {number} figure */
export const number = (figure) =>
  (Math.round(figure * 10) / 10 || 0).toLocaleString(tongue, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * How a thing of the move that was made, or of the better one, is marked.
 * @param {Thing} thing @param {{ seat: number, made: Move, best: Move }} at @param {State["table"]} table
 * @param {View} view @param {Say} say
 */
export function marked(thing, { seat, made: chosen, best }, table, view, say) {
  const made = clicksOf(table, chosen, seat, view).includes(thing);
  const better = clicksOf(table, best, seat, view).includes(thing);
  if (!made && !better) return {};
  const words = [better && "weighed.better", made && "weighed.made"].filter((key) => key !== false);
  return {
    mark: [made && "made", better && "better"].filter(Boolean).join(" "),
    tags: words.map((key) => html`<b class="tag ${key === "weighed.better" ? "best" : ""}">${say(key)}</b>`),
    said: words.map((key) => `. ${say(key)}`).join(""),
  };
}

/**
 * A move with its cards, in quotes.
 * @param {Move} move @param {Move[]} among  The moves that it is told apart from. @param {State} state @param {Say} say
 * @param {{ seat: number, at: number }} [when]  The choice, if it is not the one that is shown.
 */
export function quoted(move, among, state, say, { seat, at } = { seat: state.game.you ?? 0, at: state.shown }) {
  const others = among.filter((each) => !same(each, move));
  const [text] = choicesOf([move, ...others], state.film.view(at), seat, models.tongueOf(state));
  return say("weighed.quoted", { text });
}
