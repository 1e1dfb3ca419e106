/**
 * Sentences about events, from the templates in a ruleset's labels: `{path:kind}` is a placeholder, and a part in
 * brackets is left out if a placeholder in it has nothing to show.
 */

/** @import { Tongue } from "./talk.js" */

const PLACEHOLDER = /{([a-z_.]+)(?::([a-z_]+))?}/g;
const OPTIONAL = /\[([^[\]]*)\]/g;

/** @param {string} template @param {any} event @param {Tongue} tongue */
export function sentence(template, event, tongue) {
  /** @param {string} _ @param {string} part */
  const part = (_, part) =>
    [...part.matchAll(PLACEHOLDER)].every(([, path = "", kind]) => hasContent(valueAt(event, path), kind)) ? part : "";
  /** @param {string} _ @param {string} path @param {string} [kind] */
  const filled = (_, path, kind) => shown(path.split(".").at(-1) ?? "", kind, valueAt(event, path), tongue);
  return template.replace(OPTIONAL, part).replace(PLACEHOLDER, filled);
}

/** The value at the path; of a list the values of its items. @param {any} value @param {string} path @returns {any} */
function valueAt(value, path) {
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  const [first = "", ...rest] = path.split(".");
  const found = value?.[first];
  return rest.length && found !== null && typeof found === "object" ? valueAt(found, rest.join(".")) : found;
}

/** @param {any} value @param {string | undefined} kind */
function hasContent(value, kind) {
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return false;
  if (kind === "by_seat") return value.some(Boolean);
  if (kind === "cards") return value.some((/** @type {unknown} */ card) => card !== null);
  return kind !== undefined || Boolean(value);
}

/** @param {string} field @param {string | undefined} kind @param {any} value @param {Tongue} tongue @returns {string} */
function shown(field, kind, value, tongue) {
  if (value === null || value === undefined) return kind === "card" ? card(value, tongue) : "";
  switch (kind) {
    case "by_seat":
      return tongue.names.map((name, seat) => `${name} ${value[seat]}`).join(", ");
    case "count":
      return String(value.length);
    case "card":
      return card(value, tongue);
    case "cards":
      return value.map((/** @type {any} */ each) => card(each, tongue)).join(", ");
  }
  /** @type {any[]} */
  const values = Array.isArray(value) ? value : [value];
  return [...new Set(values.map((each) => text(field, kind, each, tongue)))].join(", ");
}

/** @param {string} field @param {string | undefined} kind @param {any} value @param {Tongue} tongue */
function text(field, kind, value, { names, labels }) {
  if (kind === "seat") return names[value] ?? "";
  if (kind === "number") return String(value + 1);
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
