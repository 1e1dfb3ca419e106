/** Glass: the card fills up; height, notches and numeral say the same. */

import { card, figure, repeat } from "./card.js";
import { path, round } from "./glyphs.js";

/**
 * @import { Face } from "../core/types.js"
 * @import { Shape } from "./glyphs.js"
 */

/** @param {Face} face @returns {Shape} */
export function glass({ number = "", tint = "t0", level = 0, notches = 0 }) {
  const y = round(140 - 140 * level + 6 - level * 9);
  const fill = level >= 1 ? "M0 0H100V140H0Z" : `M0 ${y}C18 ${y - 9} 32 ${y - 9} 50 ${y}S82 ${y + 9} 100 ${y}V140H0Z`;
  const steps = repeat(notches, (i) => `M92 ${130 - i * 10}H100`);
  const wide = number.length > 1 && !number.startsWith("-");
  return card(
    "glass",
    path(`tint ${tint}`, fill),
    path("notch", steps),
    figure(number, { x: wide ? 48 : 50, h: 62, weight: 16, max: 70 }),
  );
}

/**
 * A number card of a ruleset in which a few points are good: five tints whose limits are `steps`.
 * @param {number} value
 * @param {{ least: number, most: number, steps: readonly number[] }} range `steps`: the highest value of each tint.
 * @returns {Face}
 */
export function numbered(value, { least, most, steps }) {
  const found = steps.findIndex((step) => value <= step), tint = found < 0 ? steps.length : found;
  const level = Math.min(1, Math.max(0, (value - least) / (most - least)));
  return { draw: glass, number: String(value), tint: `t${tint}`, level, notches: tint };
}
