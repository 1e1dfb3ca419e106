/** The end of a round on paper: who got how many points, the best first, and what they have now. */
import { html, nothing, styled } from "../core/html.js";
import { portrait } from "./who.js";

/** @import { Model, Sheet } from "../core/types.js" */

/** Its style is here. */
export const ready = styled("moments");

/** @param {Model} m @param {Sheet} sheet */
export function paper(m, { title, round, rows, most }) {
  const share = (/** @type {number} */ points) => `${Math.max(0, Math.min(100, points / most * 100))}%`;
  return html`
    <section class="panel sheet-panel" aria-label=${title}>
      <p class="soft">${m.say("ui.round", { n: round })}</p>
      <h2>${title}</h2>
      <ol class="sheet">${rows.map(({ name, house, points, before, sum, now, best }) =>
        html`
          <li class="${best ? "best" : ""} ${now !== null && points === 2 * now && points ? "double" : ""}">
            ${portrait(name, house)}<b>${name}</b>
            <span class="calc">${now === null || now === points
              ? nothing
              : points === 2 * now
              ? `${now} × 2`
              : now}</span>
            <b class="plus">${points < 0 ? `−${-points}` : `+${points}`}</b><span class="sum">${sum}</span>
            <span class="track" aria-hidden="true"><i .style=${`width:${
              share(Math.min(before, sum))
            }`}></i><i class="new" .style=${`width:${share(Math.abs(sum - before))}`}></i></span>
          </li>
        `
      )}</ol>
    </section>
  `;
}
