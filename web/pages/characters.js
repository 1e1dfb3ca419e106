/**
 * What players of the house say at moments of the game: from the same short list of phrases as people, recorded nowhere.
 * It follows from what everybody sees, so it tells nothing about a hidden card.
 */

import { namesOf } from "../core/model.js";
import { moments } from "../tables/index.js";

const { MOMENTS } = await moments();

/**
 * @import { State } from "../core/model.js"
 * @import { GameEvent } from "../core/types.js"
 * @typedef {{ seat: number, mood: "good" | "bad" }} Moment
 * @typedef {{ good: string, bad: string, praise: string }} Character  What they say of themselves, and of others.
 */

/** By name. @type {Record<string, Character>} */
const CHARACTERS = {
  Bruno: { good: "what_luck", bad: "let_me_think", praise: "well_played" },
  Frieda: { good: "what_luck", bad: "sorry", praise: "clever" },
  Käthe: { good: "clever", bad: "let_me_think", praise: "what_luck" },
  Emil: { good: "sorry", bad: "what_luck", praise: "well_played" },
  Lotte: { good: "what_luck", bad: "let_me_think", praise: "clever" },
  Anton: { good: "clever", bad: "sorry", praise: "what_luck" },
  Rosa: { good: "clever", bad: "let_me_think", praise: "well_played" },
  Gustav: { good: "what_luck", bad: "sorry", praise: "well_played" },
  Ilse: { good: "sorry", bad: "let_me_think", praise: "well_played" },
  Oskar: { good: "clever", bad: "what_luck", praise: "let_me_think" },
};

/** What everybody sees of an event, whatever it is about: no cards, only how many. @param {any} event */
export const open = ({ type, seat, victim, points, scores, cards }) => ({
  type,
  seat,
  victim,
  points,
  scores,
  count: cards?.length ?? 0,
});

/** The moment that an event is; null: none. @param {string} ruleset @param {GameEvent} event @param {any} view  After it. */
export const momentOf = (ruleset, event, view) =>
  MOMENTS[ruleset]?.(open(event), { finisher: view?.finisher ?? null }) ?? null;

/**
 * Who of the house says what of this version; null: nobody.
 * @param {State} state @param {number} version @returns {{ seat: number, phrase: string } | null}
 */
export function said(state, version) {
  const { film, ruleset, game } = state, item = film.item(version);
  const house = game.seats.flatMap(({ seat, bot, gone }) => bot && !gone ? [seat] : []);
  const found = item && momentOf(ruleset, /** @type {GameEvent} */ (item.event), film.view(version));
  if (!found || !house.length) return null;
  const names = namesOf(state), own = house.includes(found.seat);
  // Of people only what is good is said, by one of the house in turn.
  if (!own && found.mood === "bad") return null;
  const seat = own ? found.seat : house[version % house.length] ?? 0;
  const who = CHARACTERS[names[seat]?.split(" ")[0] ?? ""];
  return who ? { seat, phrase: own ? who[found.mood] : who.praise } : null;
}
