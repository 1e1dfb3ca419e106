/**
 * What must hold of text, measured on a picture of the page (A18): nothing that carries meaning is smaller than 12 px,
 * and each text stands out against the ground that is really there: gradients, lamps and weaves included.
 *
 * The page says where text is (`texts`). A picture of it is taken without its text (`bare`), and each pixel that was
 * under text is compared with the colour of the text (`pale`).
 */

const LEAST = 12;
/** Of the pixels under a text this share may be worse: edges of grounds, and a line that lies over it. */
const EDGES = 0.12;
/** Drawings, key caps, what only ears get, and what is switched off. */
const SKIPPED = "svg, kbd, .vh, script, style, noscript, option, :disabled, [aria-disabled=true], .skip:not(:focus)";
/** Of the height of a line, what lies above capitals and below the baseline. */
const ABOVE = 0.19, BELOW = 0.2;
/** Contrast that is rounded to what must be. */
const NEAR = 0.05;

/** The part of a box that none of these cuts off. */
const clip = (box, frames) =>
  frames.reduce(
    (rest, frame) => ({
      left: Math.max(rest.left, frame.left),
      top: Math.max(rest.top, frame.top),
      right: Math.min(rest.right, frame.right),
      bottom: Math.min(rest.bottom, frame.bottom),
    }),
    { left: box.left, top: box.top, right: box.right, bottom: box.bottom },
  );

/** @param {Element} element @returns {Element[]} */
function around(element) {
  const found = [];
  for (let each = element; each; each = each.parentElement) found.push(each);
  return found;
}

/** Where text can be seen. Each line of it counts. */
export function texts() {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  const all = new CSSStyleSheet(), before = document.adoptedStyleSheets;
  all.replaceSync("*, ::before, ::after { pointer-events: auto !important }"); // so that what lies above is found
  document.adoptedStyleSheets = [...before, all];
  const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  while (walk.nextNode()) {
    const node = walk.currentNode, element = node.parentElement, text = node.data.trim();
    if (!text || element.closest(SKIPPED) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element), ring = around(element);
    const frames = ring.filter((each) => getComputedStyle(each).overflow !== "visible").map((each) => each.getBoundingClientRect());
    const strip = element.closest(".crowd")?.getBoundingClientRect();
    if (strip) frames.push({ left: strip.left, right: strip.right - 32, top: strip.top, bottom: strip.bottom }); // fades on purpose
    const opacity = ring.reduce((product, each) => product * Number(getComputedStyle(each).opacity), 1);
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const inked = { left: rect.left, right: rect.right, top: rect.top + rect.height * ABOVE, bottom: rect.bottom - rect.height * BELOW };
      const { left, top, right, bottom } = clip(inked, [page, ...frames]);
      // A comma or a parenthesis beside the edge of a chip: the edge alone is more than EDGES of it. Digits are wider.
      if (right - left < parseFloat(style.fontSize) / 2 || bottom - top < 4) continue;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!hit || !(element.contains(hit) || hit.contains(element))) continue;
      found.push({ text: text.slice(0, 40), within: element.className || element.tagName, size: parseFloat(style.fontSize), weight: Number(style.fontWeight), colour: style.color, opacity, box: [left, top, right, bottom] });
    }
  }
  document.adoptedStyleSheets = before;
  return found;
}

/** Shows the page without its text, or with it again. @param {boolean} on */
export function bare(on) {
  globalThis.clear ??= new CSSStyleSheet();
  globalThis.clear.replaceSync("* { -webkit-text-fill-color: transparent !important; text-shadow: none !important; transition: none !important; caret-color: transparent !important; text-decoration-color: transparent !important }");
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== globalThis.clear).concat(on ? [globalThis.clear] : []);
}

const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const light = ([red, green, blue]) => 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);

/** Texts that are too small or too pale. @param {string} picture  Of the page without text. @param {any[]} all */
export async function pale(picture, all) {
  const image = new Image(), found = [];
  image.src = picture;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const ink = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), scale = image.width / innerWidth;
  for (const { text, within, size, weight, colour, opacity, box } of all) {
    if (size < LEAST - 0.01) found.push(`A18 ${size} px: ${text} (${within})`);
    const [left, top, right, bottom] = box.map((each) => Math.round(each * scale));
    if (right - left < 1 || bottom - top < 1) continue;
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = colour;
    ink.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = ink.getImageData(0, 0, 1, 1).data, cover = alpha / 255 * opacity, ratios = [];
    const { data } = context.getImageData(left, top, right - left, bottom - top);
    for (let at = 0; at < data.length; at += 4) {
      const ground = [data[at], data[at + 1], data[at + 2]];
      const shown = [red, green, blue].map((value, channel) => value * cover + ground[channel] * (1 - cover));
      const [dark, bright] = [light(shown), light(ground)].toSorted((a, b) => a - b);
      ratios.push((bright + 0.05) / (dark + 0.05));
    }
    const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length * EDGES)];
    const least = size >= 24 || (size >= 18.66 && weight >= 700) ? 3 : 4.5;
    if (ratio < least - NEAR) found.push(`A18 ${ratio.toFixed(2)} of ${least}: ${text} (${within})`);
  }
  return [...new Set(found)];
}
