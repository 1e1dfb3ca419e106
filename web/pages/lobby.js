/** The lobby: go on at one's tables, open one, join one, watch one. */

import { html, nothing, render } from "../core/html.js";
import { channelOf, followTurns, turnOf } from "../core/channel.js";
import { repeat } from "../core/keyed.js";
import { DOTS, EVERYBODY, houseNames, strengthOf } from "../core/house.js";
import { followIdentity, identity } from "../core/identity.js";
import { later, optional, placed } from "../core/later.js";
import { portrait, sign, strength } from "../table/card.js";
import { fan, samples } from "../table/fan.js";
import { listed, tableOf } from "../tables/index.js";
import {
  announce,
  api,
  bar,
  begin,
  byId,
  emptied,
  entitle,
  explained,
  memory,
  moreIfPossible,
  tongue,
} from "./page.js";

/** @import { TurnGame, Turns } from "../core/channel.js" */

const POLL = 5000;
/** Games of each list. */
const LIMIT = 12;
/** Own tables whose position is drawn. */
const DRAWN = 6;

/** Loaded where the user's time runs. @type {typeof import("../core/clock.js") | null} */
let clock = null;
/** The description of a ruleset's table. @type {Record<string, any>} */
const tables = {};
const state = {
  /** @type {any[]} */ rulesets: [],
  chosen: memory.get("ruleset"),
  /** Null until they are here. @type {Record<string, any[]> | null} */ lists: null,
  /** Where it is the user's turn, by RULESET/ID, until the channel says it. @type {Map<string, TurnGame>} */
  acting: new Map(),
  /** The cards of extensions. @type {any[]} */ cards: [],
  /** Own tables, by the game's id. @type {Map<string, { drawn: unknown, round: number | undefined }>} */
  positions: new Map(),
  wrong: "",
};

/** The tables where it is the user's turn. @type {Turns | null} */
let turns = null;
const channel = channelOf(api, memory);
/** The cards of extensions, asked for once. @type {Promise<any[]> | undefined} */
let today = undefined;
/** What needs no words is asked for before they are here. */
let ahead = asked();
const say = await begin("lobby.");

function asked() {
  const found = { rulesets: rulesets(), lists: lists() };
  for (const each of Object.values(found)) each.catch(() => {});
  return found;
}

async function rulesets() {
  const [{ body }] = await Promise.all([
    api.request("rulesets"),
    ...listed().map(async (name) => tables[name] = await tableOf(name)),
  ]);
  return body.items.map((/** @type {any} */ each) => ({ ...each, own: each.labels[tongue] ?? each.labels.en }));
}

async function start() {
  draw();
  state.rulesets = await ahead.rulesets;
  if (!state.rulesets.some(({ name }) => name === state.chosen)) {
    state.chosen = state.rulesets[0]?.name;
  }
  draw();
  show(await ahead.lists);
  follow();
  followTurns(api, memory, channel, turned);
  followIdentity(memory, () => refresh().catch(failed));
}

/** The games in which it is the user's turn. */
const acting = () => turns ? turns.games : state.acting;

/** @param {Turns} found @param {string | null} entered */
async function turned(found, entered) {
  turns = found;
  await loadClock();
  entitle(`${found.games.size ? `(${found.games.size}) ` : ""}Stammtisch`, found.next() !== null);
  if (entered) optional(() => import("./bell.js")).then((bell) => bell?.ring(entered, say, false));
  draw();
  positions();
}

/** @param {unknown} error */
async function failed(error) {
  await moreIfPossible();
  state.wrong = explained(error, say);
  draw();
}

/** Nothing has come yet: it is asked for again. @param {any} error */
function delayed(error) {
  failed(error);
  if (!error.transient) return;
  setTimeout(() => {
    ahead = asked();
    start().catch(delayed);
  }, 1000 * (error.retryAfter ?? 2));
}

async function refresh() {
  show(await lists());
}

/** @param {Partial<typeof state>} found */
function show(found) {
  Object.assign(state, { wrong: "" }, found);
  draw();
  positions();
}

/** A card with what it is about; false: there is nothing today. @param {{ ask?: string }} card */
async function cardOf(card) {
  const about = card.ask ? (await api.request(card.ask).catch(() => null))?.body : null;
  return (about || !card.ask) && { ...card, about };
}

/** If the user's time runs out somewhere. */
async function loadClock() {
  if ([...acting().values()].some(({ runs_out: at }) => at)) clock ??= await later(() => import("../core/clock.js"));
}

/** The lists of tables. */
async function lists() {
  const me = identity(memory);
  /** @param {Record<string, string>} query */
  const list = async (query) =>
    (await api.request("games", { query: { ...query, limit: LIMIT } })).body
      .items;
  const [cards, own, kept, open, running] = await Promise.all([
    today ??= Promise.all(placed("lobby").map(cardOf)),
    me ? list({ player: me.id }) : [],
    me ? list({ invited: "me", status: "waiting" }) : [],
    list({ status: "waiting", open: "true" }),
    list({ status: "running" }),
  ]);
  // Branches and lessons are looked at, not played: the page of their game leads to them.
  const mine = own.filter((/** @type {any} */ { status, parent }) =>
    !parent && (status === "running" || status === "waiting")
  );
  for (const game of kept) {
    if (!own.some((/** @type {any} */ { id }) => id === game.id)) mine.push({ ...game, kept: true });
  }
  const ids = new Set(mine.map((/** @type {any} */ { id }) => id));
  const others = (/** @type {any[]} */ games) => games.filter(({ id, hotseat }) => !ids.has(id) && !hotseat);
  if (mine.length && !turns) {
    /** @type {TurnGame[]} */
    const found = (await list({ acting: "me" })).map(turnOf);
    state.acting = new Map(found.map((each) => [each.game, each]));
    await loadClock();
  }
  return { cards, lists: { own: mine, open: others(open), running: others(running) } };
}

/** The own tables, those first where it is the user's turn. */
const ownTables = () => (state.lists?.["own"] ?? []).toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)));

/** Etags of own tables whose position is drawn. @type {Map<string, string | null>} */
const etags = new Map();
/** Decks of own tables. @type {Map<string, Promise<any>>} */
const decks = new Map();

/** Draws the positions of own tables. At a table with a curtain it is what a bystander sees. */
async function positions() {
  const all = ownTables().filter(({ status }) => status === "running").slice(0, DRAWN);
  if (!all.length) return;
  const { position } = await later(() => import("../table/mini.js"));
  await Promise.all(
    all.map(async ({ ruleset: name, id, deck: of, hotseat }) => {
      const { status, body, etag } = await api.request(`games/${name}/${id}`, {
        query: hotseat ? { as: "bystander" } : {},
        headers: { "If-None-Match": etags.get(id) ?? null },
      });
      if (status !== 200 || !body.view || !tables[name]) return;
      const path = `rulesets/${name}/decks/${of}`;
      if (!decks.has(path)) {
        decks.set(path, api.request(path).then((answer) => answer.body));
      }
      const deck = await decks.get(path);
      etags.set(id, etag);
      const drawn = position(body.view, body.you, { table: tables[name], deck, say });
      state.positions.set(id, { drawn, round: body.view.round });
    }),
  ).catch(() => {}); // the tile is a link without it
  draw();
}

/** The options of a table that are not the usual ones. @param {any} game */
function variant({ ruleset: name, options }) {
  const rules = state.rulesets.find((each) => each.name === name);
  if (!rules) return "";
  const { default_options: usual, own } = rules;
  return Object.keys(options).filter((key) => JSON.stringify(options[key]) !== JSON.stringify(usual[key])).map(
    (key) => {
      const value = options[key], word = own.values[key]?.[String(value)];
      const plain = value === true ? "" : value === false ? say("ui.no") : String(value).replaceAll("_", " ");
      return [own.options[key] ?? key, word ?? plain].filter(Boolean).join(": ");
    },
  ).join(", ");
}

/** Changes are announced by the play channel; without one the lists are read again now and then. */
function follow() {
  setInterval(tick, 1000);
  let news = false;
  channel.follow({
    subject: "lobby",
    request: () => ({ type: "follow_lobby" }),
    heard: () => {
      if (news) return;
      news = true;
      setTimeout(() => {
        news = false;
        refresh().catch(failed);
      }, 300);
    },
  });
  setInterval(() => {
    if (!document.hidden && channel.condition !== "open") {
      refresh().catch(failed);
    }
  }, POLL);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    channel.wake();
    refresh().catch(failed);
  });
}

// --- acts ---------------------------------------------------------------------------------------------------------

/** A game against two house players, with its usual options. @param {string} name */
async function play(name) {
  choose(name);
  const rules = state.rulesets.find((each) => each.name === name);
  if (!rules) return;
  state.wrong = await (await later(() => import("./opening.js"))).playNow(rules, say);
  draw();
}

/** The guided first game. @param {string} name */
async function learn(name) {
  choose(name);
  state.wrong = await (await later(() => import("./opening.js"))).learn(name, say);
  draw();
}

async function openTable() {
  await (await later(() => import("./opening.js"))).openTable(state.rulesets, state.chosen, tables, say);
}

/** @param {any} game */
async function sitDown(game) {
  if (memory.fleeting) return void show({ wrong: say("ui.needs_storage") });
  try {
    if (!(await (await later(() => import("./forms.js"))).someone(say))) return;
    await (await later(() => import("./sitting.js"))).sit(`${game.ruleset}/${game.id}`, null);
    location.href = href(game);
  } catch (error) {
    await failed(error);
    announce(state.wrong, "assertive");
  }
}

/** @param {string} name */
function choose(name) {
  state.chosen = name;
  memory.set("ruleset", name);
}

// --- what is drawn ------------------------------------------------------------------------------------------------

function draw() {
  bar(say, { here: "" });
  const { lists } = state, own = ownTables(), settled = state.rulesets.length > 0 && lists !== null;
  // A user may have tables above the games: these come with them, so that nothing moves.
  const games = state.rulesets.length > 0 && (settled || !identity(memory));
  const yours = () =>
    html`
      <section class="yours">
        <h2>${say("ui.your_tables")} <small>${own.length}</small></h2>
        <ol class="tiles">${repeat(own, ({ id }) => id, tile)}</ol>
      </section>
    `;
  render(
    html`${hero()}
      ${memory.lasting ? nothing : html`<p class="warn panel">${say("ui.no_storage")}</p>`}
      ${state.wrong ? html`<p class="wrong panel" role="alert">${state.wrong}</p>` : nothing}
      ${settled && own.length ? [yours(), found()] : nothing}
      ${games ? offered() : html`<div class="later"></div>`}
      ${settled ? state.cards.filter(Boolean).map(way) : nothing}
      ${settled && !own.length ? found() : nothing}
      ${settled && !own.length ? house() : nothing}
      ${games ? fairness() : nothing}`,
    emptied(byId("main")),
  );
}

/** The words of the hour. */
function hour() {
  const now = new Date().getHours();
  return now < 5 || now >= 18 ? "evening" : now < 11 ? "morning" : "day";
}

function hero() {
  const name = identity(memory)?.name, { chosen } = state, ready = state.rulesets.length > 0;
  const next = turns ? turns.next() : acting().keys().next().value, count = acting().size;
  const known = !name || state.lists !== null; // whose turn it is somewhere
  const text = () => count ? say("ui.waiting_for_you", { count }) : say(name ? "ui.nothing_waits" : "ui.pitch");
  const main = () =>
    next
      ? html`<a class="btn main big" href=${`table?g=${next}`}>${say("ui.to_next_move")}</a>`
      : html`<button type="button" class="btn main big" ?disabled=${!ready} @click=${() => play(chosen)}>${
        sign("play")
      }${say("ui.play_now")}</button>`;
  const second = () =>
    html`<button type="button" class="btn quiet" ?disabled=${!ready} @click=${openTable}>${sign("plus")}${
      say("ui.open_table")
    }</button>`;
  return html`<section class="hero" data-cloth=${tables[chosen]?.cloth ?? "petrol"}><div class="lead">
      <h1>${name ? say(`ui.good_${hour()}`, { name }) : say("ui.pull_up")}</h1>
      <p class=${name ? "short" : ""}>${known ? text() : nothing}</p>
      <div class="cta">${known ? [main(), second()] : nothing}</div></div>${fan()}</section>`;
}

/** A card that leads to a page of an extension. @param {any} card */
const way = ({ title, text, go, href, about }) =>
  html`<section class="panel way" data-cloth=${about ? clothOf(about.ruleset) : nothing}><i class="cloth-dot"></i><div>
      <h2>${say(title)}</h2><p>${say(text, about ? { title: titleOf(about.ruleset) } : {})}</p></div>
    <a class="btn go" href=${href}>${say(go)}</a></section>`;

/** The games that can be played. */
const offered = () =>
  html`
    <section>
      <h2>${say("ui.games")} <small>${state.rulesets.length}</small></h2>
      <ol
        class="games">${state.rulesets.map(offer)}<li class="game panel friends"><span class="big-sign">${sign(
          "people",
        )}</span><div><h3>${say("ui.with_friends")}</h3>
          <p>${say("ui.with_friends_how")}</p><span></span><span class="acts"><button type="button" class="btn"
            @click=${openTable}>${say("ui.open_table")}</button></span></div></li></ol>
    </section>
  `;

/** @param {any} ruleset */
function offer({ name, own, seats, minutes, difficulty, lesson }) {
  const table = tables[name] ?? {}, { title } = own;
  const facts = [
    [sign("people"), html`${seats.least}–${seats.most}<span class="vh"> ${say("ui.players")}</span>`],
    [sign("clock"), say("ui.minutes", { count: minutes })],
    [pips(difficulty), say(`ui.is_${difficulty}`)],
  ];
  return html`<li class="game panel" data-cloth=${table.cloth ?? "slate"}><span class="felt">${samples(table)}</span>
    <div><h3>${title}</h3><p>${own.summary}</p>
      <ul class="facts">${facts.map(([glyph, text]) => html`<li>${glyph}<span>${text}</span></li>`)}</ul>
      <span class="acts"><button type="button" class="btn go" aria-label=${say("ui.play_game", { title })}
          @click=${() => play(name)}>${say("ui.play")}</button>
        ${
    lesson
      ? html`<button type="button" class="tool learn" aria-label=${say("ui.learn_game", { title })} @click=${() =>
        learn(name)}>${say("ui.learn")}</button>`
      : nothing
  }
        <a class="tool" href=${`rules?ruleset=${name}`}>${say("ui.rules")}<span class="vh"> ${title}</span></a></span>
      ${quick(name, title)}</div></li>`;
}

/** Tables of this game at which anybody can sit down, those first that lack the fewest. @param {string} name */
const openOf = (name) =>
  (state.lists?.["open"] ?? []).filter(({ ruleset: of, open }) => of === name && open > 0)
    .toSorted((a, b) => a.open - b.open);

/** One button leads to people: to a table that waits, or to a new one. @param {string} name @param {string} title */
function quick(name, title) {
  const count = openOf(name).flatMap(({ seats }) => seats.filter((/** @type {any} */ { player }) => player)).length;
  return html`
    <button type="button" class="tool quick"
      @click=${() => quickSeat(name)}>${sign("people")}${count
        ? say("ui.quick_join", { count })
        : say("ui.quick")}<span class="vh"> ${title}</span></button>
  `;
}

/** @param {string} name */
async function quickSeat(name) {
  choose(name);
  const [game] = openOf(name), rules = state.rulesets.find((each) => each.name === name);
  if (game) return await sitDown(game);
  state.wrong = await (await later(() => import("./opening.js"))).quickSeat(rules, say);
  draw();
}

const HARD = ["easy", "medium", "tricky"];

/** @param {string} difficulty */
const pips = (difficulty) =>
  html`<span class="pips" aria-hidden="true">${
    HARD.map((_, index) => html`<i class=${index <= HARD.indexOf(difficulty) ? "on" : ""}></i>`)
  }</span>`;

/** The titles of the games that one of this strength plays. @param {string} how */
const playedBy = (how) =>
  state.rulesets.flatMap(({ own, bots }) =>
    bots.some((/** @type {string} */ bot) => strengthOf(bot) === how) ? own.title : []
  );

/** Those who play for the house. */
const house = () =>
  html`
    <section>
      <h2>${say("ui.always_there")} <small>${say("ui.always_there_how")}</small></h2>
      <ol class="house">${EVERYBODY.filter(({ strength: how }) => playedBy(how).length).map(({ name, strength: how }) =>
        html`<li class="panel">${portrait(name, true)}<b>${name}</b>${strength(how, say)}<span>${
          say(`house.${name}`)
        }</span></li>`
      )}</ol>
      <p class="soft">${Object.keys(DOTS).map((how) => {
        const titles = playedBy(how), some = titles.length < state.rulesets.length;
        return titles.length ? `${say(`house.${how}_is`, { where: some ? ` (${titles.join(", ")})` : "" })} ` : "";
      })}${say("house.sees")}</p>
    </section>
  `;

const fairness = () =>
  html`
    <details class="fair">
      <summary>${sign("dice")}<span>${say("ui.fair")}</span><u>${say("ui.how")}</u></summary>
      <p>${say("ui.fair_how")} <a href="record">${say("ui.records")}</a></p>
    </details>
  `;

/** The tables of others. */
function found() {
  const { open = [], running = [] } = state.lists ?? {};
  return html`<div class="two">${panel("ui.open_tables", say("ui.starts_when_full"), open, opened)}${
    panel("ui.watch", running.length ? String(running.length) : "", running, watched)
  }</div>`;
}

/** @param {string} name */
const titleOf = (name) => state.rulesets.find((each) => each.name === name)?.own.title ?? name;
/** @param {string} name */
const clothOf = (name) => tables[name]?.cloth ?? "slate";
/** Who sits at each seat. @param {any} game @returns {{ id?: string, name: string | null, face: boolean | string }[]} */
const occupants = ({ ruleset: name, id, seats }) => {
  const house = houseNames(
    seats.map((/** @type {any} */ { bot }) => bot),
    state.rulesets.find((each) => each.name === name)?.own.bots,
    memory.get(`house.${name}/${id}`) ?? [],
  );
  return seats.map((/** @type {any} */ { player, bot }, /** @type {number} */ seat) => ({
    id: player?.id,
    name: player ? player.name ?? "?" : house[seat] ?? null,
    face: Boolean(bot) || (player?.face ?? ""),
  }));
};
/** The names of others than these. @param {any} game @param {string} [but]  An id. */
const names = (game, but) =>
  occupants(game).filter(({ id, name }) => name !== null && (!but || id !== but)).map(({ name }) => name);
/** @param {any} game */
const href = ({ ruleset: name, id }) => `table?g=${name}/${id}`;
/** @param {any} game @param {string} [but] */
const people = (game, but) => [...new Set(names(game, but))].join(", ") || say("ui.nobody_yet");

/** The round, and the others at the table. @param {any} game */
function where(game) {
  const round = state.positions.get(game.id)?.round;
  const who = game.hotseat ? say("ui.hotseat") : people(game, identity(memory)?.id);
  return [...(round ? [say("ui.round", { n: round })] : []), who].join(" · ");
}

/** If it is the user's turn: since when, and until when. @param {any} game */
const turnIn = (game) => acting().get(`${game.ruleset}/${game.id}`);
/** @param {any} game */
const isMine = (game) => Boolean(turnIn(game));

/** @param {string} at  When the time runs out. */
const left = (at) =>
  clock ? clock.shown(clock.remaining({ left: 0, reserve: 0, runs_out: at }, Date.now() + api.skew)) : "";

/** Nothing else changes with the time. */
function tick() {
  for (const element of document.querySelectorAll(".tile [data-ends]")) {
    element.textContent = left(element.getAttribute("data-ends") ?? "");
  }
}

/** Who sits there. @param {any} game @param {boolean} [all]  Also the user. */
function seated(game, all = true) {
  const me = identity(memory)?.id, seats = occupants(game), taken = seats.filter(({ name }) => name !== null).length;
  return html`<span class="whos">${
    seats.filter(({ id }) => all || !id || id !== me).map(({ name, face }) => portrait(name, face))
  }<span class="vh">${say("ui.taken", { taken, count: seats.length })}</span></span>`;
}

/** @param {any} game */
function tile(game) {
  const mine = isMine(game), ends = turnIn(game)?.runs_out, waits = game.status === "waiting";
  const status = mine
    ? say("ui.your_turn")
    : game.kept
    ? say("ui.kept_chair")
    : waits
    ? say("ui.seats_free", { count: game.open })
    : say("ui.running");
  const time = ends
    ? html`
      <span aria-hidden="true">·</span> <time data-ends=${ends} .textContent=${left(ends)}></time>
    `
    : nothing;
  return html`<li><a class="tile ${mine ? "mine" : ""}" href=${href(game)} data-cloth=${clothOf(game.ruleset)}>
    <span class="felt">${waits ? seated(game) : state.positions.get(game.id)?.drawn ?? nothing}</span>
    <span class="text"><b>${titleOf(game.ruleset)}</b><em>${status}${time}</em><span>${where(game)}</span>${
    waits ? nothing : seated(game, false)
  }</span></a>${
    isAlone(game)
      ? html`<button type="button" class="end" aria-label=${say("ui.end_game")} title=${
        say("ui.end_game")
      } @click=${() => endGame(game)}>×</button>`
      : nothing
  }</li>`;
}

/** A game that runs, and nobody waits for but the house. @param {any} game */
const isAlone = ({ status, seats, hotseat }) => {
  const me = identity(memory)?.id;
  return status === "running" &&
    (hotseat || seats.every((/** @type {any} */ { player, gone }) => !player || gone || player.id === me));
};

/** @param {any} game */
async function endGame(game) {
  const { end } = await later(() => import("./ending.js")),
    wrong = await end(true, `${game.ruleset}/${game.id}`, null, say);
  if (wrong) show({ wrong });
  else await refresh();
}

/** @param {string} title @param {string} hint @param {any[]} games @param {(game: any) => unknown} row */
function panel(title, hint, games, row) {
  const line = (/** @type {any} */ game) =>
    html`<li data-cloth=${clothOf(game.ruleset)}><i class="cloth-dot"></i>${row(game)}</li>`;
  return html`<section class="panel"><h2>${say(title)} ${hint ? html`<small>${hint}</small>` : nothing}</h2>
    ${games.length ? nothing : html`<p class="soft">${say("ui.none_now")}</p>`}
    <ol class="rows">${repeat(games, ({ id }) => id, line)}</ol></section>`;
}

/** @param {any} game */
function clockOf({ clock }) {
  if (!clock) return say("ui.no_clock");
  const { bank, increment = 0 } = clock;
  if (bank >= 86_400) return say("ui.days_each", { count: Math.round(bank / 86_400) });
  const each = say("ui.minutes_each", { count: Math.round(bank / 60) });
  return increment ? `${each} + ${increment} s` : each;
}

/** @param {any} game */
const opened = (game) =>
  html`<span><b><a href=${href(game)}>${titleOf(game.ruleset)}</a></b><small>${sign("clock")} ${
    [
      clockOf(game),
      variant(game),
      ...placed("terms").map(({ term, listed: words }) => words && game[term] && say(words)),
    ].filter(Boolean).join(" · ")
  }</small><small>${people(game)}</small></span>${seated(game)}
    <button type="button" class="btn go" @click=${() => sitDown(game)}>${say("ui.sit_down")}</button>`;

/** @param {any} game */
const watched = (game) =>
  html`<span><b>${titleOf(game.ruleset)}</b><small>${people(game)}</small></span>${seated(game)}
    <a class="tool" href=${href(game)}>${say("ui.look_on")}</a>`;

start().catch(delayed);
/** A link from another device, also if it is opened in a tab that shows the lobby. */
function invited() {
  if (location.hash.startsWith("#code=")) {
    later(() => import("./devices.js")).then(({ takeOver }) => takeOver(say));
  }
}
invited();
addEventListener("hashchange", invited);
if (memory.get("renewal")) {
  later(() => import("./devices.js")).then(({ renew }) => renew(say)).then((wrong) => wrong || location.reload());
}
/** Whether others want to play once more, from the first game on that was played in this browser. */
function lookOut() {
  if (memory.get("played")) optional(() => import("./again.js")).then((again) => again?.lookOut(say));
  else setTimeout(lookOut, 10_000);
}
setTimeout(() => { // after everything else; none is needed if the page is being left
  moreIfPossible(); // for what can go wrong offline
  optional(() => import("./install.js")).then((found) => found?.install());
  lookOut();
}, 4000);
