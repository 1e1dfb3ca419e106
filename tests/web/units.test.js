/** The modules of core, one by one. */

import { areas, sorted, sorts, things } from "../../web/core/areas.js";
import { due, isShort, remaining, shown as clockText } from "../../web/core/clock.js";
import { click, compose, NOTHING } from "../../web/core/compose.js";
import { describe } from "../../web/core/describe.js";
import { apply, Film, Mismatch, step } from "../../web/core/film.js";
import { pair } from "../../web/core/flights.js";
import { nearest } from "../../web/core/keys.js";
import { qr } from "../../web/core/qr.js";
import { allSealed, seal, sha256 } from "../../web/core/seal.js";
import { fresh, isGrave, model } from "../../web/core/model.js";
import * as play from "../../web/core/play.js";
import { deeds, log, told } from "../../web/core/talk.js";
import { isolated, language, sayer } from "../../web/core/words.js";
import skyjo from "../../web/tables/skyjo.js";
import skyjoAction from "../../web/tables/skyjo_action.js";
import scandaroon from "../../web/tables/scandaroon.js";
import { equal, fails, item } from "./asserts.js";
import lint from "./lint.js";

// --- patch ----------------------------------------------------------------------------------------------------------

Deno.test("patch: adds, removes and replaces, and shares the rest", () => {
  const before = { a: [1, 2, 3], b: { "x/y": 1 }, c: { deep: [0] } };
  const after = apply(before, [
    { op: "add", path: "/a/1", value: 9 },
    { op: "remove", path: "/a/0" },
    { op: "replace", path: "/b/x~1y", value: 2 },
    { op: "add", path: "/a/-", value: 4 },
    { op: "add", path: "/b/new", value: null },
  ]);
  equal(after, { a: [9, 2, 3, 4], b: { "x/y": 2, new: null }, c: { deep: [0] } });
  equal(before.a, [1, 2, 3]);
  equal(after.c === before.c, true);
  equal(apply(null, [{ op: "replace", path: "", value: [1] }]), [1]);
  equal(apply({ a: 1, b: 2 }, [{ op: "remove", path: "/a" }]), { b: 2 });
});

Deno.test("patch: what does not fit is refused", () => {
  for (
    const operation of [
      { op: "replace", path: "/b", value: 1 },
      { op: "remove", path: "/a/3" },
      { op: "replace", path: "/a/-", value: 1 },
      { op: "add", path: "/a/01", value: 1 },
      { op: "add", path: "/a/5", value: 1 },
      { op: "replace", path: "/x/y/z", value: 1 },
      { op: "move", path: "/a/0" },
    ]
  ) fails(() => apply({ a: [1, 2, 3] }, [operation]));
});

Deno.test("every patch that does not fit is a mismatch, as for both clients, and changes nothing", () => {
  const { document, patches } = JSON.parse(Deno.readTextFileSync("clients/typescript/test/bad_patches.json"));
  const before = JSON.stringify(document);
  const taken = patches.filter((/** @type {any} */ patch) => {
    try {
      apply(document, patch);
      return true;
    } catch (error) {
      return !(error instanceof Mismatch);
    }
  });
  equal(taken, []);
  equal(JSON.stringify(document), before);
});

// --- areas, compose, flights ----------------------------------------------------------------------------------------

/** @type {import("../../web/core/types.js").Table} */
const TABLE = {
  zones: {
    hands: { per: "seat", kind: "list", gaps: true },
    layouts: { per: "seat", kind: "slots", lines: ["c0"] },
    draw: { kind: "pile" },
    won: { per: "seat", kind: "count" },
    held: { kind: "slots", nulls: "back", by: "turn", when: (view) => view.held_from !== null },
  },
  centre: ["draw", "held"],
  moves: {
    draw: () => ["draw"],
    show: ({ start, end }, you) => [`hands/${you}/${start}`, `hands/${you}/${end}`],
    put: ({ at }, you) => ["draw", `hands/${you}/gap/${at}`],
    pass: () => [],
  },
  switches: { flip: [false, true] },
  face: (card) => ({ text: String(card) }),
  name: String,
  score: { best: "lowest" },
  private: true,
};

/** @param {Record<string, any>} parts */
const view = (parts = {}) => ({
  hands: [[1, 2, 3], [null, null]],
  layouts: [[{ card: 5, up: true }, null, { card: null, up: false }], [{ card: 7, up: false }]],
  draw: [null, null, null],
  won: [0, 2],
  held: null,
  held_from: null,
  turn: 0,
  ...parts,
});

Deno.test("areas: states of places", () => {
  const found = Object.fromEntries(areas(TABLE, view({ held_from: "draw" })).map((area) => [area.id, area]));
  const places = found["layouts/0"]?.places.map(({ state, card }) => [state, card]);
  equal(places, [["face", 5], ["empty", null], ["back", null]]);
  equal(found["layouts/1"]?.places.map(({ state, card }) => [state, card]), [["back", 7]]);
  equal(found["hands/1"]?.places.map(({ state }) => state), ["back", "back"]);
  equal(found["won/1"]?.places.length, 2);
  equal([found["held"]?.seat, found["held"]?.places[0]?.state], [0, "back"]);
  equal(areas(TABLE, view()).some(({ id }) => id === "held"), false);
  const all = things(areas(TABLE, view()));
  equal(["draw", "hands/0/gap/3", "hands/0/2", "layouts/1/line/c0", "seat/1"].filter((thing) => !all.has(thing)), []);
});

/** @param {import("../../web/core/types.js").Move[]} legal @param {string[]} clicks @param {Record<string, unknown>} [switches] */
function after(legal, clicks, switches = {}) {
  let choice = { ...NOTHING, switches };
  for (const thing of clicks) choice = click(TABLE, legal, 0, view(), choice, thing);
  return { choice, ...compose(TABLE, legal, 0, view(), choice) };
}

Deno.test("compose: one click, two clicks, the same thing twice", () => {
  const legal = [{ type: "show", start: 0, end: 0 }, { type: "show", start: 0, end: 2 }, { type: "pass" }];
  equal(after(legal, []).buttons, [{ type: "pass" }]);
  equal([...after(legal, []).next].sort(), ["hands/0/0", "hands/0/2"]);
  equal(after(legal, ["hands/0/2"]).left, [{ type: "show", start: 0, end: 2 }]);
  equal(after(legal, ["hands/0/2", "hands/0/0"]).move, { type: "show", start: 0, end: 2 });
  equal(after(legal, ["hands/0/0", "hands/0/0"]).move, { type: "show", start: 0, end: 0 });
  equal(after([{ type: "draw" }], ["draw"]).move, { type: "draw" });
});

Deno.test("compose: a smaller move is a button while larger ones exist, and so is the only larger one", () => {
  const legal = [{ type: "draw" }, { type: "put", at: 1 }, { type: "put", at: 2 }];
  const found = after(legal, ["draw"]);
  equal(found.move, null);
  equal(found.buttons, legal.slice(0, 1));
  equal([...found.next], ["hands/0/gap/1", "hands/0/gap/2"]);
  equal(after(legal.slice(0, 2), ["draw"]).buttons, legal.slice(0, 2));
});

Deno.test("compose: switches stay, and fall back to what is possible", () => {
  const legal = [{ type: "put", at: 0, flip: false }, { type: "put", at: 0, flip: true }];
  equal(after(legal, ["draw", "hands/0/gap/0"]).move, legal[0]);
  equal(after(legal, ["draw", "hands/0/gap/0"], { flip: true }).move, legal[1]);
  equal(after(legal.slice(0, 1), ["draw", "hands/0/gap/0"], { flip: true }).move, legal[0]);
});

Deno.test("compose: another click begins anew, a second one on the same thing takes it back", () => {
  const legal = [{ type: "show", start: 0, end: 2 }, { type: "show", start: 1, end: 1 }];
  equal(after(legal, ["hands/0/0", "hands/0/1"]).choice.clicked, ["hands/0/1"]);
  equal(after(legal, ["hands/0/0", "hands/0/0"]).choice.clicked, []);
  equal(after(legal, ["hands/0/0", "elsewhere"]).choice.clicked, []);
});

/** @param {Record<string, any>} a @param {Record<string, any>} b */
const paired = (a, b) => pair(areas(TABLE, view(a)), areas(TABLE, view(b)));

Deno.test("flights: a face goes where the same face came, a back anywhere", () => {
  const played = paired({}, { hands: [[1, 3], [null, null]], held: 2, held_from: "draw" });
  equal(played.flights, [{ from: "hands/0/1", to: "held", card: 2 }]);
  const drawn = paired({}, { draw: [null, null], hands: [[1, 2, 3, 8], [null, null]] });
  equal(drawn.flights, [{ from: "draw", to: "hands/0/3", card: 8 }]);
  const turned = paired({}, {
    layouts: [[{ card: 5, up: true }, null, { card: 4, up: true }], [{ card: 7, up: false }]],
  });
  equal(turned.flights, [{ from: "layouts/0/2", to: "layouts/0/2", card: 4 }]);
});

Deno.test("flights: faces that differ go through a back that seems unchanged", () => {
  const { left, came, flights } = paired({}, { hands: [[1, 2, 4], [null, null]] });
  equal([left, came, flights.length], [[], [], 2]);
  const bare = { hands: [[1, 2], [1]], layouts: [[], []], draw: [], won: [0, 0] };
  const lost = pair(areas(TABLE, view(bare)), areas(TABLE, view({ ...bare, hands: [[1, 9], [1]] })));
  equal([lost.left.length, lost.came.length], [1, 1]);
});

Deno.test("describe: zones and moves from schemas", () => {
  const card = { anyOf: [{ type: "string" }, { type: "null" }] };
  const table = describe({
    schemas: {
      view: {
        $ref: "#/$defs/State",
        $defs: {
          State: {
            properties: {
              hands: { type: "array", items: { type: "array", items: card } },
              won: { type: "array", items: { type: "array", items: { type: "string" } } },
              totals: { type: "array", items: { type: "integer" } },
              draw: { type: "array", items: card },
            },
          },
        },
      },
      move: { discriminator: { mapping: { play: "", pass: "" } } },
    },
  });
  equal(Object.keys(table.zones), ["hands", "won", "draw"]);
  equal([table.centre, table.zones["won"]?.per, table.zones["hands"]?.sorts], [["draw"], "seat", true]);
  const seen = { hands: [["a", "b"], [null]], draw: [null], totals: [0, 0] };
  const things = table.moves["play"]?.({ type: "play", card: "b", up: true }, 0, seen);
  equal(things, ["move/play", "hands/0/1", "field/up=true"]);
});

Deno.test("areas: own cards in the order of the deck, and where they were for the rules", () => {
  const zone = /** @type {const} */ ({ per: "seat", kind: "list", sorts: true });
  const [own, other] = areas({ ...TABLE, zones: { hands: zone } }, {
    hands: [["9", null, "10", "A", "K"], ["A", "K"]],
  });
  if (!own || !other) throw new Error("two areas");
  const shown = sorted(own, { cards: ["K", "A"] }).places;
  equal(shown.map(({ card }) => card), ["K", "A", "9", "10", null]);
  equal(shown.map(({ thing }) => thing), ["hands/0/4", "hands/0/3", "hands/0/0", "hands/0/2", "hands/0/1"]);
  equal([sorts(own, 0), sorts(other, 0), sorts(own, null)], [true, false, false]);
  equal(sorts({ ...own, zone: { ...zone, gaps: true } }, 0), false); // places between cards have an order
});

Deno.test("describe: the only kind of move", () => {
  const properties = { type: { enum: ["play"] }, card: { type: "string" } };
  const move = { $ref: "#/$defs/Play", $defs: { Play: { properties } } };
  const table = describe({ schemas: { view: { properties: {} }, move } });
  equal(Object.keys(table.moves), ["play"]);
});

// --- film and stage -------------------------------------------------------------------------------------------------

function film() {
  const made = new Film();
  made.add([
    item(1, "a", [{ op: "replace", path: "", value: null }]),
    item(2, "a", [{ op: "replace", path: "", value: { n: 0 } }]),
    item(3, "b", [{ op: "replace", path: "/n", value: 1 }]),
    item(4, "b"),
    item(5, "c", [{ op: "replace", path: "/n", value: 2 }]),
  ]);
  return made;
}

Deno.test("film: views, moves forward and back, known versions, gaps", () => {
  const made = film();
  equal([made.first, made.last, made.view(3), made.view(5)], [2, 5, { n: 1 }, { n: 2 }]);
  equal([made.next(2), made.next(4), made.next(5)], [4, 5, 5]);
  equal([made.back(5), made.back(4), made.back(2)], [4, 2, 2]);
  equal(made.move(4).map(({ version }) => version), [3, 4]);
  made.add([item(5, "c"), item(6, "d", [{ op: "replace", path: "/n", value: 3 }])]);
  equal(made.view(6), { n: 3 });
  fails(() => made.add([item(8, "e")]));
});

Deno.test("film: what house players do in the append of another seat are moves of their own", () => {
  const made = new Film();
  const by = (/** @type {number} */ version, /** @type {number | null} */ seat, type = "e") => ({
    ...item(version, "a", version > 1 ? [] : [{ op: "replace", path: "", value: 0 }]),
    by: seat,
    event: { type },
  });
  made.add([by(1, 0), by(2, null), by(3, 1), by(4, 1), by(5, 1, "turn_began"), by(6, 2), by(7, null)]);
  equal([1, 2, 3, 4, 5, 6, 7].filter((version) => made.isBoundary(version)), [2, 3, 5, 7]);
  equal([made.next(2), made.next(3), made.back(7)], [3, 5, 5]);
  equal([step(made, 2)?.version, step(made, 2)?.delay], [3, 450]);
});

Deno.test("stage: one move at a time, a jump over many, at once when nothing moves", () => {
  const made = film();
  equal(step(made, 2)?.version, 4);
  equal(step(made, 5), null);
  equal(step(made, 1, { still: true }), { version: 5, delay: 0, flies: false });
  equal(step(made, 1, { calm: true }), { ...step(made, 1), flies: false });
  const long = { last: 40, next: (/** @type {number} */ version) => version + 1, isHouse: () => false };
  equal(step(long, 0)?.version, 40);
  equal(step(long, 0, { replay: true, still: true, speed: 2 }), { version: 1, delay: 300, flies: false });
  equal((step(long, 30)?.delay ?? 0) < (step(long, 38)?.delay ?? 0), true);
});

// --- a table --------------------------------------------------------------------------------------------------------

/** A state with two seats at version 2; the first player is the user. @param {any} [parts] @returns {any} */
function atTable({ game = {}, table = {}, ...parts } = {}) {
  const made = new Film(), item = { at: "", by: null, event: { type: "x" }, more: 0, public: "", secret: "", head: "" };
  made.add([
    { ...item, version: 1, patch: [{ op: "add", path: "", value: { hands: [["a"], ["b"]] } }], acting: [1] },
    { ...item, version: 2, patch: [], acting: [0] },
  ]);
  const seats = ["ann", "ben"].map((id, seat) => ({ seat, player: { id, name: id } }));
  const legal = [{ type: "take", at: 0 }, { type: "end" }];
  return {
    ...fresh(),
    ruleset: "x",
    table: {
      zones: { hands: { kind: "list", per: "seat" } },
      centre: [],
      moves: { take: () => ["hands/0/0"], end: () => [] },
      face: () => ({}),
      name: String,
      score: { best: "highest" },
      confirm: (/** @type {any} */ { type }) => type === "end",
      private: true,
      ...table,
    },
    deck: null,
    labels: { moves: {} },
    say: (/** @type {string} */ key) => key,
    game: { seats, to_act: [0], version: 2, you: 0, legal_moves: legal, status: "running", result: null, ...game },
    film: made,
    shown: 2,
    perspective: "0",
    replaying: false,
    me: "ann",
    ...parts,
  };
}

Deno.test("table: each version shows whose choice it was", () => {
  for (const [shown, acting] of /** @type {[number, boolean[]][]} */ ([[1, [false, true]], [2, [true, false]]])) {
    equal(model(atTable({ shown, replaying: true }), () => {})?.chairs.map((chair) => chair.acting), acting);
  }
  const within = atTable({ shown: 1 }), { acting: _, ...first } = within.film.items[0];
  within.film.items[0] = { ...first, by: 1 }; // a house player moves within the append of another seat
  equal(model(within, () => {})?.chairs.map((chair) => chair.acting), [false, true]);
});

Deno.test("table: an absent player is not thinking, and one's own seat is not connected while the service is away", () => {
  const waits = { to_act: [1], legal_moves: [] };
  const asked = (/** @type {any} */ parts) => model(atTable({ game: waits, ...parts }), () => {})?.rail.question;
  const company = (/** @type {number[]} */ here, /** @type {any[]} */ away) => ({ watchers: 0, here, away });
  equal(asked({ company: company([0, 1], []) }), "ui.waits_for");
  equal(asked({ company: company([0], [{ seat: 1, since: "2100-01-01T00:00:00Z" }]) }), "ui.is_away");
  equal(asked({ company: company([0], []) }), "ui.is_away");
  equal(asked({}), "ui.waits_for");
  const dots = (/** @type {boolean} */ connected) =>
    model(atTable({ connected, company: company([0, 1], []) }), () => {})?.chairs.map(({ presence }) => presence);
  equal([dots(true), dots(false)], [["here", "here"], ["gone", "here"]]);
});

Deno.test("table: a click makes its move, what ends something is asked again, and a pending move bars clicks", () => {
  const state = atTable({ notice: "old" }), taken = play.told(state, { do: "click", thing: "hands/0/0" });
  equal([taken?.make, taken?.state.notice, taken?.state.choice.clicked], [{ type: "take", at: 0 }, "", []]);
  const asked = play.told(state, { do: "move", move: { type: "end" } });
  equal([asked?.make, asked?.state.confirm], [undefined, { type: "end" }]);
  const confirmed = asked && play.told(asked.state, { do: "confirm", yes: true });
  equal([confirmed?.make, confirmed?.state.confirm], [{ type: "end" }, null]);
  equal(asked && play.told(asked.state, { do: "confirm", yes: false })?.state.confirm, null);
  const never = play.told({ ...state, asks: "never" }, { do: "move", move: { type: "end" } });
  equal(never?.make, { type: "end" });
  const always = play.told({ ...state, asks: "always" }, { do: "click", thing: "hands/0/0" });
  equal([always?.make, always?.state.confirm], [undefined, { type: "take", at: 0 }]);
  const letter = /** @type {any} */ ({ move: { type: "take", at: 0 } }), pending = play.underWay(state, letter, 0);
  equal([pending.pending, pending.pendingThings], [letter.move, ["hands/0/0"]]);
  equal(play.told(pending, { do: "click", thing: "hands/0/0" })?.state === pending, true);
  const made = play.underWay(pending, null, 3); // what it has done is on its way
  equal([made.pending, made.awaited], [letter.move, 3]);
  const { game, film, perspective } = made;
  const over = play.arrived(made, { game: { ...game, version: 3 }, film, perspective });
  equal([over.pending, over.awaited, over.notice], [null, 0, "old"]);
  equal(play.told(state, { do: "share" }), null);
  equal(play.told(state, { do: "hover", thing: null })?.state === state, true);
});

Deno.test("table: what ends a round is asked again, as long as nobody has ended it", () => {
  const [up, down] = [{ card: 5, up: true }, { card: null, up: false }], view = { finisher: null, phase: "place" };
  const layouts = (/** @type {any[]} */ ...own) => [[up, null, down], own];
  for (const table of [skyjo, skyjoAction]) {
    /** @param {any} move @param {any[]} own @param {object} [more] */
    const asked = (move, own, more) => table.confirm?.(move, { ...view, layouts: layouts(...own), ...more }, 1);
    const [swap, toss] = [{ type: "swap", slot: 2 }, { type: "toss" }];
    equal([asked(swap, [up, null, down]), asked(toss, [up, null, down])], [true, true]); // then it has to be turned up
    equal(asked({ type: "swap", slot: 0 }, [up, null, down]), false);
    equal([asked(swap, [down, up, down]), asked(toss, [down, up, down])], [false, false]);
    equal([swap, toss].map((move) => asked(move, [up, null, down], { finisher: 0 })), [false, false]);
    equal(["draw", "take", "flip"].map((type) => asked({ type, slot: 2 }, [up, null, down])), [false, false, false]);
  }
  equal(skyjoAction.confirm?.({ type: "keep_none" }, { ...view, layouts: layouts(up, down) }, 1), true);
});

Deno.test("table: the only legal move is not asked again", () => {
  const table = { confirm: () => true }, move = { type: "pass" };
  const grave = (/** @type {any[]} */ legal_moves) => isGrave(atTable({ table, game: { legal_moves } }), move);
  equal([grave([move]), grave([move, { type: "play" }])], [false, true]);
});

Deno.test("table: beside a move that is asked again, the other one is the main button", () => {
  const chips = (/** @type {any[]} */ legal_moves) =>
    model(
      atTable({ table: { moves: { take: () => [], end: () => [], stay: () => [] } }, game: { legal_moves } }),
      () => {},
    )?.rail
      .chips
      .map(({ move, main }) => `${move?.type} ${Boolean(main)}`);
  equal(chips([{ type: "take" }, { type: "end" }]), ["take true", "end false"]);
  equal(chips([{ type: "take" }, { type: "stay" }, { type: "end" }]), ["take false", "stay false", "end false"]);
  equal(chips([{ type: "take" }, { type: "stay" }]), ["take false", "stay false"]);
  equal(chips([{ type: "end" }]), ["end false"]);
});

Deno.test("table: cards of others are aimed at from the first click to the answer; what was picked is marked", () => {
  const legal = [{ type: "take", at: 0, row: 1 }],
    table = {
      grid: "grids",
      zones: { hands: { kind: "list", per: "seat" }, pot: { kind: "pile" } },
      moves: { take: (/** @type {any} */ { at, row }) => [`hands/0/${at}`, `hands/${row}/0`] },
      picked: () => ["hands/1/0"],
    };
  const state = atTable({ table, game: { legal_moves: legal } }), found = model(state, () => {});
  equal([found?.aims, found?.look("hands/1/0").chosen, found?.look("hands/0/0").chosen], [true, 1, undefined]);
  const begun = play.told(state, { do: "click", thing: "hands/0/0" })?.state ?? state;
  equal(model(begun, () => {})?.aims, true);
  equal(model({ ...state, pending: legal[0] ?? null }, () => {})?.aims, true);
  const own = { ...table, moves: { take: () => ["hands/0/0", "pot"] } }, unpicked = { ...own, picked: undefined };
  equal([own, unpicked].map((table) => model(atTable({ table, game: { legal_moves: legal } }), () => {})?.aims), [
    true,
    false,
  ]);
});

Deno.test("table: a device goes on behind the curtain, and another user sees nothing of the one before", () => {
  const hotseat = { hotseat: true };
  const covered = play.handedOver(atTable({ game: hotseat }), null);
  equal([covered.state.curtain, covered.as], [0, "bystander"]);
  equal(play.handedOver(atTable({ game: hotseat, lifted: 0 }), null).as, "0");
  equal(play.handedOver(atTable({ game: hotseat, table: { private: false } }), null).as, "0");
  equal(play.handedOver(atTable({ game: { ...hotseat, parent: {} } }), null).as, "all");
  equal(play.handedOver(atTable({ game: { ...hotseat, to_act: [0, 1] }, lifted: 1 }), "1").as, "1");
  const over = { game: { ...hotseat, result: {} } }, replay = { game: hotseat, replaying: true };
  for (const no of [{}, over, replay, { game: hotseat, me: "ben" }]) {
    const state = atTable(no), same = play.handedOver(state, "x");
    equal([same.state === state, same.as], [true, "x"]);
  }
  const state = atTable({ choice: { clicked: ["hands/0/0"], switches: {} }, notice: "x", lifted: 0 });
  const other = play.became(state, "ben");
  equal([other.me, other.choice.clicked, other.notice, other.lifted], ["ben", [], "", null]);
  equal(play.became(state, "ann") === state, true);
});

Deno.test("play: a switch holds for one move", () => {
  const put = atTable({ choice: { clicked: [], switches: { flip: true } } });
  equal(play.told(put, { do: "click", thing: "nothing" })?.state.choice.switches, { flip: true });
  equal(play.told(put, { do: "cancel" })?.state.choice.switches, { flip: true });
  const made = play.told(put, { do: "click", thing: "hands/0/0" });
  equal([made?.make, made?.state.choice.switches], [{ type: "take", at: 0 }, {}]);
});

// --- words, talk, keys ----------------------------------------------------------------------------------------------

Deno.test("words: fields, plurals, languages", () => {
  const say = sayer({ a: "{name} and {other}", b: "{count} card|{count} cards" }, "en");
  const said = [say("a", { name: "x" }), say("b", { count: 1 }), say("b", { count: 0 }), say("c")];
  equal(said, ["x and ", "1 card", "0 cards", "c"]);
  equal([language(null, ["fr", "de-AT"]), language("en", ["de"]), language(null, [])], ["de", "en", "en"]);
});

/** A sentence with parts that have no room below a seat. */
const BRIEF = { ended: "{seat:seat} draws[ a card:] {drawn:card}[, card {place:ordinal}][; and goes]" };

/** @param {number} seat */
const drawnBy = (seat) => ({ type: "ended", seat, drawn: 3, place: 0, flag: true });

Deno.test("talk: sentences as the service makes them", () => {
  const tongue = {
    table: { ...TABLE, name: (/** @type {any} */ card) => `a ${card}` },
    deck: null,
    names: ["Ann", "Ben"],
    say: sayer({ "event.joined": "sits down" }, "en"),
    labels: {
      sentences: {
        swapped: "{seat:seat} lays {card:card}[ at {slot:place}][ for {row:seat}]",
        ended: "{seat:seat} ends[, draws {drawn:cards}][; {flag}]: {drawn:count}",
        scored: "{points:by_seat}; at {spots.position:ordinal}, {how}, {winners:seat}",
      },
      places: { slot: { text: "column {column}, row {row}", rows: 3 } },
      values: { how: { pay: "paid" }, flag: { true: "flagged" } },
      cards: { hidden: "a card" },
    },
  };
  equal(told({ type: "swapped", seat: 1, card: 4, slot: 5 }, tongue), "Ben lays a 4 at column 2, row 3");
  equal(told({ type: "swapped", seat: 0, card: null, slot: 0 }, tongue), "Ann lays a card at column 1, row 1");
  equal(told({ type: "ended", seat: 0, drawn: [null, null], flag: false }, tongue), "Ann ends: 2");
  const drew = told({ type: "ended", seat: 0, drawn: [3, null], flag: true }, tongue);
  equal(drew, "Ann ends, draws a 3, a card; flagged: 2");
  const spots = [{ position: 0 }, { position: 2 }];
  const scored = { type: "scored", points: [0, -4], spots, how: "pay", winners: [1] };
  equal(told(scored, tongue), "Ann 0, Ben −4; at 1, 3, paid, Ben");
  equal(told({ type: "joined", seat: 0 }, tongue), "sits down");
  const laid = { type: "swapped", seat: 1, card: 4, slot: 5, row: 0 };
  equal(told(laid, tongue), "Ben lays a 4 at column 2, row 3 for Ann");
  equal(told(laid, tongue, undefined, true), "Ben lays a 4 for Ann"); // where it is marked
  equal(told({ ...laid, row: 1 }, tongue, undefined, true), "Ben lays a 4");
  const { flag: _, ...ended } = drawnBy(0), brief = { ...tongue, labels: { ...tongue.labels, sentences: BRIEF } };
  equal(told(ended, brief), "Ann draws a card: a 3, card 1; and goes");
  equal(told(ended, brief, undefined, true), "Ann draws a 3");
});

Deno.test("talk: the log names the card that lay at a place, where the view before is known", () => {
  const { recall } = scandaroon;
  const tongue = {
    table: { ...TABLE, recall, name: (/** @type {any} */ card) => `the ${card}` },
    deck: null,
    names: ["Ann", "Ben"],
    say: sayer({}, "en"),
    labels: {
      sentences: {
        removed: "{seat:seat} removes[ {spot.card:card}] from {spot.row:seat}",
        spent: "{seat:seat} discards[ {spot.card:card}]",
        boosted: "{seat:seat} changes[ {spots.card:cards}]",
      },
    },
  };
  const spot = { row: 1, position: 0 }, views = [{ rows: [[null, { card: "S5" }], [{ card: "M7" }]] }];
  /** @param {any} event @param {any[]} known */
  const line = (event, known) => {
    const film = /** @type {any} */ ({
      items: [{ version: 1, event, by: 0 }],
      view: (/** @type {number} */ at) => known[at] ?? null,
    });
    return log(film, /** @type {any} */ (tongue), 1)[0]?.text;
  };
  const events = [{ type: "removed", seat: 0, spot }, { type: "spent", seat: 0, position: 1 }, {
    type: "boosted",
    seat: 0,
    spots: [spot],
  }];
  equal(events.map((event) => line(event, views)), ["removes the M7 from Ben", "discards the S5", "changes the M7"]);
  equal(events.map((event) => line(event, [])), ["removes from Ben", "discards", "changes"]);
});

Deno.test("keys: an arrow leads to what is nearest in its direction", () => {
  const box = (/** @type {number} */ left, /** @type {number} */ top) => ({ left, top, width: 10, height: 10 });
  const boxes = [box(20, 0), box(40, 2), box(0, 20), box(-30, 0)];
  const found = ["Right", "Down", "Left", "Up"].map((key) => nearest(`Arrow${key}`, box(0, 0), boxes));
  equal(found, [0, 2, 3, -1]);
});

Deno.test("clock: what is left, and how it is shown", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  equal(remaining({ left: 5000, reserve: 1000, runs_out: null }, now), 6000);
  equal(remaining({ left: 5000, reserve: 0, runs_out: "2026-01-01T00:00:03.250000Z" }, now), 3250);
  equal(remaining({ left: 5000, reserve: 0, runs_out: "2025-12-31T23:59:59Z" }, now), 0);
  const shown = [0, 999, 7000, 127_000, 3_727_000, 3 * 86_400_000].map(clockText);
  equal(shown, ["0:00", "0:01", "0:07", "2:07", "1:02:07", "3 d 0 h"]);
  const short = [[17_000, 180], [19_000, 180], [9000, 5]].map(([left = 0, bank = 0]) => isShort(left, { bank }));
  equal(short, [true, false, true]);
});

Deno.test("clock: what is left is read out at 30 and 10 seconds, if the choice began with more", () => {
  const told = [[60, 31], [60, 30], [60, 11], [60, 10], [30, 29], [20, 9], [10, 5]].map(([before = 0, left = 0]) =>
    due(left * 1000, { left: (before - 5) * 1000, reserve: 5000, runs_out: "2026-01-01T00:00:00Z" })
  );
  equal(told, [null, 30_000, 30_000, 10_000, null, 10_000, null]);
  equal(due(9000, { left: 5000, reserve: 55_000, runs_out: null }), null);
});

Deno.test("qr: the codes that a reader has read", async () => {
  // Each was read by zxing-cpp 2 when this was written; versions 1 to 6.
  const full = "https://spiel.example/#code=0123456789abcdef".padEnd(134, "x");
  const known = [
    [5, 21, "3ac1c3fbb05e597e"],
    [20, 25, "91727c3548629519"],
    [40, 29, "5f6ba857ca7c6901"],
    [60, 33, "377c2558f43f081b"],
    [90, 37, "dabb04271110acb8"],
    [110, 41, "1e5463b9a56d74a7"],
    [130, 41, "9f7fc013250d23e4"],
    [134, 41, "96cc434e957131fc"],
  ];
  for (const [length, size, digest] of known) {
    const code = qr(full.slice(0, Number(length))) ?? [];
    equal(code.length, size);
    const rows = code.map((row) => row.map((dark) => dark ? "1" : "0").join("")).join("\n");
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rows)));
    equal([...hash.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(""), digest);
  }
  equal(qr("x".repeat(135)), null);
});

Deno.test("seal: SHA-256 of any length, and the published seals", async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 119, 120, 300]) {
    const text = "ä".repeat(length % 7) + "x".repeat(length);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    equal(sha256(text), Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  const { sealed } = JSON.parse(await Deno.readTextFile(new URL("../../docs/fairness.vectors.json", import.meta.url)));
  const made = sealed.entropies.map((/** @type {string} */ each, /** @type {number} */ seat) =>
    seal(sealed.game_id, seat, each)
  );
  equal(made, sealed.seals);
});

Deno.test("seal: all players have one, or nothing is opened", () => {
  const opened = { type: "opened", seats: 3, places: [{}, { bot: "random/1" }, {}] };
  const [ann, ben] = [{ type: "joined", seat: 0, seal: "a" }, { type: "joined", seat: 2, seal: "b" }];
  equal(allSealed([opened, ann, ben], 0, "a"), true);
  equal(allSealed([opened, ann, ben], 0, "b"), false);
  equal(allSealed([opened, ann], 0, "a"), false);
  equal(allSealed([opened, ann, { type: "joined", seat: 2 }], 0, "a"), false);
  equal(allSealed([opened, ann, ben, { type: "left", seat: 2 }], 0, "a"), false);
  equal(allSealed([], 0, "a"), false);
});

Deno.test("talk: the end of a turn is a seat's deed only if it has done nothing else", () => {
  const sentences = { bought: "{seat:seat} buys", ended: "{seat:seat} ends" },
    types = ["ended", "bought", "ended", "ended"];
  const items = types.map((type, at) => ({
    version: at + 1,
    by: [0, 1, 1, 2][at],
    event: { type, seat: [0, 1, 1, 2][at] },
  }));
  const tongue = {
    table: { quiet: ["ended"] },
    deck: null,
    labels: { sentences },
    names: ["Ann", "Ben", "Cy"],
    say: String,
  };
  const found = deeds(/** @type {any} */ ({ items }), /** @type {any} */ (tongue), 4, 0);
  equal(found.map((line) => line?.text), [undefined, "buys", "ends"]);
});

Deno.test("a file that is loaded on use without a word is noticed", () => {
  const { lint: linter } = /** @type {any} */ (Deno);
  /** @param {string} name @param {string} text @returns {string[]} */
  const found = (name, text) =>
    linter.runPlugin(lint, `/x/web/${name}`, text).map((/** @type {{ id: string }} */ { id }) => id);
  const silent = ["stammtisch/no-silent-load"];
  equal(found("pages/x.js", 'const x = await import("./y.js");'), silent);
  equal(found("pages/x.js", 'const x = () => import("./y.js").then((y) => y);'), silent);
  equal(found("core/x.js", 'const x = async () => (await import("./y.js")).y;'), silent);
  equal(found("pages/x.js", 'const x = await fetch("words/en.json");'), silent);
  equal(found("pages/x.js", 'const x = await later(() => import("./y.js"));'), []);
  equal(found("core/later.js", "const x = await fetch(url);"), []);
});

Deno.test("words: only names that are written from right to left are isolated", () => {
  equal([isolated("Carl"), isolated("Zoë 2"), isolated("דנה")], ["Carl", "Zoë 2", "\u2068דנה\u2069"]);
  const say = sayer({ won: "{name} wins by {n}" }, "en");
  equal(say("won", { name: "محمد", n: 3 }), "\u2068محمد\u2069 wins by 3");
});
