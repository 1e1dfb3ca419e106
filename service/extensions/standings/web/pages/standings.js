/** The standings of each ruleset, with the uncertainty of the ratings. */

import { html, nothing, render } from "../core/html.js";
import { identity } from "../core/identity.js";
import { api, bar, begin, byId, emptied, entitle, explained, memory, more, tongue } from "./page.js";
import { portion, rated } from "./ratings.js";

const say = await begin();
await more();

/** @type {{ name: string, title: string }[]} */
let rulesets = [];
let chosen = new URLSearchParams(location.search).get("ruleset") ?? "";
/** @type {any[]} */
let items = [];
/** @type {string | null} */
let next = null;
let wrong = "";
let people = false;

async function start() {
  const { body } = await api.request("rulesets");
  rulesets = body.items.map((/** @type {any} */ { name, labels }) => {
    return { name, title: (labels[tongue] ?? labels.en).title };
  });
  if (!rulesets.some(({ name }) => name === chosen)) chosen = rulesets[0]?.name ?? "";
  await choose(chosen);
}

/** @param {string} name */
async function choose(name) {
  chosen = name;
  items = [];
  next = `standings/${name}`;
  history.replaceState(null, "", `standings?ruleset=${name}`);
  await load();
}

async function load() {
  if (next === null) return;
  const [path = "", query = ""] = next.split("?"), asked = chosen;
  try {
    const { body } = await api.request(path, {
      query: { ...Object.fromEntries(new URLSearchParams(query)), limit: 50, bots: people ? false : null },
    });
    if (asked !== chosen) return;
    items = [...items, ...body.items];
    next = body.next;
    wrong = "";
  } catch (error) {
    wrong = explained(error, say);
  }
  draw();
}

function draw() {
  entitle(`${say("people.standings")} · Stammtisch`);
  bar(say, { here: "standings" });
  const me = identity(memory)?.id;
  render(
    html`<section class="panel people"><h1>${say("people.standings")}</h1>
      <nav class="tabs" aria-label=${say("people.rulesets")}>${
      rulesets.map(({ name, title }) =>
        html`<button type="button" aria-pressed=${name === chosen} @click=${() => choose(name)}>${title}</button>`
      )
    }</nav>
      <label class="check-line"><input type="checkbox" .checked=${people} @change=${(/** @type {any} */ event) => {
      people = event.target.checked;
      choose(chosen);
    }}>${say("people.no_programs")}</label>
      <p class="wrong" role="alert">${wrong}</p>
      ${items.length ? table(me) : wrong ? nothing : html`<p>${say("people.nobody")}</p>`}
      ${
      next !== null && items.length
        ? html`<p><button type="button" class="btn" @click=${load}>${say("people.more")}</button></p>`
        : nothing
    }<p class="soft">${say("people.counts")}</p><p class="soft">${say("people.explained")}</p></section>`,
    emptied(byId("main")),
  );
}

/** @param {string | undefined} me */
const table = (me) =>
  html`
    <div class="wide-table" tabindex="0" role="region" aria-label=${say("people.standings")}>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">${say("people.rank")}</th>
            <th scope="col">${say("people.player")}</th>
            <th scope="col">${say("people.strength")}</th>
            <th scope="col">${say("people.games")}</th>
            <th scope="col">${say("people.wins")}</th>
          </tr>
        </thead>
        <tbody>${items.map(({ rank, player, games, wins, rating }) =>
          html`
            <tr class=${player.id === me ? "me" : ""}>
              <td>${rank}</td>
              <th scope="row"><a href=${`player?id=${encodeURIComponent(player.id)}`}>${player.name ??
                say("people.former")}</a>${player.bot
                ? html`
                  <small>${say("people.program")}</small>
                `
                : nothing}</th>
              <td>${rated(rating, say, tongue)}</td>
              <td>${games}</td>
              <td>${wins} <small>${portion(games, wins, tongue)}</small></td>
            </tr>
          `
        )}</tbody>
      </table>
    </div>
  `;

draw();
start().catch((error) => {
  wrong = explained(error, say);
  draw();
});
