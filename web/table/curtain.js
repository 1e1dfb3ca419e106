/** The device goes from hand to hand: nothing of the next seat is in the page before it says that it is there. */
import { html, nothing } from "../core/html.js";

/** @import { Model } from "../core/types.js" */

/** @param {Model} m */
export function curtain({ curtain: next, say, send }) {
  if (!next) return nothing;
  return html`
    <div class="curtain" role="dialog" aria-modal="true" aria-labelledby="curtain-name">
      <div class="folds" aria-hidden="true"></div>
      <div class="note">
        <h2 id="curtain-name">${say("table.curtain", { name: next.name })}</h2><p>${say("table.curtain_hint")}</p>
        <button type="button" class="btn main" @click=${() => send({ do: "lift" })}>${say("table.lift", {
          name: next.name,
        })}</button></div>
    </div>
  `;
}
