import { twin } from "../faces/twin.js";

/** @typedef {import("../core/types.js").Table} Table */

/** @type {Table} */
export default {
  grid: "hands",
  cloth: "plum",
  weave: "lattice",
  zones: {
    hands: { per: "seat", kind: "list", gaps: true, mini: "fan", hand: true },
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
  switched: { flip: "cards.turned", show: "cards.and_show" },
  face: ([up, down]) => ({
    draw: twin,
    number: String(up),
    turned: String(down),
    tint: `u${(up - 1) % 10 + 1}`,
    notches: up,
  }),
  name: ([up, down], say) => say("cards.up_down", { up, down }),
  score: { total: "totals", rounds: "rounds", best: "highest" },
  plate: (view, seat, say) =>
    [
      say("cards.in_hand", { count: view.hands[seat].length }),
      say("cards.won_cards", { count: view.collected[seat] }),
      say("cards.chips", { count: view.chips[seat] }),
      ...(view.combo[seat] ? [say("cards.combo_chip")] : []),
    ].join(" · "),
  marks: ["dealt", "round_scored"],
  private: true,
};
