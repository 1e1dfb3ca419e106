// @ts-check with the types that `stammtisch types src/fifteen` writes.
/** Fifteen: the numbers in the middle, those that were taken at their seats, all open. @type {import("./picture.js").Table} */
export default {
  grid: "hands",
  cloth: "slate",
  weave: "lattice",
  centre: ["middle"],
  private: true,
  zones: {
    own: { per: "seat", kind: "list", mini: "row", hand: true },
    middle: { kind: "list" },
  },
  moves: { take: ({ number }, _you, view) => [`middle/${view.middle.indexOf(number)}`] },
  face: (number) => ({ number, tint: `t${Math.ceil(Number(number) / 3)}` }),
  name: (number) => number,
  score: { total: "totals", best: "highest" },
  marks: ["won"],
};
