/** Twin: what counts is large and on the left; the ladder shows it again; the other number waits upside down. */

import { card, figure, repeat } from "./card.js";
import { path, round, shape } from "./glyphs.js";

/**
 * @import { Face } from "../core/types.js"
 * @import { Shape } from "./glyphs.js"
 */

const MIXED_UP = new Set(["6", "9", "66", "68", "69", "86", "89", "96", "98", "99"]);

/** @param {string} text @param {number} h @param {number} x @param {number} y @param {number} weight */
const corner = (text, h, x, y, weight) => [
  figure(text, { x, y, h, at: 0, weight, max: 60 }),
  ...(MIXED_UP.has(text)
    ? [shape("path", { class: "num", "stroke-width": h / 9, d: `M${x + 3} ${round(y + h * 0.7)}h${round(h * 0.5)}` })]
    : []),
];

/** @param {Face} face @returns {Shape} */
export function twin({ number = "", turned = "", tint = "u1", notches = 0 }) {
  const ladder = repeat(Math.min(notches, 10), (i) => `M80 ${round(82 - i * 7.6)}H92`);
  const steps = repeat(Math.min(Number(turned) || 0, 10), (i) => `M78 ${round(42 - i * 3.9)}H92`);
  return card(
    "twin",
    path(`hue ${tint}`, "M0 0H100V88C76 80 66 102 44 98 26 94 16 88 0 96Z"),
    corner(number, 58, 11, 42, 17),
    path("ladder", ladder),
    shape(
      "g",
      { class: "other", transform: "rotate(180 50 70)" },
      ...corner(turned, 36, 9, 24, 16),
      path("ladder thin", steps),
    ),
  );
}
