/**
 * Sentences: the log, the names of moves, and what a click does.
 */

import { same } from "./compose.js";

/**
 * @import { Chip, GameEvent, Line, Move, Say, Table, View } from "./types.js"
 * @import { Film } from "./film.js"
 */

/**
 * What talking needs to know.
 * @typedef {object} Tongue
 * @property {Table} table
 * @property {any} deck
 * @property {any} labels  Of the ruleset, in the user's language.
 * @property {string[]} names  Of the seats.
 * @property {Say} say
 */

/** Fields of events and moves that name cards, and those that name seats. */
const CARDS = new Set([
  "card",
  "cards",
  "out",
  "other",
  "by",
  "pay",
  "laid",
  "staged",
  "filled",
  "turned",
  "hold",
  "top",
]);
const SEATS = new Set(["seat", "victim", "finisher", "owner", "start", "row", "to"]);
const PLACES = new Set(["slot", "position", "place"]);
/** More cards than these are only counted. */
const MANY = 6;

/** A tag or a value as words. @param {unknown} value */
export const plain = (value) => String(value).replaceAll("_", " ");

/**
 * The value of a field in words; "" if there is nothing to say.
 * @param {string} field
 * @param {unknown} value
 * @param {Tongue} tongue
 * @returns {string}
 */
export function worded(field, value, { table, deck, labels, names, say }) {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "boolean") return value ? plain(labels.fields?.[field] ?? field) : "";
  if (SEATS.has(field) && typeof value === "number") return names[value] ?? "";
  if (PLACES.has(field) && typeof value === "number") {
    return table.place?.(field, value, say) ?? say("ui.place", { n: value + 1 });
  }
  const listed = labels.cards?.[String(value)];
  if (CARDS.has(field)) {
    const cards = Array.isArray(value) && field !== "card" ? value : [value];
    const known = cards.filter((card) => card !== null);
    if (!known.length || known.length > MANY) return "";
    return known.map((card) => named(card, { table, deck, say }) || labels.cards?.[String(card)] || String(card)).join(
      ", ",
    );
  }
  if (listed) return listed;
  return typeof value === "object" ? "" : labels.values?.[String(value)] ?? plain(value);
}

/** @param {any} card @param {{ table: Table, deck: any, say: Say }} tongue */
function named(card, { table, deck, say }) {
  const zone = Array.isArray(card) && !card.every((each) => typeof each === "number");
  return zone || (typeof card === "object" && !Array.isArray(card)) ? "" : table.name(card, say, deck);
}

/**
 * What happened: the label of the event, with its fields where it has places for them, else behind it.
 * @param {GameEvent} event
 * @param {Tongue} tongue
 */
export function told(event, tongue) {
  const label = tongue.labels.events?.[event.type] ?? tongue.say(`event.${event.type}`);
  if (label.includes("{")) {
    return label.replace(
      /\{(\w+)\}/g,
      (/** @type {string} */ _, /** @type {string} */ field) => worded(field, event[field], tongue),
    );
  }
  const details = Object.entries(event)
    .filter(([field]) => CARDS.has(field) || PLACES.has(field) || field === "line")
    .map(([field, value]) => worded(field, value, tongue)).filter(Boolean);
  return details.length ? `${label}: ${details.join(", ")}` : label;
}

/** Events that say nothing that is not seen. */
const SILENT = new Set(["turn_began", "begun", "revealed", "move_began"]);

/**
 * The log.
 * @param {Film} film
 * @param {Tongue} tongue
 * @returns {Line[]}
 */
export function log(film, tongue) {
  const marks = tongue.table.marks ?? [];
  return film.items.filter(({ event }) => !SILENT.has(event.type)).map(({ version, event, by }) => {
    const seat = typeof event.seat === "number" ? event.seat : by;
    const mark = marks.includes(event.type);
    const who = mark || seat === null || seat === undefined ? "" : tongue.names[seat] ?? "";
    return { version, who, text: who ? lower(told(event, tongue)) : told(event, tongue), mark };
  });
}

/** @param {string} text */
function lower(text) {
  return `· ${text}`;
}

/**
 * The moves by names that tell them apart: the type, and the fields in which moves of that type differ.
 * @param {Move[]} moves
 * @param {Tongue} tongue
 * @param {View} view
 * @returns {Chip[]}
 */
export function chips(moves, tongue, view) {
  return moves.map((move) => ({ move, label: nameOf(move, moves, tongue, view) }));
}

/**
 * @param {Move} move
 * @param {Move[]} among
 * @param {Tongue} tongue
 * @param {View} view
 */
export function nameOf(move, among, tongue, view) {
  const own = tongue.table.label?.(move, tongue.say, view);
  if (own) return own;
  const label = tongue.labels.moves?.[move.type] ?? plain(move.type);
  const same_type = among.filter(({ type }) => type === move.type);
  const differing = Object.keys(move).filter((field) => same_type.some((each) => !same(each[field], move[field])));
  const details = differing.map((field) => worded(field, move[field], tongue)).filter(Boolean);
  return details.length ? `${label}: ${details.join(", ")}` : label;
}

/**
 * What a click leads to: the types of the moves that a thing belongs to.
 * @param {Move[]} moves
 * @param {Tongue} tongue
 */
export function leadsTo(moves, { labels }) {
  return [...new Set(moves.map(({ type }) => labels.moves?.[type] ?? plain(type)))].join(", ");
}

/**
 * A thing that is chosen by its name, in the rail of a ruleset without a table.
 * @param {string} thing
 * @param {Tongue} tongue
 */
export function nameOfThing(thing, tongue) {
  if (thing.startsWith("move/")) return tongue.labels.moves?.[thing.slice(5)] ?? plain(thing.slice(5));
  const [field = "", text = ""] = thing.slice("field/".length).split(/=(.*)/s);
  const value = JSON.parse(text);
  return `${plain(field)}: ${
    worded(field, value, tongue) || (value === null || value === false ? tongue.say("ui.no") : JSON.stringify(value))
  }`;
}
