/** The end of a round on paper: who got how many points, the best first, and what they have now. */
import { html, nothing, styled } from "../core/html.js";
import { minus } from "../core/talk.js";
import { scores } from "./log.js";
import { portrait } from "./card.js";

/** @import { Model, Sheet } from "../core/types.js" */

/** Its style is here. */
export const ready = styled("moments");

/** @param {Model} m @param {Sheet} sheet */
export function paper(m, { title, round, rows, target, most }) {
  const share = (/** @type {number} */ points) => Math.max(0, Math.min(100, points / most * 100));
  return html`
    <section class="panel sheet-panel" aria-label=${title}>
      <p class="soft">${target ? m.say("ui.round_to", { n: round, target }) : m.say("ui.round", { n: round })}</p>
      <h2>${title}</h2>
      <ol class="sheet">${rows.map(({ name, house, points, before, sum, now, best }) =>
        html`
          <li class="${best ? "best" : ""} ${now !== null && points === 2 * now && points ? "double" : ""}">
            ${portrait(name, house)}<b>${name}${now !== null && points && points === 2 * now
              ? html`<small>${m.say("ui.doubled")}</small>`
              : nothing}</b>
            <span class="calc">${now !== null && points && points === 2 * now ? `${now} × 2` : nothing}</span>
            <b class="plus">${points < 0 ? `−${-points}` : `+${points}`}</b><span class="sum">${minus(sum)}</span>
            <span class="track" aria-hidden="true"><i .style=${`width:${share(Math.min(before, sum))}%`}></i><i
              class="new" .style=${`width:${Math.abs(share(sum) - share(before))}%`}></i></span>
          </li>
        `
      )}</ol>
      <p class="ends" aria-hidden="true"><span>0</span><span>${Math.round(most / 2)}</span><span>${most}</span></p>
      ${m.scores.heads.length > 1 ? html`<div class="rounds">${scores(m)}</div>` : nothing}
    </section>
  `;
}
