/**
 * What is said of a game: the log, the names of moves, and what a click does.
 */

import { same } from "./compose.js";
import { SILENT } from "./film.js";
import { isolated } from "./words.js";

/**
 * @import { Chip, GameEvent, Line, Move, Say, Table } from "./types.js"
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

/** Fields of moves that name seats. */
const SEATS = new Set(["seat", "row"]);

/** A number with a true minus sign. @param {unknown} value */
export const minus = (value) => String(value).replace("-", "−");

/** A tag or a value as words. @param {unknown} value */
export const plain = (value) => String(value).replaceAll("_", " ");

/**
 * The value of a field of a move in words; "" if there is nothing to say.
 * @param {string} field
 * @param {unknown} value
 * @param {Tongue} tongue
 * @returns {string}
 */
export function worded(field, value, tongue) {
  const { labels, names } = tongue;
  const listed = labels.values?.[field]?.[String(value)] ?? labels.cards?.[String(value)];
  if (listed !== undefined) return listed;
  if (value === null || value === undefined || value === false) return "";
  if (value === true) return plain(labels.fields?.[field] ?? field);
  if (SEATS.has(field) && typeof value === "number") return isolated(names[value] ?? "");
  if (labels.places?.[field] && typeof value === "number") return placeOf(labels.places[field], value);
  if (Array.isArray(value)) return value.map((each) => cardOf(each, tongue)).join(", ");
  return typeof value === "string" ? cardOf(value, tongue) : plain(value);
}

/** The card by its name, if it is one. @param {any} value @param {Tongue} tongue */
function cardOf(value, { table, deck, say }) {
  const known = deck?.cards?.some?.((/** @type {any} */ { id }) => id === value);
  return known ? table.name(value, say, deck) : plain(value);
}

/**
 * What happened.
 * @param {GameEvent} event
 * @param {Tongue} tongue
 * @param {Show} [show]  Of cards; without it they are named.
 * @param {boolean} [brief]  Without the parts that say where, or name the same seat.
 */
export function told(event, tongue, show, brief) {
  const template = tongue.labels.sentences?.[event.type];
  return template
    ? sentence(template, event, tongue, show, brief)
    : tongue.labels.events?.[event.type] ?? tongue.say(`event.${event.type}`);
}

/** Lines that were made before: with these names, and the deck or without it. @type {WeakMap<object, { key: string, line: Line }>} */
const known = new WeakMap();

/**
 * The log up to a version.
 * @param {Film} film
 * @param {Tongue} tongue
 * @param {number} shown
 * @returns {Line[]}
 */
export function log(film, tongue, shown) {
  const key = [...tongue.names, tongue.deck?.name].join("\n");
  return film.items.slice(0, shown).filter(({ event }) => !SILENT.has(event.type)).map((item) => {
    const found = known.get(item);
    if (found?.key === key) return found.line;
    const line = lineOf(item, film, tongue);
    known.set(item, { key, line });
    return line;
  });
}

/**
 * What each other seat did last, since the own seat moved; for the eyes without where, which is marked on the table.
 * @param {Film} film @param {Tongue} tongue @param {number} shown @param {number | null} you @returns {Line[]}
 */
export function deeds(film, tongue, shown, you) {
  /** @type {Line[][]} */
  const [found = [], quiet = []] = [[], []];
  for (let at = shown - 1; at >= 0 && at > shown - FAR; at--) {
    const item = film.items[at], by = item?.by ?? null;
    if (!item || (by !== null && by === you)) break;
    const { type } = item.event;
    if (by === null || SILENT.has(type) || type === "joined" || found[by] !== undefined) continue;
    const line = lineOf(item, film, tongue, true);
    if (line.who !== tongue.names[by] || line.mark) continue;
    line.title = tongue.labels.events?.[type];
    if (tongue.table.quiet?.includes(type)) quiet[by] ??= line;
    else found[by] = line;
  }
  return Object.assign(quiet, found);
}

/** Events after which a deed is old. */
const FAR = 60;

/** @param {import("./film.js").Item} item @param {Film} film @param {Tongue} tongue @param {boolean} [brief] @returns {Line} */
function lineOf({ version, event: happened, by }, film, tongue, brief) {
  const { recall } = tongue.table, before = recall ? film.view(version - 1) : null;
  const event = recall && before ? recall(happened, before) : happened;
  const name = tongue.names[typeof event.seat === "number" ? event.seat : by ?? -1] ?? "";
  const text = told(event, tongue), mark = (tongue.table.marks ?? []).includes(event.type);
  if (name && text.startsWith(`${isolated(name)} `)) {
    const skip = isolated(name).length + 1;
    return { version, who: name, text: text.slice(skip), parts: forEyes(event, tongue, skip, brief), mark };
  }
  const service = !tongue.labels.sentences?.[event.type] && typeof event.seat === "number";
  return { version, who: service ? name : "", text, parts: forEyes(event, tongue, 0, brief), mark };
}

/** Where a card is shown; no name has it. */
const SPOT = "\u001f";

/** The sentence with its cards as they look, and without its first characters. @param {GameEvent} event @param {Tongue} tongue @param {number} skip @param {boolean} [brief] @returns {Line["parts"]} */
function forEyes(event, tongue, skip, brief) {
  /** @type {Line["parts"]} */
  const cards = [];
  const text = told(event, tongue, (value) => {
    if (value === null || value === undefined) return card(value, tongue);
    const { number, tint, glyph, pips = [] } = tongue.table.face(value, tongue.deck, tongue.say);
    if (brief && glyph && !number) {
      cards.push({ name: "", pips: [glyph] });
      return SPOT;
    }
    const name = number?.replace("-", "−") ?? tongue.table.name(value, tongue.say, tongue.deck);
    cards.push({ name, tint, pips: pips.length > 2 ? [] : pips });
    return SPOT;
  }, brief);
  /** @type {string[]} */
  const words = text.slice(skip).split(SPOT);
  return words.flatMap((part, at) => [part, ...cards.slice(at, at + 1)]);
}

/**
 * The moves by names that tell them apart: the type, and the fields in which moves of that type differ.
 * @param {Move[]} moves
 * @param {Tongue} tongue
 * @returns {Chip[]}
 */
export function chips(moves, tongue) {
  return moves.map((move) => ({ move, label: nameOf(move, moves, tongue) }));
}

/**
 * @param {Move} move
 * @param {Move[]} among
 * @param {Tongue} tongue
 */
export function nameOf(move, among, tongue) {
  const label = tongue.labels.moves?.[move.type] ?? plain(move.type);
  const alike = among.filter(({ type }) => type === move.type);
  const differing = Object.keys(move).filter((field) => alike.some((each) => !same(each[field], move[field])));
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
  const { labels, say } = tongue;
  if (thing.startsWith("move/")) return labels.moves?.[thing.slice(5)] ?? plain(thing.slice(5));
  const [field = "", text = ""] = thing.slice("field/".length).split(/=(.*)/s);
  const value = JSON.parse(text);
  return `${labels.fields?.[field] ?? plain(field)}: ${worded(field, value, tongue) || say("ui.no")}`;
}

// --- templates: `{path:kind}` is a placeholder, a part in brackets is left out if a placeholder in it shows nothing

const PLACEHOLDER = /{(!?)([\w.()-]+)(?::([a-z_]+))?}/g;
const OPTIONAL = /\[([^[\]]*)\]/g;
const CONDITION = /^(!?)([^:=]+)(?::([a-z_]+))?(?:=(.+))?$/;

/** How a card is shown in a sentence. @typedef {(value: any, tongue: Tongue) => string} Show */

/** The template, filled with what is at its paths. @param {string} template @param {any} value @param {Tongue} tongue @param {Show} [show] @param {boolean} [brief] */
export function sentence(template, value, tongue, show = card, brief = false) {
  /** @param {string} _ @param {string} not @param {string} path @param {string} [kind] */
  const filled = (_, not, path, kind) => not ? "" : shown(nameOfPath(path), kind, valueAt(value, path), tongue, show);
  return chosen(template, value, tongue, brief).replace(PLACEHOLDER, filled);
}

/** The template without the parts in brackets that do not apply. @param {string} template @param {any} value @param {Tongue} tongue @param {boolean} [brief] */
export function chosen(template, value, tongue, brief = false) {
  /** What the table shows beside the sentence. @param {unknown} found @param {string | undefined} kind */
  const isKnown = (found, kind) =>
    brief && (kind === "place" || kind === "ordinal" || (kind === "seat" && found === value.seat));
  /** @param {string[]} placeholder */
  const applies = ([, not, path = "", kind]) => {
    const found = valueAt(value, path);
    return hasContent(found, kind, tongue) !== Boolean(not) && !isKnown(found, kind);
  };
  return template.replace(OPTIONAL, (_, part) => {
    const all = [...part.matchAll(PLACEHOLDER)], more = brief && (!all.length || /^[;:]/.test(part));
    return !more && all.every(applies) ? part : "";
  });
}

/** Whether a condition holds: `path`, `path:kind` or `path=value`, with `!` before it: does not. @param {string} condition @param {any} value @param {Tongue} tongue */
export function holds(condition, value, tongue) {
  const plain = direct(condition, value), found = CONDITION.exec(plain ?? "");
  if (!found) return condition.startsWith("!");
  const [, not, path = "", kind, wanted] = found, there = valueAt(value, path);
  const is = wanted === undefined ? hasContent(there, kind, tongue) : [there].flat().map(String).includes(wanted);
  return is !== Boolean(not);
}

/** @param {string} path */
const nameOfPath = (path) => path.split(".").at(-1) ?? "";

/** Paths in parentheses are replaced by the names or numbers that are there; null if one is not. @param {string} path @param {any} value */
function direct(path, value) {
  if (!path.includes("(")) return path;
  let isThere = true;
  const found = path.replace(/\(([^()]*)\)/g, (_, inner) => {
    const key = valueAt(value, inner) ?? null;
    isThere &&= key !== null;
    return String(key);
  });
  return isThere ? found : null;
}

/** The value at the path; of a list the item with this number, -1 is the last, or the values of its items. @param {any} value @param {string} path @returns {any} */
export function valueAt(value, path) {
  const plain = direct(path, value);
  if (plain === null) return null;
  const [first = "", ...rest] = plain.split(".");
  const isItem = Array.isArray(value) && /^-?\d+$/.test(first);
  if (Array.isArray(value) && !isItem) return value.map((item) => valueAt(item, plain));
  const found = isItem ? value.at(Number(first)) : value?.[first];
  return rest.length && found !== null && typeof found === "object" ? valueAt(found, rest.join(".")) : found;
}

/** @param {any} value @param {string | undefined} kind @param {Tongue} tongue */
function hasContent(value, kind, tongue) {
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return false;
  switch (kind) {
    case "by_seat":
      return value.some(Boolean);
    case "cards":
      return value.some((/** @type {unknown} */ card) => (card ?? null) !== null);
    case "number":
      return typeof value === "number";
    case "word":
      return typeof value === "string";
    case "can":
      return able(value, tongue) !== "";
  }
  return kind !== undefined || Boolean(value);
}

/** What can be done: the words for these types of moves, in the order of the labels. @param {string[]} types @param {Tongue} tongue */
function able(types, { labels }) {
  const named = Object.entries(labels.values?.["can"] ?? {}).filter(([type]) => types.includes(type));
  return [...new Set(named.map(([, word]) => word))].join(", ");
}

/** @param {string} field @param {string | undefined} kind @param {any} value @param {Tongue} tongue @param {Show} show @returns {string} */
function shown(field, kind, value, tongue, show) {
  if (value === null || value === undefined) return kind === "card" ? card(value, tongue) : "";
  const { say, names } = tongue, aloud = show === card;
  switch (kind) {
    case "by_seat":
      return names.map((name, seat) => `${isolated(name)} ${minus(value[seat])}`).join(", ");
    case "count":
      return String(value.length);
    case "named":
      return card(value, tongue);
    case "card":
    case "number":
    case "word":
      return show(value, tongue);
    case "cards":
    case "sum":
      return value.map((/** @type {any} */ each) => show(each, tongue)).join(
        aloud ? ", " : kind === "sum" ? " + " : " ",
      );
    case "can":
      return able(value, tongue);
    case "of": {
      const name = names[value] ?? "";
      return say(/[sßxz]$/.test(name) ? "ui.possessive_s" : "ui.possessive", { name });
    }
  }
  /** @type {any[]} */
  const values = Array.isArray(value) ? value : [value];
  return [...new Set(values.map((each) => text(field, kind, each, tongue)))].join(", ");
}

/** @param {string} field @param {string | undefined} kind @param {any} value @param {Tongue} tongue */
function text(field, kind, value, { names, labels }) {
  if (kind === "seat") return isolated(names[value] ?? "");
  if (kind === "ordinal") return String(value + 1);
  if (kind === "place") return placeOf(labels.places?.[field], value);
  return labels.values?.[field]?.[String(value)] ?? String(value);
}

/** An index into a zone in words. @param {{ text: string, rows?: number } | undefined} place @param {number} index */
export function placeOf(place, index) {
  const rows = place?.rows ?? 1;
  /** @type {Record<string, number>} */
  const fields = { number: index + 1, column: Math.floor(index / rows) + 1, row: index % rows + 1 };
  return (place?.text ?? "{number}").replace(/{(\w+)}/g, (_, name) => String(fields[name]));
}

/** @param {any} value @param {Tongue} tongue @returns {string} */
function card(value, { table, deck, labels, say }) {
  if (value === null || value === undefined) return labels.cards?.hidden ?? "";
  return table.name(value, say, deck);
}
