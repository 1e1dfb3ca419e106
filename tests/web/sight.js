/**
 * What must hold of every position that is drawn, in the window that is open (docs/web-table.md, "In sight"):
 *
 * - own cards and everything that can be clicked are fully visible, or in the strip of the other seats;
 * - a click at the middle of what is free of a card hits it; nothing clickable overlaps, but the cards of one row;
 * - touch targets are large enough; nothing scrolls but the strip, the log and paper;
 * - the rail has the height of its window, at most three buttons, and nothing in it or on a plate is cut off;
 * - the own plate and the counts of all piles are in the window;
 * - on a phone nothing lies over what can be clicked, not even what lets clicks through (A12).
 */

/** Pixels that do not count. */
const NEAR = 1.5;
/** Square pixels in which two things may overlap: round corners. */
const CORNER = 30;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const box = (element) => element.getBoundingClientRect();
const name = (element) => element.dataset.thing ?? (element.textContent.trim().slice(0, 20) || element.className);

/** The part of a card that no later card of its row covers. */
function free(element) {
  const { left, right, top, bottom } = box(element), next = element.closest("li")?.nextElementSibling?.querySelector(".card");
  const beside = next ? box(next) : null;
  const covered = beside && beside.top < bottom && beside.bottom > top && beside.left < right && beside.left > left && !element.matches(".pin");
  return { left, top, bottom, right: covered ? beside.left : right };
}

/** What is in sight of a thing that lies in the strip. */
function clipped(element, strip) {
  const { left, right, top, bottom } = box(element), frame = strip?.contains(element) ? box(strip) : null;
  return frame ? { left: Math.max(left, frame.left), right: Math.min(right, frame.right), top, bottom } : { left, right, top, bottom };
}

/** Square pixels that two boxes share, but for their edges. */
function overlap(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 1 && height > 1 ? width * height : 0;
}

const isLying = () => innerHeight < 500 && innerWidth > innerHeight;
/** Touched, not pointed at: phones, and tablets that are held upright. */
const isPhone = () => innerWidth <= 760 || isLying() || (innerWidth <= 1000 && innerHeight > innerWidth);
const clickable = () => all("button[data-thing]", document.querySelector(".board"));
const pressable = () => all(".rail :is(.btn, .switch, select, .picks button)").filter((each) => each.checkVisibility() && !each.closest("details:not([open]) > div"));

/** A12: what lies over the middle or near the corners of a thing that can be clicked. @returns {string[]} */
export function covered() {
  if (!isPhone()) return [];
  const opaque = new CSSStyleSheet(), before = document.adoptedStyleSheets, found = [];
  opaque.replaceSync("*, ::before, ::after { pointer-events: auto !important }");
  document.adoptedStyleSheets = [...before, opaque];
  const strip = document.querySelector(".crowd");
  for (const each of [...clickable(), ...pressable()]) {
    const frame = clipped(each, strip), { left, top, right, bottom } = { ...free(each), left: frame.left, right: Math.min(frame.right, free(each).right) };
    const over = [[0.5, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]].map(([x, y]) =>
      right > left ? document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y) : null
    ).find((hit) => hit && !each.contains(hit) && !(each.closest("ol") ?? each).contains(hit) && (hit === document.documentElement || getComputedStyle(hit).opacity !== "0"));
    if (over) found.push(`A12 ${name(each)} ${over.outerHTML.slice(0, 60)}`);
  }
  document.adoptedStyleSheets = before;
  return found;
}

/** @returns {string[]} */
export function violations() {
  const table = document.querySelector(".table"), board = document.querySelector(".board"), rail = document.querySelector(".rail");
  const phone = isPhone(), lying = isLying();
  const strip = document.querySelector(".crowd"), scrolls = strip && strip.scrollWidth > strip.clientWidth + 1 ? strip : null;
  const targets = clickable(), buttons = pressable();
  const own = all(".mine .card, .extra .card").filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".empty"));
  const found = [];
  const say = (law, element, text = "") => found.push(`${law} ${typeof element === "string" ? element : name(element)} ${text}`.trim());
  const edge = box(board), inner = { left: edge.left, right: edge.right, top: edge.top, bottom: edge.bottom };
  const inside = (rect, frame) => rect.left >= frame.left - NEAR && rect.right <= frame.right + NEAR && rect.top >= frame.top - NEAR && rect.bottom <= frame.bottom + NEAR;
  const shown = (rect) => Object.values(rect).map(Math.round).join(" ");
  // A1, A2
  for (const each of new Set([...targets, ...own])) {
    const flow = each.closest(".crowd") === scrolls ? scrolls : null;
    if (flow) each.closest(".seat").scrollIntoView({ inline: "nearest", block: "nearest", behavior: "instant" });
    const rect = free(each);
    if (!inside(box(each), inner)) say("A1", each, shown(rect));
    // A4
    const size = Math.min(rect.right - rect.left, rect.bottom - rect.top), mine = each.closest(".mine, .extra, .centre");
    // Of a long hand no more fits, with two rows of it.
    const row = each.closest(".row"), count = Number(row?.dataset.n ?? 0);
    const fan = row && (lying || row.matches(".parted") || count > 12);
    const least = !phone || !mine || count > 16 ? 24 : fan ? 38 : 44;
    if (size < least - NEAR) say("A4", each, String(Math.round(size)));
    if (!targets.includes(each)) continue;
    const hit = document.elementFromPoint((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    if (!each.contains(hit)) say("A2", each, hit?.closest("[data-thing], section")?.outerHTML.slice(0, 60));
  }
  if (scrolls) scrolls.scrollLeft = 0;
  for (const each of buttons) {
    const rect = box(each);
    if (!inside(rect, box(rail))) say("A1", each, shown(rect));
    if (Math.min(rect.width, rect.height) < (phone ? 44 : 24) - NEAR) say("A4", each, shown(rect));
    if (each.scrollWidth > each.clientWidth + 1) say("A7", each);
    const hit = document.elementFromPoint((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    if (!each.contains(hit)) say("A2", each);
  }
  // A3
  const things = [...targets, ...buttons].map((each) => ({ each, rect: clipped(each, scrolls), row: each.closest("ol") }));
  for (const [at, one] of things.entries()) {
    for (const other of things.slice(0, at)) {
      if (one.row && one.row === other.row) continue;
      if (overlap(one.rect, other.rect) > CORNER) say("A3", one.each, name(other.each));
    }
  }
  // A5
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1) say("A5", "document");
  for (const each of all("*", table)) {
    const { overflowX, overflowY } = getComputedStyle(each), auto = ["auto", "scroll"];
    const moves = (auto.includes(overflowX) && each.scrollWidth > each.clientWidth + 1) || (auto.includes(overflowY) && each.scrollHeight > each.clientHeight + 1);
    if (moves && each !== strip) say("A5", each);
  }
  // A26: not while cards of others are aimed at, which are large then
  const widths = (selector) => all(selector, board).filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".strip")).map((each) => each.offsetWidth);
  const mine = widths(".mine .card"), theirs = widths(".others .card, .lane:not(.own) .card");
  if (!board.matches(".aim") && mine.length && Math.min(...mine) < Math.max(0, ...theirs) - NEAR) say("A26", "own cards", `${Math.min(...mine)} ${Math.max(...theirs)}`);
  // A6, A7
  const { height } = box(rail), due = parseFloat(getComputedStyle(rail).getPropertyValue("--rail")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (Math.abs((lying ? box(rail).width : height) - due) > NEAR) say("A6", "rail", `${height} ${due}`);
  const groups = all(".rail .buttons > *, .rail .more > summary").filter((each) => !each.matches("details"));
  if (groups.length > 3) say("A6", "buttons", groups.map(name).join(", "));
  const asked = all(".ask > *", rail), beside = all(".rail > :is(.meter, .switches, .buttons):not(:empty)");
  for (const each of asked) {
    const rect = box(each), over = beside.find((other) => overlap(rect, box(other)) > 0);
    if (each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 1) say("A7", each);
    if (!inside(rect, box(rail))) say("A7", each, `beyond the rail ${shown(rect)}`);
    if (over) say("A7", each, `over ${name(over)}`);
  }
  for (const each of all(".deed, .away")) {
    if (each.checkVisibility() && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2)) say("A7", each);
  }
  for (const each of all(".counts b, .pts, .pile figcaption *, .plate .clock")) {
    if (each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1) say("A7", each);
  }
  for (const each of all(".plate :is(.counts > span, .pts)")) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    const plate = each.closest(".plate"), rect = box(each), beside = all(".counts > span, .pts, .name", plate).find((other) => other !== each && overlap(rect, box(other)) > 0);
    if (!inside(rect, box(plate))) say("A7", each, `beyond its plate ${shown(rect)}`);
    if (beside) say("A7", each, `over ${name(beside)}`);
  }
  // A11
  const seat = document.querySelector(".mine .plate, .extra .plate, .lane.own .plate");
  for (const each of seat ? [seat, ...all(".pts, .clock:not(:empty)", seat)] : []) {
    if (!each.checkVisibility({ visibilityProperty: true }) || !inside(box(each), inner)) say("A11", each, shown(box(each)));
  }
  for (const each of all(".centre figcaption span, .left figcaption span, .right figcaption span, :is(.centre, .extra) .badge.many", board)) {
    if (each.checkVisibility({ visibilityProperty: true }) && !inside(box(each), inner)) say("A11", each, shown(box(each)));
  }
  return [...found, ...covered()];
}
