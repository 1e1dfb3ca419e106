/** How strong a player is, as far as that is known: the rating with its uncertainty, as a text and drawn. */

import { html } from "../core/html.js";

/** @import { Say } from "../core/types.js" */

/** The scale of the drawing: ratings begin at 25 ± 8.3. */
const LEAST = 0, MOST = 50;

/** @param {number} value */
const share = (value) => Math.min(Math.max((value - LEAST) / (MOST - LEAST), 0), 1) * 100;

/** @param {{ mu: number, sigma: number }} rating @param {Say} say @param {string} tongue */
export function rated({ mu, sigma }, say, tongue) {
  const format = new Intl.NumberFormat(tongue, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const low = share(mu - 2 * sigma), high = share(mu + 2 * sigma);
  return html`<span class="rating"><span class="rating-bar" aria-hidden="true"
      .style=${`--low:${low}%;--high:${high}%;--mid:${share(mu)}%`}><i></i><b></b></span>
    <span>${format.format(mu)} <small>± ${format.format(2 * sigma)}</small></span>
    <span class="vh">${
    say("people.rating", { low: format.format(mu - 2 * sigma), high: format.format(mu + 2 * sigma) })
  }</span></span>`;
}

/** @param {number} games @param {number} wins @param {string} tongue */
export const portion = (games, wins, tongue) =>
  games ? new Intl.NumberFormat(tongue, { style: "percent" }).format(wins / games) : "";
