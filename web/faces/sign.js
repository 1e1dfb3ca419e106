/** Sign: one large glyph; by day on paper, by night on a dark ground with a foot. */

import { card } from "./card.js";
import { glyph, numeral, path, shape } from "./glyphs.js";

/**
 * @import { Face } from "../core/types.js"
 * @import { Shape } from "./glyphs.js"
 */

const FOOT = {
  plain: "M0 140V128H100V140Z",
  jagged: "M0 140V124L10 114 20 124 30 114 40 124 50 114 60 124 70 114 80 124 90 114 100 124V140Z",
};

/** @param {Face} face @returns {Shape} */
export function sign({ glyph: name = "none", effect, foot }) {
  if (!foot) return card("sign", shape("g", { class: "joker" }, glyph(name, 50, 68, 84)));
  return card(
    "sign dark",
    shape("rect", { class: "night", width: 100, height: 140 }),
    path(`foot ${foot}`, FOOT[foot]),
    glyph(name, 50, effect ? 46 : 58, 70, "pale"),
    effect && numeral(effect, { y: 102, h: 24, cls: "num pale", weight: 16 }),
  );
}
