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
/** What cards pay: two or more with a red border count double. @param {any} deck @param {string[]} cards */
function worth(deck, cards) {
  const sum = (/** @type {string[]} */ list) => list.reduce((total, card) => total + value(deck, card), 0);
  const framed = cards.filter((card) => byId(deck, card)?.border);
  return sum(cards) + (framed.length > 1 ? sum(framed) : 0);
}
/** Cards that only their owner knows. @param {any[]} cards */
const covered = (cards) => cards.map((card) => card === null ? null : { card, up: false });
/** @param {View} view */
const vaults = (view) => view.phase === "over" ? view.vaults : view.vaults.map(covered);
/** The lines of the final score. */
const PARTS = ["vault", "showcase", "pairs", "red", "spades"];
const STRIPES = /** @type {Record<string, string>} */ ({ green: "G", blue: "B", red: "R", orange: "O" });
const FUNCTIONS = /** @type {Record<string, string>} */ ({ 0: "take", 1: "+1", 2: "+2", 3: "x3" });
/**
 * The state of a turn in which something has been clicked.
 * @param {import("../core/types.js").Asking} asking @param {string | undefined} wanted  An open card. @param {string[]} held
 * @param {string | undefined} card  That is asked about. Without one only some questions can be asked.
 */
function composing({ left }, wanted, held, card) {
  const types = new Set(left.map(({ type }) => type)), [type] = types, [first] = held;
  const has = (/** @type {string[]} */ ...some) => some.some((each) => types.has(each));
  const done = left.some(({ type, pay }) => (type === "buy" ? pay.length : 2) === held.length);
  if (card === undefined && !(types.size === 1 && /^(trash|draw)/.test(type))) return undefined;
  if (!wanted && types.size > 1) {
    if (held.length > 1) return has("trash") ? "turn (several, arrow)" : "turn (several)";
    if (has("secure")) return "turn (target)";
    if (has("take")) return "turn (0)";
    if (has("draw_one", "draw_two")) return "turn (draw)";
    if (left.some(({ by }) => by === first)) return has("triple") ? "turn (3)" : "turn (arrow)";
    return "turn (chosen)";
  }
  if (wanted && done && left.some(({ to }) => to)) return "turn>buy!to";
  const more = has("take") ? "… (0)" : "…", none = has("pik_off") ? " (pik-off)" : "";
  if (wanted && !held.length && types.size > 1 && has("take")) return `turn (open${has("pik_off") ? ", pik-off" : ""})`;
  if (wanted && has("buy")) return `turn>buy${held.length ? done ? "!" : more : none}`;
  if (types.size > 1) return "turn (open)";
  if (type === "take" && wanted) return "turn>take (card)";
  return `turn>${type}${type === "trash" && held.length > 1 ? "!" : ""}`;
}

/** @param {import("../core/types.js").Asking} asking @returns {import("../core/types.js").Asked} */
function asked(asking) {
  const { view, clicked, left, legal, deck, confirm } = asking;
  const [open] = clicked.filter((thing) => /^(display|targets)/.test(thing)), wanted = open && cardAt(view, open);
  const held = clicked.filter((thing) => thing.startsWith("hands/")).map((thing) => cardAt(view, thing));
  const price = value(deck, wanted), sum = worth(deck, held);
  const [only, ...others] = new Set(left.map(({ card, by }) => card ?? by)); // of a pile that was clicked first
  const first = held[0] ?? (others.length ? undefined : only);
  const card = wanted ?? (left[0]?.type === "trash" && held.length > 1 ? left[0].card : first);
  const holds = legal.some(({ hold }) => hold);
  const pays = wanted && left.some(({ type }) => type === "buy"), bare = confirm && unsecured(confirm, legal);
  const key = confirm && isDear(confirm, deck, legal)
    ? "turn>buy (dear)"
    : bare
    ? "turn>end_turn (target)"
    : clicked.length
    ? composing(asking, wanted, held, card)
    : undefined;
  const late = typeof view.final === "number" && (view.final < view.hands.length ? "last" : "near");
  return {
    key,
    fields: {
      ending: late || (holds && !view.pik_off ? "keep" : null),
      gone: left.find(({ type }) => type === "trash")?.card,
      card,
      wanted,
      target: bare?.card,
      paid: held,
      price,
      sum,
      missing: price > sum ? price - sum : null,
    },
    of: (move) => ({ pay: move.pay ?? [], gone: move.card }),
    meter: pays && price && (sum || !held.length) ? [sum, price] : undefined,
  };
}
/** Another payment for the same card is worth less. @param {any} move @param {any} deck @param {any[]} legal */
const isDear = ({ type, card, pay }, deck, legal = []) =>
  type === "buy" &&
  legal.some((other) => other.type === "buy" && other.card === card && worth(deck, other.pay) < worth(deck, pay));
/** A turn ends, and a target of the hand is not secured. @param {any} move @param {any[]} legal */
const unsecured = ({ type, hold }, legal = []) =>
  type === "end_turn" ? legal.find((other) => other.type === "secure" && other.card !== hold) : undefined;
/** A click on a card that has no other use ends the turn. @param {any} move @param {any[]} legal */
const isSudden = ({ hold }, legal = []) =>
  Boolean(hold) && !legal.some(({ card, by, other, pay = [] }) => [card, by, other, ...pay].includes(hold));

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
    vaults: { per: "seat", kind: "pile", of: vaults, at: "right", takes: true },
    showcases: { per: "seat", kind: "list", when: (view) => view.options.mode === "expert", at: "right" },
    targets: { kind: "pile" },
    display: { kind: "slots" },
    supply: { kind: "pile" },
    graveyard: { kind: "pile", takes: true },
    removed: { kind: "pile", mini: "hidden" },
  },
  centre: ["targets", "display", "supply", "graveyard"],
  moves: {
    buy: ({ card, pay }, you, view) => [card, ...pay].map((each, at) => at ? held(view, you, each) : open(view, each)),
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
  confirm: (move, _view, _you, deck, legal) =>
    isDear(move, deck, legal) || Boolean(unsecured(move, legal)) || isSudden(move, legal),
  switches: { reshuffle: [false, true] },
  face: (id, deck) => {
    const card = byId(deck, id);
    if (!card) return { text: id };
    const signs = { leaf: card.green, heart: card.red, spade: card.spades };
    const pips = Object.entries(signs).flatMap(([glyph, many = 0]) => Array(many).fill(glyph));
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
    const number = card.kind === "target" ? say("cards.target", { number: card.value }) : aNumber(card.value, say);
    return [number, ...signs, ...marks].join(", ");
  },
  asked,
  score: {
    best: "highest",
    parts: ({ breakdown }) =>
      Object.fromEntries(PARTS.map((name) => [name, breakdown.map((/** @type {any} */ each) => each[name])])),
  },
  counts: ({ hands, decks, vaults }, seat, say) =>
    Object.entries({ hand: hands[seat], deck: decks[seat], vault: vaults[seat] }).map(([glyph, { length: count }]) => ({
      glyph,
      count,
      text: say(`cards.in_${glyph}`, { count }),
    })),
  marks: ["end_triggered", "cards_revealed"],
  quiet: ["turn_ended", "drawn", "played", "drawn_aside", "kept"],
  private: true,
};
