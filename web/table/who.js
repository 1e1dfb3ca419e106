/** Portraits: a disc with a letter is a person, a square with a face one of the house, a dashed ring a free seat. */

import { STRENGTHS } from "../core/house.js";
import { html } from "../core/html.js";
import { face, sign } from "./card.js";

/** Tints of discs: the same for a name wherever it is. */
const TINTS = 5;

/** @param {string | null} name  null: the seat is free. @param {boolean} [house] @param {unknown} [state]  Drawn at its edge. */
export function portrait(name, house = false, state = "") {
  if (name === null) {
    return html`<i class="who free" aria-hidden="true">${sign("plus")}</i>`;
  }
  const initial = [...name][0] ?? "?", known = name.split(" ")[0]?.toLowerCase().replace("ä", "a") ?? "";
  if (house) {
    return html`<i class="who bot p-${known}" aria-hidden="true">${face(known) ?? initial}${state}</i>`;
  }
  const tint = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS;
  return html`<i class="who h${tint}" aria-hidden="true">${initial}${state}</i>`;
}

/** How strong one of the house is, in dots and words. @param {string} strength @param {import("../core/types.js").Say} say */
export const strength = (strength, say) =>
  html`<span class="pips" role="img" aria-label=${say("house.strength", { strength: say(`house.${strength}`) })}>${
    STRENGTHS.map((_, index) => html`<i class=${index <= STRENGTHS.indexOf(strength) ? "on" : ""}></i>`)
  }</span>`;
