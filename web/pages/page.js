/** What all pages have: the API, the user, the language, the bar and the live regions. */

import { Api, Problem } from "../core/api.js";
import { Channel } from "../core/channel.js";
import { html, nothing, render } from "../core/html.js";
import { identity } from "../core/identity.js";
import { Memory } from "../core/storage.js";
import { language, load } from "../core/words.js";

/**
 * @import { Say } from "../core/types.js"
 */

export const memory = new Memory(() => localStorage);
export const api = new Api(new URL(".", document.baseURI), () => identity(memory)?.token ?? null);
export const tongue = language(memory.get("language"), navigator.languages);

/** The play channel of this tab. @param {(condition: import("../core/channel.js").Condition) => void} [changed] */
export function channelOf(changed) {
  const url = new URL("v1/channel", api.base);
  url.protocol = url.protocol.replace("http", "ws");
  return new Channel({ url, token: () => identity(memory)?.token ?? null, changed });
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no #${id}`);
  return element;
}

/** Reads the words and shows the bar. @returns {Promise<Say>} */
export async function begin() {
  document.documentElement.lang = tongue;
  const theme = memory.get("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  return await load(tongue);
}

/** The names of rulesets in the user's language and what else is known of them. @param {string} name */
export async function ruleset(name) {
  const { body } = await api.request(`rulesets/${name}`);
  return { ...body, own: body.labels[tongue] ?? body.labels.en };
}

/** Says something to screen readers. @param {string} text @param {"polite" | "assertive"} [how] */
export function announce(text, how = "polite") {
  byId(how).textContent = text;
}

/** A problem in words. @param {unknown} error @param {Say} say */
export function explained(error, say) {
  if (!(error instanceof Problem)) throw error;
  const key = `problem.${error.document.type}`;
  const known = say(key);
  return known === key ? error.message : known;
}

/**
 * The bar at the top.
 * @param {Say} say
 * @param {{ title?: unknown, tools?: unknown }} [parts]
 */
export function bar(say, { title = nothing, tools = nothing } = {}) {
  const user = identity(memory);
  render(
    html`<a class="brand" href="."><img src=${icon()} alt="" width="26" height="26"><span>Stammtisch</span></a>${title}
      <nav aria-label=${say("ui.navigation")}>${tools}
        <button type="button" class="tool user" aria-label=${user ? `${user.name}, ${say("ui.settings")}` : nothing}
        @click=${() => import("./settings.js").then(({ settings }) => settings(say))}>${
      user
        ? html`<i class="who" aria-hidden="true">${[...user.name][0]}</i><span>${user.name}</span>`
        : html`<span>${say("ui.settings")}</span>`
    }</button></nav>`,
    emptied(byId("bar")),
  );
}

/** lit-html renders behind what the shell holds; that is removed the first time. @param {HTMLElement} element */
export function emptied(element) {
  if (!("rendered" in element.dataset)) {
    element.replaceChildren();
    element.dataset["rendered"] = "";
  }
  return element;
}

const icon = () => new URL("../icon.svg", import.meta.url).href;
