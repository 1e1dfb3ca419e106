/** The end of a round on paper: who got how many points, the best first, and what they have now. */
import { html, nothing, styled } from "../core/html.js";
import { minus } from "../core/talk.js";
import { scores } from "./log.js";
import { portrait, sign } from "./card.js";

/** @import { Model, Reckoned, Sheet } from "../core/types.js" */

/** Its style is here. */
export const ready = styled("moments");

/** What the points consist of: "9 + 4 − 3", each with its sign. @param {Reckoned[]} all */
const reckoned = (all) =>
  all.map(({ glyph, count }, at) =>
    html`
      <span>${count < 0 ? "− " : at ? "+ " : ""}${sign(glyph)}${Math.abs(count)}</span>
    `
  );

/** @param {Model} m @param {Sheet} sheet */
export function paper(m, { title, round, rows, target, most, why }) {
  const share = (/** @type {number} */ points) => Math.max(0, Math.min(100, points / most * 100));
  const heading = target ? m.say("ui.round_to", { n: round, target }) : m.say("ui.round", { n: round });
  return html`
    <section class="panel sheet-panel" aria-label=${title}>
      <p class="soft">${[heading, why].filter(Boolean).join(" · ")}</p>
      <h2>${title}</h2>
      <ol class="sheet">${rows.map(({ name, face, points, before, sum, half, reckoned: found, best }) =>
        html`
          <li class="${best ? "best" : ""} ${half ? "double" : ""}">
            ${portrait(name, face)}<b>${name}</b>
            <span class="calc">${half ? `${half} × 2` : nothing}</span>
            <b class="plus">${points < 0 ? `−${-points}` : `+${points}`}</b><span class="sum">${minus(sum)}</span>
            <span class="track" aria-hidden="true"><i .style=${`width:${share(Math.min(before, sum))}%`}></i><i
              class="new ${sum < before ? "lost" : ""}" .style=${`width:${
                Math.abs(share(sum) - share(before))
              }%`}></i></span>
            ${found.length || half
              ? html`<small>${half ? m.say(m.table.score.doubled ?? "") : reckoned(found)}</small>`
              : nothing}
          </li>
        `
      )}</ol>
      <p class="scale" aria-hidden="true"><span>0</span><span>${Math.round(most / 2)}</span><span>${most}</span></p>
      ${m.scores.heads.length > 1 ? html`<div class="rounds">${scores(m)}</div>` : nothing}
    </section>
  `;
}
