/** What is asked and told above the table: an open question, and the result. */

import { html, nothing } from "../core/html.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Model } from "../core/types.js"
 * @import { Hands } from "./drawing.js"
 */

/** @param {Model} model @param {State} state @param {Hands} hands */
export const around = (model, state, hands) => [result(model, state, hands), question(state, hands)];

/** The question that is open. @param {State} state @param {Hands} hands */
function question({ game, replaying, say }, { act }) {
  const { vote } = game;
  if (!vote || game.status !== "running" || replaying) return nothing;
  const name = game.seats[vote.seat]?.player?.name ?? "", mine = game.you !== null && vote.yes.includes(game.you);
  const yes = () => act("vote", vote.on, true), no = () => act("vote", vote.on, false);
  return html`<p class="result-line question" role="status">${say(`ui.vote_${vote.on}`, { name })} ${
    game.you === null || mine ? nothing : html`
      <button type="button" class="btn small" @click=${yes}>${say("ui.vote_yes")}</button>
    `
  }${
    game.you === null
      ? nothing
      : html`<button type="button" class="btn small" @click=${no}>${
        say(mine ? "ui.vote_withdraw" : "ui.vote_no")
      }</button>`
  }</p>`;
}

/** @param {Model} model @param {State} state @param {Hands} hands */
function result(model, { game, shown, film, say }, { act }) {
  if (!game.result || shown !== film.last) return nothing;
  const sat = game.you !== null && !game.hotseat && !game.imported;
  return html`<p class="result-line" role="status">${model.rail.question} ${
    sat
      ? html`<button type="button" class="btn small" @click=${() => act("rematch")}>${say("ui.rematch")}</button>`
      : nothing
  }</p>`;
}
