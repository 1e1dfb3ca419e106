/** The keyboard at a table. */

import { isArrow, nearest, replayKey } from "../core/keys.js";
import { byId, memory } from "./page.js";

/**
 * @import { Channel } from "../core/channel.js"
 * @import { Line } from "../core/line.js"
 * @import { State } from "../core/model.js"
 * @import { Message } from "../core/types.js"
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
 * @property {() => void} next  Leads to the next table.
 * @property {(channel: Channel) => void} connect
 * @property {(condition: import("../core/channel.js").Condition) => void} connected  The condition has changed.
 * @property {(turns: import("../core/turns.js").Turns) => void} waits  These tables wait for the user.
 */

/** Arrows also lead to what cannot be clicked. */
let everything = false;

/** @param {KeyboardEvent} event @param {Page} page */
export function pressed(event, page) {
  const state = page.state(), focused = document.activeElement;
  if (isElsewhere(event) || !state) return;
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
  if (/^[1-9]$/.test(key)) return () => hand(Number(key) - 1);
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
      return () => flip(0);
    case "s":
      return () => flip(1);
    case "?":
      return page.help;
    default:
      return null;
  }
}

/** Clicks a card of the own hand, or of the own layout. @param {number} index */
function hand(index) {
  const main = byId("main");
  const cards = main.querySelectorAll(main.querySelector(".mine .hand") ? ".mine .hand .card" : ".mine .lined .card");
  const card = cards[index];
  if (!(card instanceof HTMLButtonElement)) return;
  card.focus();
  card.click();
}

/** @param {number} index */
function flip(index) {
  const found = byId("main").querySelectorAll(".rail [role=switch]")[index];
  if (found instanceof HTMLElement) found.click();
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
}
