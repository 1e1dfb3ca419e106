import { numbered } from "../faces/glass.js";
import { sign } from "../faces/sign.js";

/** @typedef {import("../core/types.js").Table} Table */

const LEVELS = { least: -2, most: 12, steps: [-1, 0, 4, 8] };
const LINES = ["c0", "c1", "c2", "c3", "r0", "r1", "r2"];
const ATTACKS = ["remove_one_each", "swap_players", "steal_action"];

/** The first action card of the kind in a hand; in the own one it must be ready. @param {any} view @param {number} seat @param {string} card @param {boolean} ready */
const inHand = (view, seat, card, ready) =>
  `hands/${seat}/${
    view.hands[seat].findIndex((/** @type {any} */ held) => held.card === card && !(ready && held.fresh))
  }`;

/** @type {Table} */
export default {
  grid: "grids",
  cloth: "indigo",
  weave: "crosses",
  zones: {
    layouts: { per: "seat", kind: "slots", rows: 3, flow: "column", lines: LINES },
    hands: { per: "seat", kind: "list" },
    draw: { kind: "pile" },
    discard: { kind: "pile" },
    held: { kind: "slots", nulls: "back", by: "turn", at: "centre", when: (view) => view.held_from !== null },
    three: { kind: "slots", by: "turn", at: "centre", when: (view) => view.three.length > 0 },
    open: { kind: "slots", small: true },
    action_pile: { kind: "pile", small: true, weave: "rings" },
    action_discard: { kind: "pile", small: true },
  },
  centre: ["draw", "discard", "held", "three", "open", "action_pile", "action_discard"],
  moves: {
    flip: ({ slot }, you) => [`layouts/${you}/${slot}`],
    draw: () => ["draw"],
    take: () => ["discard"],
    swap: ({ slot }, you) => [`layouts/${you}/${slot}`],
    toss: () => ["discard"],
    take_action: ({ source }) => [source === "pile" ? "action_pile" : `open/${source}`],
    skip_action: () => [],
    play: ({ card }, you, view) => [inHand(view, you, card, true)],
    discard: ({ card }, you, view) => [inHand(view, you, card, true)],
    pick: ({ seat, slot }) => [`layouts/${seat}/${slot}`],
    look: ({ seat, line }) => [`layouts/${seat}/line/${line}`],
    keep: ({ place }) => [`three/${place}`],
    keep_none: () => [],
    drop: ({ place }) => [`three/${place}`],
    steal: ({ seat, card }, _you, view) => [inHand(view, seat, card, false)],
    replay: () => ["action_discard"],
    clear_line: ({ line }, you) => [`layouts/${you}/line/${line}`],
    keep_lines: () => [],
  },
  confirm: ["discard"],
  touches: { exchanged: ({ one, other }) => [one, other].map(({ seat, slot }) => `layouts/${seat}/${slot}`) },
  face: (card) => {
    if (typeof card === "number") return numbered(card, LEVELS);
    if (card === "star") return { draw: sign, glyph: "star" };
    const effect = card === "double_move" ? "+2" : undefined;
    return {
      draw: sign,
      glyph: card,
      effect,
      foot: ATTACKS.includes(card) ? "jagged" : "plain",
      caption: card,
    };
  },
  name: (card, say) => typeof card === "number" ? say("cards.a_number", { number: card }) : say(`labels.cards.${card}`),
  badges: ({ badges: { fresh } }) => fresh ? [{ glyph: "hourglass" }] : [],
  place: (zone, index, say) =>
    zone === "layouts"
      ? say("cards.column_row", { column: Math.floor(index / 3) + 1, row: index % 3 + 1 })
      : say("cards.place", { place: index + 1 }),
  score: { total: "totals", rounds: "rounds", best: "lowest" },
  question: (_view, moves, say) => [...new Set(moves.map(({ type }) => say(`labels.moves.${type}`)))].join(", "),
  marks: ["dealt", "final_lap_began", "round_scored"],
  private: true,
};
