/** The rules of each game for people, with pictures, and the numbered rules below them. */

import { html, nothing, render } from "../core/html.js";
import { later } from "../core/later.js";
import { labelled } from "../core/words.js";
import { sign } from "../table/card.js";
import { samples } from "../table/fan.js";
import { tableOf } from "../tables/index.js";
import { api, bar, begin, byId, emptied, entitle, explained, memory, more, ruleset } from "./page.js";
import { rulebook } from "./rules.js";

const say = await begin();
await more();

/** @type {any[]} */
let rulesets = [];
let chosen = new URLSearchParams(location.search).get("ruleset") ?? memory.get("ruleset") ?? "";
let wrong = "";
/** What is shown: the ruleset, its table and its rules. @type {{ rules: any, table: any, book: unknown } | null} */
let open = null;

async function start() {
  const { body } = await api.request("rulesets");
  rulesets = await Promise.all(
    body.items.map(async (/** @type {any} */ { name, lesson }) => ({ ...await ruleset(name), lesson })),
  );
  await choose(rulesets.some(({ name }) => name === chosen) ? chosen : rulesets[0]?.name);
}

/** @param {string} name */
async function choose(name) {
  chosen = name;
  const rules = rulesets.find((each) => each.name === name);
  if (!rules) return;
  history.replaceState(null, "", `rules?ruleset=${name}${location.hash}`);
  const path = `rulesets/${name}/decks/${rules.decks[0].name}`;
  const [deck, captions] = await Promise.all([
    api.request(path).then(({ body }) => body),
    api.request(`${path}/captions`).then(({ body }) => body[document.documentElement.lang]),
  ]);
  const table = await tableOf(name) ??
    (await later(() => import("../core/describe.js"))).describe(rules);
  const labels = { ...rules.own, captions };
  const book = await rulebook({ ruleset: name, table, deck, labels, say: labelled(say, labels) });
  if (name !== chosen) return;
  open = { rules, table, book };
  draw();
}

/** @param {unknown} error */
function failed(error) {
  wrong = explained(error, say);
  draw();
}

function draw() {
  entitle(`${say("ui.rules")} · Stammtisch`);
  bar(say, { here: "rules" });
  render(
    html`<div class="rules-page">${wrong ? html`<p class="wrong panel" role="alert">${wrong}</p>` : nothing}
      <nav class="games" aria-label=${say("people.rulesets")}>${
      rulesets.map(({ name, own }) =>
        html`<a href="rules?ruleset=${name}" aria-current=${name === chosen ? "page" : nothing} @click=${(
          /** @type {Event} */ event,
        ) => {
          event.preventDefault();
          choose(name).catch(failed);
        }}>${own.title}</a>`
      )
    }</nav>${open ? shown(open) : nothing}</div>`,
    emptied(byId("main")),
  );
}

/** A game begins, or the page says what is wrong. @param {() => Promise<string>} begin */
async function begun(begin) {
  wrong = await begin();
  draw();
}

/** @param {NonNullable<typeof open>} open */
function shown({ rules, table, book }) {
  const { name, own, seats, minutes, difficulty, lesson } = rules;
  /** @type {[string, string][]} */
  const facts = [
    ["people", say("rules.players", seats)],
    ["clock", say("rules.minutes", { count: minutes })],
    ["dice", say(`rules.${difficulty}`)],
  ];
  return html`
    <header class="felted" data-cloth=${table.cloth ?? "slate"}><span class="samples">${samples(table)}</span>
      <h1>${own.title}</h1>
      <p>${own.summary}</p>
      <p class="facts-line">${facts.map(([glyph, text]) => html`<span>${sign(glyph)} ${text}</span>`)}</p>
      <p>${lesson
        ? html`<button type="button" class="btn main" @click=${() =>
          begun(async () => (await later(() => import("./opening.js"))).learn(name, say))}>${
          say("lesson.learn")
        }</button>`
        : nothing} <button type="button" class="btn quiet" @click=${() =>
        begun(async () => (await later(() => import("./opening.js"))).playNow(rules, say))}>${say(
          "rules.play",
        )}</button></p>
    </header><h2 class="vh">${say("ui.rules")}</h2>${book}
  `;
}

draw();
start().catch(failed);
