/** Stripe: whose set, value, function, pips; a notched double frame. */

import { card, figure, repeat, words } from "./card.js";
import { glyph, GLYPHS, numeral, path } from "./glyphs.js";

/**
 * @import { Face } from "../core/types.js"
 * @import { Shape } from "./glyphs.js"
 */

/** A thread in the stripe tells sets apart without colour. @type {Record<string, string>} */
const THREADS = {
  "s-blue": repeat(11, (i) => `M3 ${8 + i * 10}H21`),
  "s-red": "M12 2" + repeat(9, (i) => `L${i % 2 ? 18 : 6} ${8 + i * 12}`),
  "s-orange": "M7 4V112M17 4V112",
};

/** The stripe tells marks apart by its edge too. @param {readonly string[]} marks */
function edge(marks) {
  const side = marks.includes("bolt") ? "V38L10 50 24 60 10 72 24 84 10 96 24 106" : "";
  return `M0 0H24${side}${marks.includes("arrow") ? "V104L12 138 0 104" : "V140H0"}Z`;
}

/** @param {string} effect */
const functionMark = (effect) =>
  effect in GLYPHS ? glyph(effect, 81, 24, 23) : numeral(effect, { x: 94, y: 24, h: 22, at: 1, weight: 18, max: 30 });

/** @param {readonly string[]} pips */
function pipsOf(pips) {
  const size = pips.length > 4 ? 24 : pips.length > 1 ? 32 : 40,
    columns = pips.length > 4 ? 3 : Math.min(2, pips.length);
  const rows = Math.ceil(pips.length / columns);
  return pips.slice(0, 9).map((pip, i) => {
    const row = Math.floor(i / columns), inRow = Math.min(columns, pips.length - columns * row);
    return glyph(pip, 62 + (i % columns - (inRow - 1) / 2) * size, 100 + (row - (rows - 1) / 2) * (size + 1), size);
  });
}

/** @param {Face} face @returns {Shape} */
export function striped({ number = "", tint = "", stripe, frame, pips = [], marks = [], effect }) {
  return card(
    "striped",
    path(`stripe ${tint}`, edge(marks)),
    THREADS[tint] && path("thread", THREADS[tint]),
    stripe && words(stripe, 12, 132, "letter"),
    frame && path("frame", "M30 4.500H94L97 8V62L92 67 97 72V132L94 135.500H30L27 132V72L32 67 27 62V8Z"),
    frame && path("frame thin", "M93 59V9H31V59M93 75V131H31V75"),
    figure(number, { x: effect ? 36 : 62, y: 42, h: 46, at: effect ? 0 : 0.5, weight: 16, max: effect ? 32 : 58 }),
    effect && functionMark(effect),
    marks.map((mark, i) => glyph(mark, 12, 18 + i * 25, 21, "pale")),
    pipsOf(pips),
  );
}
