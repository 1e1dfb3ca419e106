/** A game: waiting for its players, played, watched and replayed. */

import { Problem } from "../core/api.js";
import { click, thingsOf } from "../core/compose.js";
import { html, nothing, render } from "../core/html.js";
import { followIdentity, forget, identity } from "../core/identity.js";
import { Line } from "../core/line.js";
import { Outbox, sender } from "../core/outbox.js";
import { labelled } from "../core/words.js";
import { nameOf } from "../table/card.js";
import { table as drawTable, veil } from "../table/table.js";
import { TABLES } from "../tables/index.js";
import { announce, api, bar, begin, byId, emptied, entitle, explained, memory, more, ruleset, tongue } from "./page.js";
import * as models from "../core/model.js";
import * as stage from "../core/film.js";
import * as talk from "../core/talk.js";

/**
 * @import { Area, Message, Model, Move, Thing } from "../core/types.js"
 */

/** After so many milliseconds a hidden tab of a bystander closes its connection. */
const REST = 60_000;

const path = new URLSearchParams(location.search).get("g") ?? "";
const [name = ""] = path.split("/");
const still = matchMedia("(prefers-reduced-motion: reduce)");
// What needs no answer of the game is asked for at once.
const saying = begin();
/** @type {import("../core/types.js").Say} */
let say0 = (key) => key;
/** @type {Promise<any> | null} */
let rulesAhead = known(path) ? ruleset(name) : null;
rulesAhead?.catch(() => {});
TABLES[name]?.().catch(() => {});
const fragment = new URLSearchParams(location.hash.slice(1));
const invite = invitation();

/** @type {models.State | null} */
let state = null;
/** The areas that are drawn. @type {Area[]} */
let drawn = [];
/** The tables that wait for the user. @type {import("../core/channel.js").Turns | null} */
let turns = null;
/** Keys and whatever else is not needed for the first click. @type {Promise<void> | undefined} */
let extras = undefined;
/** What makes cards fly: loaded when something moves for the first time. @type {typeof import("../core/flights.js") | null} */
let flying = null;
/** The same module, when it is here. @type {typeof import("./extras.js") | null} */
let late = null;
/** @type {Promise<void> | undefined} */
let air = undefined;
/** @type {Animation[]} */
let flights = [];
/** @type {number | undefined} */
let clock = undefined;
/** How often everything had to be read again. */
let mended = 0;
/** @type {number | undefined} */
let resting = undefined;
/** The version up to which the log has been read out. */
let spoken = 0;
/** The seat behind the curtain that has said that it is there. @type {number | null} */
let lifted = null;

/** Ends the pause before a move is sent again. */
let hurry = () => {};

/** Until it is here, moves go over REST. @type {import("../core/channel.js").Channel | null} */
let channel = null;
const seen = memory.get(`seen.${path}`);
const me = () => identity(memory)?.id ?? null;
const line = new Line({ api, channel: null, path, invite, receipt: seen, opened: prepare, changed: arrived, failed });
/** No move is under way. */
const SETTLED = { pending: null, pendingThings: [], awaited: 0 };
const outbox = new Outbox({
  memory,
  player: me,
  post: sender(api, () => channel, invite),
  wait: (milliseconds, firm) =>
    new Promise((done) => {
      setTimeout(done, milliseconds);
      if (!firm) hurry = done;
    }),
  changed: (letter, outcome) => {
    const version = outcome?.is === "made" ? outcome.answer.version : 0;
    // What the move has done is drawn when it arrives; the card stays raised until then.
    if (state && state.game.version < version) state.awaited = version;
    else change({ ...SETTLED, pending: letter?.move ?? null, pendingThings: letter ? waitingThings(letter.move) : [] });
  },
});

/** The panel of the proof of a finished game. @type {(() => unknown) | null} */
let proof = null;

/** @type {Promise<void> | undefined} */
let proved = undefined;

/** @type {ReturnType<typeof setup> | null} */
let ready = null;
// --- what arrives -------------------------------------------------------------------------------------------------

/** The game is known, its log is not yet. @param {any} game */
function prepare(game) {
  ready ??= setup(game);
  ready.catch(() => {});
}

/** The first snapshot, and everything after it. */
async function arrived() {
  say0 = await saying;
  const { game, film } = line;
  if (!game) return;
  tell({ game });
  const fixed = await (ready ??= setup(game)).catch(unprepared);
  if (!fixed) return;
  const as = fragment.get("as") ?? "";
  if (!state && game.result && line.as === null && (as === "bystander" || game.seats[as])) return void line.show(as);
  if (!state) {
    const at = Number(fragment.get("v")) || null;
    const missed = at === null && hasMissed();
    const shown = at ?? (missed ? seen.version : film.last);
    const replaying = Boolean(game.result) || at !== null;
    const notice = memory.lasting ? "" : say0("ui.no_storage"), { perspective } = line;
    state = { ...models.fresh(), ...fixed, notice, me: me(), game, film, shown, perspective, replaying, missed };
    resend();
  }
  const stays = state.replaying || state.perspective === line.perspective;
  const notice = line.mended > mended ? say0("ui.mended") : state.notice;
  mended = line.mended;
  state = { ...state, game, film, perspective: line.perspective, shown: stays ? state.shown : film.last, notice };
  if (state.awaited && game.version >= state.awaited) state = { ...state, ...SETTLED };
  if (state.choice.clicked.length && models.composed(state).left.length === 0) {
    state.choice = { ...state.choice, clicked: [] };
  }
  seat();
  advance();
}

/** For a page that embeds this one. @param {{ game: any } | { error: any }} detail */
const tell = (detail) => dispatchEvent(new CustomEvent("stammtisch", { detail }));

/** Something happened since this game was seen last, and it can be played now. */
function hasMissed() {
  const { game, film } = line;
  const behind = seen && seen.version < film.last && film.view(seen.version);
  return Boolean(behind && game?.status === "running" && !game.hotseat && !still.matches);
}

/** @param {unknown} error */
function unprepared(error) {
  ready = rulesAhead = null;
  failed(error);
  setTimeout(arrived, 3000);
}

/** What stays the same for the whole game. @param {any} game */
async function setup(game) {
  const path = `rulesets/${name}/decks/${game.deck.name}`;
  const [rules, deck, captions] = await Promise.all([
    rulesAhead ?? ruleset(name),
    api.request(path).then(({ body }) => body).catch(() => null),
    api.request(`${path}/captions`).then(({ body }) => body[tongue]).catch(() => ({})),
  ]);
  rulesAhead = null;
  say0 = await saying;
  const labels = { ...rules.own, captions };
  const table = await TABLES[name]?.().then((module) => module.default) ??
    (await import("../core/describe.js")).describe(rules);
  return { ruleset: name, table, deck, labels, say: labelled(say0, labels) };
}

/** @param {any} error */
async function failed(error) {
  say0 = await saying;
  await more().catch(() => {});
  const text = explained(error, say0);
  tell({ error });
  bar(say0);
  render(
    html`
      <section class="panel alone">
        <h1>${text}</h1>
        ${error?.status === 401
          ? html`<p><button type="button" class="btn" @click=${again}>${say0("ui.forget")}</button></p>`
          : nothing}
        <p><a class="btn" href=".">${say0("ui.to_lobby")}</a></p>
      </section>
    `,
    emptied(byId("main")),
  );
}

function again() {
  forget(memory);
  location.reload();
}

/**
 * In a hotseat game the device goes to the seat that is to act: behind the curtain, where somebody knows more. In a
 * branch all cards lie open.
 */
function seat() {
  if (!state) return;
  const { game, table } = state;
  const mine = game.seats[0].player?.id === state.me;
  if (!game.hotseat || game.result || state.replaying || game.status !== "running" || !mine) return;
  const next = game.to_act.includes(Number(line.as)) ? Number(line.as) : game.to_act[0];
  if (next === undefined) return;
  const open = !table.private || game.parent || lifted === next;
  const as = game.parent ? "all" : open ? String(next) : "bystander";
  state.curtain = open ? null : next;
  if (line.as !== as) line.show(as);
}

/** Shows the versions that have not been shown yet, one move at a time. */
function advance() {
  clearTimeout(clock);
  if (!state) return;
  if (state.replaying && !state.playing) return draw();
  const first = state.shown === 0 || !state.film.view(state.shown);
  if (document.hidden && !first && !still.matches) return heading();
  const { film, shown, speed, missed } = state;
  const next = stage.step(film, first ? film.last - 1 : shown, {
    still: still.matches || first,
    speed,
    patient: missed,
    replay: state.replaying,
  });
  if (!next) {
    state = { ...state, playing: false, missed: false };
    remember();
    return draw();
  }
  state.shown = next.version;
  draw(next.flies ? Math.min(next.delay, 420) : 0);
  clock = setTimeout(advance, next.delay);
}

/** What was seen last: for the next visit, and as a receipt that nothing before it is changed. */
function remember() {
  const { version, head } = line.film.item(state?.shown ?? 0) ?? {};
  if (version && memory.get(`seen.${path}`)?.version !== version) memory.set(`seen.${path}`, { version, head });
}

/** What has happened is still being shown. */
const isPlaying = () => state !== null && !state.replaying && state.shown > 0 && state.shown < state.film.last;

/** Shows the newest version at once. */
function skip() {
  if (state) state = { ...state, missed: false, shown: state.film.last };
  advance();
}

// --- what is drawn ------------------------------------------------------------------------------------------------

/** @param {number} [duration]  Of the flights; 0: none. */
function draw(duration = 0) {
  if (!state) return;
  const root = emptied(byId("main"));
  if (!state.brief) heading();
  extras ??= import("./extras.js").then((module) => (late = module).begin(page, path, say0));
  const model = models.model(state, send);
  if (!model) return void room(root);
  if (state.curtain !== null && state.perspective !== "bystander") return render(veil(model), root);
  if (duration) air ??= import("../core/flights.js").then((module) => void (flying = module));
  const before = duration && flying ? flying.positions(root) : null;
  const old = drawn;
  drawn = model.areas;
  model.look = named(model);
  render(html`${drawTable(model, proof?.())}${result(model)}${question()}`, root);
  if (flying && before && old.length) {
    for (const flight of flights) flight.finish();
    flights = flying.fly(root, before, flying.pair(old, drawn).flights, Math.max(duration, 180));
  }
  if (state.game.result) proved ??= proving(line.film.last);
  if (!state.brief) speak(model);
}

/** The game has not begun. @param {HTMLElement} root */
async function room(root) {
  const { waiting } = await import("./waiting.js");
  if (!state || models.model(state, send)) return;
  render(waiting(state, path, line.game?.invite ?? invite, reread), root);
}

/** What a click on a thing does is part of its name. @param {Model} model @returns {Model["look"]} */
function named(model) {
  const { look } = model, leads = leadingTo(model);
  return (thing) => {
    const looked = look(thing), moves = leads.get(thing);
    if (!looked.legal || !moves || !state) return looked;
    const area = model.areas.find(({ places }) => places.some((place) => place.thing === thing));
    const place = area?.places.findLast((each) => each.thing === thing);
    const does = talk.leadsTo(moves, models.tongueOf(state));
    return { ...looked, label: area && place ? `${nameOf(place, area, model)}. ${does}` : undefined };
  };
}

/** The moves that each thing belongs to. @param {Model} model @returns {Map<Thing, Move[]>} */
function leadingTo({ table, you, view }) {
  /** @type {Map<Thing, Move[]>} */
  const found = new Map();
  for (const move of state ? models.composed(state).left : []) {
    for (const thing of new Set(thingsOf(table, move, you ?? 0, view))) {
      found.set(thing, [...found.get(thing) ?? [], move]);
    }
  }
  return found;
}

function heading() {
  if (!state) return;
  const { game, labels, say, film, shown } = state;
  const mine = state.curtain === null && !state.replaying && !state.pending && game.legal_moves.length > 0;
  const round = film.view(shown)?.round, next = turns?.next(path) ?? null;
  const turn = mine ? `● ${say("ui.your_turn")} · ` : "";
  entitle(`${turn}${labels.title} · Stammtisch`, mine || next !== null);
  bar(say, {
    title: html`<h1>${labels.title} ${round ? html`<small>${say("ui.round", { n: round })}</small>` : nothing}</h1>`,
    tools: html`${
      line.watchers ? html`<span class="soft wide">${say("ui.watching", { count: line.watchers })}</span>` : nothing
    }${isConnected() ? nothing : html`<span class="offline" role="status">${say("ui.offline")}</span>`}
      ${
      game.status === "running"
        ? html`<button type="button" class="tool wide" @click=${toggleReplay}>${
          say(state.replaying ? "ui.to_game" : "ui.replay")
        }</button>`
        : nothing
    }
      ${undoing(game)}
      <button type="button" class="tool wide" @click=${() => act("moves")} ?hidden=${!models.legalNow(state).length}>${
      say("ui.moves")
    } <kbd>M</kbd></button>
      ${
      next
        ? html`<a class="tool call" href=${`table?g=${next}`} aria-label=${say("ui.next_table")}>${
          say("ui.next")
        }<span class="wide">${say("ui.next_of_tables")}</span></a>`
        : nothing
    }
      <button type="button" class="tool wide" @click=${() => act("rules")}>${say("ui.rules")} <kbd>R</kbd></button>
      <button type="button" class="tool" @click=${() => act("about")}>${say("ui.about")}</button>`,
  });
}

/**
 * Why a move cannot be taken back is never said: a reason could betray a card. The hint is always the same.
 * @param {any} game
 */
function undoing(game) {
  if (!game.undo_mode || game.you === null || game.status !== "running" || !state || state.replaying) return nothing;
  const asks = game.undo_mode === "agreed" && game.undo === null, hint = say0("ui.undo_hint");
  const off = (game.undo === null && !asks) || Boolean(state.pending) || (asks && Boolean(game.vote));
  return html`<button type="button" class="tool undo" title=${hint} ?disabled=${off} @click=${() => act("undo")}>${
    say0(asks ? "ui.undo_ask" : "ui.undo")
  }</button>`;
}

/** The question that is open. */
function question() {
  const game = state?.game, vote = game?.vote;
  if (!game || !vote || game.status !== "running" || state?.replaying) return nothing;
  const name = game.seats[vote.seat]?.player?.name ?? "", mine = game.you !== null && vote.yes.includes(game.you);
  const yes = () => act("vote", vote.on, true), no = () => act("vote", vote.on, false);
  return html`<p class="result-line question" role="status">${say0(`ui.vote_${vote.on}`, { name })} ${
    game.you === null || mine ? nothing : html`
      <button type="button" class="btn small" @click=${yes}>${say0("ui.vote_yes")}</button>
    `
  }${
    game.you === null
      ? nothing
      : html`<button type="button" class="btn small" @click=${no}>${
        say0(mine ? "ui.vote_withdraw" : "ui.vote_no")
      }</button>`
  }</p>`;
}

/** The service answers, as far as is known. */
const isConnected = () => line.reachable && channel?.condition !== "broken";

/**
 * Verifies the finished game, against what this browser saw of it before it was over or was opened again.
 * @param {number} last
 */
async function proving(last) {
  const { prover } = await import("./proof.js"), head = line.film.item(last)?.head ?? "";
  const watched = spoken > 0 && state !== null && !state.replaying ? { version: last, head } : seen;
  proof = prover(path, invite, watched, head, say0, () => draw());
  draw();
}

/** @param {Model} model */
function result(model) {
  if (!state?.game.result || state.shown !== state.film.last) return nothing;
  const { game } = state, sat = game.you !== null && !game.hotseat && !game.imported;
  return html`<p class="result-line" role="status">${model.rail.question} ${
    sat
      ? html`<button type="button" class="btn small" @click=${() => act("rematch")}>${say0("ui.rematch")}</button>`
      : nothing
  }</p>`;
}

/** New lines of the log are read out. @param {Model} model */
function speak(model) {
  const news = model.log.filter(({ version }) => version > spoken && version <= (state?.shown ?? 0));
  if (spoken && news.length) announce(news.slice(-4).map(({ who, text }) => `${who} ${text}`).join(". "));
  spoken = Math.max(spoken, state?.shown ?? 0);
}

// --- what the player does -----------------------------------------------------------------------------------------

/** @param {Partial<models.State>} parts */
function change(parts) {
  if (!state) return;
  state = { ...state, ...parts };
  draw();
}

/** @param {Message} message */
function send(message) {
  if (!state) return;
  switch (message.do) {
    case "click":
      return clicked(message.thing);
    case "hover":
      return state.hover === message.thing ? undefined : change({ hover: message.thing });
    case "move":
      return chosen(message.move);
    case "confirm":
      return message.yes && state.confirm
        ? make(state.confirm)
        : change({ confirm: null, choice: { ...state.choice, clicked: [] } });
    case "switch":
      return change({
        choice: { ...state.choice, switches: { ...state.choice.switches, [message.field]: message.value } },
      });
    case "cancel":
      return change({ choice: { ...state.choice, clicked: [] }, confirm: null });
    case "enlarge":
      return change({ enlarged: message.seat });
    case "skip":
      return skip();
    case "lift":
      lifted = state.curtain;
      return seat();
    case "return":
    case "branch":
    case "share":
      return void act(message.do);
    case "perspective":
      return void line.show(message.perspective);
    default:
      return replayed(message);
  }
}

/** @param {Thing} thing */
function clicked(thing) {
  if (!state || state.pending || state.confirm) return;
  for (const flight of flights) flight.finish();
  const { table, game, film, shown } = state;
  const choice = click(table, models.legalNow(state), game.you ?? 0, film.view(shown) ?? {}, state.choice, thing);
  state = { ...state, choice, notice: "" };
  const { move } = models.composed(state);
  if (move) chosen(move);
  else draw();
}

/** @param {Move} move */
function chosen(move) {
  if (state?.table.confirm?.includes(move.type) && !state.confirm) return change({ confirm: move });
  return make(move);
}

/** @param {Move} move */
function make(move) {
  if (!state) return;
  const { game, choice } = state;
  state = { ...state, choice: { ...choice, clicked: [] }, confirm: null, notice: "" };
  mended = line.mended;
  outbox.send({ game: path, move, seat: game.hotseat ? String(game.you) : null, version: game.version }).then(answered);
}

/** The move of an earlier page that was not answered. */
function resend() {
  const open = outbox.open(path);
  if (open) outbox.deliver(open).then(answered);
}

/** @param {import("../core/outbox.js").Outcome} outcome */
function answered(outcome) {
  if (outcome.is === "made" || !state) return line.poll();
  if (outcome.is === "illegal") state.notice = say0("ui.not_now");
  if (outcome.is === "stale") state.notice = say0("ui.stale");
  if (outcome.is === "failed") state.notice = explained(outcome.problem, say0);
  reread();
}

/** @param {Move} move @returns {Thing[]} */
function waitingThings(move) {
  if (!state) return [];
  const view = state.film.view(state.shown);
  return view ? thingsOf(state.table, move, state.game.you ?? 0, view) : [];
}

/** @param {Message} message */
async function replayed(message) {
  // Without a pause, if it can be: between an input and its frame the browser may draw another one.
  (late ?? await import("./extras.js")).replayed(message, page);
}

function toggleReplay() {
  if (state) {
    replayed(state.replaying && !state.game.result ? { do: "live" } : { do: "show", version: state.film.last });
  }
}

/** What is asked for rarely, most of it in a dialog. @param {string} name @param {...unknown} given */
async function act(name, ...given) {
  const module = await import("./acts.js");
  if (!state) return;
  const failed = (/** @type {string} */ notice) => change({ notice });
  const done = (/** @type {string} */ notice) => {
    failed(notice);
    reread();
  };
  const model = () => state && models.model(state, send);
  const asked = { state, path, invite, say: say0, done, failed, choose: chosen, act, toggleReplay, model };
  module.act(name, asked, given);
}

function reread() {
  line.etag = null;
  line.refresh();
}

// --- the page -----------------------------------------------------------------------------------------------------

/** The invite of a private game leaves the address bar at once. */
function invitation() {
  const given = fragment.get("invite");
  const key = `stammtisch.invite.${path}`;
  try {
    if (given) history.replaceState(null, "", location.pathname + location.search);
    if (given) sessionStorage.setItem(key, given);
    return codeOf(sessionStorage.getItem(key));
  } catch {
    return codeOf(given);
  }
}

/** What cannot be sent as a header is no invite. @param {string | null} text */
function codeOf(text) {
  return text && /^[!-~]{1,64}$/.test(text) ? text : null;
}

/** @param {EventTarget | null} target @param {string} [which]  Only those. @returns {Thing | null} */
const thingAt = (target, which = "") =>
  target instanceof Element ? target.closest(`${which}[data-thing]`)?.getAttribute("data-thing") ?? null : null;

const main = byId("main");
main.addEventListener("click", ({ target }) => {
  if (isPlaying() && target instanceof Element && target.closest(".table")) return skip();
  const thing = thingAt(target, "button");
  if (thing && !thing.startsWith("seat/")) send({ do: "click", thing });
});
/** When a finger touched last: what is drawn then moves cards below the mouse. */
let touched = -Infinity;
main.addEventListener("pointerover", ({ target, pointerType, timeStamp }) => {
  if (pointerType === "touch") touched = timeStamp;
  else if (timeStamp - touched < 1000) return;
  send({ do: "hover", thing: thingAt(target) });
});
main.addEventListener("focusin", ({ target }) => send({ do: "hover", thing: thingAt(target) }));
/** What keys and the scrubber act on. @type {import("./keyboard.js").Page} */
const page = {
  state: () => state,
  send,
  line,
  seat,
  advance,
  draw: (duration) => draw(still.matches ? 0 : duration),
  change: (parts) => {
    clearTimeout(clock);
    if (state) state = { ...state, ...parts };
  },
  moves: () => state && models.legalNow(state).length && act("moves"),
  rules: () => act("rules"),
  help: () => act("keys"),
  next: () => {
    const found = turns?.next(path);
    if (found) location.href = `table?g=${found}`;
  },
  connect: (found) => {
    channel = found;
    line.connect(found);
  },
  connected: (condition) => {
    if (condition === "open") hurry();
    heading();
  },
  waits: (found) => {
    turns = found;
    heading();
  },
};

// Another moment, or an invite, of the table that is open.
addEventListener("hashchange", () => location.reload());
document.addEventListener("visibilitychange", wake);
addEventListener("online", wake);
// At this table, in another tab, or in a page that embeds this one. It may come before anything is drawn.
followIdentity(memory, () => {
  if (state && state.me !== me()) {
    lifted = null;
    state = { ...state, ...models.fresh(), me: me() };
    line.films.clear(); // the cards that the player before saw
    line.as = null;
  }
  line.refused = false;
  reread();
});
function wake() {
  clearTimeout(resting);
  if (document.hidden) {
    // Somebody who only watches needs no connection for a tab that is not seen.
    if (line.game?.you === null) resting = setTimeout(() => channel?.close(), REST);
    return;
  }
  channel?.wake();
  line.poll();
  if (state && !state.replaying && state.shown < state.film.last) {
    state.missed = true;
    advance();
  }
}

/** It is the path of a game. @param {string} path */
function known(path) {
  return /^\w+\/[\w-]+$/.test(path);
}

if (known(path)) line.start().catch(failed);
else failed(new Problem({ type: "not-found" }, 404));
