/** Records and films from files: verified here, and played. A film needs neither the service nor a network. */

import { houseNames } from "../core/house.js";
import { Problem } from "../core/api.js";
import { html, nothing, render } from "../core/html.js";
import { later, partOf, placed } from "../core/later.js";
import * as reel from "../core/reel.js";
import * as talk from "../core/talk.js";
import { listed, tableOf } from "../tables/index.js";
import { dialog, dismiss } from "./forms.js";
import { announce, bar, begin, byId, emptied, entitle, explained, memory, more, ruleset, tongue } from "./page.js";
import { badge, canHash, judged, summary, verified } from "./proof.js";
import { install } from "./install.js";
import { Theatre } from "./theatre.js";

/**
 * @import { Verdict } from "./proof.js"
 * @import { Opened } from "../core/reel.js"
 */

const say = await begin();
await more();
const at = Number(new URLSearchParams(location.hash.slice(1)).get("v")) || null;

/** What is open. @type {Opened | null} */
let opened = null;
/** What is known of its record; null until the checks are made. @type {Verdict | null} */
let verdict = null;
/** The description of its ruleset, if the person gave one. @type {Uint8Array | null} */
let rules = null;
/** What is wrong, in words. */
let wrong = "";
/** The labels of its ruleset, if there is a service or a film. @type {any} */
let labels = null;
/** @type {Theatre | null} */
let theatre = null;
/** All that a film needs is here: the service can be stopped. */
let loaded = false;

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
  const { record, film } = opened;
  labels = film?.ruleset.labels[tongue] ?? film?.ruleset.labels.en ?? null;
  verify(opened);
  if (film) return play();
  labels = (await ruleset(record.ruleset).catch(() => null))?.own ?? null;
  draw();
}

/** @param {Opened} file */
async function verify({ record, text }) {
  const found = await judged(text, memory.get(`seen.${record.ruleset}/${record.id}`), null, rules);
  if (text !== opened?.text) return;
  verdict = found;
  announce(summary(verdict, say).title);
  if (theatre) theatre.draw(0);
  else draw();
}

/** @param {Event} event */
function again(event) {
  dismiss(event);
  verdict = null;
  if (opened) verify(opened);
  if (!theatre) draw();
}

/** @param {Uint8Array} given */
function describe(given) {
  rules = given;
  verdict = null;
  if (opened) verify(opened);
  if (!theatre) draw();
}

function close() {
  theatre?.end();
  theatre =
    opened =
    verdict =
    rules =
    labels =
      null;
  wrong = "";
}

/** Plays the record. @param {string} module  Of an extension. */
async function filmed(module) {
  if (!opened) return;
  const { record, text } = opened;
  wrong = "";
  try {
    const film = await (await partOf(module)).filmOf(record, text, say);
    if (!film) return;
    opened = { record, text, film };
    await play();
  } catch (error) {
    wrong = error instanceof Problem && error.document.type === "invalid-record"
      ? error.message
      : explained(error, say);
    announce(wrong, "assertive");
    draw();
  }
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
    <button type="button" class="tool verdict" @click=${showProof}>${verdict
      ? summary(verdict, say).title
      : say("proof.checking")}</button>
    <button type="button" class="tool" @click=${() => {
      close();
      draw();
    }}>${say("file.another")}</button>
  `;

function showProof() {
  return dialog(
    say("file.record"),
    html`${
      badge(verdict, say, again, describe)
    }<div class="ends"><button type="button" class="btn main" @click=${dismiss}>${say("ui.ok")}</button></div>`,
  );
}

function draw() {
  entitle(`${say("file.title")} · Stammtisch`);
  bar(say, { here: "record" });
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
    <p class="wrong" role="alert">${wrong}</p><p class="soft">${say("file.stays")}</p>
    <p class="soft" role="status">${loaded ? say("file.loaded") : ""}</p></section>`;

/** @param {Opened} opened */
function described({ record }) {
  const game = reel.gameOf(record),
    house = houseNames(game.seats.map((/** @type {any} */ { bot }) => bot), labels?.bots),
    names = game.seats.map((/** @type {any} */ { player }, /** @type {number} */ seat) =>
      player?.name ?? house[seat] ?? "?"
    );
  return html`<section class="panel alone wide-panel"><h1>${labels?.title ?? record.ruleset}</h1>
    <p>${names.join(", ")} · ${new Date(record.events[0].at).toLocaleString(tongue)}</p>
    ${
    game.result
      ? html`<p><b>${say("ui.over", { names: won(game, names), count: game.result.winners.length })}</b></p>`
      : nothing
  }
    ${badge(verdict, say, again, describe)}
    ${
    record.secret && !verdict?.checks.some(({ ok }) => ok === false)
      ? placed("film").map(({ module, text, how }) =>
        html`
          <p><button type="button" class="btn main" @click=${() => filmed(module)}>${say(text)}</button></p>
          <p class="soft">${say(how)}</p>
        `
      )
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

// --- the page -------------------------------------------------------------------------------------------------------

draw();
// All that a film needs is loaded now: there may be no service when it is dropped.
Promise.all([
  ...listed().map(tableOf),
  later(() => import("../core/describe.js")),
  later(() => import("./dialogs.js")),
  later(() => import("../table/scrubber.js")),
  canHash() && verified("{}", null), // the worker and the verifier
]).then(() => {
  loaded = true;
  if (!opened) draw();
}, () => {});
install();

document.addEventListener("keydown", (event) => theatre?.pressed(event));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) take(file);
});
document.body.dataset["ready"] = "";
