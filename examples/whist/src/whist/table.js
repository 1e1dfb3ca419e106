// @ts-check with the types that `stammtisch types src/whist` writes.
/** Whist: the trick in the middle, the trump beside it, the own hand large. @type {import("./picture.js").Table} */
export default {
  grid: "hands",
  cloth: "forest",
  weave: "lattice",
  centre: ["trick"],
  private: true,
  zones: {
    hands: { per: "seat", kind: "list", mini: "fan", hand: true, sorts: true },
    taken: { per: "seat", kind: "pile", mini: "hidden", small: true },
    trick: {
      kind: "list",
      caption: ({ trump }, _chairs, say) => `${say("labels.zones.trick")} (${say("labels.facts.trump")} ${trump ?? ""})`,
    },
  },
  moves: { play: ({ card }, you, view) => [`hands/${you}/${view.hands[you].indexOf(card)}`] },
  face: (card) => ({ text: card, tint: "♥♦".includes(card[0]) ? "t3" : "t1" }),
  name: (card) => card,
  score: { total: "totals", rounds: "rounds", best: "highest", teams: () => [[0, 2], [1, 3]] },
  counts: ({ taken }, seat, say) => [{
    glyph: "won",
    count: (taken[seat].length + taken[(seat + 2) % 4].length) / 4,
    text: say("labels.zones.taken"),
  }],
  marks: ["trick_taken", "round_scored"],
};
