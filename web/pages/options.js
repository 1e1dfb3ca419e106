/** A form for the options of a ruleset, made from their JSON Schema. */

import { html } from "../core/html.js";

/** @typedef {Record<string, any>} Schema */

/** @param {Schema} schema @returns {Record<string, Schema>} */
export function properties(schema) {
  const name = schema.$ref?.split("/").at(-1);
  return (name ? schema.$defs[name] : schema).properties ?? {};
}

/**
 * @param {any} rules  The ruleset, `own` are its labels.
 * @param {import("../core/types.js").Say} say
 */
export function optionFields({ schemas, own }, say) {
  return Object.entries(properties(schemas.options)).map(([name, property]) => {
    const label = own.options?.[name] ?? name.replaceAll("_", " ");
    return html`<label class="field option"><span>${label}</span>${control(name, property, own, say)}
      <small>${property.description ?? ""}</small></label>`;
  });
}

/** @param {string} name @param {Schema} property @param {any} labels @param {import("../core/types.js").Say} say */
function control(name, property, labels, say) {
  const { type, minimum, maximum } = property;
  if (type === "integer") {
    return html`<input type="number" name=${name} required min=${minimum} max=${maximum} step="1" .value=${
      String(property.default)
    }>`;
  }
  if (type === "array") {
    const seats = Array.from({ length: property.items.exclusiveMaximum ?? property.maxItems ?? 0 }, (_, seat) => seat);
    return html`<span class="checks">${
      seats.map((seat) => html`<label><input type="checkbox" name=${name} value=${seat}>${seat + 1}</label>`)
    }</span>`;
  }
  return html`<select name=${name}>${
    choices(property).map((value) =>
      html`<option value=${JSON.stringify(value)} ?selected=${value === property.default}>${
        worded(name, value, labels, say)
      }</option>`
    )
  }</select>`;
}

/** @param {Schema} property @returns {unknown[]} */
function choices({ type, enum: values, anyOf = [] }) {
  if (type === "boolean") return [true, false];
  return values ?? anyOf.flatMap((/** @type {Schema} */ each) => each.type === "null" ? [null] : each.enum ?? []);
}

/** @param {string} name @param {unknown} value @param {any} labels @param {import("../core/types.js").Say} say */
function worded(name, value, labels, say) {
  const listed = labels.values?.[name]?.[String(value)];
  if (listed !== undefined) return listed;
  if (value === true || value === false) return say(value ? "ui.yes" : "ui.no");
  if (value === null) return say("ui.none");
  return String(value).replaceAll("_", " ");
}

/**
 * What the form says, as the body of a request.
 * @param {Schema} schema
 * @param {FormData} data
 */
export function optionsFrom(schema, data) {
  return Object.fromEntries(
    Object.entries(properties(schema)).map(([name, property]) => {
      if (property.type === "array") return [name, data.getAll(name).map(Number)];
      const text = String(data.get(name));
      return [name, property.type === "integer" ? Number(text) : JSON.parse(text)];
    }),
  );
}
