/** A game that waits for its players: the round table, its chairs, the link; for a guest a name and a button. */

import { html, nothing, styled } from "../core/html.js";
import { houseNames, offeredBots, strengthOf, usualBot } from "../core/house.js";
import { identity } from "../core/identity.js";
import { later, placed } from "../core/later.js";
import { portrait, sign, strength } from "../table/card.js";
import { named, properties, worded } from "./forms.js";
import { announce, api, explained, memory, more, ruleset } from "./page.js";
import { listed } from "./again.js";
import { picture } from "./devices.js";
import { ready, sit as take } from "./sitting.js";

await Promise.all([more(), styled("waiting")]);

/**
 * @import { State } from "../core/model.js"
 * @import { Line } from "../core/line.js"
 * @import { Say } from "../core/types.js"
 */

/** The schemas of options, once they are here. @type {any} */
let schemas = null;
/** The game has a guided first game. */
let taught = false;

/**
 * @param {State} state
 * @param {Line} line
 * @param {() => void} changed
 */
export function waiting(state, line, changed) {
  const { game, say, labels, me, table } = state;
  const { path } = line, invite = game.invite ?? line.invite;
  if (game.status === "waiting") ready(line, changed);
  if (!schemas) {
    schemas = {};
    const known = Promise.all([ruleset(game.ruleset), api.request("rulesets")]).then(([found, { body }]) => {
      schemas = found.schemas;
      taught = body.items.some((/** @type {any} */ { name, lesson }) => lesson && name === game.ruleset);
    });
    known.then(changed, () => {});
  }
  if (game.status === "aborted") return aborted(state);
  /** @param {() => Promise<unknown>} act */
  const attempt = (act) => act().catch((error) => announce(explained(error, say), "assertive")).then(changed);
  /** @param {number} seat */
  const leave = (seat) =>
    attempt(() => api.request(`games/${path}/seats/${seat}`, { method: "DELETE", headers: { Invite: invite } }));
  const { seats, you } = game, free = seats.filter(isFree), mine = free.find(({ reserved }) => reserved?.id === me);
  const wanted = mine ?? free.find(({ reserved }) => !reserved);
  const link = new URL(`table?g=${game.ruleset}/${game.id}`, document.baseURI);
  if (game.private && invite) link.hash = new URLSearchParams({ invite }).toString();
  const at = you ?? wanted?.seat ?? 0, quick = awaited(state, path);
  return html`
    <div class="waitroom" data-cloth=${table.cloth ?? "slate"}>
      <section class="roundtable" aria-label=${say("wait.table")}>
        <div class="rim">
          <div class="top">${you === null && wanted
            ? guest(state, (name) => attempt(() => enter(path, invite, wanted.seat, name, say)))
            : inviting(state, link)}</div>
        </div>
        <ol>${seats.map((/** @type {any} */ each, /** @type {number} */ index) => {
          const turn = (index - at) / seats.length * 2 * Math.PI;
          const where = `--x:${(-Math.sin(turn)).toFixed(3)};--y:${Math.cos(turn).toFixed(3)}`;
          return html`<li class="chair ${index === at ? "own" : ""}" .style=${where}>${chair(each, state, wanted)}${
            you === each.seat && free.length
              ? html`<button type="button" class="tool" @click=${() => leave(each.seat)}>${say("ui.leave")}</button>`
              : nothing
          }</li>`;
        })}</ol>
      </section>
      <aside class="facts-of">
        <section class="panel">
          <p class="soft">${missing(free.length, say)}</p>
          <h1>${labels.title}</h1>
          <p>${labels.summary}</p>
          <ul>${facts(state, free.length).map(([glyph, text]) =>
            html`<li>${sign(glyph)}<span>${text}</span></li>`
          )}</ul>
          <p class="soft">${say("wait.shuffle")}</p>${alone(state)
            ? offer(state, quick, (bot) => attempt(() => instead(state, path, bot)))
            : nothing}</section>
        <section class="panel">
          <h2>${say("wait.meanwhile")}</h2>
          <p><button type="button" class="btn quiet" @click=${async () =>
            (await later(() => import("./rules.js"))).rules(state)}>${sign("book")}${say("ui.rules")}</button>${taught
            ? html`<a class="btn quiet" target="_blank" href=${`rules?ruleset=${game.ruleset}`}>${sign("play")}${
              say("lesson.learn")
            }</a>`
            : nothing}</p>
        </section>
      </aside>
    </div>
  `;
}

/** Milliseconds after which the house sits down at a table that was opened to find somebody. */
const MINUTE = 60_000;

/** What the page shows now. @type {State | null} */
let shown = null;
/** @type {number | undefined} */
let calling = undefined;

/** The house sits down in a while, if nobody comes to the table that the user opened to find somebody. @param {State} state @param {string} path */
function awaited(state, path) {
  shown = state;
  const since = memory.get(`quick.${path}`);
  if (!since || state.game.status !== "waiting" || !alone(state)) return false;
  calling ??= setTimeout(() => {
    const bot = shown && usualBot(offeredBots(Object.keys(shown.labels.bots), false));
    if (shown && bot && shown.game.status === "waiting" && alone(shown)) instead(shown, path, bot);
  }, Math.max(0, since + MINUTE - Date.now()));
  return true;
}

/** The user sits here, and nobody else has come. @param {State} state */
const alone = ({ game, me }) =>
  game.you !== null &&
  game.seats.every((/** @type {any} */ { player, reserved }) => (player ?? reserved ?? { id: me }).id === me);

/** @param {State} state @param {boolean} quick  The house comes by itself. @param {(bot: string) => void} chosen */
const offer = ({ labels, say, game }, quick, chosen) =>
  html`
    <div class="offer">
      <p class="soft">${say(quick ? "wait.quick" : "wait.nobody")}</p>
      <p>${offeredBots(Object.keys(labels.bots), Boolean(game.clock)).map((bot) => {
        const [name = bot] = houseNames([bot]);
        return html`
          <button type="button" aria-label=${`${name}, ${say(`house.${strengthOf(bot)}`)}`}
            @click=${() => chosen(bot)}>${portrait(name, true)}<b>${name}</b>${strength(strengthOf(bot), say)}</button>
        `;
      })}</p>
    </div>
  `;

/** A table with the same terms, where this one of the house sits on every free chair. @param {State} state @param {string} path @param {string} bot */
async function instead({ game, say }, path, bot) {
  const { against } = await later(() => import("./opening.js")),
    { ruleset: name, options, deck, clock, seats, you } = game;
  const others = seats.filter((/** @type {any} */ { seat }) => seat !== you).map((/** @type {any} */ each) =>
    each.bot ?? bot
  );
  const terms = {
    options,
    deck: deck.name,
    private: true,
    ...(clock ? { clock: { bank: clock.bank, increment: clock.increment } } : {}),
  };
  const cancel = () => api.request(`games/${path}`, { method: "DELETE" });
  const wrong = await against({ name }, others, say, terms, cancel);
  if (wrong) announce(wrong, "assertive");
}

/** @param {any} seat */
const isFree = ({ player, bot }) => !player && !bot;

/** For whom the free seats are kept; null: others can come, too. @param {any} game @returns {string[] | null} */
function keptFor({ seats }) {
  const free = seats.filter(isFree);
  return free.every((/** @type {any} */ { reserved }) => reserved)
    ? free.map((/** @type {any} */ { reserved }) => reserved.name ?? "")
    : null;
}

/** @param {number} count @param {Say} say */
const missing = (count, say) => count ? say("wait.missing", { count }) : say("wait.full");

/** A game that was called off, and who was not there. @param {State} state */
function aborted({ game, say }) {
  const sealed = game.seats.some((/** @type {any} */ { seal }) => seal);
  const late = game.cause === "expired" && !game.seats.some(isFree) && sealed
    ? game.seats.filter((/** @type {any} */ { player, ready }) => player && !ready)
    : [];
  return html`
    <section class="panel alone">
      <h1>${say("ui.aborted")}</h1>
      ${late.map((/** @type {any} */ { player }) =>
        html`<p>${say("ui.was_not_ready", { name: player.name ?? "" })}</p>`
      )}
      <p><a class="btn" href=".">${say("ui.to_lobby")}</a></p>
    </section>
  `;
}

/** @param {any} seat @param {State} state @param {any} wanted  The seat that the guest would take. */
function chair({ seat, player, bot, reserved, ready }, { labels, say, game, me, company }, wanted) {
  const house = bot && houseNames(game.seats.map((/** @type {any} */ each) => each.bot), labels.bots)[seat],
    own = seat === game.you || (game.you === null && seat === wanted?.seat);
  const name = own ? say("table.you") : player?.name ?? house ?? say("ui.free_seat");
  const below = house
    ? strengthOf(bot) ? say(`house.${strengthOf(bot)}`) : say("table.house")
    : ready
    ? say("ui.is_ready")
    : reserved && reserved.id !== me
    ? say("ui.kept_for", { name: reserved.name })
    : own && game.you === null && !identity(memory)
    ? say("wait.no_account")
    : player && company?.here.includes(seat)
    ? say("wait.here")
    : "";
  return html`${
    portrait(player || bot ? player?.name ?? house : null, Boolean(bot) || player?.face)
  }<b>${name}</b><small>${below}</small>`;
}

/** A guest says a name, and sits down. @param {State} state @param {(name: string) => void} enter */
function guest({ game, say }, enter) {
  const host = game.seats.find((/** @type {any} */ { player }) => player)?.player?.name, known = identity(memory);
  return html`<form class="guest" @submit=${(/** @type {any} */ event) => {
    event.preventDefault();
    enter(String(new FormData(event.currentTarget).get("name") ?? ""));
  }}><h2>${host ? say("wait.kept", { name: host }) : say("wait.come")}</h2>
    ${
    known ? nothing : html`<label><span>${say("wait.name")}</span><input name="name" required maxlength="40"
      autocomplete="nickname"></label>`
  }<button class="btn main big">${sign("chair")}${say("ui.sit_down")}</button></form>`;
}

/** A new guest gets a name, and takes the seat. @param {string} path @param {string | null} invite @param {number} seat @param {string} name @param {Say} say */
async function enter(path, invite, seat, name, say) {
  if (!identity(memory)) {
    const wrong = await named({ name: name.trim() }, say);
    if (wrong) return announce(wrong, "assertive");
  }
  await take(path, invite, seat);
}

/** What brings others to the table. @param {State} state @param {URL} link */
function inviting({ game, say }, link) {
  if (!game.seats.some(isFree)) return html`<h2>${say("wait.shuffling")}</h2>`;
  const kept = keptFor(game);
  return html`
    <h2>${kept
      ? say("wait.asked", { names: listed(kept, say), n: kept.length })
      : say(game.private ? "wait.send" : "wait.send_public")}</h2>
    <input class="link" readonly aria-label=${say(game.private ? "ui.invite_private" : "ui.invite")} .value=${link
      .href} @focus=${select}>
    <span class="code">${picture(link.href, say)}</span>
    <span
      class="ways">${"share" in navigator
        ? html`<button type="button" class="btn main" @click=${() => share(link.href)}>${sign("share")}${
          say("table.share")
        }</button>`
        : nothing}<button type="button" class="btn" @click=${() => copy(link.href, say)}>${sign("link")}${say(
          "ui.copy",
        )}</button></span>
  `;
}

/** Seats, clock, rules, who can come. @param {State} state @param {number} free @returns {[string, string][]} */
function facts({ game, labels, say }, free) {
  const { seats, clock, options, private: hidden } = game,
    known = schemas?.options ? properties(schemas.options) : {};
  const other = Object.entries(options).filter(([name, value]) =>
    known[name] && JSON.stringify(value) !== JSON.stringify(known[name]?.default)
  ).map(([name, value]) => `${labels.options[name] ?? name}: ${worded(name, value, labels, say)}`);
  const time = clock &&
    (clock.bank >= 86_400
      ? say("wait.days", { count: Math.round(clock.bank / 86_400) })
      : say(clock.increment ? "wait.fast" : "wait.bank", {
        count: Math.round(clock.bank / 60),
        increment: clock.increment,
      }));
  return [
    ["people", say("wait.seats", { count: seats.length, taken: seats.length - free })],
    ["clock", time ?? say("wait.no_clock")],
    ["dice", other.join(", ") || say("wait.usual")],
    hidden ? ["lock", say("wait.by_link")] : ["globe", say("wait.listed")],
    ...placed("terms").flatMap(({ term, sits }) =>
      sits && /** @type {any} */ (game)[term] ? [/** @type {[string, string]} */ (["plus", say(sits)])] : []
    ),
  ];
}

/** @param {Event} event */
function select(event) {
  /** @type {HTMLInputElement} */ (event.currentTarget).select();
}

/** @param {string} url */
const share = (url) => navigator.share({ url }).catch(() => {});

/** Without a secure context there is no clipboard; then the text stays selected. @param {string} text @param {Say} say */
function copy(text, say) {
  navigator.clipboard?.writeText(text).then(() => announce(say("ui.copied")), () => {});
  /** @type {HTMLInputElement | null} */ (document.querySelector(".link"))?.select();
}
