/** Dragging with a mouse or a pen, from a thing to where it goes: it makes the same two clicks. */

import { click } from "../core/compose.js";
import { composed, legalNow } from "../core/model.js";
import { byId } from "./page.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Thing } from "../core/types.js"
 * @import { Page } from "./keyboard.js"
 */

/** Below so many pixels it is a click. */
const FAR = 8;

/** @typedef {{ button: HTMLElement, thing: Thing, x: number, y: number, ghost: HTMLElement | null }} Drag */

/** @param {Page} page */
export function draggable(page) {
  /** @type {Drag | null} */
  let drag = null;
  const main = byId("main");
  main.addEventListener("pointerdown", ({ target, pointerType, button: pressed, clientX: x, clientY: y }) => {
    const button = pointerType === "touch" || pressed ? null : buttonOf(target);
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
