/**
 * A game: waiting for its players, played, watched and replayed. The state is one plain object; what happens changes it
 * (core/play.js), and the page follows it (drawing.js). Here is what lies between: line, channel, clock and effects.
 */

import { Problem } from "../core/api.js";
import { step } from "../core/film.js";
import { html, nothing, render } from "../core/html.js";
import { followIdentity, forget, identity } from "../core/identity.js";
import { later, partOf, placed } from "../core/later.js";
import { Line } from "../core/line.js";
import { fresh, legalNow, model, namesOf } from "../core/model.js";
import { Outbox, sender } from "../core/outbox.js";
import * as play from "../core/play.js";
import { labelled } from "../core/words.js";
import { tableOf } from "../tables/index.js";
import { Drawing, heading } from "./drawing.js";
import {
  announce,
  api,
  bar,
  begin,
  byId,
  emptied,
  explained,
  memory,
  moreIfPossible,
  ruleset,
  tongue,
} from "./page.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Game, Message, Model, Move, Thing } from "../core/types.js"
 */

const path = new URLSearchParams(location.search).get("g") ?? "";
const [name = ""] = path.split("/");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const fragment = new URLSearchParams(location.hash.slice(1));
const invite = invitation();
const seen = memory.get(`seen.${path}`);
const me = () => identity(memory)?.id ?? null;

/** What the page shows; null until the game is here. @type {State | null} */
let state = null;

/** What stays the same for the whole game. @typedef {Pick<State, "ruleset" | "table" | "deck" | "labels" | "say" | "lesson" | "whatIf" | "pace">} Fixed */

/** What the page holds on to, and shows nothing of. */
const held = {
  /** @type {import("../core/types.js").Say} */
  say: (key) => key,
  /** The rules, from before the game is here. @type {Promise<any> | null} */
  rules: known(path) ? ruleset(name) : null,
  /** What stays the same for the whole game. @type {Promise<Fixed> | null} */
  fixed: null,
  /** Until it is here, moves go over REST. @type {import("../core/channel.js").Channel | null} */
  channel: null,
  /** The tables that wait for the user. @type {import("../core/channel.js").Turns | null} */
  turns: null,
  /** Keys and whatever else is not needed for the first click. @type {Promise<typeof import("./extras.js")> | null} */
  extras: null,
  /** The same, when it is here. @type {typeof import("./extras.js") | null} */
  late: null,
  /** @type {Promise<void> | null} */
  proof: null,
  /** The next version that is shown. @type {number | undefined} */
  clock: undefined,
  /** The next second of the end of a round. @type {number | undefined} */
  pause: undefined,
  /** When a finger touched last: what is drawn then moves cards below the mouse. */
  touched: -Infinity,
  /** Ends the pause before a move is sent again. */
  hurry: () => {},
  /** The version at which the only legal move was made by itself. @type {number | undefined} */
  alone: undefined,
  /** What is drawn. @type {State | null} */
  drawn: null,
};
// What needs no answer of the game is asked for at once.
const saying = begin();
held.rules?.catch(() => {});
tableOf(name);

const line = new Line({
  api,
  channel: null,
  path,
  invite,
  receipt: seen,
  opened: prepare,
  changed: arrived,
  said: spoken,
  failed,
});
const outbox = new Outbox({
  memory,
  player: me,
  post: sender(api, () => held.channel, invite),
  wait: (milliseconds, firm) =>
    new Promise((done) => {
      setTimeout(done, milliseconds);
      if (!firm) held.hurry = done;
    }),
  changed: (letter, outcome) => {
    if (state) answer(play.underWay(state, letter, outcome?.is === "made" ? outcome.answer.version : 0));
    if (outcome && guided()) reply();
  },
});
const drawing = new Drawing({ send, act, toggleReplay });

/** The page follows a new state. @param {State} next @param {number} [duration]  Of the flights; 0: none. */
function become(next, duration = 0) {
  state = next;
  draw(duration);
}

/** @param {Partial<State>} parts */
function change(parts) {
  const before = /** @type {Record<string, unknown> | null} */ (state);
  const isDrawn = state === held.drawn && Object.entries(parts).every(([key, value]) => before?.[key] === value);
  if (state && !isDrawn) become({ ...state, ...parts });
}

/** A move is under way or made. While what it did is awaited, it looks as if it were under way. @param {State} next */
function answer(next) {
  if (next.awaited && next.pending && state?.pending) state = next;
  else become(next);
}

// --- what arrives -------------------------------------------------------------------------------------------------

/** The game is known, its log is not yet. @param {Game} game */
function prepare(game) {
  held.fixed ??= setup(game);
  held.fixed.catch(() => {});
}

/** The first snapshot, and everything after it. */
async function arrived() {
  held.say = await saying;
  const { game, film } = line;
  if (!game) return;
  tell({ game });
  const fixed = await (held.fixed ??= setup(game)).catch(unprepared);
  if (!fixed) return;
  const as = fragment.get("as") ?? "";
  const chosen = as === "bystander" || game.seats.some((/** @type {any} */ { seat }) => String(seat) === as);
  if (!state && game.result && !game.deal && line.as === null && chosen) return void line.show(as);
  const first = !state;
  state ??= opened(fixed, game);
  const mended = line.mended > state.mended;
  const { perspective, company } = line, connected = isConnected();
  state = { ...state, company, connected, mended: line.mended };
  state = play.arrived(state, { game, film, perspective }, mended ? held.say("ui.mended") : undefined);
  if (first) resend();
  seat();
  advance();
}

/** Milliseconds for which a phrase is shown. */
const SAID = 4000;

/** A player says something. It is shown for a while and kept nowhere. @param {number} seat @param {string} phrase */
async function spoken(seat, phrase) {
  const { isMuted } = await later(() => import("./people.js"));
  const { player, bot } = state?.game.seats[seat] ?? {}, who = player?.id ?? bot;
  if (!state || !who || isMuted(who) || isMuted(path) || phrase.includes(".")) return;
  const text = held.say(`phrase.${phrase}`);
  if (text === `phrase.${phrase}`) return; // of a later release
  change({ said: new Map(state.said).set(seat, phrase) });
  if (who !== me()) announce(`${namesOf(state)[seat]}: ${text}`);
  setTimeout(() => {
    const said = new Map(state?.said);
    if (said.get(seat) === phrase && said.delete(seat)) change({ said });
  }, SAID);
}

/** The state of a table that has just been opened. @param {Fixed} fixed @param {Game} game @returns {State} */
function opened(fixed, game) {
  const { film, perspective } = line, at = Number(fragment.get("v")) || null;
  const missed = at === null && seen !== null && !still.matches &&
    play.hasMissed({ game, film, perspective }, seen.version);
  return {
    ...fresh(),
    ...fixed,
    notice: memory.lasting ? "" : held.say("ui.no_storage"),
    me: me(),
    given: (fixed.lesson ?? fixed.whatIf)?.names(identity(memory)?.name ?? "") ?? memory.get(`names.${path}`) ?? [],
    called: memory.get(`house.${path}`) ?? [],
    sorted: memory.get("sorted") === true,
    asks: fixed.lesson ? "never" : memory.get("confirm") ?? "counts",
    game,
    film,
    perspective,
    shown: at ?? (missed ? seen.version : film.last),
    replaying: at !== null || fragment.has("replay") ||
      Boolean(game.result) && (game.you === null || seen?.version >= film.last),
    missed,
    since: missed ? play.missedMoves(film, seen.version) : 0,
    mended: line.mended,
    next: held.turns?.next(path) ?? null,
  };
}

/** For a page that embeds this one. @param {{ game: any } | { error: any }} detail */
const tell = (detail) => dispatchEvent(new CustomEvent("stammtisch", { detail }));

/** @param {unknown} error */
function unprepared(error) {
  held.fixed = held.rules = null;
  failed(error);
  setTimeout(arrived, 3000);
}

/** What stays the same for the whole game. @param {Game} game @returns {Promise<Fixed>} */
async function setup(game) {
  const path = `rulesets/${name}/decks/${game.deck.name}`;
  const [rules, deck, captions] = await Promise.all([
    held.rules ?? ruleset(name),
    api.request(path).then(({ body }) => body).catch(() => null),
    api.request(`${path}/captions`).then(({ body }) => body[tongue]).catch(() => ({})),
  ]);
  held.rules = null;
  const labels = { ...rules.own, captions };
  const described = await tableOf(name) ?? (await later(() => import("../core/describe.js"))).describe(rules);
  const { cloth, weave } = described;
  const table = { ...described, cloth: memory.get("felt") ?? cloth, weave: memory.get("back") ?? weave };
  /** @type {State["lesson"]} */
  let lesson = null;
  /** @type {State["whatIf"]} */
  let whatIf = null;
  const plays = new URLSearchParams(location.search).get("if");
  const [branch] = plays ? placed("branch") : [];
  if (game.hotseat && game.parent && branch) {
    const words = { labels, say: await saying };
    whatIf = await partOf(branch.module).then(({ branchOf }) => branchOf(game, plays, words).catch(() => null));
  } else if (game.hotseat && game.parent && game.status === "running") {
    lesson = await later(() => import("./lesson.js")).then(({ guideOf }) => guideOf(game).catch(() => null));
  }
  return { ruleset: name, table, deck, labels, say: labelled(await saying, labels), lesson, whatIf, pace };
}

/** @param {any} error */
async function failed(error) {
  const say = held.say = await saying;
  await moreIfPossible();
  tell({ error });
  bar(say);
  render(
    html`
      <section class="panel alone">
        <h1>${explained(error, say)}</h1>
        ${error?.status === 401
          ? html`<p><button type="button" class="btn" @click=${again}>${say("ui.forget")}</button></p>`
          : nothing}
        <p><a class="btn" href=".">${say("ui.to_lobby")}</a></p>
      </section>
    `,
    emptied(byId("main")),
  );
}

function again() {
  forget(memory);
  location.reload();
}

/** In a hotseat game the device goes on. */
function seat() {
  if (!state) return;
  const handed = play.handedOver(state, line.as);
  state = handed.state;
  if (line.as !== handed.as) line.show(handed.as);
}

/** Milliseconds that a move of others takes, if the settings say nothing else. */
const CALM = 900;

/** @returns {number} */
const pace = () => memory.get("pace") ?? CALM;

/** From the slowest to the fastest, and at once. */
const PACES = [1600, CALM, 400, 0];

/** Another pace. @param {number} [by]  Steps faster; else the next one, and after a quick one the slowest. */
function hasten(by) {
  const at = PACES.indexOf(pace());
  memory.set("pace", PACES[by ? Math.max(0, Math.min(at + by, 3)) : (at + 1) % 3]);
  advance();
}

/** Shows the versions that have not been shown yet, one move at a time. */
function advance() {
  if (state?.sheet || state?.since) return draw(); // its seconds go on, or it is asked first
  clearTimeout(held.clock);
  if (!state) return;
  const { film, shown, speed, missed, replaying, playing } = state;
  if (replaying && !playing) return draw();
  const first = shown === 0 || !film.view(shown);
  if (document.hidden && !first && !still.matches) return heading(state, drawing.hands);
  const how = {
    still: first,
    calm: still.matches,
    speed,
    patient: missed,
    replay: replaying,
    pace: pace(),
  };
  const next = shown < film.last ? step(film, first ? film.last - 1 : shown, how) : null;
  if (!next) {
    remember();
    change({ playing: false, missed: false });
    return guided() ? reply() : alone();
  }
  const scored = first ? null : play.scoredUntil(state, next.version);
  if (scored !== null) {
    become(play.scored(state, scored), next.flies ? Math.min(next.delay, 420) : 0);
    held.pause = setTimeout(count, 1000);
    return void held.late?.remarked(state, scored, spoken);
  }
  become({ ...state, shown: next.version }, next.flies ? Math.min(next.delay, 420) : 0);
  if (!first) held.late?.remarked(state, next.version, spoken);
  held.clock = setTimeout(advance, next.delay);
}

/** Makes the only legal move, if the user wants that; a choice of one is none. */
function alone() {
  const [move, ...others] = state && memory.get("auto") ? legalNow(state) : [], version = state?.game.version;
  if (!move || others.length || state?.game.hotseat || held.alone === version) return;
  held.alone = version;
  setTimeout(() => state?.game.version === version && send({ do: "move", move }), pace());
}

/** Who guides the user through a game of their own, if somebody does. */
const guided = () => state?.lesson ?? state?.whatIf ?? null;

/** In a lesson and in a branch, the page moves for the others. */
async function reply() {
  const due = state && guided()?.due(state), version = state?.game.version;
  if (!due || version === undefined || held.alone === version) return;
  held.alone = version;
  const [move] = await Promise.all([
    due.move ?? state?.whatIf?.asked(due.seat),
    new Promise((done) => setTimeout(done, pace())),
  ])
    .catch((error) => {
      held.alone = undefined;
      change({ notice: explained(error, held.say) });
      return [];
    });
  if (move) outbox.send({ game: path, move, seat: String(due.seat), version }).then(answered);
}

/** A second of the end of a round is over. */
function count() {
  if (!state?.sheet?.left) return;
  const left = state.sheet.left - 1;
  if (!left) return goOn();
  change({ sheet: { ...state.sheet, left } });
  held.pause = setTimeout(count, 1000);
}

/** The next round begins. */
function goOn() {
  clearTimeout(held.pause);
  if (state) state = { ...state, sheet: null };
  advance();
}

/** What was seen last: for the next visit, and as a receipt that nothing before it is changed. */
function remember() {
  const { version, head } = line.film.item(state?.shown ?? 0) ?? {};
  if (version && memory.get(`seen.${path}`)?.version !== version) memory.set(`seen.${path}`, { version, head });
}

/** Shows the newest version at once. */
function skip() {
  if (state) state = { ...state, missed: false, since: 0, shown: state.film.last };
  advance();
}

// --- what is drawn ------------------------------------------------------------------------------------------------

/** @param {number} [duration]  Of the flights; 0: none. */
function draw(duration = 0) {
  if (!state) return;
  // A lesson has one learner: a bystander's look, which comes first, would only make everything jump.
  const early = guided() !== null && state.perspective === "bystander";
  const drawn = early ? null : drawing.draw(state, duration);
  held.extras ??= later(() => import("./extras.js")).then((module) => {
    module.begin(page, path, held.say);
    drawing.around = module.around;
    drawing.kept = module.kept;
    draw();
    return held.late = module;
  });
  if (drawn && state.game.result) held.proof ??= proving(line.film.last);
  if (drawn && !state.brief && (state.curtain === null || state.perspective === "bystander")) speak(drawn);
  held.drawn = state;
  if (!drawn && !early) room();
}

/** The game has not begun. */
async function room() {
  const { waiting } = await later(() => import("./waiting.js"));
  if (!state || model(state, send) || (state.game.result && !state.film.last)) return; // its film is on its way
  render(waiting(state, line, reread), byId("main"));
}

/** The service answers, as far as is known. */
const isConnected = () => line.reachable && held.channel?.condition !== "broken";

/**
 * Verifies the finished game, against what this browser saw of it before it was over or was opened again.
 * @param {number} last
 */
async function proving(last) {
  const { prover } = await later(() => import("./proof.js")), head = line.film.item(last)?.head ?? "";
  const watched = state && state.spoken > 0 && !state.replaying ? { version: last, head } : seen;
  const sealed = Boolean(state?.game.deal) && !line.film.marks(["revealed"]).length;
  drawing.proof = prover(path, invite, watched, head, held.say, () => draw(), page, sealed);
  draw();
}

/** After a long absence the latest lines are enough. */
const MOST_SPOKEN = 20;

/** New lines of the log are read out, and what is asked of the player, once. @param {Model} drawn */
function speak({ log, rail, over }) {
  if (!state) return;
  const { spoken, shown } = state,
    asked = legalNow(state).length || state.sheet || state.since || over ? rail.spoken : "";
  if (asked && asked !== state.asked) announce(asked, "assertive");
  const news = log.filter(({ version }) => version > spoken && version <= shown);
  if (spoken && news.length) announce(news.slice(-MOST_SPOKEN).map(({ who, text }) => `${who} ${text}`).join(". "));
  state = { ...state, asked, spoken: Math.max(spoken, shown) };
}

// --- what the player does -----------------------------------------------------------------------------------------

/** @param {Message} message */
function send(message) {
  if (!state) return;
  if (message.do === "click") drawing.land();
  if (message.do === "sort") memory.set("sorted", !state.sorted);
  const told = state.lesson ? state.lesson.told(state, message) : play.told(state, message);
  if (told?.make) return make(told.state, told.make);
  if (told) return told.state === state ? undefined : become(told.state);
  switch (message.do) {
    case "return":
    case "branch":
    case "share":
      return act(message.do);
    case "skip":
      return skip();
    case "pace":
      return hasten(message.by);
    case "retry":
      held.hurry();
      return void line.poll();
    case "watch":
      state = { ...state, since: 0 };
      return advance();
    case "next round":
      return goOn();
    case "go on":
      return void (state.lesson?.goOn(state) ? act("play on") : draw());
    case "again":
      return act("rematch");
    case "decline":
      return act("decline");
    case "lift":
      state = { ...state, lifted: state.curtain };
      return seat();
    case "perspective":
      return void line.show(message.perspective);
    default:
      replayed(message);
  }
}

/** @param {State} next @param {Move} move */
function make(next, move) {
  state = next; // drawn when the move is out
  const { game: { hotseat, you, version } } = next;
  outbox.send({ game: path, move, seat: hotseat ? String(you) : null, version }).then(answered);
}

/** The move of an earlier page that was not answered. */
function resend() {
  const open = outbox.open(path);
  if (open) outbox.deliver(open).then(answered);
}

/** @param {import("../core/outbox.js").Outcome} outcome */
function answered(outcome) {
  if (outcome.is === "made" || !state) return line.poll();
  const notice = outcome.is === "failed"
    ? explained(outcome.problem, held.say)
    : held.say(outcome.is === "illegal" ? "ui.not_now" : "ui.stale");
  state = { ...state, notice };
  reread();
}

/** @param {Message} message */
async function replayed(message) {
  // Without a pause, if it can be: between an input and its frame the browser may draw another one.
  (held.late ?? await later(() => import("./extras.js"))).replayed(message, page);
}

function toggleReplay() {
  if (state) {
    replayed(state.replaying && !state.game.result ? { do: "live" } : { do: "show", version: state.film.last });
  }
}

/** What is asked for rarely, most of it in a dialog. @param {string} name @param {...unknown} given */
async function act(name, ...given) {
  (await later(() => import("./acts.js"))).act(
    name,
    { page, path, invite, say: held.say, reread, toggleReplay },
    given,
  );
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

/** What has happened is still being shown. */
const isPlaying = () =>
  state !== null && !state.replaying && !state.sheet && !state.since && state.shown > 0 &&
  state.shown < state.film.last;

const main = byId("main");
main.addEventListener("click", ({ target }) => {
  if (isPlaying() && target instanceof Element && target.closest(".table")) return skip();
  const thing = thingAt(target, "button");
  if (thing && !thing.startsWith("seat/")) send({ do: "click", thing });
});
main.addEventListener("pointerover", ({ target, pointerType, timeStamp }) => {
  if (pointerType === "touch") held.touched = timeStamp;
  else if (timeStamp - held.touched < 1000) return;
  send({ do: "hover", thing: thingAt(target), tapped: pointerType === "touch" });
});
main.addEventListener("focusin", ({ target }) => {
  // After a click the focus may go to another card, which is not pointed at.
  if (target instanceof Element && target.matches(":focus-visible")) send({ do: "hover", thing: thingAt(target) });
});

/** The bar says how the connection is, and which table waits; the rail, what becomes of a move meanwhile. */
function connected() {
  if (!state) return;
  const before = state.connected;
  state = { ...state, connected: isConnected(), next: held.turns?.next(path) ?? null };
  if (before === state.connected) heading(state, drawing.hands);
  else draw();
}

/** What keys and the scrubber act on. @type {import("./keyboard.js").Page} */
const page = {
  state: () => state,
  send,
  line,
  seat,
  advance,
  draw: (duration) => draw(still.matches ? 0 : duration),
  change: (parts) => {
    clearTimeout(held.clock);
    if (state) state = { ...state, ...parts };
  },
  moves: () => state && legalNow(state).length && act("moves"),
  rules: () => act("rules"),
  help: () => act("keys"),
  undo: () => act("undo"),
  next: () => {
    const found = held.turns?.next(path);
    if (found) location.href = `table?g=${found}`;
  },
  connect: (found) => {
    held.channel = found;
    line.connect(found);
  },
  connected: (condition) => {
    if (condition === "open") held.hurry();
    connected();
  },
  waits: (found) => {
    held.turns = found;
    connected();
  },
};

// Another moment, or an invite, of the table that is open.
addEventListener("hashchange", () => location.reload());
// At this table, in another tab, or in a page that embeds this one. It may come before anything is drawn.
followIdentity(memory, () => {
  const before = state;
  if (before) state = play.became(before, me());
  if (state !== before) {
    line.films.clear(); // the cards that the player before saw
    line.as = null;
  }
  line.refused = false;
  reread();
});
/** It is the path of a game. @param {string} path */
function known(path) {
  return /^([a-z][\da-z-]*\.)*[a-z]\w*\/[\w-]+$/.test(path);
}

if (known(path)) line.start().catch(failed);
else failed(new Problem({ type: "not-found" }, 404));
