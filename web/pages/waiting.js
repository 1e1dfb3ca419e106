/** A game that waits for its players. */

import { html, nothing } from "../core/html.js";
import { someone } from "./forms.js";
import { announce, api, explained, more } from "./page.js";
import { ready, sit as take } from "./sitting.js";

await more();

/**
 * @import { State } from "../core/model.js"
 * @import { Line } from "../core/line.js"
 */

/**
 * @param {State} state
 * @param {Line} line
 * @param {() => void} changed
 */
export function waiting({ game, say, labels, me }, line, changed) {
  const { path } = line, invite = game.invite ?? line.invite;
  if (game.status === "waiting") ready(line, changed);
  /** @param {() => Promise<unknown>} act */
  const attempt = (act) => act().catch((error) => announce(explained(error, say), "assertive")).then(changed);
  const headers = { Invite: invite };
  /** @param {number} seat */
  const sit = async (seat) => {
    if (await someone(say)) await take(path, invite, seat);
  };
  /** @param {number} seat */
  const leave = (seat) => api.request(`games/${path}/seats/${seat}`, { method: "DELETE", headers });
  const sealed = game.seats.some((/** @type {any} */ { seal }) => seal);
  const late =
    game.cause === "expired" && game.seats.every((/** @type {any} */ { player, bot }) => player || bot) && sealed
      ? game.seats.filter((/** @type {any} */ { player, ready }) => player && !ready)
      : [];
  if (game.status === "aborted") {
    return html`
      <section class="panel alone">
        <h1>${say("ui.aborted")}</h1>
        ${late.map((/** @type {any} */ { player }) =>
          html`<p>${say("ui.was_not_ready", { name: player.name ?? "" })}</p>`
        )}
      </section>
    `;
  }
  const link = new URL(`table?g=${game.ruleset}/${game.id}`, document.baseURI);
  if (game.private && invite) link.hash = new URLSearchParams({ invite }).toString();
  return html`
    <section class="panel alone">
      <h1>${labels.title}</h1>
      <p>${say("ui.begins_when_full")}</p>
      <ol class="list">${game.seats.map((/** @type {any} */ { seat, player, bot, reserved, ready }) =>
        html`<li><i class="chair ${player || bot ? "on" : ""}"></i><span><b>${
          player?.name ?? (bot ? labels.bots[bot]?.title ?? bot : say("ui.free_seat"))
        }</b>${bot ? html`<small>${say("table.house")}</small>` : nothing}${
          reserved ? html`<small>${say("ui.kept_for", { name: reserved.name })}</small>` : nothing
        }${ready ? html`<small>${say("ui.is_ready")}</small>` : nothing}</span>${
          player || bot || (reserved && reserved.id !== me)
            ? game.you === seat
              ? html`<button type="button" class="btn quiet small" @click=${() => attempt(() => leave(seat))}>${
                say("ui.leave")
              }</button>`
              : nothing
            : game.you === null
            ? html`<button type="button" class="btn sit" @click=${() => attempt(() => sit(seat))}>${
              say("ui.sit_down")
            }</button>`
            : nothing
        }</li>`
      )}</ol>
      <label class="field"><span>${say(game.private ? "ui.invite_private" : "ui.invite")}</span>
          <input readonly .value=${link.href} @focus=${select}></label>
      <p><button type="button" class="btn" @click=${() => copy(link.href)}>${say("ui.copy")}</button></p>
      <p class="soft">${say("ui.shuffle_part")}</p>
    </section>
  `;
}

/** @param {Event} event */
function select(event) {
  /** @type {HTMLInputElement} */ (event.currentTarget).select();
}

/** @param {string} text */
function copy(text) {
  // Without a secure context there is no clipboard; then the text stays selected.
  navigator.clipboard?.writeText(text).catch(() => {});
}
