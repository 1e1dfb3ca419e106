/** What a card does, on paper above the table: loaded when a pointer rests on one. */

import { html, nothing, render } from "../core/html.js";
import { model } from "../core/model.js";
import { drawFace, label, nameOf } from "../table/card.js";

/** @import { Page } from "./keyboard.js" */

/** @param {Element} card @param {boolean} large @param {HTMLElement} paper @param {Page} page */
export function show(card, large, paper, page) {
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
