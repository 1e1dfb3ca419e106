/** The keyboard at a table, and dragging. */

import { click } from "../core/compose.js";
import { isArrow, nearest, replayKey } from "../core/keys.js";
import { placed } from "../core/later.js";
import { composed, legalNow } from "../core/model.js";
import { unfold } from "../table/log.js";
import { byId, memory } from "./page.js";

/**
 * @import { Channel } from "../core/channel.js"
 * @import { Line } from "../core/line.js"
 * @import { State } from "../core/model.js"
 * @import { Message, Thing } from "../core/types.js"
 *
 * @typedef {object} Page  What keys, the scrubber and drags act on.
 * @property {() => State | null} state
 * @property {(parts: Partial<State>) => void} change  Without drawing.
 * @property {(duration: number) => void} draw  `duration` of the flights, 0: none.
 * @property {() => void} advance  Shows the next versions, one after the other.
 * @property {() => void} seat
 * @property {Line} line
 * @property {(message: Message) => void} send
 * @property {() => void} moves  Lists all moves.
 * @property {() => void} rules  Shows the rules.
 * @property {() => void} help  Lists the keys.
 * @property {() => void} undo  Takes a move back.
 * @property {() => void} next  Leads to the next table.
 * @property {(channel: Channel) => void} connect
 * @property {(condition: import("../core/channel.js").Condition) => void} connected  The condition has changed.
 * @property {(turns: import("../core/channel.js").Turns) => void} waits  These tables wait for the user.
 */

/** What makes moves. */
const MOVES = "[data-thing], .rail:not(.scrub) button";

/** Arrows also lead to what cannot be clicked. */
let everything = false;

/** @param {KeyboardEvent} event @param {Page} page */
export function pressed(event, page) {
  const state = page.state(), focused = document.activeElement;
  if (isElsewhere(event) || !state) return;
  // One press is one move, however long it takes.
  if (event.repeat && event.key === "Enter" && focused?.matches(MOVES)) return event.preventDefault();
  const act = isArrow(event.key) && focused?.matches("[data-thing]")
    ? () => arrow(event.key)
    : keyed(event.key, state, page) ?? past(event.key, state, page, focused) ?? letter(event, page);
  if (!act) return;
  event.preventDefault();
  act();
}

/** The key belongs to a field, a dialog or the browser. @param {KeyboardEvent} event */
function isElsewhere({ ctrlKey, metaKey, altKey, target }) {
  const typing = target instanceof HTMLElement && target.matches("input, select, textarea");
  return ctrlKey || metaKey || altKey || typing || document.querySelector("dialog[open]") !== null;
}

/** @param {string} key @param {State} state @param {Page} page */
function keyed(key, { choice, confirm, missed }, { send }) {
  if (key !== "Escape") return null;
  if (missed) return () => send({ do: "skip" });
  return choice.clicked.length || confirm ? () => send({ do: "cancel" }) : null;
}

/** In the replay, or from a running game into its past. @param {string} key @param {State} state @param {Page} page @param {Element | null} focused */
function past(key, { replaying }, { send }, focused) {
  if (replaying) {
    const message = key === " " && focused instanceof HTMLButtonElement ? null : replayKey(key);
    return message && (() => send(message));
  }
  const free = !focused?.closest("button, a, [tabindex]");
  return free && key === "ArrowLeft" ? () => send({ do: "back" }) : null;
}

/** Keys of a single character, which can be turned off. @param {KeyboardEvent} event @param {Page} page */
function letter({ key, repeat }, page) {
  if (repeat || memory.get("letters") === false) return null;
  if (/^[0-9]$/.test(key)) return () => hand((Number(key) || 10) - 1);
  switch (key.toLowerCase()) {
    case "m":
      return page.moves;
    case "n":
      return page.next;
    case "r":
      return page.rules;
    case "e":
      return () => void (everything = !everything);
    case "f":
      return () => press(".rail [role=switch]", 0);
    case "s":
      return () => press(".rail [role=switch]", 1);
    case "t":
      return forward;
    case "z":
      return () => press(".undo", 0);
    case "l":
      return log;
    case "+":
    case "-":
      return () => page.send({ do: "pace", by: key === "+" ? 1 : -1 });
    case "?":
      return page.help;
    default: {
      const tool = placed("tools").find((each) => each.key === key);
      return tool ? () => press(`.tool.${tool.name}`, 0) : null;
    }
  }
}

/** Clicks a card of the own hand, or of the own layout. @param {number} index */
function hand(index) {
  const main = byId("main");
  const cards = [...main.querySelectorAll(
    main.querySelector(".mine .hand") ? ".mine .hand .card" : ".mine .box.grid .card",
  )].map((each) => ({ each, row: Math.round(each.closest("li")?.offsetTop ?? 0) }));
  const card = cards.toSorted((a, b) => a.row - b.row)[index]?.each; // as they are read
  if (!(card instanceof HTMLButtonElement)) return;
  card.focus();
  card.click();
}

/** @param {string} which @param {number} index */
function press(which, index) {
  const found = document.querySelectorAll(which)[index];
  if (found instanceof HTMLElement) found.click();
}

/** Goes on by the main button below the table, or by the first one that does not lead back. */
function forward() {
  const all = ".rail .buttons :is(button, summary)";
  press([`${all}.main`, `${all}:not(.quiet)`, all].find((each) => document.querySelector(each)) ?? all, 0);
}

/** The log, which is a drawer on a phone. */
function log() {
  const region = /** @type {HTMLElement | null} */ (byId("main").querySelector(".log-panel .scroll"));
  if (region?.checkVisibility()) region.focus();
  else unfold();
}

/** A log that loses the focus scrolls back to its newest line. @param {FocusEvent} event */
export function leftLog({ target, relatedTarget }) {
  if (!(target instanceof Element)) return;
  const region = target.closest(".log-panel .scroll");
  const within = relatedTarget instanceof Node && region?.contains(relatedTarget);
  if (region && !within && !document.querySelector(".scrub")) region.scrollTop = 0;
}

/** @param {string} key */
function arrow(key) {
  const from = /** @type {HTMLElement} */ (document.activeElement);
  const all = [...byId("main").querySelectorAll(everything ? "[data-thing]" : "button[data-thing]")];
  const others = /** @type {HTMLElement[]} */ (all.filter((each) => each !== from));
  const boxes = others.map((each) => each.getBoundingClientRect());
  const found = others[nearest(key, from.getBoundingClientRect(), boxes)];
  if (found && !found.matches("button")) found.tabIndex = -1;
  found?.focus();
  const part = found?.closest(PARTS);
  if (part) roving(part);
}

// --- the focus: in each part of the table Tab leads to one thing, and the focus outlives what is drawn anew ------------

const PARTS = ".mine, .extra, .left, .right, .centre, .others, .lane";
/** Where Tab led to in a part. @type {WeakMap<Element, string | undefined>} */
const stops = new WeakMap();
/** @typedef {{ thing: string | undefined, part: Element | null, box: DOMRect }} Spot */

/** Where the focus was when a move was sent. @type {Spot | null} */
let left = null;

/** What was clicked when it was asked again. @type {Spot | null} */
let doubted = null;

/** Draws, and keeps the focus where the player was. @param {HTMLElement} root @param {() => void} draw */
export function kept(root, draw) {
  const from = document.activeElement, within = from instanceof HTMLElement && root.contains(from);
  const was = within && from.matches("button, [data-thing]") // what may be gone afterwards
    ? { thing: from.dataset["thing"], part: from.closest(`${PARTS}, .rail`), box: from.getBoundingClientRect() }
    : null;
  draw();
  for (const part of root.querySelectorAll(PARTS)) roving(part);
  const busy = root.querySelector(".rail.busy") !== null, doubts = root.querySelector(".rail .yes") !== null;
  if (was && !root.contains(document.activeElement)) left = was;
  if (doubts && !doubted && was?.thing) { // from the question, Tab leads to its answers
    doubted = was;
    /** @type {HTMLElement | null} */ (root.querySelector(".ask"))?.focus({ preventScroll: true });
  } else if (!doubts && doubted) {
    if (!busy && !document.activeElement?.matches("[data-thing]")) left = doubted;
    doubted = null;
  }
  if (!left || (root.contains(document.activeElement) && !document.activeElement?.matches(".ask"))) {
    if (!busy) left = null;
    return;
  }
  const found = near(left) ?? root.querySelector(".ask");
  if (found !== document.activeElement) /** @type {HTMLElement | null} */ (found)?.focus({ preventScroll: true });
  if (!busy) left = null;
}

/** The same thing, else the nearest in its part. @param {Spot} place @returns {HTMLElement | null} */
function near({ thing, part, box }) {
  const all = part?.isConnected
    ? [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("button:not(.rail .quiet)"))]
    : [];
  const open = all.filter((each) => each.checkVisibility());
  const far = (/** @type {Element} */ each) => {
    const { x, y } = each.getBoundingClientRect();
    return Math.hypot(x - box.x, y - box.y);
  };
  return open.find((each) => thing && each.dataset["thing"] === thing) ??
    open.toSorted((a, b) => far(a) - far(b))[0] ?? null;
}

/** @param {Element} part */
function roving(part) {
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("button[data-thing]"))];
  const stop = all.find((each) => each === document.activeElement) ??
    all.find((each) => each.dataset["thing"] === stops.get(part)) ?? all[0];
  stops.set(part, stop?.dataset["thing"]);
  for (const each of all) {
    const index = each === stop ? 0 : -1;
    if (each.tabIndex !== index) each.tabIndex = index;
  }
}

// --- dragging: from a thing to where it goes, which is the same as two clicks -------------------------------------------

/** Pixels below which it is a click. */
const FAR = 8;

/** @typedef {{ button: HTMLElement, thing: Thing, x: number, y: number, ghost: HTMLElement | null }} Drag */

/** @param {Page} page */
export function draggable(page) {
  /** @type {Drag | null} */
  let drag = null;
  const main = byId("main");
  main.addEventListener("pointerdown", ({ target, pointerType, button: pressed, clientX: x, clientY: y }) => {
    const button = pressed ? null : buttonOf(target);
    if (pointerType === "touch" && button && getComputedStyle(button).touchAction !== "none") return; // it scrolls
    const thing = button?.dataset["thing"] ?? "";
    drag = button && canStart(page.state(), thing) ? { button, thing, x, y, ghost: null } : null;
  });
  addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!drag) return;
    const [dx, dy] = [clientX - drag.x, clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) < FAR) return;
    if (!drag.ghost) {
      drag.ghost = ghostOf(drag.button);
      if (!page.state()?.choice.clicked.includes(drag.thing)) page.send({ do: "click", thing: drag.thing });
    }
    drag.ghost.style.setProperty("translate", `${dx}px ${dy}px`);
  });
  addEventListener("pointerup", ({ clientX, clientY }) => {
    const dropped = drag;
    drag = null;
    if (!dropped?.ghost) return;
    dropped.ghost.remove();
    swallowClick(main);
    const thing = buttonOf(document.elementFromPoint(clientX, clientY))?.dataset["thing"];
    page.send(thing && thing !== dropped.thing ? { do: "click", thing } : { do: "cancel" });
  });
  addEventListener("pointercancel", () => {
    drag?.ghost?.remove();
    drag = null;
  });
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const buttonOf = (target) =>
  target instanceof Element ? target.closest("button[data-thing]:not([data-thing^='seat/'])") : null;

/** A thing whose click alone makes a move is clicked, not dragged. @param {State | null} state @param {Thing} thing */
function canStart(state, thing) {
  if (!state || state.pending || state.confirm) return false;
  const { table, game, film, shown } = state;
  const choice = click(table, legalNow(state), game.you ?? 0, film.view(shown) ?? {}, state.choice, thing);
  return state.choice.clicked.includes(thing) || !composed({ ...state, choice }).move;
}

/** What follows the pointer. @param {HTMLElement} button */
function ghostOf(button) {
  const { left, top, width, height } = button.getBoundingClientRect();
  const ghost = document.createElement("div");
  ghost.className = `${button.className} dragged`;
  ghost.append(...Array.from(button.childNodes, (node) => node.cloneNode(true)));
  ghost.setAttribute("aria-hidden", "true");
  for (const [name, size] of Object.entries({ left, top, width, height, "--w": width })) {
    ghost.style.setProperty(name, `${size}px`);
  }
  document.body.append(ghost);
  return ghost;
}

/** The browser makes a click of the drop. @param {HTMLElement} main */
function swallowClick(main) {
  const stop = (/** @type {Event} */ event) => event.stopImmediatePropagation();
  main.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => main.removeEventListener("click", stop, { capture: true }), 0);
}
