/** A player: games, results and ratings, as the service reports them. */

import { Problem } from "../core/api.js";
import { html, nothing, render } from "../core/html.js";
import { houseNames } from "../core/house.js";
import { become, identity } from "../core/identity.js";
import { later, partOf, placed } from "../core/later.js";
import { portrait } from "../table/card.js";
import { tableOf } from "../tables/index.js";
import { api, bar, begin, byId, emptied, entitle, explained, memory, more, ruleset, tongue } from "./page.js";
import { portion, rated } from "./ratings.js";

/**
 * @import { Say } from "../core/types.js"
 * @typedef {{ name: string, labels: any, cloth: string }} Known  A ruleset.
 *
 * @typedef {object} About  What sections of extensions are told.
 * @property {boolean} own  The user's own page.
 * @property {string | null} me @property {string} id  Of the user, and of the player.
 * @property {string | null} name @property {Known[]} known  Rulesets that the player has played.
 * @property {Set<string>} finished  Those in which a game is over. @property {Say} say
 */

const say = await begin();
await more();
const me = identity(memory)?.id ?? null;
const id = new URLSearchParams(location.search).get("id") ?? me ?? "";

/** @param {string} path @param {Record<string, string | number>} [query] */
const read = async (path, query) => (await api.request(path, { query })).body;

async function start() {
  const own = id === me;
  const [profile, games] = await Promise.all([
    read(own ? "players/me" : `players/${encodeURIComponent(id)}`),
    read("games", { player: id, limit: own ? 100 : 20 }),
  ]);
  const names = [...new Set([...profile.games, ...profile.results, ...games.items].map((each) => each.ruleset))];
  const known = await Promise.all(
    names.map(async (name) => {
      const [{ own: labels }, table] = await Promise.all([ruleset(name), tableOf(name)]);
      return { name, labels, cloth: table?.cloth ?? "slate" };
    }),
  );
  const user = identity(memory), { face } = profile;
  if (own && user && (user.name !== profile.name || user.face !== face)) { // changed on another device
    become(memory, { ...user, name: profile.name, face });
    bar(say, { here: "player" });
  }
  const titles = new Map(known.map(({ name, labels }) => [name, labels.title]));
  const name = profile.name ?? say("people.former");
  entitle(`${name} · Stammtisch`);
  const mine = own
    ? (await later(() => import("./mine.js"))).mine(games.items, id, known, say, (text) => wrong(text))
    : nothing;
  render(
    html`<section class="panel people"><div class="named">${
      profile.name === null ? nothing : portrait(name, profile.face)
    }<h1>${name}</h1>${
      own
        ? html`<button type="button" class="btn small" aria-label=${say("mine.change_how")} @click=${() =>
          later(() => import("./settings.js")).then(({ settings }) => settings(say))}>${say("mine.change")}</button>`
        : nothing
    }</div>
      ${mine}<p class="wrong" role="alert" id="wrong"></p>
      ${profile.bot ? html`<p class="soft">${say("people.program")}</p>` : nothing}
      <h2>${say("people.strength")}</h2>${results(profile, titles)}
      <h2>${say("people.games")}</h2>${played(profile, titles)}
      ${
      own ? nothing : html`<ul class="list">${
        games.items.filter((/** @type {any} */ { parent }) => !parent).map((
          /** @type {any} */ game,
        ) => row(game, known))
      }</ul>`
    }
      ${placed("player").map(({ id: name }) => html`<div id=${name}></div>`)}</section>`,
    emptied(byId("main")),
  );
  const finished = new Set(
    profile.games.filter((/** @type {any} */ { status }) => status === "finished").map((
      /** @type {any} */ { ruleset: name },
    ) => name),
  );
  /** @type {About} */
  const about = { own, me, id, name: profile.name, known, finished, say };
  await Promise.all(placed("player").map(async (each) => (await partOf(each.module)).section(byId(each.id), about)));
}

/** @param {string} text  What is wrong. */
function wrong(text) {
  byId("wrong").textContent = text;
}

/** @param {any} profile @param {Map<string, string>} titles */
const results = ({ results: found }, titles) =>
  found.length
    ? html`
      <div class="wide-table" tabindex="0" role="region" aria-label=${say("people.strength")}>
        <table class="scores">
          <thead>
            <tr>
              <th scope="col">${say("people.ruleset")}</th>
              <th scope="col">${say("people.strength")}</th>
              <th scope="col">${say("people.games")}</th>
              <th scope="col">${say("people.wins")}</th>
            </tr>
          </thead>
          <tbody>${found.map((/** @type {any} */ { ruleset: name, rating, games, wins }) =>
            html`
              <tr>
                <th scope="row">${placed("results").map(({ page }) =>
                  html`<a href=${`${page}?ruleset=${name}`}>${titles.get(name)}</a>`
                )}</th>
                <td>${rated(rating, say, tongue)}</td>
                <td>${games}</td>
                <td>${wins} <small>${portion(games, wins, tongue)}</small></td>
              </tr>
            `
          )}</tbody>
        </table>
      </div>
      <p class="soft">${say("people.explained")}</p>
    `
    : html`<p>${say("people.no_results")}</p>`;

/** @param {any} profile @param {Map<string, string>} titles */
const played = ({ games }, titles) =>
  html`<p>${
    games.map((/** @type {any} */ { ruleset: name, status, games: count }) =>
      `${titles.get(name)}: ${say(`people.${status}`, { count })}`
    ).join(" · ") || say("people.no_games")
  }</p>`;

/** @param {any} game @param {any[]} known */
function row({ ruleset: name, id: game, status, created_at: at, seats }, known) {
  const { labels, cloth } = known.find((each) => each.name === name);
  const house = houseNames(seats.map((/** @type {any} */ { bot }) => bot), labels.bots);
  const others = seats.flatMap((/** @type {any} */ { player, bot }, /** @type {number} */ seat) =>
    bot ? house[seat] ?? [] : player && player.id !== id ? player.name ?? [] : []
  );
  const facts = [new Date(at).toLocaleDateString(tongue), others.join(", ")].filter(Boolean).join(" · ");
  return html`
    <li
      data-cloth=${cloth}><i class="cloth-dot" aria-hidden="true"></i><span><b>${labels
        .title}</b><small>${facts}</small></span><a class="tool" href=${`table?g=${name}/${game}${
        status === "finished" ? "#replay" : ""
      }`}>${say(
        status === "finished" ? "ui.replay" : "ui.look",
      )}</a></li>
  `;
}

bar(say, { here: "player" });
(id ? start() : Promise.reject(new Problem({ type: "not-found" }, 404))).catch((error) => {
  render(
    html`
      <section class="panel alone">
        <h1>${explained(error, say)}</h1>
        <p><a class="btn" href=".">${say("ui.to_lobby")}</a></p>
      </section>
    `,
    emptied(byId("main")),
  );
});
