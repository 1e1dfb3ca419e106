/** SVG elements from the data of `faces/`. Equal drawings are built once and cloned. */

/** @typedef {import("../faces/numerals.js").Shape} Shape */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Shape} shape @returns {SVGElement} */
function build({ tag, attrs, children, text }) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  element.append(...children.map(build));
  return element;
}

/** @type {Map<string, SVGElement>} */
const built = new Map();
const MOST = 500;

/**
 * A new element of this drawing.
 * @param {string} key  Drawings with the same key are equal.
 * @param {() => Shape} draw
 * @returns {Node}
 */
export function drawing(key, draw) {
  let element = built.get(key);
  if (!element) {
    if (built.size >= MOST) built.clear();
    built.set(key, element = build(draw()));
  }
  return element.cloneNode(true);
}

/** @type {Map<string, { key: string, node: Node }>} */
const placed = new Map();

/**
 * The element of this drawing at a place: the same one as long as nothing changes there, so that it is not drawn again.
 * @param {string} where @param {string} key @param {() => Shape} draw
 */
export function drawingAt(where, key, draw) {
  const before = placed.get(where);
  if (before?.key === key) return before.node;
  const node = drawing(key, draw);
  placed.set(where, { key, node });
  return node;
}
