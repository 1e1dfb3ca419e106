/**
 * A table description for any ruleset, from its schemas alone: complete, not pretty.
 *
 * Zones are the arrays of cards in the view's schema. Everything of a move that is no shown card is chosen by name:
 * first its type, then field by field (`isByName` in compose.js).
 */

import { areas } from "./areas.js";

/**
 * @import { Card, Move, Table, Thing, View, Zone } from "./types.js"
 * @typedef {Record<string, any>} Schema
 */

/**
 * @param {{ schemas: { view: Schema, move: Schema } }} ruleset
 * @returns {Table}
 */
export function describe({ schemas }) {
  const zones = zonesOf(schemas.view);
  /** @type {Table} */
  const table = {
    zones,
    centre: Object.keys(zones).filter((name) => zones[name]?.per !== "seat"),
    moves: {},
    face: (card) => ({ text: broken(plain(card)) }),
    name: (card) => plain(card),
    score: { best: "highest" },
    private: true,
  };
  for (const type of typesOf(schemas.move)) {
    table.moves[type] = (move, _you, view) => [`move/${type}`, ...fieldsOf(move, table, view)];
  }
  return table;
}

/** @param {Move} move @param {Table} table @param {View} view @returns {Thing[]} */
function fieldsOf({ type: _, ...fields }, table, view) {
  return Object.entries(fields).map(([name, value]) =>
    shown(value, table, view) ?? `field/${name}=${JSON.stringify(value)}`
  );
}

/** Where the card lies, if it is a card that is shown once. @param {unknown} card @param {Table} table @param {View} view */
function shown(card, table, view) {
  if (typeof card !== "string" && !Array.isArray(card)) return null;
  return faces(table, view).get(JSON.stringify(card)) ?? null;
}

/** Where each open card of a view lies, as JSON; null: at several places. @type {WeakMap<View, Map<string, Thing | null>>} */
const known = new WeakMap();

/** Found once: each move of each choice asks for it. @param {Table} table @param {View} view @returns {Map<string, Thing | null>} */
function faces(table, view) {
  const before = known.get(view);
  if (before) return before;
  /** @type {Map<string, Thing | null>} */
  const found = new Map();
  for (const { zone, places } of areas(table, view)) {
    for (const { thing, card, state } of zone.kind === "pile" ? places.slice(-1) : places) {
      const face = JSON.stringify(card);
      if (state === "face") found.set(face, found.has(face) ? null : thing);
    }
  }
  known.set(view, found);
  return found;
}

/** @param {Schema} schema @returns {Record<string, Zone>} */
function zonesOf(schema) {
  const resolve = resolver(schema);
  /** @type {Record<string, Zone>} */
  const zones = {};
  for (const [name, property] of Object.entries(resolve(schema).properties ?? {})) {
    const outer = resolve(property);
    const inner = outer.type === "array" ? resolve(outer.items ?? {}) : {};
    const perSeat = inner.type === "array" && !inner.prefixItems;
    const zone = zoneOf(perSeat ? inner : outer, resolve, perSeat);
    if (zone) zones[name] = perSeat ? { ...zone, per: "seat" } : zone;
  }
  return zones;
}

/**
 * @param {Schema} list
 * @param {(schema: Schema) => Schema} resolve
 * @param {boolean} perSeat
 * @returns {Zone | null}
 */
function zoneOf(list, resolve, perSeat) {
  if (list.type !== "array" || list.prefixItems) return null;
  const item = list.items ?? {};
  const kinds = (item.anyOf ?? [item]).map(resolve);
  const nullable = kinds.some((/** @type {Schema} */ kind) => kind.type === "null");
  const structs = kinds.some((/** @type {Schema} */ kind) => kind.properties?.card);
  const cards = kinds.some((/** @type {Schema} */ kind) =>
    kind["x-card"] || kind.prefixItems || kind.type === "string"
  );
  if (!nullable && !structs && !cards) return null;
  if (nullable && (structs || list.default?.length)) return { kind: "slots", nulls: "empty" };
  return nullable && !perSeat ? { kind: "pile" } : perSeat ? { kind: "list", sorts: true } : { kind: "list" };
}

/** @param {Schema} root @returns {(schema: Schema) => Schema} */
function resolver(root) {
  /** @param {Schema} schema @returns {Schema} */
  const resolve = (schema) => {
    const name = schema.$ref?.split("/").at(-1);
    return name ? resolve({ ...root.$defs[name] }) : schema;
  };
  return resolve;
}

/** The types of moves. A single one needs no discriminator. @param {Schema} schema @returns {string[]} */
function typesOf(schema) {
  const single = resolver(schema)(schema).properties?.type?.enum ?? [];
  return Object.keys(schema.discriminator?.mapping ?? {}).concat(single);
}

/** @param {Card} card */
function plain(card) {
  return Array.isArray(card) ? card.join("/") : String(card);
}

/** Characters of a line on a card, and its lines. */
const LONGEST = 8, MOST = 5;

/** The text in lines, broken after words or within long ones. @param {string} text */
function broken(text) {
  /** @type {string[]} */
  const lines = [];
  for (const part of text.match(/[^\s\/_-]*[\s\/_-]|[^\s\/_-]+/g) ?? []) {
    const joined = (lines.at(-1) ?? "") + part;
    if (lines.length && joined.trim().length <= LONGEST) lines[lines.length - 1] = joined;
    else lines.push(...part.match(new RegExp(`.{1,${LONGEST}}`, "g")) ?? []);
  }
  const shown = lines.slice(0, MOST).map((line) => line.trim());
  if (lines.length > MOST) shown[MOST - 1] = `${shown[MOST - 1]?.slice(0, LONGEST - 1)}…`;
  return shown.join("\n");
}
