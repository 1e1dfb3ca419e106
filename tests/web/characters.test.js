/** What players of the house say: of what everybody sees, and never more. */

import { momentOf, said } from "../../web/pages/characters.js";
import { equal } from "./asserts.js";

/** Events that are a moment, by table. @type {[string, any, any][]} */
const MOMENTS = [
  ["skyjo", { type: "column_cleared", seat: 1, column: 2, card: 4 }, {}],
  ["skyjo", { type: "round_scored", points: [34, 12] }, { finisher: 0 }],
  ["skyjo_action", { type: "line_cleared", seat: 0, line: "c1", cards: [1, 1, 1] }, {}],
  ["skyjo_action", { type: "stolen", seat: 0, victim: 1, card: "star" }, {}],
  ["scout", { type: "shown", seat: 0, cards: [[1, 2], [2, 3], [3, 4], [4, 5]] }, {}],
  ["scopinion", { type: "secured", seat: 1, card: "h7" }, {}],
  ["scandaroon", { type: "round_scored", scores: [3, 9], points: [0, 3] }, {}],
];

Deno.test("characters: a moment is the same in two worlds that differ in cards", () => {
  /** Every card and every other text is another one; numbers of cards stay. @param {any} value @param {string} [key] @returns {any} */
  const elsewhere = (value, key = "") =>
    ["type", "seat", "victim", "points", "scores"].includes(key)
      ? value
      : Array.isArray(value)
      ? value.map((each) => elsewhere(each))
      : typeof value === "number"
      ? value + 1
      : typeof value === "string"
      ? `${value}?`
      : null;
  for (const [ruleset, event, view] of MOMENTS) {
    /** @type {any} */
    const other = Object.fromEntries(Object.entries(event).map(([key, value]) => [key, elsewhere(value, key)]));
    const found = momentOf(ruleset, event, view), hidden = { ...event, card: null };
    equal(found === null, false);
    equal([momentOf(ruleset, other, { ...view, layouts: "other", hands: [] }), momentOf(ruleset, hidden, view)], [
      found,
      found,
    ]);
  }
});

Deno.test("characters: a doubled round is bad for who ended it, the fewest points are no moment", () => {
  equal(momentOf("skyjo", /** @type {any} */ ({ type: "round_scored", points: [34, 12] }), { finisher: 0 }), {
    seat: 0,
    mood: "bad",
  });
  equal(momentOf("skyjo", /** @type {any} */ ({ type: "round_scored", points: [3, 12] }), { finisher: 0 }), null);
  equal(momentOf("scout", /** @type {any} */ ({ type: "shown", seat: 0, cards: [[1, 2]] }), {}), null);
});

Deno.test("characters: the house speaks of itself, praises people, and says nothing bad of them", () => {
  const seats = [{ seat: 0, player: { id: "a", name: "Ann" } }, { seat: 1, bot: "easy/1" }, { seat: 2, bot: "easy/1" }];
  /** @param {any} event @param {any} [view] @param {any} [more] */
  const of = (event, view = {}, more = {}) =>
    said(
      /** @type {any} */ ({
        ruleset: "skyjo",
        labels: {},
        say: String,
        game: { seats: more.seats ?? seats },
        film: { item: () => ({ event }), view: () => view },
      }),
      4,
    );
  equal(of({ type: "column_cleared", seat: 2 }), { seat: 2, phrase: "what_luck" });
  equal(of({ type: "column_cleared", seat: 0 }), { seat: 1, phrase: "well_played" });
  equal(of({ type: "round_scored", points: [30, 1, 2] }, { finisher: 0 }), null);
  equal(of({ type: "round_scored", points: [1, 30, 2] }, { finisher: 1 }), { seat: 1, phrase: "let_me_think" });
  equal(of({ type: "column_cleared", seat: 0 }, {}, { seats: seats.slice(0, 1) }), null);
  equal(of({ type: "drawn", seat: 1 }), null);
});
