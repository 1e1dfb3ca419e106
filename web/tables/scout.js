import { twin } from "../faces/twin.js";

/** @typedef {import("../core/types.js").Table} Table */

/** @type {Table} */
export default {
  grid: "hands",
  cloth: "plum",
  weave: "lattice",
  show: [[6, 2], [7, 10], [8, 3]].map(([up = 0, down]) => ({
    draw: twin,
    number: String(up),
    turned: String(down),
    tint: `u${up}`,
    notches: up,
  })),
  zones: {
    hands: { per: "seat", kind: "list", gaps: true, mini: "fan", hand: true, seen: 0.74 },
    active: {
      kind: "list",
      caption: ({ owner }, chairs, say) => say("cards.set_of", { name: chairs[owner]?.name }),
    },
    collected: { per: "seat", kind: "count", mini: "hidden", small: true },
    aside: { kind: "pile", when: (view) => view.aside.length > 0, small: true },
  },
  centre: ["active", "aside"],
  moves: {
    keep: () => [],
    turn: () => [],
    show: ({ start, count }, you) => [`hands/${you}/${start}`, `hands/${you}/${start + count - 1}`],
    scout: (
      { end, position },
      you,
      view,
    ) => [`active/${end === "left" ? 0 : view.active.length - 1}`, `hands/${you}/gap/${position}`],
  },
  switches: { flip: [false, true], show: [false, true] },
  turns: { by: "flip", card: (card) => card.toReversed() },
  face: ([up, down]) => ({
    draw: twin,
    number: String(up),
    turned: String(down),
    tint: `u${(up - 1) % 10 + 1}`,
    notches: up,
  }),
  name: ([up, down], say) => say("cards.up_down", { up, down }),
  asked: ({ view, you, clicked, left }) => {
    const { active, hands } = view, [type = ""] = new Set(left.map((move) => move.type));
    const at = clicked[0]?.split("/"),
      card = type === "scout" && clicked.length
        ? active.at(left[0]?.end === "left" ? 0 : -1)
        : hands[you][at?.[2] ?? 0];
    const turned = left[0]?.flip ? [card?.[1], card?.[0]] : card;
    const unknown = at?.[2] === "gap" && new Set(left.map(({ end }) => end)).size > 1;
    const alone = left.some(({ count }) => count === 1), sets = left.some(({ count }) => count > 1);
    const which = unknown
      ? " (gap)"
      : type !== "show"
      ? ""
      : left.length === 1
      ? " (one)"
      : alone && sets
      ? " (alone)"
      : "";
    /** The cards of a set. @param {any} move */
    const shown = ({ start, count }) => hands[you].slice(start, start + count);
    return {
      key: clicked.length ? `turn>${type}${which}` : undefined,
      of: (move) => move.count === 1 ? { one: shown(move)[0] } : { cards: shown(move) },
      fields: {
        show: left.some(({ show }) => show),
        turned: hands[you].toReversed().map((/** @type {number[]} */ card) => card.toReversed()),
        first: card,
        card: turned,
      },
    };
  },
  score: {
    total: "totals",
    rounds: "rounds",
    best: "highest",
    why: ({ rounds }, say) => say(`labels.values.cause.${rounds.at(-1)?.cause}`),
    reckon: ({ rounds, collected, chips, hands }, seat) => [
      { glyph: "won", count: collected[seat] },
      { glyph: "chip", count: chips[seat] },
      { glyph: "hand", count: rounds.at(-1)?.exempt.includes(seat) ? 0 : -hands[seat].length },
    ],
  },
  counts: (view, seat, say) => [
    { glyph: "hand", count: view.hands[seat].length, text: say("cards.in_hand", { count: view.hands[seat].length }) },
    { glyph: "won", count: view.collected[seat], text: say("cards.won_cards", { count: view.collected[seat] }) },
    { glyph: "chip", count: view.chips[seat], text: say("cards.chips", { count: view.chips[seat] }) },
    ...(view.combo[seat] ? [{ glyph: "combo", text: say("labels.facts.combo") }] : []),
  ],
  marks: ["dealt", "round_scored"],
  private: true,
};
