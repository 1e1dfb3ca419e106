/**
 * Numerals as strokes on a grid 100 units high: the weight is one attribute, and no font is needed.
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
