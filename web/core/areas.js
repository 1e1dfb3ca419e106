/**
 * What of a view lies on the table: the zones of a description with their cards, and the things that can be clicked.
 */

/**
 * @import { Area, Place, Table, Thing, View, Zone } from "./types.js"
 */

/**
 * All zones that are shown, those of the centre first, then seat by seat.
 * @param {Table} table
 * @param {View} view
 * @returns {Area[]}
 */
export function areas(table, view) {
  const shown = Object.entries(table.zones).filter(([, zone]) => !zone.when || zone.when(view));
  const common = shown.filter(([, zone]) => zone.per !== "seat");
  const perSeat = shown.filter(([, zone]) => zone.per === "seat");
  return [
    ...common.map(([name, zone]) =>
      area(name, zone, zone.by ? view[zone.by] ?? null : null, content(zone, name, view))
    ),
    ...seatsOf(perSeat, view).flatMap((seat) =>
      perSeat.map(([name, zone]) => area(name, zone, seat, at(content(zone, name, view), seat)))
    ),
  ];
}

/** @param {Zone} zone @param {string} name @param {View} view @returns {any} */
function content(zone, name, view) {
  return zone.of ? zone.of(view) : view[name];
}

/** @param {any} value @param {number} seat @returns {any} */
function at(value, seat) {
  return Array.isArray(value) ? value[seat] : undefined;
}

/** @param {[string, Zone][]} zones @param {View} view @returns {number[]} */
function seatsOf(zones, view) {
  const most = Math.max(0, ...zones.map(([name, zone]) => content(zone, name, view)?.length ?? 0));
  return Array.from({ length: most }, (_, seat) => seat);
}

/**
 * @param {string} name
 * @param {Zone} zone
 * @param {number | null} seat
 * @param {any} value
 * @returns {Area}
 */
function area(name, zone, seat, value) {
  const id = zone.per === "seat" ? `${name}/${seat}` : name;
  const nulls = zone.nulls ?? (zone.kind === "slots" && Array.isArray(value) ? "empty" : "back");
  if (!Array.isArray(value) && zone.kind !== "count") {
    return { id, name, seat, zone, places: value === undefined ? [] : [place(id, 0, value, nulls)] };
  }
  const cards = zone.kind === "count" ? Array.from({ length: value ?? 0 }, () => null) : value;
  const ordered = zone.top === "first" ? cards.toReversed() : cards;
  /** @param {number} index */
  const thing = (index) => zone.kind === "pile" || zone.kind === "count" ? id : `${id}/${index}`;
  const places = ordered.map((/** @type {any} */ card, /** @type {number} */ index) =>
    place(thing(index), index, card, zone.kind === "count" ? "back" : nulls)
  );
  return { id, name, seat, zone, places };
}

/**
 * @param {Thing} thing
 * @param {number} index
 * @param {any} value  A card, null, or a struct with `card` and perhaps `up`.
 * @param {"back" | "empty"} nulls
 * @returns {Place}
 */
function place(thing, index, value, nulls) {
  if (value === null || value === undefined) return { thing, index, state: nulls, card: null, badges: {} };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { thing, index, state: "face", card: value, badges: {} };
  }
  const { card, up, ...badges } = value;
  const open = up === undefined ? card !== null : up;
  return { thing, index, state: open ? "face" : "back", card, badges };
}

/**
 * The area with its cards in the order of the deck; cards that it does not list by their names, backs last. Things stay what
 * they are.
 * @param {Area} area
 * @param {any} deck
 * @returns {Area}
 */
export function sorted(area, deck) {
  const order = new Map(
    (deck?.cards ?? []).map((
      /** @type {any} */ card,
      /** @type {number} */ at,
    ) => [JSON.stringify(card?.id ?? card), at]),
  );
  const rank = (/** @type {Place} */ { card }) => order.get(JSON.stringify(card)) ?? (card === null ? 2e9 : 1e9);
  const name = (/** @type {Place} */ { card }) => String(card);
  const places = area.places.toSorted((a, b) =>
    rank(a) - rank(b) || name(a).localeCompare(name(b), "en", { numeric: true })
  );
  return { ...area, places };
}

/** Whether the user can sort the cards of this area. @param {Area} area @param {number | null} you */
export const sorts = ({ zone, seat, places }, you) =>
  Boolean(zone.sorts && !zone.gaps && zone.kind === "list" && seat !== null && seat === you && places.length > 1);

/**
 * All things that are drawn.
 * @param {Area[]} shown
 * @returns {Set<Thing>}
 */
export function things(shown) {
  /** @type {Set<Thing>} */
  const found = new Set();
  for (const { id, seat, zone, places } of shown) {
    if (zone.kind === "pile" || zone.kind === "count") found.add(id);
    for (const { thing } of places) found.add(thing);
    if (zone.gaps) { for (let gap = 0; gap <= places.length; gap++) found.add(`${id}/gap/${gap}`); }
    if (zone.end) found.add(`${id}/end`);
    for (const line of zone.lines ?? []) found.add(`${id}/line/${line}`);
    if (seat !== null) found.add(`seat/${seat}`);
  }
  return found;
}
