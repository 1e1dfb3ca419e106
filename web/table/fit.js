/** How large cards are. Boxes come from the grid of the style sheet, cards fill their box: nothing else decides a width. */

import { render } from "../core/html.js";

/**
 * Cards side by side, in as few rows as leave each a strip that can be hit; they overlap before they shrink away.
 * @param {number} width @param {number} height @param {number} count
 * @param {object} [how]
 * @param {number} [how.most]  The largest width of a card.
 * @param {number} [how.least]  Cards overlap only where they would be narrower side by side.
 * @param {number} [how.strip]  What is enough of a card to be hit.
 * @param {number} [how.seen]  The part of a card that stays free.
 * @param {number} [how.above]  Room above each row, for pins and raised cards.
 * @param {number} [how.rows]  The most rows.
 * @param {number} [how.gap]  Between cards, as a part of their width.
 */
export function row(width, height, count, how = {}) {
  const { most = 999, strip = 44, gap = 0.08, above = 14, rows = 3, seen = 0.62, least = 44 } = how;
  let best = { hit: -1, size: 0, w: 0, step: 0, per: 1 };
  for (let r = 1; r <= Math.min(rows, Math.max(count, 1)); r++) {
    const per = Math.max(1, Math.ceil(count / r)), apart = width / (1 + (1 + gap) * (per - 1));
    const tall = ((height - 6 * (r - 1)) / r - above) * 5 / 7;
    const w = Math.floor(Math.min(most, tall, apart >= least ? apart : width / (1 + seen * (per - 1))));
    const step = per > 1 ? Math.min(w * (1 + gap), (width - w) / (per - 1)) : w;
    // First to be hit, then to be seen whole, then large.
    const hit = Math.min(step, w, strip), size = w * (step >= w ? 1.3 : 1);
    if (hit > best.hit * 1.01 || (hit > best.hit * 0.99 && size > best.size * 1.05)) best = { hit, size, w, step, per };
  }
  return best;
}

/** Cards in columns and rows. @param {number} width @param {number} height @param {number} columns @param {number} rows */
export const grid = (width, height, columns, rows, gap = 0.12) =>
  Math.floor(Math.min(width / (columns + gap * (columns - 1)), height / (rows * 1.4 + gap * (rows - 1))));

/** Piles with a caption below, side by side. @param {number} width @param {number} height @param {number} parts @param {number} caption @param {number} gap */
export const piles = (width, height, parts, caption, gap) =>
  Math.floor(Math.min((height - caption) * 5 / 7, (width - gap * (parts - 1)) / parts));

/** Measures every box and sizes its cards. All are measured before the first changes. @param {ParentNode} root */
export function fill(root) {
  const boxes = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-fit]")]);
  const own = new Map(boxes.filter((box) => box.closest(".mine")).map((box) => [box, sizeOf(box)]));
  const least = Math.min(...[...own.values()].map((size) => parseFloat(size["--w"] ?? "Infinity")));
  // Cards of others are never larger than own ones, but while they are aimed at.
  const most = root.querySelector(".aim") ? Infinity : least;
  const sizes = boxes.map((box) => own.get(box) ?? sizeOf(box, box.closest(".others, .lane") ? most : Infinity));
  const ask = /** @type {HTMLElement | null} */ (root.querySelector(".rail .ask")),
    isTight = ask !== null && tight(ask);
  if (ask && isTight !== ask.hasAttribute("data-tight")) ask.toggleAttribute("data-tight", isTight);
  boxes.forEach((box, index) => {
    for (const [name, value] of Object.entries(sizes[index] ?? {})) {
      if (box.style.getPropertyValue(name) !== value) box.style.setProperty(name, value);
    }
    if (box.matches("[data-chain]")) chain(box);
  });
}

/** Where the order of cards counts, the first of a line says that the row goes on in it. @param {HTMLElement} box */
function chain(box) {
  const per = Number(box.style.getPropertyValue("--per"));
  box.querySelectorAll("li + li").forEach((each, at) => each.toggleAttribute("data-on", (at + 1) % per === 0));
}

/** What was asked last, and whether it was too long for its place. */
let asked = { text: "", width: 0, height: 0, isTight: false };

/** Whether the question and what explains it are too long for their place. @param {HTMLElement} ask */
function tight(ask) {
  const text = ask.textContent ?? "", { clientWidth: width, clientHeight: height } = ask;
  if (text === asked.text && width === asked.width && height === asked.height) return asked.isTight;
  ask.removeAttribute("data-tight");
  const whole = [...ask.children].reduce((sum, each) => sum + /** @type {HTMLElement} */ (each).offsetHeight, 0);
  asked = { text, width, height, isTight: whole > height + 1 };
  return asked.isTight;
}

/** The width of a name with this number of letters. @param {number} letters */
const wide = (letters) => letters * 6.8;
/** The width of a count beside a name, in a line of one caption. */
const COUNT = 24;
/** How far a caption reaches beyond its pile. */
const BEYOND = 16;

/** @param {HTMLElement} box @param {number} [limit]  Of the width of a card. @returns {Record<string, string>} */
function sizeOf(box, limit = Infinity) {
  const style = getComputedStyle(box), { fit, n = "1", rows = "3", seen, letters } = box.dataset;
  /** @param {string} name @param {number} otherwise  In the style sheet, in pixels or as a number. */
  const given = (name, otherwise) => {
    const value = parseFloat(style.getPropertyValue(name));
    return isNaN(value) ? otherwise : value;
  };
  const width = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const height = box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const count = Number(n), most = Math.min(given("--most", 999), limit);
  if (fit === "grid") {
    return { "--w": `${Math.min(most, grid(width, height, Math.ceil(count / Number(rows)), Number(rows)))}px` };
  }
  if (fit === "piles") {
    const down = style.flexDirection === "column", gap = parseFloat(style.columnGap) || 0;
    const caption = given("--caption", 0.01);
    const w = down ? piles(width, height / count - gap, 1, caption, 0) : piles(width, height, count, caption, gap);
    // A pile that is too narrow shows its count over its edge, or where its name has no room, its count alone.
    const room = Math.min(most, w) + BEYOND - wide(Number(letters)), over = room >= 0 && caption > 1;
    box.toggleAttribute("data-over", room < COUNT && over);
    box.toggleAttribute("data-slim", room < COUNT && !over);
    return { "--w": `${Math.max(Math.min(most, w), 1)}px` };
  }
  if (!count) return {};
  const found = row(width, height, count, {
    most,
    above: given("--above", 14),
    rows: given("--lines", 3),
    gap: given("--tight", 0.08),
    least: given("--least", 44),
    seen: seen ? Number(seen) : undefined,
  });
  const step = `${Math.floor(found.step * 10) / 10}px`, w = `${Math.max(found.w, 1)}px`;
  return {
    "--w": w,
    "--step": step,
    "--per": `${found.per}`,
    "--columns": found.per > 1 ? `repeat(${found.per - 1}, ${step}) ${w}` : w,
  };
}

/** Whom the strip of seats has shown last. @type {string | null} */
let turned = null;

/** Renders a table and sizes its cards; the seat that is aimed at, or is to act, is in sight. @param {unknown} template @param {HTMLElement} root */
export function place(template, root) {
  render(template, root);
  fill(root);
  turn(root);
}

/** Turns the strip of seats to another one than before. @param {ParentNode} root */
function turn(root) {
  const seat = /** @type {HTMLElement | null} */ (root.querySelector(".others > .seat:is(.turn, :has(.legal))"));
  const now = seat?.dataset["seat"] ?? null;
  const strip = now === turned ? null : seat?.parentElement;
  turned = now;
  if (seat && strip && strip.scrollWidth > strip.clientWidth) strip.scrollLeft = seat.offsetLeft - strip.offsetLeft - 8;
}

addEventListener("resize", () => {
  fill(document);
  turned = null;
  turn(document);
});
