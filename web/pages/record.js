/** Records and films from files: verified here, and played. A film needs neither the service nor a network. */

import { Problem } from "../core/api.js";
import { html, nothing, render } from "../core/html.js";
import * as proof from "../core/proof.js";
import * as reel from "../core/reel.js";
import * as talk from "../core/talk.js";
import { TABLES } from "../tables/index.js";
import { dialog, dismiss, someone } from "./forms.js";
import { announce, api, bar, begin, byId, emptied, explained, memory, ruleset, tongue } from "./page.js";
import { Theatre } from "./theatre.js";

/**
 * @import { Check } from "../core/proof.js"
 * @import { Opened } from "../core/reel.js"
 */

const say = await begin();
const at = Number(new URLSearchParams(location.hash.slice(1)).get("v")) || null;

/** What is open. @type {Opened | null} */
let opened = null;
/** The checks of its record; null until they are made. @type {Check[] | null} */
let checks = null;
/** What is wrong, in words. */
let wrong = "";
/** The labels of its ruleset, if there is a service or a film. @type {any} */
let labels = null;
/** @type {Theatre | null} */
let theatre = null;

/** @param {Blob} file */
async function take(file) {
  close();
  try {
    opened = await reel.open(file);
    reel.log(opened.record);
  } catch (error) {
    if (!(error instanceof reel.Unusable)) throw error;
    opened = null;
    wrong = say(error.message);
    announce(wrong, "assertive");
    return draw();
  }
  const { record, film, text } = opened;
  labels = film?.ruleset.labels[tongue] ?? film?.ruleset.labels.en ?? null;
  verify(text);
  if (film) return play();
  labels = (await ruleset(record.ruleset).catch(() => null))?.own ?? null;
  draw();
}

/** @param {string} text */
async function verify(text) {
  if (!proof.canVerify()) return;
  const kept = memory.get(`seen.${opened?.record.ruleset}/${opened?.record.id}`)?.head ?? null;
  const found = await proof.verified(text, kept).catch((error) => [
    { name: "shape", ok: false, version: null, detail: String(error) },
  ]);
  if (text !== opened?.text) return;
  checks = found;
  announce(verdict());
  if (theatre) theatre.draw(0);
  else draw();
}

function close() {
  theatre?.end();
  theatre =
    opened =
    checks =
    labels =
      null;
  wrong = "";
}

/** The film of the record: of the game, if the service knows it, else the one that the service makes of the record. */
async function fetchFilm() {
  if (!opened) return;
  const { record, text } = opened;
  wrong = "";
  try {
    const known = await api.request(`games/${record.ruleset}/${record.id}/film`).catch(unknown);
    if (!known && !(await someone(say))) return;
    const { body } = known ?? await api.request("films", { method: "POST", body: JSON.parse(text) });
    opened = { record, text, film: body };
    await play();
  } catch (error) {
    wrong = error instanceof Problem && error.document.type === "invalid-record"
      ? error.message
      : explained(error, say);
    announce(wrong, "assertive");
    draw();
  }
}

/** The service does not know the game, or not its end. @param {unknown} error @returns {null} */
function unknown(error) {
  if (error instanceof Problem && [403, 404, 409].includes(error.status)) return null;
  throw error;
}

async function play() {
  if (!opened?.film) return;
  try {
    theatre = new Theatre(opened.film, say, tools);
    await theatre.begin(at);
  } catch (error) {
    console.warn(error);
    close();
    wrong = say("file.damaged");
    draw();
  }
}

// --- what is drawn ------------------------------------------------------------------------------------------------

/** The tools in the bar of a film. */
const tools = () =>
  html`
    <button type="button" class="tool proof" @click=${showChecks}>${checks ? verdict() : say("proof.running")}</button>
    <button type="button" class="tool" @click=${() => {
      close();
      draw();
    }}>${say("file.another")}</button>
  `;

function draw() {
  document.title = `${say("file.title")} · Stammtisch`;
  bar(say);
  render(opened ? described(opened) : empty(), emptied(byId("main")));
}

/** A place for files. */
const dropzone = () =>
  html`<label class="drop"><span>${
    say("file.drop")
  }</span><input type="file" accept=".json,.ndjson,.gz,application/json"
    @change=${(/** @type {any} */ event) => event.target.files[0] && take(event.target.files[0])}></label>`;

const empty = () =>
  html`<section class="panel alone"><h1>${say("file.title")}</h1><p>${say("file.about")}</p>${dropzone()}
    <p class="wrong" role="alert">${wrong}</p><p class="soft">${say("file.stays")}</p></section>`;

/** @param {Opened} opened */
function described({ record }) {
  const game = reel.gameOf(record),
    names = game.seats.map((/** @type {any} */ { player, bot }) =>
      player?.name ?? labels?.bots?.[bot]?.title ?? bot ?? "?"
    );
  return html`<section class="panel alone wide-panel"><h1>${labels?.title ?? record.ruleset}</h1>
    <p>${names.join(", ")} · ${new Date(record.events[0].at).toLocaleString(tongue)}</p>
    ${game.result ? html`<p><b>${say("ui.over", { names: won(game, names) })}</b></p>` : nothing}
    <h2>${checks ? verdict() : say(proof.canVerify() ? "proof.running" : "proof.insecure")}</h2>
    ${checks ? list(checks) : nothing}
    ${
    record.secret && !isWrong()
      ? html`
        <p><button type="button" class="btn main" @click=${fetchFilm}>${say("file.show")}</button></p>
        <p class="soft">${say("file.show_hint")}</p>
      `
      : nothing
  }
    <p class="wrong" role="alert">${wrong}</p>
    <h2>${say("table.log")}</h2><ol class="plain-log">${
    lines(record, names).map(({ version, who, text }) =>
      html`<li><small>${version}</small> ${
        who
          ? html`
            <b>${who}</b>
          `
          : nothing
      }${text}</li>`
    )
  }</ol>${dropzone()}</section>`;
}

/** @param {any} game @param {string[]} names */
const won = ({ result }, names) => result.winners.map((/** @type {number} */ seat) => names[seat]).join(", ");

/** @param {any} record @param {string[]} names */
function lines(record, names) {
  const known = labels ?? { sentences: {}, events: {}, moves: {} };
  const table = { zones: {}, centre: [], moves: {}, face: String, name: String, score: {}, private: true };
  const tongue = { table: /** @type {any} */ (table), deck: record.deck, labels: known, names, say };
  return talk.log(reel.log(record), tongue, record.events.length);
}

// --- the proof ------------------------------------------------------------------------------------------------------

const isWrong = () => checks?.some(({ ok }) => ok === false) ?? false;

function verdict() {
  const made = checks ?? [], passed = made.filter(({ ok }) => ok).length;
  return say(isWrong() ? "proof.wrong" : "proof.right", { count: passed, of: made.length });
}

/** @param {Check[]} found */
const list = (found) =>
  html`
    <ul class="checks-made">${found.map(({ name, ok, version, detail }) =>
      html`
        <li class=${ok ? "ok" : ok === null ? "open" : "bad"}>
          <details>
            <summary><i aria-hidden="true"></i>${say(`check.${name}`)} <span>${say(
              ok ? "proof.ok" : ok === null ? "proof.open" : "proof.bad",
            )}</span></summary>
            <p>${version === null ? nothing : html`
              ${say("proof.version", { n: version })}:
            `}${detail}</p>
          </details>
        </li>
      `
    )}</ul>
    <p class="soft">${say("proof.limits")}</p>
  `;

function showChecks() {
  return dialog(
    checks ? verdict() : say(proof.canVerify() ? "proof.running" : "proof.insecure"),
    html`${checks ? list(checks) : nothing}<div class="ends"><button type="button" class="btn main" @click=${dismiss}>${
      say("ui.ok")
    }</button></div>`,
  );
}

// --- the page -------------------------------------------------------------------------------------------------------

draw();
// All that a film needs is loaded now: there may be no service when it is dropped.
for (const load of Object.values(TABLES)) load().catch(() => {});
import("../core/describe.js");
import("./dialogs.js");
import("../table/scrubber.js").catch(() => {});
if (proof.canVerify()) proof.prepare();

document.addEventListener("keydown", (event) => theatre?.pressed(event));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) take(file);
});
document.body.dataset["ready"] = "";
