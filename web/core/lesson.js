/**
 * A guided first game: where the learner stands in the steps of the lesson, what they may do, and who else moves. A
 * lesson is data of the ruleset; its game runs as any other.
 */

import { clicksOf, same } from "./compose.js";
import { told as toldAnyhow } from "./play.js";

/**
 * @import { Film } from "./film.js"
 * @import { State } from "./model.js"
 * @import { Told } from "./play.js"
 * @import { Message, Move, Thing } from "./types.js"
 * @typedef {import("./types.js").Schemas} Schemas
 * @typedef {Omit<Schemas["LessonStep"], "move" | "reply"> & { move?: Move, reply?: { seat: number, move: Move }[] }} Step
 * @typedef {Omit<Schemas["Lesson"], "steps"> & { steps: Step[] }} Lesson
 * @typedef {{ index: number, due: { seat: number, move: Move } | null }} Stand  `due`: another seat's move comes first.
 */

/** The seat of the learner. */
export const LEARNER = 0;

/** How many moves the log has: the events of one have the same time, and the opening is nobody's. @param {Film} film @param {number} shown */
const moves = ({ items }, shown) =>
  items.slice(0, shown).filter(({ by, at }, index) => by !== null && items[index - 1]?.at !== at).length;

/**
 * Where the game stands.
 * @param {Lesson} lesson @param {Film} film @param {number} shown  The version.
 * @param {number} read  How many of the first steps have been read: those without a move leave nothing in the log.
 * @returns {Stand}
 */
export function stand({ steps }, film, shown, read) {
  let left = moves(film, shown);
  for (const [index, { move, reply = [] }] of steps.entries()) {
    const all = move ? [{ seat: LEARNER, move }, ...reply] : [];
    const due = left ? all[left] : undefined;
    if (left < all.length) return { index, due: /** @type {Stand["due"]} */ (due ?? null) };
    left -= all.length;
    if (!move && !left && index >= read) return { index, due: null };
  }
  return { index: steps.length - 1, due: null };
}

/** What a step is about on the table: what it points at, and what its move is made of. @param {Step} step @param {State} state @returns {Set<Thing>} */
export function pointed({ point = [], move, free }, state) {
  const view = state.film.view(state.shown);
  const needed = view && move && !free ? clicksOf(state.table, move, LEARNER, view) : [];
  return new Set([...point, ...needed.filter((thing) => !state.choice.clicked.includes(thing))]);
}

/**
 * What a person does, as far as the step lets them; `wrong`: it is not what the step wants.
 * @param {State} state @param {Message} message @param {Step} step @returns {(Told & { wrong?: boolean }) | null}
 */
export function told(state, message, step) {
  const found = toldAnyhow(state, message), { move, free } = step, view = state.film.view(state.shown);
  if (!found || free || !view) return found;
  const allowed = move ? clicksOf(state.table, move, LEARNER, view) : [];
  const strays = message.do === "click" && found.state.choice.clicked.some((thing) => !allowed.includes(thing));
  const other = found.make && !isMove(found.make, move);
  return strays || other ? { state, wrong: true } : found;
}

/** Whether a legal move is the one of a step, which leaves out what is null or false. @param {Move | undefined} made @param {Move | undefined} move */
export const isMove = (made, move) =>
  made !== undefined && move !== undefined &&
  Object.entries(made).every(([field, value]) => same(value, move[field] ?? (value === false ? false : null))) &&
  Object.keys(move).every((field) => field in made);
