/** The lobby: open a game, join one, watch one, replay one. */

import { html, nothing, render, repeat } from "../core/html.js";
import { identity, random } from "../core/identity.js";
import { dialog, ends, someone } from "./forms.js";
import { announce, api, bar, begin, byId, channelOf, emptied, explained, memory, ruleset } from "./page.js";
import { backs, fan } from "../table/fan.js";
import { TABLES } from "../tables/index.js";
import { optionFields, optionsFrom } from "./options.js";

const POLL = 5000;
/** Games of each list. */
const LIMIT = 12;

const say = await begin();
/** The cloth of a ruleset's table, and a table that shows the zones of an example. @type {Record<string, any>} */
const tables = {};
const state = {
  /** @type {any[]} */ rulesets: [],
  chosen: memory.get("ruleset"),
  /** @type {Record<string, any[]>} */ lists: { own: [], open: [], running: [], finished: [] },
  wrong: "",
};

async function start() {
  draw();
  const { body } = await api.request("rulesets");
  state.rulesets = await Promise.all(body.items.map(async (/** @type {any} */ { name }) => await ruleset(name)));
  for (const { name } of state.rulesets) {
    tables[name] = await TABLES[name]?.().then((module) => module.default) ?? {};
  }
  if (!state.rulesets.some(({ name }) => name === state.chosen)) state.chosen = state.rulesets[0]?.name;
  await refresh();
  follow();
}

/** @param {unknown} error */
function failed(error) {
  state.wrong = explained(error, say);
  draw();
}

async function refresh() {
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
  state.lists = { own: mine, open: others(open), running: others(running), finished };
  state.wrong = "";
  draw();
}

/** Changes are announced by the play channel; without one the lists are read again now and then. */
function follow() {
  const channel = channelOf();
  let news = false;
  channel?.follow({
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
    if (!document.hidden && channel?.condition !== "open") refresh().catch(failed);
  }, POLL);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh().catch(failed);
  });
}

// --- acts ---------------------------------------------------------------------------------------------------------

/** @param {Record<string, unknown>} terms @param {string} name @returns {Promise<string>} What is wrong. */
async function open(terms, name) {
  if (!(await someone(say))) return "";
  try {
    const { body } = await api.request(`games/${name}`, {
      method: "POST",
      body: { ...terms, entropy: random() },
      headers: { "Idempotency-Key": random() },
    });
    location.href = `table?g=${name}/${body.id}`;
    return "";
  } catch (error) {
    return explained(error, say);
  }
}

/** A game on this device, with the fewest seats and default options. */
async function playHere() {
  const rules = state.rulesets.find(({ name }) => name === state.chosen);
  if (!rules) return;
  state.wrong = await open({ seats: rules.seats.least, hotseat: true }, rules.name);
  draw();
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
      const data = new FormData(form);
      const where = data.get("where");
      return open({
        seats: Number(data.get("seats")),
        options: optionsFrom(rules.schemas.options, data),
        deck: data.get("deck"),
        private: where === "private",
        hotseat: where === "hotseat",
      }, rules.name);
    },
  );
}

/** @param {any} game */
async function sitDown(game) {
  try {
    if (!(await someone(say))) return;
    await api.request(`games/${game.ruleset}/${game.id}/seats`, { method: "POST", body: { entropy: random() } });
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
      ${state.wrong ? html`<p class="wrong panel" role="alert">${state.wrong}</p>` : nothing}
      ${
      own?.length
        ? html`
          <section>
            <h2>${say("ui.your_tables")} <small>${own.length}</small></h2>
            <ol class="tiles">${repeat(own, ({ id }) => id, tile)}</ol>
          </section>
        `
        : nothing
    }
      <div class="two">${panel("ui.open_tables", "ui.starts_when_full", waiting ?? [], sit)}
        ${panel("ui.watch", "", running ?? [], look("ui.look_on"))}</div>
      ${panel("ui.finished", "", finished ?? [], look("ui.replay"))}`,
    emptied(byId("main")),
  );
}

function hero() {
  const cloth = tables[state.chosen]?.cloth ?? "petrol";
  return html`
    <section class="hero" data-cloth=${cloth}>
      <div class="words">
        <h1>${say("ui.pull_up")}</h1>
        <p>${say("ui.pitch")}</p>
        <div class="cta"><button type="button" class="btn main big" ?disabled=${!state.chosen} @click=${playHere}>${say(
          "ui.play_now",
        )}
          <small>${say("ui.on_this_device")}</small></button>
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

/** @param {string} name */
const titleOf = (name) => state.rulesets.find((each) => each.name === name)?.own.title ?? name;
/** @param {any} game */
const names = ({ seats }) => seats.flatMap((/** @type {any} */ { player }) => player ? [player.name] : []);
/** @param {any} game */
const href = ({ ruleset: name, id }) => `table?g=${name}/${id}`;
/** @param {any} game */
const people = (game) => [...new Set(names(game))].join(", ") || say("ui.nobody_yet");

/** @param {any} game */
function tile(game) {
  const status = game.status === "waiting" ? say("ui.seats_free", { count: game.open }) : say("ui.running");
  return html`<li><a class="tile" href=${href(game)} data-cloth=${
    tables[game.ruleset]?.cloth ?? "slate"
  }><span class="felt">${backs(tables[game.ruleset]?.weave)}</span>
    <span class="text"><b>${titleOf(game.ruleset)}</b><span>${people(game)}${
    game.hotseat ? ` · ${say("ui.hotseat")}` : ""
  }</span><time>${status}</time></span></a></li>`;
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
function chairs({ seats, status, result }) {
  if (status === "finished") {
    const winners = result.winners.map((/** @type {number} */ seat) => seats[seat]?.player?.name);
    return html`<span class="soft">${say("ui.won", { names: [...new Set(winners)].join(", ") })}</span>`;
  }
  const taken = seats.filter((/** @type {any} */ { player }) => player).length;
  return html`<span class="chairs">${
    seats.map((/** @type {any} */ { player }) => html`<i class=${player ? "on" : ""}></i>`)
  }<span class="vh">${say("ui.taken", { taken, count: seats.length })}</span></span>`;
}

/** @param {any} game */
const sit = (game) =>
  html`<span class="acts"><a class="tool" href=${href(game)}>${say("ui.look")}</a>
    <button type="button" class="btn sit" @click=${() => sitDown(game)}>${say("ui.sit_down")}</button></span>`;

/** @param {string} label @returns {(game: any) => unknown} */
const look = (label) => (game) => html`<a class="tool" href=${href(game)}>${say(label)}</a>`;

start().catch(failed);
