/**
 * From clicks to a move. The legal moves are complete, so no rule is asked here: a click keeps the moves that it
 * belongs to, until one is left.
 */

/**
 * @import { Move, Table, Thing, View } from "./types.js"
 */

/**
 * What the player has done so far: things clicked, and switches put.
 * @typedef {{ clicked: Thing[], switches: Record<string, unknown> }} Choice
 */

/**
 * What can be done next.
 * @typedef {object} Composition
 * @property {Set<Thing>} next  The things that can be clicked.
 * @property {Move | null} move  The move that the clicks have made.
 * @property {Move[]} buttons  Moves to offer by their names: they have no things, all of them are clicked, or nothing else
 *   can follow.
 * @property {Move[]} left  All moves that are still possible.
 * @property {{ field: string, value: unknown, values: unknown[] }[]} switches  Those that some legal move depends on.
 */

/** A thing that is not on the table but in the rail: `move/TYPE`, or `field/NAME=JSON` (describe.js). */
const BY_NAME = /^(?:move\/|field\/)/;

/** @param {Thing} thing */
export const isByName = (thing) => BY_NAME.test(thing);

/** @type {Choice} */
export const NOTHING = { clicked: [], switches: {} };

/**
 * @param {Table} table
 * @param {Move[]} legal
 * @param {number} you
 * @param {View} view
 * @param {Choice} choice
 * @returns {Composition}
 */
export function compose(table, legal, you, view, choice) {
  const switches = switchesOf(table, legal, choice);
  const open = legal
    .filter((move) => switches.every(({ field, value }) => !(field in move) || same(move[field], value)))
    .map((move) => ({
      move,
      rest: without(thingsOf(table, move, you, view), choice.clicked, (thing) => placesOf(table, thing, view)),
    }));
  const left = open.flatMap(({ move, rest }) => rest ? [{ move, rest }] : []);
  const exact = left.filter(({ rest }) => !rest.length);
  const larger = left.filter(({ rest }) => rest.length);
  const clicked = choice.clicked.length > 0;
  const complete = clicked && exact.length === 1 && !larger.length;
  // A thing that a move asks for twice needs no second click, and neither does the only way to go on, though the move
  // that is made already is another one.
  const settled = larger.filter(({ rest }) =>
    clicked && (larger.length === 1 || rest.every((thing) => choice.clicked.includes(thing)))
  );
  return {
    next: new Set(larger.flatMap(({ rest }) => rest.flatMap((thing) => placesOf(table, thing, view)))),
    move: complete ? /** @type {{ move: Move }} */ (exact[0]).move : null,
    buttons: complete ? [] : [...exact, ...settled].map(({ move }) => move),
    left: left.map(({ move }) => move),
    switches,
  };
}

/**
 * The choice after a click. A click that continues nothing begins anew; on the table itself it clears.
 * @param {Table} table
 * @param {Move[]} legal
 * @param {number} you
 * @param {View} view
 * @param {Choice} choice
 * @param {Thing} thing
 * @returns {Choice}
 */
export function click(table, legal, you, view, choice, thing) {
  const { switches } = choice;
  if (compose(table, legal, you, view, choice).next.has(thing)) {
    return { clicked: [...choice.clicked, thing], switches };
  }
  const again = choice.clicked.includes(thing);
  const first = !again && compose(table, legal, you, view, { clicked: [], switches }).next.has(thing);
  return { clicked: first ? [thing] : [], switches };
}

/**
 * @param {Table} table
 * @param {Move} move
 * @param {number} you
 * @param {View} view
 * @returns {Thing[]}
 */
export function thingsOf(table, move, you, view) {
  const pointed = table.moves[move.type];
  return pointed ? pointed(move, you, view) : [];
}

/** The thing, and of a line its cards: a click on one of them is a click on the line. @param {Table} table @param {Thing} thing @param {View} view @returns {Thing[]} */
function placesOf(table, thing, view) {
  const [zone = "", seat = "", kind, line = ""] = thing.split("/");
  if (kind !== "line") return [thing];
  const rows = table.zones[zone]?.rows ?? 1, number = Number(line.slice(1));
  /** @type {any[]} */
  const cards = view[zone][seat];
  const on = cards.flatMap((card, at) =>
    card && number === (line.startsWith("c") ? Math.floor(at / rows) : at % rows) ? [`${zone}/${seat}/${at}`] : []
  );
  return [thing, ...on];
}

/** Everything that can be clicked for the move. @param {Table} table @param {Move} move @param {number} you @param {View} view */
export const clicksOf = (table, move, you, view) =>
  thingsOf(table, move, you, view).flatMap((thing) => placesOf(table, thing, view));

/**
 * The values of the switches: as they were put, where that is possible now.
 * @param {Table} table
 * @param {Move[]} legal
 * @param {Choice} choice
 */
function switchesOf(table, legal, choice) {
  return Object.entries(table.switches ?? {}).flatMap(([field, all]) => {
    const values = all.filter((value) => legal.some((move) => field in move && same(move[field], value)));
    if (!values.length) return [];
    const wanted = field in choice.switches ? choice.switches[field] : values[0];
    const value = values.some((each) => same(each, wanted)) ? wanted : values[0];
    return [{ field, value, values }];
  });
}

/**
 * The list without these, each taken out once; null if one of them is not in it.
 * @param {Thing[]} list
 * @param {Thing[]} taken
 * @param {(thing: Thing) => Thing[]} places
 * @returns {Thing[] | null}
 */
function without(list, taken, places) {
  const rest = [...list];
  for (const each of taken) {
    const index = rest.findIndex((thing) => thing === each || places(thing).includes(each));
    if (index < 0) return null;
    rest.splice(index, 1);
  }
  return rest;
}

/** @param {unknown} a @param {unknown} b */
export function same(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
