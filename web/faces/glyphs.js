/**
 * Shapes as data: own signs on a grid of 24 units, and numerals as strokes on a grid 100 units high, so that the weight
 * is one attribute and no font is needed.
 *
 * @typedef {{ tag: string, attrs: Record<string, string | number>, children: Shape[], text?: string }} Shape
 */

/**
 * An SVG element as data.
 * @param {string} tag
 * @param {Record<string, string | number>} [attrs]
 * @param {...Shape} children
 * @returns {Shape}
 */
export const shape = (tag, attrs = {}, ...children) => ({ tag, attrs, children });

/** @param {string} cls @param {string} d */
export const path = (cls, d) => shape("path", { class: cls, d });

/** @param {number} value */
export const round = (value) => Math.round(value * 1000) / 1000;

// --- signs: class `f` is filled, `l` is a line; `cut` is a line in the colour of the ground ---------------------------

/** @param {string} d @param {string} [cls] */
const f = (d, cls = "") => path(`f ${cls}`.trim(), d);
/** @param {string} d @param {string} [cls] */
const l = (d, cls = "") => path(`l ${cls}`.trim(), d);
/** The outline of a card. @param {number} x @param {number} y @param {string} [cls] */
const card = (x, y, cls = "l") => shape("rect", { class: cls, x, y, width: 8, height: 12, rx: 1.5 });
/** @param {number} cx @param {number} cy @param {number} r @param {string} cls */
const disc = (cx, cy, r, cls) => shape("circle", { class: cls, cx, cy, r });

/** @type {Record<string, Shape[]>} */
export const GLYPHS = {
  // suits
  spade: [
    f(
      "M12 1.5C8 6.5 2.5 9 2.5 13.7 2.5 16.6 4.6 18.5 7 18.5 8.8 18.5 10.2 17.7 11 16.5 11 19 10 21 8 22.5H16C14 21 13 19 13 16.5 13.8 17.7 15.2 18.5 17 18.5 19.4 18.5 21.5 16.6 21.5 13.7 21.5 9 16 6.5 12 1.5Z",
      "ink",
    ),
  ],
  heart: [
    f(
      "M12 21C5 16 2 12.5 2 8.5 2 5 4.5 3 7 3 9.5 3 11 4.5 12 6.5 13 4.5 14.5 3 17 3 19.5 3 22 5 22 8.5 22 12.5 19 16 12 21Z",
      "red",
    ),
  ],
  leaf: [
    l(
      "M12 19.5C6.5 15.5 3.5 12.5 3.5 9.5 3.5 6.8 5.3 5.5 7.2 5.5 9.3 5.5 11 7 12 9.2 13 7 14.7 5.5 16.8 5.5 18.7 5.5 20.5 6.8 20.5 9.5 20.5 12.5 17.5 15.5 12 19.5Z",
      "green heavy",
    ),
    f("M12 8C11.5 4 13.5 1.2 17.5.5 17.8 4.5 15.8 7.2 12 8Z", "green"),
  ],
  scimitar: [
    f("M4 21.5 2.5 20 6.3 16.2 5 14.9 6.8 13.1 8.1 14.4C13.5 10.8 17.5 6.5 19.5 1.5 23 9 19.5 15.8 11 17.3L11.9 18.2 10.1 20 8.3 18.2Z"),
  ],
  crescent: [
    f("M15.5 2C10 1.5 3 5.5 3 12.5 3 19 8.5 22.5 13.5 22 16.5 21.7 19 20.3 20.5 18 14 19.5 9.5 16.5 9.5 11.5 9.5 7.5 11.8 4 15.5 2ZM18.5 6 19.3 8.7 22 9 19.7 10.7 20.5 13.5 18.2 11.8 15.8 13.2 16.7 10.6 14.6 8.8 17.4 8.6Z"),
  ],
  turban: [
    f("M12 2C13.2 3 13.5 4 13 5 18 5.5 21.5 8.5 21.5 12.5 21.5 14 21 15.3 20 16.3 15 13.5 9 13.5 4 16.3 3 15.3 2.5 14 2.5 12.5 2.5 8.5 6 5.5 11 5 10.5 4 10.8 3 12 2ZM4.8 18.2C9.5 15.8 14.5 15.8 19.2 18.2V21.8C14.5 19.5 9.5 19.5 4.8 21.8Z"),
  ],
  cross_tile: [
    f("M12 1.5 15.5 5.5V8.5H18.5L22.5 12 18.5 15.5H15.5V18.5L12 22.5 8.5 18.5V15.5H5.5L1.5 12 5.5 8.5H8.5V5.5ZM12 9.3A2.7 2.7 0 1 0 12 14.7 2.7 2.7 0 1 0 12 9.3Z"),
  ],
  none: [disc(12, 12, 8.5, "l heavy"), l("M6 18 18 6", "heavy")],
  // signs on cards
  bolt: [f("M14.5 1 4 13.5H11L8.5 23 20 9.5H12.5Z")],
  arrow: [l("M4 12H19M13 5.5 19.5 12 13 18.5", "heavy")],
  mix: [
    l("M3 6.5H7L15 17.5H20M3 17.5H7L9 14.8M13 9.2 15 6.5H20M17.5 3.5 20.5 6.5 17.5 9.5M17.5 14.5 20.5 17.5 17.5 20.5"),
  ],
  take: [l("M12 3V15M6.5 10 12 15.5 17.5 10M4 20.5H20", "heavy")],
  star: [
    f("M12 1.8 15.1 8.5 22.4 9.4 17 14.4 18.4 21.7 12 18.1 5.6 21.7 7 14.4 1.6 9.4 8.9 8.5Z"),
  ],
  stone: [
    f("M6 4.5 15 2.5 21.5 9 20 18 12 22 4 18.5 2 10.5Z"),
    l("M6 4.5 11 10 20 18M11 10 4 18.5M11 10 15 2.5", "cut"),
  ],
  anywhere: [l("M12 2.5V21.5M2.5 12H21.5M9 5 12 2 15 5M9 19 12 22 15 19M5 9 2 12 5 15M19 9 22 12 19 15")],
  // what a card does, once
  remove: [card(8, 6), l("M3 3 21 21", "heavy")],
  last: [l("M3 12H15M10 7 15 12 10 17M20 4V20", "heavy")],
  boost: [l("M12 20V6M6 11.5 12 5 18 11.5", "heavy")],
  sides: [l("M9 6 3 12 9 18M3 12H21M15 6 21 12 15 18", "heavy")],
  swap: [l("M4 8H19M15 4 19.5 8 15 12M20 16H5M9 12 4.5 16 9 20")],
  move: [card(2.5, 9), l("M6 5.5C10 1.5 18 2.5 18.5 10M14.5 7 18.5 11 22 7")],
  crown: [l("M4 18.5H20L21.5 7 16 11 12 4 8 11 2.5 7Z")],
  draw: [card(8, 6)],
  play: [f("M6 3.5V20.5L20 12Z")],
  return: [l("M9 5 4 10 9 15M4 10H15C22 10 22 20 15 20H11", "heavy")],
  // kinds of action cards
  swap_own: [card(2.5, 7.5), card(13.5, 4.5), l("M5 22.5C9 24 15 22.5 17.5 19.5M14 19.5H17.8V23")],
  double_move: [l("M3 6 9 12 3 18M10.5 6 16.5 12 10.5 18M18 6 22.5 12 18 18")],
  draw_three: [card(1.5, 8), card(8, 6, "l solid"), card(14.5, 8)],
  look_line: [l("M1.5 12C6 4.5 18 4.5 22.5 12 18 19.5 6 19.5 1.5 12Z"), disc(12, 12, 3.6, "f")],
  remove_one_each: [card(8, 2.5), l("M3.5 21.5 8 17M8 21.5 3.5 17M16 21.5 20.5 17M20.5 21.5 16 17")],
  swap_players: [
    disc(5.5, 7, 3, "l"),
    disc(18.5, 7, 3, "l"),
    l("M1.5 16C2 12.5 9 12.5 9.5 16M14.5 16C15 12.5 22 12.5 22.5 16M7 20.5H17M9.5 18 7 20.5 9.5 23M14.5 18 17 20.5 14.5 23"),
  ],
  steal_action: [
    f("M1.5 8C5 6.5 9 7 12 8.5 15 7 19 6.5 22.5 8 22.5 13.5 20.5 17 17.5 17 15 17 13.5 14.5 12 14.5S9 17 6.5 17C3.5 17 1.5 13.5 1.5 8ZM4.5 10.7C5.5 13.3 8.3 13.6 10 12.2 8.7 10.5 6.5 10 4.5 10.7ZM19.5 10.7C17.5 10 15.3 10.5 14 12.2 15.7 13.6 18.5 13.3 19.5 10.7Z"),
  ],
  play_discarded_action: [
    l("M4 12A8.2 8.2 0 1 0 7 5.6M3.5 3.5 6.8 5.6 5.2 9.3"),
    shape("rect", { class: "f", x: 9.5, y: 8.5, width: 5, height: 7.5, rx: 1 }),
  ],
  defence: [
    l("M12 2 20.5 5V11.5C20.5 16.5 17 20.3 12 22.3 7 20.3 3.5 16.5 3.5 11.5V5Z"),
    f("M12 5.5V19C9 17.5 6.7 15 6.7 11.5V7.3Z"),
  ],
  // the page
  first: [f("M4 4H7V20H4ZM20 4V20L9 12Z")],
  back: [f("M17 4V20L6 12Z")],
  pause: [f("M6 4H10V20H6ZM14 4H18V20H14Z")],
  end: [f("M17 4H20V20H17ZM4 4V20L15 12Z")],
  hourglass: [l("M6 3H18M6 21H18M7 3C7 9 11 10 12 12 13 14 17 15 17 21M17 3C17 9 13 10 12 12 11 14 7 15 7 21")],
};

/**
 * @param {string} name
 * @param {number} x The middle.
 * @param {number} y
 * @param {number} size
 * @param {string} [cls]
 * @returns {Shape}
 */
export function glyph(name, x, y, size, cls = "") {
  const where = `translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${round(size / 24)})`;
  return shape("g", { class: `glyph ${cls}`.trim(), transform: where }, ...(GLYPHS[name] ?? []));
}

/** A sign for text and buttons. @param {string} name @returns {Shape} */
export const icon = (name) =>
  shape("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, glyph(name, 12, 12, 24));

// --- numerals ---------------------------------------------------------------------------------------------------------

/** Path and width of every character. @type {Record<string, [string, number]>} */
const CHARACTERS = {
  0: ["M30 7C47 7 53 25 53 50S47 93 30 93 7 75 7 50 13 7 30 7Z", 60],
  1: ["M8 25 32 8V93", 42],
  2: ["M9 31C9 15 18 7 30 7 43 7 52 16 52 29 52 42 42 51 33 61L8 93H54", 60],
  3: [
    "M9 21C13 12 21 7 30 7 43 7 51 15 51 27 51 39 42 46 27 46 44 46 54 55 54 69 54 84 44 93 30 93 18 93 10 87 6 77",
    60,
  ],
  4: ["M41 93V7L5 69H58", 62],
  5: ["M50 7H16L12 46C17 40 23 37 31 37 45 37 54 49 54 65 54 82 44 93 29 93 18 93 11 88 6 79", 60],
  6: ["M48 15C43 9 38 7 33 7 15 7 7 27 7 58 7 81 17 93 31 93 45 93 54 82 54 66 54 51 45 41 31 41 18 41 8 51 7 63", 60],
  7: ["M6 7H53L23 93", 58],
  8: [
    "M30 46C17 46 10 38 10 27S18 7 30 7 50 16 50 27 43 46 30 46ZM30 46C15 46 6 56 6 70S15 93 30 93 54 84 54 70 45 46 30 46Z",
    60,
  ],
  9: ["M53 34C53 50 44 59 30 59 16 59 7 49 7 33S16 7 30 7C45 7 54 18 54 34 54 58 46 76 30 93", 60],
  "-": ["M5 52H33", 40],
  "+": ["M4 54H46M25 33V75", 52],
  "x": ["M8 36 42 74M42 36 8 74", 52],
  "≤": ["M42 22 8 44 42 66M8 82H42", 50],
  "±": ["M4 42H46M25 21V63M4 82H46", 52],
  "∞": [
    "M40 52C32 40 24 34 17 34 9 34 4 42 4 52S9 70 17 70C24 70 32 64 40 52 48 40 56 34 63 34 71 34 76 42 76 52S71 70 63 70C56 70 48 64 40 52Z",
    80,
  ],
};
const GAP = 13;

/**
 * A number as strokes. Characters without a drawing are left out.
 * @param {string} text
 * @param {{ x?: number, y?: number, h?: number, at?: number, weight?: number, max?: number, cls?: string }} [how]
 *   `h` is the height, `max` the greatest width; `at` says where x lies: 0 left, .5 in the middle, 1 right.
 * @returns {Shape}
 */
export function numeral(text, { x = 50, y = 70, h = 60, at = 0.5, weight = 15, max = 78, cls = "num" } = {}) {
  const drawn = [...text].flatMap((character) => CHARACTERS[character] ? [CHARACTERS[character]] : []);
  const width = drawn.reduce((sum, [, wide]) => sum + wide, 0) + GAP * (drawn.length - 1);
  const scale = Math.min(h / 100, max / width);
  let left = 0;
  const strokes = drawn.map(([d, wide]) => {
    const stroke = shape("path", { d, transform: `translate(${left} 0)` });
    left += wide + GAP;
    return stroke;
  });
  const where = `translate(${round(x - width * scale * at)} ${round(y - 50 * scale)}) scale(${round(scale)})`;
  return shape("g", { class: cls, "stroke-width": weight, transform: where }, ...strokes);
}

/** Whether a text can be drawn as a numeral. @param {string} text */
export const isNumeral = (text) => text !== "" && [...text].every((character) => character in CHARACTERS);
