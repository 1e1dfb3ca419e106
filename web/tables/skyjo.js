import { aNumber } from "../faces/card.js";
import { numbered } from "../faces/glass.js";

/** @typedef {import("../core/types.js").Table} Table */

const LEVELS = { least: -2, most: 12, steps: [-1, 0, 4, 8] };

/** @type {Table} */
export default {
  grid: "grids",
  cloth: "petrol",
  weave: "zigzag",
  show: [numbered(7, LEVELS), null, numbered(-1, LEVELS), numbered(11, LEVELS), numbered(2, LEVELS)],
  zones: {
    layouts: { per: "seat", kind: "slots", rows: 3, flow: "column" },
    draw: { kind: "pile" },
    discard: { kind: "pile" },
    held: { kind: "slots", nulls: "back", by: "turn", at: "centre", when: (view) => view.held_from !== null },
  },
  centre: ["draw", "discard", "held"],
  moves: {
    flip: ({ slot }, you) => [`layouts/${you}/${slot}`],
    draw: () => ["draw"],
    take: () => ["discard"],
    swap: ({ slot }, you) => [`layouts/${you}/${slot}`],
    toss: () => ["discard"],
  },
  face: (card) => numbered(card, LEVELS),
  name: (card, say) => aNumber(card, say),
  place: (_zone, index, say) => say("cards.column_row", { column: Math.floor(index / 3) + 1, row: index % 3 + 1 }),
  asked: ({ view, you, left }) => {
    const { phase, discard, held, layouts } = view,
      taken = phase === "place" && !left.some(({ type }) => type === "toss");
    const up = layouts[you].filter((/** @type {any} */ slot) => slot?.up).length;
    return {
      key: taken ? "place (taken)" : phase,
      fields: { left: 2 - up, top: { card: discard.at(-1) }, held: { card: held } },
    };
  },
  score: { total: "totals", rounds: "rounds", best: "lowest" },
  marks: ["dealt", "final_lap_began", "round_scored"],
  private: false,
};
