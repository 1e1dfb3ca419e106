/** Whom the user blocks: a list on the own page, a button on the pages of others. */

import { html, render } from "../core/html.js";
import { portrait } from "../table/card.js";
import { api, explained } from "./page.js";

const read = async () => (await api.request("players/me/blocks")).body.items;

/** @param {HTMLElement} element @param {import("./player.js").About} about */
export async function section(element, about) {
  const { own, me, name, say } = about;
  if (!own) return me && name ? await blocking(element, about) : undefined;
  const blocks = await read();
  if (!blocks.length) return;
  render(
    html`
      <h2>${say("people.blocks")}</h2>
      <ul class="list">${blocks.map((/** @type {any} */ each) =>
        html`<li>${portrait(each.name ?? "?", each.face)}<span><b><a href=${`player?id=${
          encodeURIComponent(each.id)
        }`}>${each.name ?? say("people.former")}</a></b></span></li>`
      )}</ul>
    `,
    element,
  );
}

/** Blocks the player, or ends that. @param {HTMLElement} element @param {import("./player.js").About} about @param {string} [wrong] */
async function blocking(element, about, wrong = "") {
  const { id, say } = about, blocked = (await read()).some((/** @type {any} */ each) => each.id === id);
  const change = async () => {
    const method = blocked ? "DELETE" : "PUT";
    await api.request(`players/me/blocks/${encodeURIComponent(id)}`, { method }).then(
      () => blocking(element, about),
      (error) => blocking(element, about, explained(error, say)),
    );
  };
  element.className = "blocking";
  render(
    html`
      <p class="soft">${say(blocked ? "people.blocked" : "people.block_how")}</p>
      <p><button type="button" class="btn small quiet" @click=${change}>${say(
        blocked ? "people.unblock" : "people.block",
      )}</button></p>
      <p class="wrong" role="alert">${wrong}</p>
    `,
    element,
  );
}
