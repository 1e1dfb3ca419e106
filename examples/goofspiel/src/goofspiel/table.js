// @ts-check with the types that `stammtisch types src/goofspiel` writes.
/** Goofspiel: the prize in the middle between the bids, all hands open. @type {import("./picture.js").Table} */
export default {
  grid: "hands",
  cloth: "plum",
  weave: "lattice",
  centre: ["prize", "bids", "stock"],
  private: true,
  zones: {
    hands: { per: "seat", kind: "list", mini: "row", hand: true },
    won: { per: "seat", kind: "pile", mini: "small", small: true },
    prize: { kind: "slots", nulls: "empty" },
    bids: { kind: "list", when: ({ placed }) => placed.some(Boolean) },
    stock: { kind: "pile" },
  },
  moves: { bid: ({ card }, you, view) => [`hands/${you}/${view.hands[you].indexOf(card)}`] },
  face: (card) => ({ text: card, tint: "♥♦".includes(card[0]) ? "t3" : "t1" }),
  name: (card) => card,
  score: { total: "totals", best: "highest" },
  marks: ["prize_won"],
};
