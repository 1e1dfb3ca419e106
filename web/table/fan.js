/** Cards as decoration: a fan of fronts, and a few backs. They belong to no game that is played. */
import { html } from "../core/html.js";
import { glass } from "../faces/glass.js";
import { sign } from "../faces/sign.js";
import { split } from "../faces/split.js";
import { striped } from "../faces/striped.js";
import { twin } from "../faces/twin.js";
import { drawBack, drawFace } from "./card.js";

/** @type {import("../core/types.js").Face[]} */
const FACES = [
  { draw: split, number: "3", pips: ["crescent"], effect: "+1", ways: "both" },
  { draw: twin, number: "8", turned: "3", tint: "u8", notches: 8 },
  { draw: glass, number: "7", tint: "t3", level: 0.64, notches: 3 },
  { draw: striped, number: "16", tint: "s-tA", stripe: "A", pips: ["heart", "heart"] },
  { draw: sign, glyph: "star" },
];

/** Five fronts, thrown onto the table. */
export const fan = () =>
  html`<ol class="throw" aria-hidden="true">${
    FACES.map((face) => html`<li><span class="card">${drawFace(face)}</span></li>`)
  }</ol>`;

/** The cards that stand for a game; three backs where its description has none. @param {import("../core/types.js").Table} table */
export const samples = ({ show = [null, null, null], weave = "rings" }) =>
  html`<ol class="cards" aria-hidden="true">${
    show.map((face) =>
      html`<li><span class="card ${face ? "" : "is-back"}">${face ? drawFace(face) : drawBack(weave)}</span></li>`
    )
  }</ol>`;
