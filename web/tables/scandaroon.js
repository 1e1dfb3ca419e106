import { aNumber, byId } from "../faces/card.js";
import { sign } from "../faces/sign.js";
import { split } from "../faces/split.js";

/** @typedef {import("../core/types.js").Table} Table */
/** @typedef {any} View */

/** @param {View} view @param {number} you @param {string} card */
const held = (view, you, card) => `hands/${you}/${view.hands[you].indexOf(card)}`;

/** @param {string} at */
const stone = (at) => at === "ready" ? "the stone" : null;

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

/** @param {any} card @returns {Partial<import("../core/types.js").Face>} */
function does({ effect, ability }) {
  if (ability) return ABILITIES[ability.kind]?.(ability) ?? { glyph: "none" };
  if (effect) return { effect: signed(effect[0].amount), ways: effect[0].direction };
  return {};
}

/** @param {import("../core/types.js").Asking} asking @returns {string | undefined} */
function stateOf({ view, deck, clicked, left, confirm }) {
  const { phase, pending, rows, turn } = view, types = new Set(left.map(({ type }) => type)), [type] = types;
  if (confirm?.type === "pass") return "turn>pass!";
  if (confirm?.type === "stone") return "turn>stone (sure)";
  if (pending?.kind === "ability") {
    const { kind, to } = byId(deck, rows[turn][pending.position].card).ability;
    return `ability.${kind}${pending.first ? ">target" : to === "user" ? " (user)" : ""}`;
  }
  if (!clicked.length || pending?.kind === "exchange") return undefined;
  if (type === "play") return `${pending?.kind ?? phase}>play${clicked[0]?.startsWith("rows/") ? " (row)" : ""}`;
  if (pending) return pending.kind;
  if (types.size > 1) return clicked[0]?.startsWith("rows/") ? "turn (chosen row)" : "turn (chosen)";
  return `turn>${type}${type === "stone" && clicked.length > 1 ? "!" : ""}`;
}

/** @param {import("../core/types.js").Asking} asking */
function asked(asking) {
  const { view, you, deck, clicked, tally, confirm } = asking, { pending, rows, turn, hands } = view;
  const ability = pending?.kind === "ability" ? byId(deck, rows[turn][pending.position].card).ability : null;
  const thing = clicked.find((each) => /^(hands|rows)\/\d+\/\d+$/.test(each))?.split("/");
  const chosen = thing && (thing[0] === "hands" ? hands[you][thing[2] ?? 0] : rows[thing[1] ?? 0][thing[2] ?? 0].card);
  const stoned = confirm?.type === "stone" ? confirm["card"] ?? rows[you][confirm["position"]].card : null;
  const { max } = ability?.target ?? {}, outcome = (/** @type {any} */ move) => deck?.stone[move.symbol];
  return {
    key: stateOf(asking),
    fields: {
      card: stoned ?? chosen,
      total: rows[you].length ? tally?.points[you] : null,
      max: typeof max === "number" ? max : null,
      amount: ability?.amount === undefined ? null : signed(ability.amount),
      stone: stoned && outcome(confirm),
    },
    of: (/** @type {any} */ move) => ({ trump: move.trump, stone: outcome(move) }),
  };
}

/** What titles would bring now. @param {View} view @param {number} seat */
const titlesOf = ({ record, no_trump: none, pile_first: first, pile_second: second }, seat) =>
  [[2, record?.seats], [2, none], [3, first], [1, second]].reduce(
    (sum, [points, seats]) => sum + (seats?.includes(seat) ? points : 0),
    0,
  );

/** @type {Table} */
export default {
  grid: "lanes",
  cloth: "kilim",
  weave: "stars",
  show: [{ draw: split, number: "2", pips: ["crescent"] }, { draw: split, number: "4", pips: ["cross_tile"] }],
  zones: {
    rows: { per: "seat", kind: "slots", nulls: "empty", end: true },
    hands: { per: "seat", kind: "list", mini: "hidden", hand: true },
    stones: { per: "seat", kind: "slots", nulls: "empty", token: true, of: (view) => view.stones.map(stone) },
    score_piles: { per: "seat", kind: "pile", mini: "hidden", when: (view) => view.score_piles.flat().length > 0 },
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
    set_trump: () => [],
    stone: ({ card, position: at }, you, view) => [`stones/${you}`, card ? held(view, you, card) : `rows/${you}/${at}`],
    exchange: ({ card }, you, view) => [held(view, you, card)],
    stop: () => [],
    pass: () => [],
  },
  // A click uses a card that nothing else can be done with.
  confirm: ({ type, position }, _view, _you, _deck, legal = []) =>
    type === "pass" || type === "stone" ||
    (type === "use" && legal.every((m) => m.type !== "stone" || m.position !== position)),
  asked,
  recall: ({ spot, one, other, spots, ...event }, { rows }) => {
    const laid = (/** @type {any} */ at) => at && { ...at, card: rows[at.row]?.[at.position]?.card };
    const at = spot ?? ("position" in event && { row: event.seat, position: event.position });
    return { ...event, spot: laid(at || undefined), one: laid(one), other: laid(other), spots: spots?.map(laid) };
  },
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
      const symbol = say(`labels.cards.${what}`);
      return kind === "trump" && what !== "none" ? say("cards.trump", { symbol }) : symbol;
    }
    const symbols = (card?.symbols ?? []).map((/** @type {string} */ symbol) => say(`labels.cards.${symbol}`));
    return [
      aNumber(card?.base ?? id, say),
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
  score: {
    total: "rank_points",
    rounds: "rounds",
    best: "highest",
    reckon: ({ rounds }, seat) => [{ glyph: "sum", count: rounds.at(-1)?.scores[seat] }],
    parts: ({ totals, rank_points: ranks }) => ({
      titles: (totals ?? []).map((/** @type {number} */ points, /** @type {number} */ seat) => points - ranks[seat]),
    }),
  },
  counts: (view, seat, say) => {
    const held = view.hands[seat].length, won = view.score_piles[seat].length, titles = titlesOf(view, seat);
    return [
      { glyph: "hand", count: held, text: say("cards.in_hand", { count: held }) },
      ...(won ? [{ glyph: "won", count: won, text: say("cards.won_cards", { count: won }) }] : []),
      ...(titles ? [{ glyph: "star", count: titles, text: `${say("labels.values.part.titles")}: ${titles}` }] : []),
      ...(view.passed[seat] ? [{ glyph: "flag", text: say("cards.passed") }] : []),
    ];
  },
  marks: ["trump_revealed", "trump_flipped", "round_scored"],
  private: true,
};
