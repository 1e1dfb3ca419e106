/** What two of the tables say and count. */

import scandaroon from "../../web/tables/scandaroon.js";
import { click, compose, NOTHING } from "../../web/core/compose.js";
import { Film } from "../../web/core/film.js";
import { fresh, model } from "../../web/core/model.js";
import { promptOf } from "../../web/core/prompts.js";
import scopinion from "../../web/tables/scopinion.js";
import scout from "../../web/tables/scout.js";
import { equal } from "./asserts.js";

const CARDS = {
  cards: [["p9", 9], ["a4", 4, true], ["b5", 5, true], ["c6", 6], ["d3", 3]].map(([id, value, border]) => ({
    id,
    value,
    border,
  })),
};
/** What is asked at the start of a turn, in both languages. @param {string} game @param {string[]} types  Of legal moves. @param {any} [more] */
async function opening(game, types, more = {}) {
  const table = /** @type {any} */ ({ scandaroon, scopinion })[game];
  const { en, de } = JSON.parse(await Deno.readTextFile(`domain/rulesets/${game}/labels.json`));
  const view = {
    phase: "turn",
    rows: [[]],
    hands: [["a4"], []],
    round: 1,
    pik_off: types.includes("pik_off"),
    ...more,
  };
  const legal = types.map((type) => ({ type, card: "a4", pay: [], hold: null }));
  const asking = { view, you: 0, deck: CARDS, clicked: [], left: legal, legal, confirm: null, events: [], tally: null };
  return [en, de].map((labels) =>
    promptOf(asking, { table, deck: CARDS, labels, names: [], say: /** @type {any} */ (String) })
  );
}

Deno.test("a question names only what can be done", async () => {
  const verbs = /** @type {Record<string, Record<string, RegExp>>} */ ({
    scopinion: { secure: /secure|sichern/i, buy: /buy|kaufen/i, take: /use|nutzen/i, pik_off: /pik-off/i },
    scandaroon: { play: /lay|legen/i, use: /use|nutzen/i },
  });
  for (const [game, known] of Object.entries(verbs)) {
    const kinds = Object.keys(known), last = game === "scopinion" ? "end_turn" : "pass";
    for (let some = 0; some < 2 ** kinds.length; some++) {
      const can = kinds.filter((_, at) => some >> at & 1);
      for (const prompt of await opening(game, [...can, last])) {
        const named = kinds.filter((kind) => known[kind]?.test(prompt?.ask ?? ""));
        equal([game, named], [game, can]);
      }
    }
  }
});

Deno.test("scopinion: the last turns are announced", async () => {
  const hints = async (/** @type {number | null} */ final) =>
    (await opening("scopinion", ["buy", "end_turn"], { final })).map((prompt) => prompt?.hint);
  equal((await hints(1))[0]?.includes("your last turn"), true);
  equal((await hints(2))[1]?.includes("noch einmal dran"), true);
  equal((await hints(null))[0]?.includes("turn of"), false);
});

/** What is asked with the open 9 and these cards of the hand. @param {string[]} held @param {any} [move]  Asked again. */
function asked(held, move = null) {
  const view = { phase: "turn", display: ["p9"], targets: [], hands: [["a4", "b5", "c6", "d3"]] },
    hand = view.hands[0] ?? [];
  const legal = [["a4", "b5"], ["c6", "d3"], ["a4", "c6"]].map((pay) => ({ type: "buy", card: "p9", pay, to: null }));
  const clicked = ["display/0", ...held.map((card) => `hands/0/${hand.indexOf(card)}`)];
  const left = legal.filter(({ pay }) => held.every((card) => pay.includes(card)));
  const asking = { view, you: 0, deck: CARDS, clicked, left, legal, confirm: move, events: [], tally: null };
  return { ...scopinion.asked?.(asking), again: legal.map((each) => scopinion.confirm?.(each, view, 0, CARDS, legal)) };
}

Deno.test("scopinion: the meter counts red borders double, and a payment is asked again if less is enough", () => {
  equal([asked([]).meter, asked(["d3"]).meter, asked(["a4", "b5"]).meter], [[0, 9], [3, 9], [18, 9]]);
  equal([asked([]).key, asked(["d3"]).key, asked(["a4", "b5"]).key], ["turn>buy", "turn>buy…", "turn>buy!"]);
  equal(asked([]).again, [true, false, true]);
  equal(asked(["a4", "c6"], { type: "buy", card: "p9", pay: ["a4", "c6"] }).key, "turn>buy (dear)");
});

Deno.test("scopinion: the end of a turn is asked again without a button, and where a target is not secured", () => {
  const ends = [null, "a4", "c6"].map((hold) => ({ type: "end_turn", hold, reshuffle: false }));
  const again = (/** @type {any[]} */ more) =>
    ends.map((move) => scopinion.confirm?.(move, {}, 0, CARDS, [...ends, ...more]));
  equal(again([{ type: "buy", card: "p9", pay: ["a4"] }]), [false, false, true]);
  equal(again([{ type: "draw_one", by: "a4" }, { type: "secure", card: "c6" }]), [true, true, false]);
  const view = { phase: "turn", display: [], targets: [], hands: [["a4", "c6"]] }, [confirm] = ends;
  const legal = [...ends, { type: "secure", card: "c6" }];
  const asking = { view, you: 0, deck: CARDS, clicked: [], left: legal, legal, confirm, events: [], tally: null };
  const { key, fields } = scopinion.asked?.(/** @type {any} */ (asking)) ?? {};
  equal([key, fields?.["target"]], ["turn>end_turn (target)", "c6"]);
});

Deno.test("scopinion: a 0 that takes a card may also be part of what buys it", () => {
  const view = { phase: "turn", display: ["p9"], targets: [], hands: [["a4", "b5"]] };
  const left = [{ type: "take", card: "p9", by: "a4" }, { type: "buy", card: "p9", pay: ["a4", "b5"] }];
  const asking = { view, you: 0, deck: CARDS, clicked: ["display/0", "hands/0/0"], left, legal: left, confirm: null };
  equal(scopinion.asked?.(/** @type {any} */ ({ ...asking, events: [], tally: null })).key, "turn>buy… (0)");
});

Deno.test("scandaroon: a use is asked again where a click on the card alone would make it", () => {
  const use = { type: "use", position: 2 }, stone = { type: "stone", position: 2, symbol: "turban" };
  const again = (/** @type {any[]} */ legal) => scandaroon.confirm?.(use, {}, 0, null, legal);
  equal([again([use]), again([use, stone]), again([use, { ...stone, position: 1 }])], [true, false, true]);
});

Deno.test("a final score is the sum of its rounds and parts", () => {
  const [view, lines] = [{ totals: [8, 15], rank_points: [6, 10] }, {
    vault: 3,
    showcase: 0,
    pairs: 0,
    red: 2,
    spades: -4,
  }];
  equal(scandaroon.score.parts?.(view), { titles: [2, 5] });
  equal(scandaroon.score.parts?.({ totals: null, rank_points: [6, 10] }), { titles: [] });
  equal(scopinion.score.parts?.({ breakdown: [{ ...lines, total: 1 }] })?.["spades"], [-4]);
});

Deno.test("scandaroon: a round is reckoned by the values of the rows, and titles are counted as they stand", () => {
  const view = { rounds: [{ scores: [16, 11, 3] }], hands: [[], [], []], score_piles: [[], [], []], passed: [] };
  equal(scandaroon.score.reckon?.(view, 1), [{ glyph: "sum", count: 11 }]);
  const titles = { record: { score: 16, seats: [0] }, no_trump: [0, 1], pile_first: [0], pile_second: [1] };
  const stars = (/** @type {number} */ seat, /** @type {any} */ held = titles) =>
    scandaroon.counts?.({ ...view, ...held }, seat, String).find(({ glyph }) => glyph === "star")?.count;
  equal([stars(0), stars(1), stars(2)], [7, 3, undefined]);
  equal(stars(0, { record: null, no_trump: [], pile_first: [], pile_second: [] }), undefined);
});

/** What is asked and offered after a click on a card of this hand, with these sets to show: first card and number. @param {number} at @param {[number, number][]} sets */
async function showing(at, sets) {
  const { en, de } = JSON.parse(
    await Deno.readTextFile(new URL("../../domain/rulesets/scout/labels.json", import.meta.url)),
  );
  const view = { phase: "turn", active: [], owner: null, hands: [[[9, 1], [7, 2], [8, 3], [3, 4]]] };
  const legal = sets.map(([start, count]) => ({ type: "show", start, count }));
  const { clicked } = click(scout, legal, 0, view, NOTHING, `hands/0/${at}`);
  const { left, buttons } = compose(scout, legal, 0, view, { ...NOTHING, clicked });
  const asking = { view, you: 0, deck: null, clicked, left, legal, confirm: null, events: [], tally: null };
  const of = [en, de].map((labels) =>
    promptOf(asking, {
      table: scout,
      deck: null,
      labels,
      names: ["Ann"],
      say: String,
    })
  );
  return of.map((prompt) => [prompt?.ask, prompt?.hint, ...buttons.map((move) => prompt?.verb(move))]);
}

Deno.test("scout: one card, and the only set, have a button, and only what is legal is named", async () => {
  const single = await showing(0, [[0, 1], [1, 1]]);
  equal(single.map(([, , verb]) => verb), ["Show the 9", "Die 9 ausspielen"]);
  const [only] = await showing(1, [[1, 2], [3, 1]]);
  equal([only?.[0], only?.[2]], ["This set?", "Show 7 8"]);
  const [either] = await showing(1, [[1, 1], [1, 2]]);
  equal(either?.slice(2), ["Show the 7"]);
  const [several] = await showing(1, [[1, 2], [1, 3]]);
  equal([several?.length, several?.[1]?.includes("alone")], [2, false]);
});

Deno.test("scout: a hand that is turned is read from its other end", () => {
  const view = { phase: "orient", active: [], owner: null, hands: [[[1, 5], [2, 6], [3, 7]]] };
  const left = [{ type: "keep" }, { type: "turn" }];
  const asking = { view, you: 0, deck: null, clicked: [], left, legal: left, confirm: null, events: [], tally: null };
  equal(scout.asked?.(asking).fields?.["turned"], [[7, 3], [6, 2], [5, 1]]);
});

Deno.test("scout: a mark is of the seat that showed the set, and goes when another set lies there", () => {
  const film = new Film(),
    item = { at: "", event: { type: "x" }, more: 0, public: "", secret: "", head: "", acting: [0] };
  const none = [0, 0, 0], hands = [[], [], []];
  const view = {
    round: 1,
    hands,
    collected: none,
    chips: none,
    combo: none,
    totals: none,
    rounds: [],
    aside: [],
    active: [],
  };
  const puts = (/** @type {number} */ version, /** @type {number} */ by, /** @type {number[][]} */ active) => ({
    ...item,
    version,
    by,
    patch: [{ op: "replace", path: "", value: { ...view, active } }],
  });
  film.add([puts(1, 0, []), puts(2, 1, [[8, 5], [7, 4], [6, 2]]), puts(3, 2, [[2, 5], [3, 4], [4, 2], [5, 3]])]);
  const seats = ["ann", "ben", "cleo"].map((id, seat) => ({ seat, player: { id, name: id } }));
  const game = { seats, to_act: [0], version: 3, you: 0, legal_moves: [], status: "running", result: null };
  const state = {
    ...fresh(),
    ruleset: "scout",
    table: scout,
    deck: null,
    labels: { moves: {} },
    say: String,
    game,
    film,
  };
  const shown = /** @type {any} */ ({ ...state, shown: 3, perspective: "0", replaying: false, me: "ann" });
  const look = model(shown, () => {})?.look;
  equal([0, 1, 2, 3].filter((at) => look?.(`active/${at}`).last), [3]);
});
