/** The lobby: open a game, join one, watch one, replay one. */

import { remaining, shown } from "../core/clock.js";
import { html, nothing, render } from "../core/html.js";
import { repeat } from "../core/keyed.js";
import { followIdentity, identity, random } from "../core/identity.js";
import { backs, fan } from "../table/fan.js";
import { TABLES } from "../tables/index.js";
import { channelOf, followTurns, ring } from "./bell.js";
import { dialog, ends, optionFields, optionsFrom, someone } from "./forms.js";
import { announce, api, bar, begin, byId, emptied, entitle, explained, memory, more, ruleset } from "./page.js";

/** @import { Turns } from "../core/channel.js" */

const POLL = 5000;
/** Time controls. @type {[string, object][]} */
const CLOCKS = [
  ["none", {}],
  ["fast", { clock: { bank: 180, increment: 10 } }],
  ["ten", { clock: { bank: 600 } }],
  ["days", { clock: { bank: 259_200, increment: 259_200 } }],
];
/** Games of each list. */
const LIMIT = 12;

/** The cloth of a ruleset's table, and a table that shows the zones of an example. @type {Record<string, any>} */
const tables = {};
const state = {
  /** @type {any[]} */ rulesets: [],
  chosen: memory.get("ruleset"),
  /** @type {Record<string, any[]>} */ lists: { own: [], open: [], running: [], finished: [] },
  /** When the user's time runs out, by the game's id. @type {Map<string, string>} */ ends: new Map(),
  wrong: "",
};

/** The tables where it is the user's turn. @type {Turns | null} */
let turns = null;
const channel = channelOf();
/** What needs no words is asked for before they are here. */
let ahead = asked();
const say = await begin("lobby.");

function asked() {
  const found = { rulesets: rulesets(), lists: lists() };
  for (const each of Object.values(found)) each.catch(() => {});
  return found;
}

async function rulesets() {
  const { body } = await api.request("rulesets");
  return await Promise.all(body.items.map(async (/** @type {any} */ { name }) => {
    const [rules, table] = await Promise.all([ruleset(name), TABLES[name]?.()]);
    tables[name] = table?.default ?? {};
    return rules;
  }));
}

async function start() {
  draw();
  state.rulesets = await ahead.rulesets;
  if (!state.rulesets.some(({ name }) => name === state.chosen)) state.chosen = state.rulesets[0]?.name;
  draw();
  show(await ahead.lists);
  follow();
  more().catch(() => {}); // for what can go wrong
  followTurns(channel, turned);
  followIdentity(memory, () => refresh().catch(failed));
}

/** @param {Turns} found @param {string | null} entered */
function turned(found, entered) {
  turns = found;
  entitle(`${found.games.size ? `(${found.games.size}) ` : ""}Stammtisch`, found.next() !== null);
  if (entered) ring(entered, say, false);
  draw();
}

/** @param {unknown} error */
function failed(error) {
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
}

/** The lists of tables, and when the user's time runs out. */
async function lists() {
  const me = identity(memory);
  /** @param {Record<string, string>} query */
  const list = async (query) => (await api.request("games", { query: { ...query, limit: LIMIT } })).body.items;
  const [own, open, running, finished] = await Promise.all([
    me ? list({ player: me.id }) : [],
    list({ status: "waiting", open: "true" }),
    list({ status: "running" }),
    list({ status: "finished" }),
  ]);
  const mine = own.filter((/** @type {any} */ { status }) => status === "running" || status === "waiting");
  const ids = new Set(mine.map((/** @type {any} */ { id }) => id));
  const others = (/** @type {any[]} */ games) => games.filter(({ id, hotseat }) => !ids.has(id) && !hotseat);
  const acting = mine.some((/** @type {any} */ { clock }) => clock) ? await list({ acting: "me" }) : [];
  const ends = new Map(acting.flatMap((/** @type {any} */ { id, runs_out: at }) => at ? [[id, at]] : []));
  return { ends, lists: { own: mine, open: others(open), running: others(running), finished } };
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
    if (!document.hidden && channel.condition !== "open") refresh().catch(failed);
  }, POLL);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    channel.wake();
    refresh().catch(failed);
  });
}

// --- acts ---------------------------------------------------------------------------------------------------------

/** @param {Record<string, unknown>} terms @param {string} name @param {boolean} [kept]  A seat is kept for the user. @returns {Promise<string>} What is wrong. */
async function open(terms, name, kept = false) {
  const { sit } = await import("./sitting.js");
  if (memory.fleeting) return say("ui.needs_storage");
  if (!(await someone(say))) return "";
  try {
    const { body } = await api.request(`games/${name}`, {
      method: "POST",
      body: kept || terms["sealed"] ? terms : { ...terms, entropy: random() },
      headers: { "Idempotency-Key": random() },
    });
    if (kept || terms["sealed"]) await sit(`${name}/${body.id}`, body.invite ?? null);
    location.href = `table?g=${name}/${body.id}`;
    return "";
  } catch (error) {
    return explained(error, say);
  }
}

/** A game with default options: on this device with the fewest seats, or against two house players. @param {boolean} here */
async function play(here) {
  const rules = state.rulesets.find(({ name }) => name === state.chosen);
  if (!rules) return;
  const { least, most } = rules.seats;
  state.wrong = here
    ? await open({ seats: least, hotseat: true }, rules.name)
    : await against(rules, Math.min(Math.max(least, 3), most) - 1, rules.bots.at(-1));
  draw();
}

/**
 * A game against house players. The own seat is kept, and taken with entropy when the shuffles are committed to: so the
 * proof that nobody knew a card counts.
 * @param {any} rules @param {number} count @param {string} bot @param {Record<string, unknown>} [terms] @param {number} [free]
 */
async function against(rules, count, bot, terms = {}, free = 0) {
  if (memory.fleeting) return say("ui.needs_storage");
  const user = await someone(say);
  if (!user) return "";
  const seats = [{ player: user.id }, ...Array(free).fill("open"), ...Array(count).fill(bot)];
  return await open({ ...terms, seats, sealed: free > 0 }, rules.name, true);
}

async function openTable() {
  const rules = state.rulesets.find(({ name }) => name === state.chosen);
  if (!rules) return;
  const { least, most } = rules.seats;
  const numbers = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  await dialog(
    say("ui.open_game", { title: rules.own.title }),
    html`<div class="fields"><label class="field"><span>${say("ui.seats")}</span><select name="seats">${
      numbers.map((number) => html`<option>${number}</option>`)
    }</select></label>
      <label class="field"><span>${say("ui.house_players")}</span><select name="bots">${
      Array.from({ length: most }, (_, bots) => bots).map((number) => html`<option>${number}</option>`)
    }</select></label>
      <label class="field"><span>${say("ui.which_house")}</span><select name="bot">${
      rules.bots.toReversed().map((/** @type {string} */ bot) =>
        html`<option value=${bot}>${rules.own.bots[bot]?.title ?? bot}</option>`
      )
    }</select><small>${rules.own.bots[rules.bots.at(-1)]?.about}</small></label>
      <label class="field"><span>${say("ui.clock")}</span><select name="clock">${
      CLOCKS.map(([key, terms]) => html`<option value=${JSON.stringify(terms)}>${say(`ui.clock_${key}`)}</option>`)
    }</select></label>
      <label class="field"><span>${say("ui.where")}</span><select name="where"><option value="public">${
      say("ui.public")
    }</option><option value="private">${say("ui.private")}</option><option value="hotseat">${
      say("ui.hotseat")
    }</option></select></label>
      ${optionFields(rules, say)}
      <label class="field"><span>${say("ui.deck")}</span><select name="deck">${
      rules.decks.map((/** @type {any} */ { name }) => html`<option>${name}</option>`)
    }</select><small>${rules.decks[0].provenance}</small></label></div>
      <p class="soft">${say("ui.shuffle_part")}</p>${ends(say, say("ui.open"))}`,
    (form) => {
      const data = new FormData(form), where = data.get("where");
      const seats = Number(data.get("seats")), bots = Math.min(Number(data.get("bots")), seats - 1);
      const terms = {
        options: optionsFrom(rules.schemas.options, data),
        deck: data.get("deck"),
        private: where === "private",
        ...(where === "hotseat" ? {} : JSON.parse(String(data.get("clock")))),
      };
      return bots && where !== "hotseat"
        ? against(rules, bots, String(data.get("bot")), terms, seats - 1 - bots)
        : open({ ...terms, seats, hotseat: where === "hotseat", sealed: where !== "hotseat" }, rules.name);
    },
  );
}

/** @param {any} game */
async function sitDown(game) {
  if (memory.fleeting) return void show({ wrong: say("ui.needs_storage") });
  try {
    if (!(await someone(say))) return;
    await (await import("./sitting.js")).sit(`${game.ruleset}/${game.id}`, null);
    location.href = `table?g=${game.ruleset}/${game.id}`;
  } catch (error) {
    announce(explained(error, say), "assertive");
    failed(error);
  }
}

// --- what is drawn ------------------------------------------------------------------------------------------------

function draw() {
  bar(say);
  const { own, open: waiting, running, finished } = state.lists;
  render(
    html`${hero()}
      ${memory.lasting ? nothing : html`<p class="warn panel">${say("ui.no_storage")}</p>`}
      ${state.wrong ? html`<p class="wrong panel" role="alert">${state.wrong}</p>` : nothing}
      ${
      own?.length
        ? html`
          <section>
            <h2>${say("ui.your_tables")} <small>${own.length}</small></h2>
            <ol class="tiles">${repeat(
              own.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a))),
              ({ id }) => id,
              tile,
            )}</ol>
          </section>
        `
        : nothing
    }
      <div class="two">${panel("ui.open_tables", "ui.starts_when_full", waiting ?? [], sit)}
        ${panel("ui.watch", "", running ?? [], look("ui.look_on"))}</div>
      ${panel("ui.finished", "", finished ?? [], look("ui.replay"))}
      <p class="ways"><a href="standings">${say("ui.standings")}</a> <a href="record">${say("ui.records")}</a></p>`,
    emptied(byId("main")),
  );
}

function hero() {
  const cloth = tables[state.chosen]?.cloth ?? "petrol";
  return html`
    <section class="hero" data-cloth=${cloth}>
      <div class="words">
        <h1>${say("ui.pull_up")}</h1>
        <p>${state.rulesets.length ? say("ui.pitch", { count: state.rulesets.length }) : nothing}</p>
        <div class="cta"><button type="button" class="btn main big" ?disabled=${!state.chosen} @click=${() =>
          play(false)}>${say(
            "ui.play_now",
          )}
          <small>${say("ui.against_house")}</small></button>
          <button type="button" class="btn quiet" ?disabled=${!state.chosen} @click=${() => play(true)}>${say(
            "ui.on_this_device",
          )}</button>
          <button type="button" class="btn quiet" ?disabled=${!state.chosen} @click=${openTable}>${say(
            "ui.open_table",
          )}</button></div>
        <fieldset class="swatches"><legend class="vh">${say("ui.game")}</legend>${state.rulesets.map(({ name, own }) =>
          html`<label data-cloth=${tables[name]?.cloth ?? "slate"}><input type="radio" name="ruleset" .value=${name}
        .checked=${name === state.chosen} @change=${() => choose(name)}><i></i>${own.title}</label>`
        )}</fieldset>
      </div>${fan()}
    </section>
  `;
}

/** @param {string} name */
function choose(name) {
  state.chosen = name;
  memory.set("ruleset", name);
  draw();
}

/** @param {string} name  The ruleset. @param {string} bot */
const botName = (name, bot) => state.rulesets.find((each) => each.name === name)?.own.bots[bot]?.title ?? bot;
/** @param {string} name */
const titleOf = (name) => state.rulesets.find((each) => each.name === name)?.own.title ?? name;
/** @param {any} game */
const names = ({ ruleset: name, seats }) =>
  seats.flatMap((/** @type {any} */ { player, bot }) => player?.name ?? (bot ? botName(name, bot) : []));
/** @param {any} game */
const href = ({ ruleset: name, id }) => `table?g=${name}/${id}`;
/** @param {any} game */
const people = (game) => [...new Set(names(game))].join(", ") || say("ui.nobody_yet");

/** It is the user's turn. @param {any} game */
const isMine = (game) => turns?.games.has(`${game.ruleset}/${game.id}`) ?? false;

/** @param {string} at  When the time runs out. */
const left = (at) => shown(remaining({ left: 0, reserve: 0, runs_out: at }, Date.now() + api.skew));

/** Nothing else changes with the time. */
function tick() {
  for (const element of document.querySelectorAll(".tile [data-ends]")) {
    element.textContent = left(element.getAttribute("data-ends") ?? "");
  }
}

/** @param {any} game */
function tile(game) {
  const status = isMine(game)
    ? say("ui.your_turn")
    : game.status === "waiting"
    ? say("ui.seats_free", { count: game.open })
    : say("ui.running");
  const ends = isMine(game) ? state.ends.get(game.id) : undefined;
  return html`<li><a class="tile ${isMine(game) ? "mine" : ""}" href=${href(game)} data-cloth=${
    tables[game.ruleset]?.cloth ?? "slate"
  }><span class="felt">${backs(tables[game.ruleset]?.weave)}</span>
    <span class="text"><b>${titleOf(game.ruleset)}</b><span>${people(game)}${
    game.hotseat ? ` · ${say("ui.hotseat")}` : ""
  }</span><em>${status}${
    ends
      ? html`
        <time data-ends=${ends} .textContent=${left(ends)}></time>
      `
      : nothing
  }</em></span></a></li>`;
}

/** @param {string} title @param {string} hint @param {any[]} games @param {(game: any) => unknown} act */
function panel(title, hint, games, act) {
  return html`<section class="panel"><h2>${say(title)} ${hint ? html`<small>${say(hint)}</small>` : nothing}</h2>
    ${games.length ? nothing : html`<p class="soft">${say("ui.none_now")}</p>`}
    <ol class="list">${
    repeat(games, ({ id }) =>
      id, (game) =>
      html`<li data-cloth=${tables[game.ruleset]?.cloth ?? "slate"}><i class="cloth-dot"></i>
        <span><b>${titleOf(game.ruleset)}</b><small>${people(game)}</small></span>${chairs(game)}${act(game)}</li>`)
  }</ol></section>`;
}

/** @param {any} game */
function chairs({ ruleset: name, seats, status, result }) {
  if (status === "finished") {
    const winners = result.winners.map((/** @type {number} */ seat) =>
      names({ ruleset: name, seats: [seats[seat]] })[0]
    );
    return html`<span class="soft">${say("ui.won", { names: [...new Set(winners)].join(", ") })}</span>`;
  }
  const taken = seats.filter((/** @type {any} */ { player, bot }) => player || bot).length;
  return html`<span class="chairs">${
    seats.map((/** @type {any} */ { player, bot }) => html`<i class=${player || bot ? "on" : ""}></i>`)
  }<span class="vh">${say("ui.taken", { taken, count: seats.length })}</span></span>`;
}

/** @param {any} game */
const sit = (game) =>
  html`<span class="acts"><a class="tool" href=${href(game)}>${say("ui.look")}</a>
    <button type="button" class="btn sit" @click=${() => sitDown(game)}>${say("ui.sit_down")}</button></span>`;

/** @param {string} label @returns {(game: any) => unknown} */
const look = (label) => (game) => html`<a class="tool" href=${href(game)}>${say(label)}</a>`;

start().catch(delayed);
/** A link from another device, also if it is opened in a tab that shows the lobby. */
function invited() {
  if (location.hash.startsWith("#code=")) import("./devices.js").then(({ takeOver }) => takeOver(say));
}
invited();
addEventListener("hashchange", invited);
if (memory.get("renewal")) {
  import("./devices.js").then(({ renew }) => renew(say)).then((wrong) => wrong || location.reload());
}
setTimeout(() => import("./install.js").then(({ install }) => install()), 4000); // after everything else
