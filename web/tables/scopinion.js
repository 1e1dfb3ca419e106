import { aNumber, byId } from "../faces/card.js";
import { striped } from "../faces/striped.js";

/** @typedef {import("../core/types.js").Table} Table */
/** @typedef {any} View */

/** Where an open card lies. @param {View} view @param {string} card */
const open = (view, card) => view.display.includes(card) ? `display/${view.display.indexOf(card)}` : "targets";
/** @param {View} view @param {number} you @param {string} card */
const held = (view, you, card) => `hands/${you}/${view.hands[you].indexOf(card)}`;
/** The card of a thing. @param {View} view @param {string} thing */
function cardAt(view, thing) {
  const [zone = "", ...path] = thing.split("/");
  if (zone === "targets") return view.targets.at(-1);
  return zone === "display" || zone === "hands" ? path.reduce((list, at) => list[at], view[zone]) : null;
}
/** @param {any} deck @param {string} card */
const value = (deck, card) => byId(deck, card)?.value ?? 0;
/** Cards that only their owner knows. @param {any[]} cards */
const covered = (cards) => cards.map((card) => card === null ? null : { card, up: false });

const STRIPES = /** @type {Record<string, string>} */ ({ green: "G", blue: "B", red: "R", orange: "O" });
const FUNCTIONS = /** @type {Record<string, string>} */ ({ 0: "take", 1: "+1", 2: "+2", 3: "x3" });

/** @type {Table} */
export default {
  grid: "marketplace",
  cloth: "bottle",
  weave: "basket",
  show: [
    { draw: striped, number: "9", tint: "s-green", stripe: "G", pips: ["heart"] },
    { draw: striped, number: "18", tint: "s-tA", stripe: "A", pips: ["leaf", "heart", "heart"] },
    { draw: striped, number: "5", tint: "s-blue", stripe: "B", marks: ["arrow"], pips: ["leaf"] },
  ],
  zones: {
    decks: { per: "seat", kind: "pile", mini: "hidden", at: "left" },
    discards: { per: "seat", kind: "pile", at: "left" },
    hands: { per: "seat", kind: "list", mini: "fan", hand: true, seen: 0.86 },
    drawn: { kind: "slots", nulls: "back", by: "turn", at: "right", when: (view) => view.phase === "keep" },
    stage: { kind: "list", by: "turn", at: "right", mini: "fan" },
    vaults: {
      per: "seat",
      kind: "pile",
      of: (view) => view.phase === "over" ? view.vaults : view.vaults.map(covered),
      at: "right",
    },
    showcases: { per: "seat", kind: "list", when: (view) => view.options.mode === "expert", at: "right" },
    targets: { kind: "pile" },
    display: { kind: "slots" },
    supply: { kind: "pile" },
    graveyard: { kind: "pile" },
    removed: { kind: "pile", mini: "hidden" },
  },
  centre: ["targets", "display", "supply", "graveyard"],
  moves: {
    buy: (
      { card, pay },
      you,
      view,
    ) => [open(view, card), ...pay.map((/** @type {string} */ each) => held(view, you, each))],
    triple: ({ card, by, other }, you, view) => [open(view, card), held(view, you, by), held(view, you, other)],
    take: ({ card, by }, you, view) => [open(view, card), held(view, you, by)],
    draw_one: ({ by }, you, view) => [held(view, you, by), `decks/${you}`],
    keep_drawn: () => [],
    draw_two: ({ by }, you, view) => [held(view, you, by), `decks/${you}`],
    trash: ({ card, by }, you, view) => [held(view, you, by), held(view, you, card), "graveyard"],
    secure: ({ card }, you, view) => [held(view, you, card), `vaults/${you}`],
    pik_off: ({ card }, _you, view) => [open(view, card), "graveyard"],
    end_turn: ({ hold }, you, view) => hold === null ? [] : [held(view, you, hold)],
  },
  switches: { to: [null, "stage", "showcase"], reshuffle: [false, true] },
  face: (id, deck) => {
    const card = byId(deck, id);
    if (!card) return { text: id };
    const pips = [
      ...Array(card.green ?? 0).fill("leaf"),
      ...Array(card.red ?? 0).fill("heart"),
      ...Array(card.spades ?? 0).fill("spade"),
    ];
    return {
      draw: striped,
      number: String(card.value),
      tint: card.kind === "start" ? `s-${card.colour}` : card.kind === "target" ? `s-t${card.group}` : "s-plain",
      stripe: card.kind === "start" ? STRIPES[card.colour] : card.group,
      frame: card.border ? "double" : undefined,
      effect: card.kind === "target" ? undefined : FUNCTIONS[card.value],
      marks: ["bolt", "arrow", "mix"].filter((mark) => card[mark]),
      pips,
      caption: id,
    };
  },
  name: (id, say, deck) => {
    const card = byId(deck, id) ?? { value: id };
    const signs = ["green", "red", "spades"].filter((sign) => card[sign]).map((sign) =>
      say(`cards.${sign}`, { count: card[sign] })
    );
    const marks = ["border", "bolt", "arrow", "mix"].filter((mark) => card[mark]).map((mark) => say(`cards.${mark}`));
    const value = card.kind === "target" ? say("cards.target", { number: card.value }) : aNumber(card.value, say);
    return [value, ...signs, ...marks].join(", ");
  },
  asked: ({ view, clicked, left, deck }) => {
    const types = new Set(left.map(({ type }) => type)), [type] = types;
    const cards = clicked.map((thing) => cardAt(view, thing)).filter(Boolean);
    const wanted = left[0]?.card ?? cards[0], paid = cards.filter((card) => card !== wanted);
    const [price, sum] = [value(deck, wanted), paid.reduce((total, card) => total + value(deck, card), 0)];
    const done = left.some((move) => move.type === "buy" && move.pay.length === paid.length);
    const composed = types.size > 1
      ? "turn (chosen)"
      : `turn>${type}${type !== "buy" || !paid.length ? "" : done ? "!" : "…"}`;
    const card = types.size > 1 || type !== "buy" ? left[0]?.hold ?? cards[0] : wanted;
    return {
      key: view.phase === "turn" && clicked.length ? composed : view.phase,
      fields: {
        card: { card },
        name: { card },
        drawn: { card: view.drawn },
        paid: { cards: paid },
        price,
        sum,
        missing: price > sum ? price - sum : null,
      },
      of: (move) => ({ pay: { cards: move.pay ?? [] } }),
    };
  },
  score: { best: "highest" },
  counts: (view, seat, say) => [
    { glyph: "hand", count: view.hands[seat].length, text: say("cards.in_hand", { count: view.hands[seat].length }) },
    { glyph: "deck", count: view.decks[seat].length, text: say("cards.in_deck", { count: view.decks[seat].length }) },
    {
      glyph: "vault",
      count: view.vaults[seat].length,
      text: say("cards.in_vault", { count: view.vaults[seat].length }),
    },
  ],
  marks: ["shuffled", "end_triggered", "cards_revealed"],
  private: true,
};
