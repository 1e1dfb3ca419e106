/** What a card does, on paper above the table: after a rest of the pointer or the focus; large, while a finger stays on it. */

import { html, nothing, render } from "../core/html.js";
import { model } from "../core/model.js";
import { drawFace, label, nameOf } from "../table/card.js";
import { byId, memory } from "./page.js";

/** @import { Page } from "./keyboard.js" */

/** Milliseconds of rest until a caption appears, and of a finger until the card is large. */
const REST = 300, PRESS = 400;
/** Pixels from which on a finger scrolls or drags. */
const FAR = 10;

/** Where a pointer was pressed last. */
const at = { x: -1, y: -1 };

/** @param {DOMRect} box */
const isUnder = ({ left, right, top, bottom }) => at.x > left && at.x < right && at.y > top && at.y < bottom;

/** What confirms a move does not lie where the pointer was pressed: a second click is not a yes. */
function aside() {
  /** @type {HTMLElement | null} */
  const yes = document.querySelector(".rail .yes"), row = yes?.parentElement, rail = row?.closest(".rail");
  if (!yes || !row || !rail || !isUnder(yes.getBoundingClientRect())) return;
  const { left, width } = rail.getBoundingClientRect(), isRight = at.x > left + width / 2;
  const isColumn = getComputedStyle(row).flexDirection.startsWith("column");
  if (isRight || isColumn) yes.style.setProperty("order", "-1");
  const box = yes.getBoundingClientRect(), apart = isRight ? box.right - at.x : at.x - box.left;
  if (isUnder(box)) yes.style.setProperty(isRight ? "margin-right" : "margin-left", `${apart + 12}px`);
}

/** @param {Page} page */
export function captioned(page) {
  addEventListener("pointerdown", ({ clientX: x, clientY: y }) => Object.assign(at, { x, y }), { capture: true });
  new MutationObserver(aside).observe(byId("main"), { childList: true, subtree: true });
  const main = byId("main"), paper = document.createElement("aside");
  paper.className = "tip";
  paper.hidden = true;
  document.body.append(paper);
  /** @type {number | undefined} */
  let timer = undefined;
  /** @type {{ x: number, y: number, open: boolean } | null} */
  let finger = null;
  const hide = () => {
    clearTimeout(timer);
    paper.hidden = true;
  };
  /** @param {EventTarget | null} target @param {number} rest @param {boolean} large */
  const soon = (target, rest, large) => {
    hide();
    const card = target instanceof Element ? target.closest(".board [data-thing]") : null;
    if (!card || (!large && memory.get("hints") === false)) return;
    timer = setTimeout(() => {
      if (finger) finger.open = true;
      show(card, large, paper, page);
    }, rest);
  };
  main.addEventListener(
    "pointerover",
    ({ target, pointerType }) => pointerType === "mouse" && soon(target, REST, false),
  );
  main.addEventListener(
    "focusin",
    ({ target }) => target instanceof Element && target.matches(":focus-visible") ? soon(target, REST, false) : hide(),
  );
  main.addEventListener("pointerdown", ({ target, pointerType, clientX: x, clientY: y }) => {
    finger = pointerType === "touch" ? { x, y, open: false } : null;
    return finger ? soon(target, PRESS, true) : hide();
  });
  addEventListener("pointermove", ({ clientX, clientY }) => {
    if (finger && !finger.open && Math.hypot(clientX - finger.x, clientY - finger.y) > FAR) hide();
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => finger && hide());
  // Lifting the finger closes the card, and is no click.
  main.addEventListener("click", (event) => {
    if (finger?.open) event.stopImmediatePropagation();
    finger = null;
  }, { capture: true });
  main.addEventListener("contextmenu", (event) => finger && event.preventDefault());
  for (const over of ["keydown", "wheel", "blur"]) addEventListener(over, hide);
}

/** @param {Element} card @param {boolean} large @param {HTMLElement} paper @param {Page} page */
function show(card, large, paper, page) {
  const state = page.state(), m = state && card.isConnected ? model(state, () => {}) : null;
  const thing = card.getAttribute("data-thing");
  const area = m?.areas.find(({ places }) => places.some((place) => place.thing === thing));
  const place = area?.places.findLast((each) => each.thing === thing);
  if (!m || !area || !place || place.card === null || place.state === "empty") return;
  const face = m.table.face(place.card, m.deck, m.say), text = face.caption && label(`captions.${face.caption}`, m);
  if (!text && !large) return;
  const value = m.tally?.values?.[place.thing] ?? null;
  render(
    html`${large ? html`<span class="card">${drawFace(face)}</span>` : nothing}<b>${nameOf(place, area, m)}</b>${
      text ? html`<p>${text}</p>` : nothing
    }${value === null ? nothing : html`<p>${m.say("table.tally", { points: value })}</p>`}`,
    paper,
  );
  paper.classList.toggle("large", large);
  paper.hidden = false;
  if (!large) put(paper, card);
}

/** Beside a layout, at the height of the card, so that no number is covered; else above or below the card. @param {HTMLElement} paper @param {Element} card */
function put(paper, card) {
  const at = card.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = paper, edge = 8;
  const layout = card.closest(".box.grid")?.querySelector("li:last-child .card")?.getBoundingClientRect();
  const beside = layout && layout.right + 18 + width < innerWidth;
  const left = beside ? layout.right + 18 : at.left + (at.width - width) / 2;
  const above = at.top - height - 16;
  const top = beside ? at.top + (at.height - height) / 2 : above < edge ? at.bottom + 16 : above;
  const limited = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(edge, Math.min(value, most));
  paper.style.setProperty("left", `${limited(left, innerWidth - width - edge)}px`);
  paper.style.setProperty("top", `${limited(top, innerHeight - height - edge)}px`);
}
