import { byId } from "../faces/card.js";
import { sign } from "../faces/sign.js";
import { split } from "../faces/split.js";

/** @typedef {import("../core/types.js").Table} Table */
/** @typedef {import("../core/types.js").Face} Face */
/** @typedef {any} View */

/** @param {View} view @param {number} you @param {string} card */
const held = (view, you, card) => `hands/${you}/${view.hands[you].indexOf(card)}`;

/** @param {string} at */
const stone = (at) => at === "ready" ? "the stone" : null;

/** @param {any[]} pile */
const some = (pile) => pile.length > 0;

/** @param {number} amount */
const signed = (amount) => amount > 0 ? `+${amount}` : String(amount);

/** What an ability is drawn as. @type {Record<string, (ability: any) => { glyph: string, effect?: string }>} */
const ABILITIES = {
  remove: ({ target }) => ({ glyph: "remove", effect: limit(target) }),
  boost: ({ amount, area }) => ({ glyph: area ? "sides" : "boost", effect: signed(amount) }),
  swap: ({ max_difference: most }) => ({ glyph: "swap", effect: most === null ? undefined : `±${most}` }),
  move: () => ({ glyph: "move" }),
  set_trump: ({ values }) => ({ glyph: "crown", effect: values.length > 2 ? "∞" : undefined }),
  draw: ({ count, may_play: may }) => ({ glyph: "draw", effect: may ? "play" : `+${count}` }),
  return: ({ target }) => ({ glyph: "return", effect: limit(target) }),
};
/** @param {any} target */
const limit = (target) =>
  target.place === "last" ? "last" : typeof target.max === "number" ? `≤${target.max}` : target.max ? "≤x" : undefined;

/** @param {any} card @returns {Partial<Face>} */
function does({ effect, ability }) {
  if (ability) return ABILITIES[ability.kind]?.(ability) ?? { glyph: "none" };
  if (effect) return { effect: signed(effect[0].amount), ways: effect[0].direction };
  return {};
}

/** @type {Table} */
export default {
  grid: "lanes",
  cloth: "kilim",
  weave: "stars",
  zones: {
    rows: { per: "seat", kind: "slots", nulls: "empty", end: true },
    hands: { per: "seat", kind: "list", mini: "hidden", hand: true },
    stones: { per: "seat", kind: "slots", nulls: "empty", token: true, of: (view) => view.stones.map(stone) },
    score_piles: {
      per: "seat",
      kind: "pile",
      mini: "hidden",
      small: true,
      when: (view) => view.score_piles.some(some),
    },
    trump: { kind: "slots", token: true, of: (view) => `trump ${view.trump}` },
    draw: { kind: "pile" },
    discard: { kind: "pile" },
  },
  centre: ["trump", "draw", "discard"],
  moves: {
    play: ({ card, row }, you, view) => [held(view, you, card), `rows/${row}/end`],
    use: ({ position }, you) => [`rows/${you}/${position}`],
    target: ({ row, position }) => [`rows/${row}/${position}`],
    place: ({ row, position }, _, { pending }) => [`rows/${row ?? pending.first.row}/${position ?? "end"}`],
    set_trump: () => ["trump"],
    stone: ({ card, position: at }, you, view) => [`stones/${you}`, card ? held(view, you, card) : `rows/${you}/${at}`],
    exchange: ({ card }, you, view) => [held(view, you, card)],
    stop: () => [],
    pass: () => [],
  },
  confirm: ["pass", "stone"],
  face: (id, deck) => {
    const [kind = "", what] = String(id).split(" ");
    if (what) return { draw: sign, glyph: what };
    const card = byId(deck, kind);
    if (!card) return { text: id };
    const marks = card.play_anywhere ? ["anywhere"] : [];
    return {
      draw: split,
      number: String(card.base),
      pips: card.symbols,
      bar: card.end,
      marks,
      ...does(card),
      caption: id,
    };
  },
  name: (id, say, deck) => {
    const [kind, what] = String(id).split(" "), card = byId(deck, id);
    if (what) {
      return kind === "trump" ? say("cards.trump", { symbol: say(`labels.cards.${what}`) }) : say("labels.cards.stone");
    }
    const symbols = (card?.symbols ?? []).map((/** @type {string} */ symbol) => say(`labels.cards.${symbol}`));
    return [
      say("cards.a_number", { number: card?.base ?? id }),
      ...symbols,
      ...(card?.end ? [say("labels.cards.end")] : []),
    ].join(", ");
  },
  badges: ({ card, badges: { boost = 0, protected_by: by = null } }, value, deck) => [
    ...(value === null
      ? boost ? [{ text: signed(boost) }] : []
      : value === byId(deck, card)?.base
      ? []
      : [{ text: String(value) }]),
    ...(by === null ? [] : [{ glyph: "stone", kind: "left" }]),
  ],
  score: { total: "rank_points", rounds: "rounds", best: "highest" },
  plate: (view, seat, say) =>
    [say("cards.in_hand", { count: view.hands[seat].length }), ...(view.passed[seat] ? [say("cards.passed")] : [])]
      .join(" · "),
  marks: ["trump_revealed", "trump_flipped", "round_scored"],
  private: true,
};
