// @ts-check with the types that `stammtisch types src/hearts` writes.
/** The picture of the table: where its zones lie, what a move points at, what a face shows. @type {import("./picture.js").Table} */
export default {
  grid: "hands", cloth: "plum", weave: "lattice", centre: ["trick", "stock"], private: true,
  zones: {
    hands: { per: "seat", kind: "list", mini: "fan", hand: true, sorts: true },
    taken: { per: "seat", kind: "pile", mini: "hidden", small: true },
    trick: { kind: "list" },
    stock: { kind: "pile" },
  },
  moves: { play: ({ card }, you, view) => [`hands/${you}/${view.hands[you].indexOf(card)}`] },
  face: (card) => ({ text: card, tint: "♥♦".includes(card[0]) ? "t3" : "t1" }),
  name: (card) => card,
  score: { total: "totals", rounds: "rounds", best: "lowest" },
  marks: ["trick_taken", "round_scored"],
};
