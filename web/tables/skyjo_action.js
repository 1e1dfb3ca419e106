import { aNumber } from "../faces/card.js";
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

/** The move leaves no card of its seat face down: after `toss` and `keep_none` the last one has to be turned up. @param {any} move @param {any} view @param {number} you */
const ends = ({ type, slot }, { finisher, layouts }, you) => {
  const down = layouts[you].flatMap((/** @type {any} */ card, /** @type {number} */ at) =>
    card && !card.up ? [at] : []
  );
  const last = finisher === null && down.length === 1;
  return last && (type === "toss" || type === "keep_none" || (type === "swap" && slot === down[0]));
};

/** @param {import("../core/types.js").Asking} asking */
function asked({ view, you, left, clicked, legal, events, confirm }) {
  const { pending, hands } = view, kind = pending?.kind, isOpening = legal.some(({ type }) => type === "draw");
  const again = kind === "choose" && isOpening && events.some(({ type }) => type === "move_began");
  const key = confirm && (confirm.type === "discard" || ends(confirm, view, you))
    ? `${kind}>${confirm.type}!`
    : kind === "choose" && clicked[0]?.startsWith(`hands/${you}/`)
    ? left.some(({ type }) => type === "play") ? "choose>play" : "choose>play (only)"
    : kind === "look" && clicked.length
    ? "look (card)"
    : again
    ? "choose (again)"
    : undefined;
  return {
    key,
    fields: {
      ready: hands[you].filter((/** @type {any} */ action) => !action.fresh).length,
      card: left.find(({ card }) => card)?.card ?? confirm?.["card"],
    },
    of: (/** @type {any} */ { line }) => ({ line }),
  };
}

/** @type {Table} */
export default {
  grid: "grids",
  cloth: "indigo",
  weave: "crosses",
  show: [numbered(5, LEVELS), { draw: sign, glyph: "star" }, { draw: sign, glyph: "swap_players", foot: "jagged" }],
  zones: {
    layouts: { per: "seat", kind: "slots", rows: 3, flow: "column", lines: LINES },
    hands: { per: "seat", kind: "list", grouped: true },
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
  confirm: (move, view, you) => move.type === "discard" || ends(move, view, you),
  picked: ({ pending }) => pending?.picked ? [`layouts/${pending.picked.seat}/${pending.picked.slot}`] : [],
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
  name: (card, say) => typeof card === "number" ? aNumber(card, say) : say(`labels.cards.${card}`),
  badges: ({ badges: { fresh } }) => fresh ? [{ glyph: "hourglass" }] : [],
  place: (zone, index, say) =>
    zone === "layouts"
      ? say("cards.column_row", { column: Math.floor(index / 3) + 1, row: index % 3 + 1 })
      : say("cards.place", { place: index + 1 }),
  asked,
  score: { total: "totals", rounds: "rounds", best: "lowest", doubled: "cards.doubled" },
  marks: ["dealt", "final_lap_began", "round_scored"],
  private: true,
};
