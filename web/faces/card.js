/**
 * Faces and backs of cards as SVG, without colours: those are classes in `style/cards.css`.
 *
 * A card is 100 × 140 units and drawn for a width of 48 px: numerals from 38 units (18 px), pips from 21 units (10 px).
 */
import { glyph, GLYPHS, isNumeral, numeral, path, round, shape } from "./glyphs.js";

/** @typedef {import("./glyphs.js").Shape} Shape */
/** @typedef {import("../core/types.js").Face} Face */

/** @typedef {Shape | false | "" | null | undefined} Part */

/** @param {string} cls @param {...(Part | Part[])} parts @returns {Shape} */
const card = (cls, ...parts) =>
  shape(
    "svg",
    { viewBox: "0 0 100 140", class: `face ${cls}`, "aria-hidden": "true" },
    .../** @type {Shape[]} */ (parts.flat().filter(Boolean)),
  );

/** @param {number} count @param {(i: number) => string} make */
const repeat = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join("");

/** @param {string} content @param {number} x @param {number} y @param {string} cls @param {string} [anchor] @returns {Shape} */
const words = (content, x, y, cls, anchor = "middle") => ({
  ...shape("text", { class: cls, x, y, "text-anchor": anchor }),
  text: content,
});

/** A number where it can be drawn, else its text. @param {string} text @param {Parameters<typeof numeral>[1] & {}} how */
const figure = (text, how) =>
  isNumeral(text) ? numeral(text, how) : words(text.slice(0, 8), how.x ?? 50, (how.y ?? 70) + 10, "words");

// ---- glass: the card fills up; height, notches and numeral say the same

/** @param {Face} face */
function glass({ number = "", tint = "t0", level = 0, notches = 0 }) {
  const y = round(140 - 140 * level + 6 - level * 9);
  const fill = level >= 1 ? "M0 0H100V140H0Z" : `M0 ${y}C18 ${y - 9} 32 ${y - 9} 50 ${y}S82 ${y + 9} 100 ${y}V140H0Z`;
  const steps = repeat(notches, (i) => `M92 ${130 - i * 10}H100`);
  const wide = number.length > 1 && !number.startsWith("-");
  return card(
    "glass",
    path(`tint ${tint}`, fill),
    path("notch", steps),
    figure(number, { x: wide ? 48 : 50, h: 62, weight: 16, max: 70 }),
  );
}

// ---- sign: one large glyph; by day on paper, by night on a dark ground with a foot

const FOOT = {
  plain: "M0 140V128H100V140Z",
  jagged: "M0 140V124L10 114 20 124 30 114 40 124 50 114 60 124 70 114 80 124 90 114 100 124V140Z",
};

/** @param {Face} face */
function sign({ glyph: name = "none", effect, foot }) {
  if (!foot) return card("sign", shape("g", { class: "joker" }, glyph(name, 50, 68, 84)));
  return card(
    "sign dark",
    shape("rect", { class: "night", width: 100, height: 140 }),
    path(`foot ${foot}`, FOOT[foot]),
    glyph(name, 50, effect ? 46 : 58, 70, "pale"),
    effect && numeral(effect, { y: 102, h: 24, cls: "num pale", weight: 16 }),
  );
}

// ---- twin: what counts is large and on the left; the ladder shows it again; the other number waits upside down

const MIXED_UP = new Set(["6", "9", "66", "68", "69", "86", "89", "96", "98", "99"]);

/** @param {string} text @param {number} h @param {number} x @param {number} y @param {number} weight */
const corner = (text, h, x, y, weight) => [
  figure(text, { x, y, h, at: 0, weight, max: 60 }),
  ...(MIXED_UP.has(text)
    ? [shape("path", { class: "num", "stroke-width": h / 9, d: `M${x + 3} ${round(y + h * 0.7)}h${round(h * 0.5)}` })]
    : []),
];

/** @param {Face} face */
function twin({ number = "", turned = "", tint = "u1", notches = 0 }) {
  const ladder = repeat(Math.min(notches, 10), (i) => `M80 ${round(82 - i * 7.6)}H92`);
  const steps = repeat(Math.min(Number(turned) || 0, 10), (i) => `M78 ${round(42 - i * 3.9)}H92`);
  return card(
    "twin",
    path(`hue ${tint}`, "M0 0H100V88C76 80 66 102 44 98 26 94 16 88 0 96Z"),
    corner(number, 58, 11, 42, 17),
    path("ladder", ladder),
    shape(
      "g",
      { class: "other", transform: "rotate(180 50 70)" },
      ...corner(turned, 36, 9, 24, 16),
      path("ladder thin", steps),
    ),
  );
}

// ---- stripe: whose set, value, function, pips; a notched double frame

/** A thread in the stripe tells sets apart without colour. @type {Record<string, string>} */
const THREADS = {
  "s-blue": repeat(11, (i) => `M3 ${8 + i * 10}H21`),
  "s-red": "M12 2" + repeat(9, (i) => `L${i % 2 ? 18 : 6} ${8 + i * 12}`),
  "s-orange": "M7 4V112M17 4V112",
};

/** The stripe tells marks apart by its edge too. @param {readonly string[]} marks */
function edge(marks) {
  const side = marks.includes("bolt") ? "V38L10 50 24 60 10 72 24 84 10 96 24 106" : "";
  return `M0 0H24${side}${marks.includes("arrow") ? "V104L12 138 0 104" : "V140H0"}Z`;
}

/** @param {string} effect */
const functionMark = (effect) =>
  effect in GLYPHS ? glyph(effect, 81, 24, 23) : numeral(effect, { x: 94, y: 24, h: 22, at: 1, weight: 18, max: 30 });

/** @param {readonly string[]} pips */
function pipsOf(pips) {
  const size = pips.length > 4 ? 24 : pips.length > 1 ? 32 : 40,
    columns = pips.length > 4 ? 3 : Math.min(2, pips.length);
  const rows = Math.ceil(pips.length / columns);
  return pips.slice(0, 9).map((pip, i) => {
    const row = Math.floor(i / columns), inRow = Math.min(columns, pips.length - columns * row);
    return glyph(pip, 62 + (i % columns - (inRow - 1) / 2) * size, 100 + (row - (rows - 1) / 2) * (size + 1), size);
  });
}

/** @param {Face} face */
function striped({ number = "", tint = "", stripe, frame, pips = [], marks = [], effect }) {
  return card(
    "striped",
    path(`stripe ${tint}`, edge(marks)),
    THREADS[tint] && path("thread", THREADS[tint]),
    stripe && words(stripe, 12, 132, "letter"),
    frame && path("frame", "M30 4.500H94L97 8V62L92 67 97 72V132L94 135.500H30L27 132V72L32 67 27 62V8Z"),
    frame && path("frame thin", "M93 59V9H31V59M93 75V131H31V75"),
    figure(number, { x: effect ? 36 : 62, y: 42, h: 46, at: effect ? 0 : 0.5, weight: 16, max: effect ? 32 : 58 }),
    effect && functionMark(effect),
    marks.map((mark, i) => glyph(mark, 12, 18 + i * 25, 21, "pale")),
    pipsOf(pips),
  );
}

// ---- split: value and symbols above, what the card does below; a bar at the right = nothing may follow

/** @param {number} x @param {number} way */
const tip = (x, way) => path("f", `M${x} 106l${-14 * way} -13v26z`);

/** @param {Face} face @returns {Part[]} */
function done({ glyph: name, effect, ways, bar }) {
  const x = bar ? 43 : 50;
  if (name) {
    const both = Boolean(effect), size = both ? 30 : 40;
    return [
      shape("rect", { class: "medal", x: both ? 8 : x - 28, y: 83, width: both ? 84 : 56, height: 50, rx: 25 }),
      glyph(name, both ? 31 : x, 108, size, "pale"),
      effect &&
      (effect in GLYPHS
        ? glyph(effect, 68, 108, 30, "pale")
        : numeral(effect, { x: 67, y: 108, h: 28, weight: 15, max: 36, cls: "num pale" })),
    ];
  }
  if (!effect) return [];
  return [
    shape(
      "g",
      { class: "effect" },
      ...(ways === "right" ? [] : [tip(7, -1)]),
      ...(ways === "left" ? [] : [tip(93, 1)]),
      numeral(effect, { x: 50, y: 106, h: 34, weight: 15, max: 46 }),
    ),
  ];
}

/** @param {Face} face */
function split(face) {
  const { number = "", pips = [], marks = [], bar } = face, [one, other] = pips, idle = !face.glyph && !face.effect;
  const ground = other
    ? [path(`ground y-${one}`, "M0 0H100L0 78Z"), path(`ground y-${other}`, "M100 0V78H0Z")]
    : [path(`ground y-${one ?? "none"}`, "M0 0H100V78H0Z")];
  const signs = other
    ? [glyph(one ?? "", 76, 21, 30), glyph(other, 76, 55, 30)]
    : one
    ? [glyph(one, bar ? 63 : 72, 40, bar ? 36 : 42)]
    : [];
  return card(
    "split",
    ground,
    path("seam", "M0 78H100"),
    figure(number, { x: 12, y: 40, h: 50, at: 0, weight: 17, max: 46 }),
    signs,
    idle && one && glyph(one, bar ? 43 : 50, 109, 40, "faint"),
    done(face),
    marks.map((mark) => glyph(mark, 87, 127, 22, "mark")),
    bar && path("bar", "M86 0H100V140H86Z"),
    bar && path("barcut", "M93 12V128"),
  );
}

// ---- plain: cards that nobody has drawn

/** @param {Face} face */
function plain({ number, text = "", marks = [] }) {
  const lines = text.split("\n").slice(0, 6);
  return card(
    "plain",
    number ? figure(number, { y: 48, h: 52, max: 80 }) : [],
    lines.map((line, i) =>
      words(line.length > 14 ? line.slice(0, 13) + "…" : line, 50, (number ? 96 : 34) + i * 17, "words")
    ),
    marks.map((mark, i) => glyph(mark, 20 + i * 24, 122, 20)),
  );
}

/** @type {Record<string, (face: Face) => Shape>} */
const DRAWINGS = { glass, sign, twin, striped, split, plain };

/** The front of a card. @param {Face} face @returns {Shape} */
export const front = (face) => (DRAWINGS[face.draw ?? "plain"] ?? plain)(face);

// ---- backs: woven cloth with a hem

/** @type {Record<string, string>} */
const WEAVES = {
  zigzag: repeat(9, (i) => `M0 ${i * 14 - 6}l10 10 10 -10 10 10 10 -10 10 10 10 -10 10 10 10 -10`),
  crosses: repeat(7, (r) => repeat(5, (c) => `M${c * 20 + r % 2 * 10 - 4} ${r * 19 + 6}h8m-4 -4v8`)),
  lattice: repeat(14, (i) => `M${-70 + i * 14} 0l130 130M${i * 14 - 20} 0l-130 130`),
  basket: repeat(
    8,
    (r) =>
      repeat(
        5,
        (c) =>
          (r + c) % 2
            ? `M${c * 16} ${r * 16 + 3}h16m-16 5h16m-16 5h16`
            : `M${c * 16 + 3} ${r * 16}v16m5 -16v16m5 -16v16`,
      ),
  ),
  stars: repeat(
    5,
    (r) =>
      repeat(3, (c) => `M${c * 28 + 12} ${r * 27 - 1}l4 8 8 4 -8 4 -4 8 -4 -8 -8 -4 8 -4zm14 13.500l2 2 -2 2 -2 -2z`),
  ),
  rings: repeat(6, (r) => repeat(4, (c) => `M${c * 24 + r % 2 * 12} ${r * 22 + 10}a8 8 0 1 0 .1 0`)),
};

/** The back of a card. @param {string} weave @returns {Shape} */
export const back = (weave) =>
  card(
    `back ${weave}`,
    shape("rect", { class: "cloth", width: 100, height: 140 }),
    shape(
      "svg",
      { x: 10, y: 10, width: 80, height: 120, viewBox: "0 0 80 120" },
      path("weave", WEAVES[weave] ?? WEAVES["rings"] ?? ""),
    ),
    shape("rect", { class: "hem", x: 9, y: 9, width: 82, height: 122, rx: 7 }),
  );

// ---- what descriptions need

/**
 * A number card of a ruleset in which a few points are good: five tints whose limits are `steps`.
 * @param {number} value
 * @param {{ least: number, most: number, steps: readonly number[] }} range `steps`: the highest value of each tint.
 * @returns {Face}
 */
export function numbered(value, { least, most, steps }) {
  const found = steps.findIndex((step) => value <= step), tint = found < 0 ? steps.length : found;
  const level = Math.min(1, Math.max(0, (value - least) / (most - least)));
  return { draw: "glass", number: String(value), tint: `t${tint}`, level, notches: tint };
}

/** @type {WeakMap<object, Map<string, any>>} */
const indexes = new WeakMap();

/** A card of a deck that lists its cards with ids. @param {any} deck The deck's data, or null. @param {string} id */
export function byId(deck, id) {
  if (!deck?.cards) return undefined;
  let index = indexes.get(deck);
  if (!index) indexes.set(deck, index = new Map(deck.cards.map((/** @type {any} */ card) => [card.id, card])));
  return index.get(id);
}
