/** Portraits: a disc with a letter is a person, a square one of the house, a dashed ring a free seat. */
import { html } from "../core/html.js";
import { sign } from "./card.js";

/** Tints of discs: the same for a name wherever it is. */
const TINTS = 5;

/** @param {string | null} name  null: the seat is free. @param {boolean} [house] @param {unknown} [state]  Drawn at its edge. */
export function portrait(name, house = false, state = "") {
  if (name === null) {
    return html`<i class="who free" aria-hidden="true">${sign("plus")}</i>`;
  }
  const tint = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) %
    TINTS;
  return html`<i class="who ${house ? "bot" : `h${tint}`}" aria-hidden="true">${[...name][0] ?? "?"}${state}</i>`;
}
