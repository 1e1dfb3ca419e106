/** Split: value and symbols above, what the card does below; a bar at the right = nothing may follow. */

import { card, figure } from "./card.js";
import { glyph, GLYPHS, numeral, path, shape } from "./glyphs.js";

/**
 * @import { Face } from "../core/types.js"
 * @import { Part } from "./card.js"
 * @import { Shape } from "./glyphs.js"
 */

/** @param {number} x @param {number} way */
const tip = (x, way) => path("f", `M${x} 106l${-14 * way} -13v26z`);

/** @param {Face} face @returns {Part[]} */
function done({ glyph: name, effect, ways, bar }) {
  const x = bar ? 43 : 50;
  if (name) {
    const both = Boolean(effect), size = both ? 30 : 40;
    return [
      shape("rect", { class: "medal", x: both ? 8 : x - 28, y: 83, width: both ? 84 : 56, height: 50, rx: 25 }),
      glyph(name, both ? 31 : x, 108, size, "pale"),
      effect &&
      (effect in GLYPHS
        ? glyph(effect, 68, 108, 30, "pale")
        : numeral(effect, { x: 67, y: 108, h: 28, weight: 15, max: 36, cls: "num pale" })),
    ];
  }
  if (!effect) return [];
  return [
    shape(
      "g",
      { class: "effect" },
      ...(ways === "right" ? [] : [tip(7, -1)]),
      ...(ways === "left" ? [] : [tip(93, 1)]),
      numeral(effect, { x: 50, y: 106, h: 34, weight: 15, max: 46 }),
    ),
  ];
}

/** @param {Face} face @returns {Shape} */
export function split(face) {
  const { number = "", pips = [], marks = [], bar } = face, [one, other] = pips, idle = !face.glyph && !face.effect;
  const ground = other
    ? [path(`ground y-${one}`, "M0 0H100L0 78Z"), path(`ground y-${other}`, "M100 0V78H0Z")]
    : [path(`ground y-${one ?? "none"}`, "M0 0H100V78H0Z")];
  const signs = other
    ? [glyph(one ?? "", 76, 21, 30), glyph(other, 76, 55, 30)]
    : one
    ? [glyph(one, bar ? 63 : 72, 40, bar ? 36 : 42)]
    : [];
  return card(
    "split",
    ground,
    path("seam", "M0 78H100"),
    figure(number, { x: 12, y: 40, h: 50, at: 0, weight: 17, max: 46 }),
    signs,
    idle && one && glyph(one, bar ? 43 : 50, 109, 40, "faint"),
    done(face),
    marks.map((mark) => glyph(mark, 87, 127, 22, "mark")),
    bar && path("bar", "M86 0H100V140H86Z"),
    bar && path("barcut", "M93 12V128"),
  );
}
