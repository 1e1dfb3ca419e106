/** What all pages have: the API, the user, the language, the bar and the live regions. */

import { Api, Problem } from "../core/api.js";
import { html, nothing, render } from "../core/html.js";
import { identity, Memory } from "../core/identity.js";
import { later, once, optional, placed } from "../core/later.js";
import { language, sayer, words } from "../core/words.js";
import { portrait, sign } from "../table/card.js";

/**
 * @import { Say } from "../core/types.js"
 */

/** In a page of another site nothing is stored. @type {Memory} */
export const memory = /** @type {any} */ (globalThis).unstored ?? new Memory(() => localStorage, () => sessionStorage);
addEventListener("storage", ({ key }) => memory.changed(key));
export const api = new Api(new URL(".", document.baseURI), () => identity(memory)?.token ?? null);
export const tongue = language(memory.get("language"), navigator.languages);

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no #${id}`);
  return element;
}

/** @type {Record<string, string>} */
const texts = {};
const rest = () => words(`more.${tongue}`).then((found) => Object.assign(texts, found));

/** The words of what is not there from the start, such as dialogs: `say` knows them then. */
export const more = once(rest);

/** The same, for the words of a failure: a page says it without them rather than not at all. */
export const moreIfPossible = () => optional(rest);

/** Reads the words. @param {...string} parts  Of words that the page needs beyond those of all. @returns {Promise<Say>} */
export async function begin(...parts) {
  if (document.documentElement.className === "too-old") await new Promise(() => {}); // check.js has said so
  document.documentElement.lang = tongue;
  skipping();
  memory.set("here", true); // whether anything can be remembered
  const theme = memory.get("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const found = await Promise.all(["", ...parts].map((part) => later(() => words(`${part}${tongue}`))));
  const say = sayer(Object.assign(texts, ...found), tongue);
  byId("skip").textContent = say("ui.skip_bar");
  return say;
}

/** The first stop of Tab leads past the bar. */
function skipping() {
  const main = byId("main"), skip = byId("skip");
  main.tabIndex = -1;
  skip.addEventListener("click", () => (/** @type {HTMLElement} */ (main.querySelector(".ask") ?? main)).focus());
}

/** The names of rulesets in the user's language and what else is known of them. @param {string} name */
export async function ruleset(name) {
  const { body } = await api.request(`rulesets/${name}`);
  return { ...body, own: body.labels[tongue] ?? body.labels.en };
}

/** Says something to screen readers. @param {string} text @param {"polite" | "assertive"} [how] */
export function announce(text, how = "polite") {
  if (how === "assertive") return void (byId(how).textContent = text);
  if (!waiting.length) setTimeout(() => byId(how).textContent = waiting.splice(0).join(". "), 1000);
  waiting.push(text);
}

/** What is read out politely: what comes within a second is one message. @type {string[]} */
const waiting = [];

/** A problem in words. @param {unknown} error @param {Say} say */
export function explained(error, say) {
  if (!(error instanceof Problem)) throw error;
  const { document: { type }, status } = error;
  const key = `problem.${type === "unknown" ? typeOf(status) : type}`;
  const known = say(key);
  return known === key ? error.message : known;
}

/** For answers that are not from the service, but from something before it. @param {number} status */
function typeOf(status) {
  return status === 429
    ? "too-many-requests"
    : status >= 500
    ? "unavailable"
    : status === 404
    ? "not-found"
    : "unknown";
}

/** Where the bar leads. */
const PAGES = [
  { page: "", glyph: "chair", text: "ui.page_lobby" },
  { page: "rules", glyph: "book", text: "ui.page_rules" },
  ...placed("bar"),
];

/**
 * The bar at the top.
 * @param {Say} say
 * @param {{ title?: unknown, tools?: unknown, here?: string }} [parts]  `here`: the page, of those that the bar leads to.
 */
export function bar(say, { title = nothing, tools = nothing, here } = {}) {
  const user = identity(memory);
  render(
    html`${title}
      <nav aria-label=${say("ui.navigation")}>${
      here === undefined
        ? tools
        : PAGES.map(({ page, glyph, text }) =>
          html`<a class="tool to" href=${page || "."} aria-current=${page === here ? "page" : nothing}>${
            sign(glyph)
          }<span>${say(text)}</span></a>`
        )
    }
        ${
      user && here !== undefined
        ? html`<a class="tool me" href="player" aria-current=${here === "player" ? "page" : nothing}>${who(user)}<span
          class="vh">, ${say("mine.page")}</span></a>`
        : nothing
    }<button type="button" class="tool user" aria-label=${
      user ? `${user.name}, ${say("ui.settings")}` : say("ui.settings")
    }
        @click=${() => later(() => import("./settings.js")).then(({ settings }) => settings(say))}>${
      user && here === undefined ? who(user) : html`${sign("gear")}<span>${say("ui.settings")}</span>`
    }</button></nav>`,
    byId("bar"),
  );
}

/** The user, with a portrait. @param {import("../core/identity.js").Identity} user */
const who = ({ name, face }) => html`${portrait(name, face)}<span>${name}</span>`;

/** lit-html renders behind what the shell holds; that is removed the first time. @param {HTMLElement} element */
export function emptied(element) {
  if (!("rendered" in element.dataset)) {
    element.replaceChildren();
    element.dataset["rendered"] = "";
  }
  return element;
}

/** @type {number | undefined} */
let entitling = undefined;

/**
 * Title and icon of the tab, a moment later: a move changes them twice, and browsers take longer for it than for a card.
 * @param {string} title @param {boolean} [mine]  It is the user's turn somewhere.
 */
export function entitle(title, mine = false) {
  clearTimeout(entitling);
  entitling = setTimeout(() => {
    const link = document.querySelector("link[rel=icon]");
    const href = new URL(`../${mine ? "icon-turn" : "icon"}.svg`, import.meta.url).href;
    if (link instanceof HTMLLinkElement && link.href !== href) link.href = href;
    if (document.title !== title) document.title = title;
  }, 200);
}
