/** Dialogs of a table, loaded when they are opened. */

import { html } from "../core/html.js";
import { legalNow, tongueOf } from "../core/model.js";
import { chips } from "../core/talk.js";
import { dialog, dismiss, ends, someone } from "./forms.js";
import { announce, api, explained } from "./page.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Move } from "../core/types.js"
 */

/** All legal moves as a list of text. @param {State} state @returns {Promise<Move | null>} */
export async function allMoves(state) {
  const { say, film, shown } = state;
  const legal = legalNow(state);
  const answer = await dialog(
    say("ui.moves"),
    html`
      <ol class="moves">${chips(legal, tongueOf(state), film.view(shown) ?? {}).map(({ label }, index) =>
        html`<li><button value=${index}>${label}</button></li>`
      )}</ol>
      <div class="ends"><button type="button" class="btn quiet" @click=${dismiss}>${say("ui.cancel")}</button></div>
    `,
  );
  return answer === "" ? null : legal[Number(answer)] ?? null;
}

/**
 * Deck, rules, options and the commitment; on a small screen also what the bar has no room for.
 * @param {State} state
 * @returns {Promise<string>} The button that was pressed.
 */
export function about({ game, labels, say }) {
  const options = Object.entries(game.options).map(([field, value]) =>
    html`
      <dt>${labels.options[field] ?? field}</dt>
      <dd>${String(value)}</dd>
    `
  );
  return dialog(
    labels.title,
    html`<p class="narrow"><button class="btn small" value="replay">${say("ui.replay")}</button>
      <button class="btn small" value="moves">${say("ui.moves")}</button></p>
      <p>${labels.summary}</p><dl class="facts"><dt>${say("ui.rules")}</dt><dd>${game.rules}</dd>${options}
      <dt>${say("ui.deck")}</dt><dd>${game.deck.name}<br><small>${game.deck.provenance}</small></dd>
      <dt>${say("ui.commitment")}</dt><dd><code>${game.commitment}</code></dd></dl>${ends(say)}`,
  );
}

/** A game of one's own that goes on from here. @param {State} state @param {string} path @returns {Promise<string>} What is wrong. */
export async function branch({ say, shown }, path) {
  try {
    if (!(await someone(say))) return "";
    const { body } = await api.request(`games/${path}/branches`, { method: "POST", body: { at: shown } });
    location.href = `table?g=${body.ruleset}/${body.id}`;
    return "";
  } catch (error) {
    announce(explained(error, say), "assertive");
    return explained(error, say);
  }
}
