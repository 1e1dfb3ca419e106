/** A table in a page of another site. What the site may say is checked; its token is kept in memory only. */

import { Problem } from "../core/api.js";
import { html, render } from "../core/html.js";
import { become } from "../core/identity.js";
import { later } from "../core/later.js";
import "./unstored.js";
import { api, begin, byId, memory, more } from "./page.js";

/** The colors that a site may choose: custom properties of style/base.css. */
const COLORS = [
  "felt",
  "felt2",
  "wood",
  "wood2",
  "wood3",
  "brass",
  "wall",
  "paper",
  "paper2",
  "ink",
  "soft",
  "line",
  "link",
];
/** The height of the frame in pixels, by its width: all that can be clicked has room at every width. */
const LEAST = 780, MOST = 900, SHARE = 0.62, PHONE = 760;

const origin = new URLSearchParams(location.hash.slice(1)).get("origin") ?? "";
const allowed = (document.querySelector("meta[name=origins]")?.getAttribute("content") ?? "").split(" ").filter(
  Boolean,
);
const sheet = new CSSStyleSheet();

/** @param {string} type @param {Record<string, unknown>} [more] */
const post = (type, more = {}) => parent.postMessage({ stammtisch: 1, type, ...more }, origin);

/** @param {unknown} colors */
function paint(colors) {
  const known = Object.entries(colors && typeof colors === "object" ? colors : {}).filter(([name, value]) =>
    COLORS.includes(name) && typeof value === "string" && /^[#\w\s.,%()-]{1,60}$/.test(value) &&
    !/\b(var|url|env|attr)\b/i.test(value) && CSS.supports("color", value)
  );
  const text = known.map(([name, value]) => `--${name}: ${value};`).join(" ");
  sheet.replaceSync(`:root, [data-cloth] { ${text} }`);
}

/** The token that was said last. */
let latest = {};

/**
 * The player of the site's token; without one, or with one that is not valid, nobody. A token is not used before it is
 * known to be valid: the table would be refused, and not be shown at all.
 * @param {unknown} token
 */
async function signIn(token) {
  const mine = latest = {}, known = await playerOf(token);
  if (mine !== latest) return; // the site has said another one meanwhile
  become(memory, known);
}

/** @param {unknown} token */
async function playerOf(token) {
  if (typeof token !== "string" || token.length > 8192) return null;
  try {
    const { body: { id, name } } = await api.request("players/me", { headers: { Authorization: `Bearer ${token}` } });
    return { id, name, token };
  } catch (error) {
    const type = error instanceof Problem ? error.document.type : "unknown";
    post("error", { detail: { type } });
    return null;
  }
}

/** @param {MessageEvent} event */
async function heard({ source, origin: from, data }) {
  if (source !== parent || from !== origin || data?.stammtisch !== 1) return;
  if (data.type === "colors") paint(data.colors);
  if (data.type === "token" && begun) await signIn(data.token);
  if (data.type !== "begin" || begun) return;
  begun = true;
  paint(data.colors);
  await signIn(data.token);
  await later(() => import("./table.js"));
}

/** The frame follows its width. */
function resized() {
  const height = innerWidth <= PHONE ? MOST : Math.min(Math.max(innerWidth * SHARE, LEAST), MOST);
  if (Math.abs(height - innerHeight) > 1) post("size", { height: Math.round(height) });
}

let begun = false, told = "";
const path = new URLSearchParams(location.search).get("g") ?? "";

/** What the site learns of the table. @param {{ game?: any, error?: any }} news */
function tell({ game, error }) {
  if (!game) return post("error", { detail: { game: path, type: error?.document?.type } });
  const { status, version, decision, result, legal_moves: { length } } = game;
  const yours = length > 0, now = `${status} ${yours} ${decision}`;
  if (now !== told && status !== "waiting") {
    post(status === "running" ? "turn" : "over", { detail: { game: path, version, status, yours, result } });
  }
  told = now;
}

if (parent === window || !allowed.includes(origin)) {
  const say = await begin();
  await more();
  render(
    html`
      <section class="panel alone">
        <h1>${say("ui.not_embedded")}</h1>
      </section>
    `,
    byId("main"),
  );
} else {
  document.adoptedStyleSheets = [sheet];
  addEventListener("message", heard);
  addEventListener("resize", resized);
  addEventListener("stammtisch", (event) => tell(/** @type {CustomEvent} */ (event).detail));
  post("ready");
  resized();
}
