import { aNumber } from "../faces/card.js";
import { numbered } from "../faces/glass.js";

/** @typedef {import("../core/types.js").Table} Table */

const LEVELS = { least: -2, most: 12, steps: [-1, 0, 4, 8] };

/** The move leaves no card of its seat face down: after a toss the last one has to be turned up. @param {any} move @param {any} view @param {number} you */
const ends = ({ type, slot }, { finisher, layouts }, you) => {
  const down = layouts[you].flatMap((/** @type {any} */ card, /** @type {number} */ at) =>
    card && !card.up ? [at] : []
  );
  return finisher === null && down.length === 1 && (type === "toss" || (type === "swap" && slot === down[0]));
};

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
  confirm: ends,
  asked: ({ view, you, confirm }) => ({
    key: confirm && ends(confirm, view, you) ? `place>${confirm.type}!` : undefined,
  }),
  score: { total: "totals", rounds: "rounds", best: "lowest", doubled: "cards.doubled" },
  marks: ["dealt", "final_lap_began", "round_scored"],
  private: false,
};
