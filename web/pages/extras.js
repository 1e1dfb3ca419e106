/** What a table has beyond clicks. Loaded when the table can be played already. */

import { channelOf, followTurns } from "../core/channel.js";
import { PACE } from "../core/film.js";
import { html, nothing } from "../core/html.js";
import { later, optional } from "../core/later.js";
import { missedMoves } from "../core/play.js";
import { draggable, leftLog, pressed } from "./keyboard.js";
export { kept } from "./keyboard.js";
import { api, byId, memory } from "./page.js";

/**
 * @import { Channel } from "../core/channel.js"
 * @import { State } from "../core/model.js"
 * @import { Message, Model, Say } from "../core/types.js"
 * @import { Hands } from "./drawing.js"
 * @import { Page } from "./keyboard.js"
 */

/** Milliseconds after which a hidden tab of a bystander closes its connection. */
const REST = 60_000;

/** @param {Page} page @param {string} path  RULESET/ID of this table. @param {Say} say */
export function begin(page, path, say) {
  const channel = channelOf(api, memory, page.connected);
  page.connect(channel);
  document.addEventListener("keydown", (event) => pressed(event, page));
  document.addEventListener("focusout", leftLog);
  draggable(page);
  captioned(page);
  const awake = () => wake(page, channel);
  document.addEventListener("visibilitychange", awake);
  addEventListener("online", awake);
  setTimeout(async () => {
    const again = await optional(() => import("./again.js")), { game } = page.line;
    if (!again) return; // offline, or the page is being left
    if (game?.you !== null && game?.status === "running" && !game["hotseat"]) again.played();
    again.lookOut(say, path);
    // The first end of a round waits for nothing; its style costs most while nothing moves.
    if (page.state()?.table.score.rounds && game?.status === "running") optional(() => import("../table/sheet.js"));
  }, LATER);
  if (page.line.game?.["clock"]) later(() => import("./clocks.js")).then(({ ticking }) => ticking(page, say));
  followTurns(api, memory, channel, (turns, entered) => {
    page.waits(turns);
    if (entered) optional(() => import("./bell.js")).then((bell) => bell?.ring(entered, say, entered === path));
  });
  setInterval(async () => {
    const away = document.querySelectorAll("time[data-since]");
    if (!away.length) return;
    const { shown } = await later(() => import("../core/clock.js"));
    for (const each of away) {
      const since = Date.parse(each.getAttribute("data-since") ?? "");
      const past = Math.max(0, Date.now() + api.skew - since);
      each.textContent = past < 60_000 ? `${Math.floor(past / 1000)} s` : shown(past);
    }
  }, 1000);
  document.body.toggleAttribute("data-letters", memory.get("letters") !== false);
  document.body.dataset["ready"] = "";
}

/** Milliseconds until it is asked whether somebody wants to play once more elsewhere. */
const LATER = 3_000;

/** Players of the house say something at moments of the game. @param {State} state @param {number} version @param {(seat: number, phrase: string) => void} say */
export async function remarked(state, version, say) {
  if (state.lesson || state.replaying || memory.get("speaks") === false) return;
  const found = (await optional(() => import("./characters.js")))?.said(state, version);
  if (found) say(found.seat, found.phrase);
}

/** @type {number | undefined} */
let resting = undefined;

/** The tab is seen again or not any more, or the network is back. @param {Page} page @param {Channel} channel */
function wake(page, channel) {
  const { line } = page, state = page.state();
  clearTimeout(resting);
  if (document.hidden) {
    // Somebody who only watches needs no connection for a tab that is not seen.
    if (line.game?.you === null) resting = setTimeout(() => channel.close(), REST);
    return;
  }
  channel.wake();
  line.poll();
  if (state && !state.replaying && state.shown < state.film.last) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    page.change({ missed: true, since: still ? 0 : missedMoves(state.film, state.shown) });
    page.advance();
  }
}

// --- steps into the past of a game, and back ---------------------------------------------------------------------------

/** @param {Message} message @param {Page} page */
export function replayed(message, page) {
  const state = page.state();
  if (!state) return;
  const { film, shown, playing } = state;
  const least = Math.max(film.first, 1);
  clearTimeout(moving);
  page.change({ brief: false });
  switch (message.do) {
    case "show":
      return go(message.version, page, 0, message.brief);
    case "first":
      return go(least, page);
    case "back":
      return go(film.back(shown), page);
    case "next":
      return shown >= film.last ? live(page) : go(film.next(shown), page, PACE);
    case "last":
      return go(film.last, page);
    case "play":
      page.change({ playing: !playing, replaying: true, shown: shown >= film.last ? least : shown });
      return page.advance();
    case "speed":
      page.change({ speed: message.speed });
      return page.advance();
    case "live":
      return live(page);
  }
}

/** Milliseconds after which the slider stands still. */
const STILL = 100;
/** @type {number | undefined} */
let moving = undefined;

/** @param {number} version @param {Page} page @param {number} [duration] @param {boolean} [brief] */
function go(version, page, duration = 0, brief = false) {
  const film = page.state()?.film;
  if (!film) return;
  const shown = Math.max(film.first, 1, Math.min(version, film.last));
  page.change({ replaying: true, playing: false, missed: false, sheet: null, brief, shown });
  page.draw(duration);
  if (brief) moving = setTimeout(() => go(page.state()?.shown ?? shown, page), STILL);
}

/** Back from the past to the game that runs. @param {Page} page */
function live(page) {
  const state = page.state(), { line } = page;
  if (!state) return;
  page.change({ replaying: false, playing: false, shown: state.film.last });
  if (!state.game.hotseat && !state.game.result && line.as !== null) line.show(null);
  page.seat();
  page.draw(0);
}

// --- what is asked and told above the table ----------------------------------------------------------------------------

/** @param {Model} model @param {State} state @param {Hands} hands */
export const around = (model, state, hands) => [
  state.weighed?.note?.() ?? state.whatIf?.note(state),
  result(model, state),
  question(state, hands),
];

/** The question that is open. @param {State} state @param {Hands} hands */
function question({ game, replaying, say }, { act }) {
  const { vote } = game;
  if (!vote || game.status !== "running" || replaying) return nothing;
  const name = game.seats[vote.seat]?.player?.name ?? "", mine = game.you !== null && vote.yes.includes(game.you);
  const yes = () => act("vote", vote.on, true, vote.seat), no = () => act("vote", vote.on, false, vote.seat);
  return html`<p class="result-line question" role="status">${say(`ui.vote_${vote.on}`, { name })} ${
    game.you === null || mine ? nothing : html`
      <button type="button" class="btn small" @click=${yes}>${say("ui.vote_yes")}</button>
    `
  }${
    game.you === null
      ? nothing
      : html`<button type="button" class="btn small" @click=${no}>${
        say(mine ? "ui.vote_withdraw" : "ui.vote_no")
      }</button>`
  }</p>`;
}

/** Who has won, at the end of a replay. @param {Model} model @param {State} state */
function result(model, { game, shown, film }) {
  if (!game.result || shown !== film.last || model.moment) return nothing;
  return html`<p class="result-line" role="status">${model.rail.question}</p>`;
}

// --- captions: what a card does, on paper above the table; large, while a finger stays on it ----------------------------

/** Milliseconds of rest until a caption appears, and of a finger until the card is large. */
const RESTED = 300, PRESS = 400;
/** Pixels from which on a finger scrolls or drags. */
const FAR = 10;

/** Where a pointer was pressed last. */
const at = { x: -1, y: -1 };

/** @param {DOMRect} box */
const isUnder = ({ left, right, top, bottom }) => at.x > left && at.x < right && at.y > top && at.y < bottom;

/** What confirms a move does not lie where the pointer was pressed: a second click is not a yes. */
function aside() {
  /** @type {HTMLElement | null} */
  const yes = document.querySelector(".rail .yes"), row = yes?.parentElement, rail = row?.closest(".rail");
  if (!yes || !row || !rail || !isUnder(yes.getBoundingClientRect())) return;
  const { left, width } = rail.getBoundingClientRect(), isRight = at.x > left + width / 2;
  const isColumn = getComputedStyle(row).flexDirection.startsWith("column");
  if (isRight || isColumn) yes.style.setProperty("order", "-1");
  const box = yes.getBoundingClientRect(), apart = isRight ? box.right - at.x : at.x - box.left;
  if (isUnder(box)) yes.style.setProperty(isRight ? "margin-right" : "margin-left", `${apart + 12}px`);
}

/** @param {Page} page */
function captioned(page) {
  addEventListener("pointerdown", ({ clientX: x, clientY: y }) => Object.assign(at, { x, y }), { capture: true });
  new MutationObserver(aside).observe(byId("main"), { childList: true, subtree: true });
  const main = byId("main"), paper = document.createElement("aside");
  paper.className = "tip";
  paper.hidden = true;
  document.body.append(paper);
  /** @type {number | undefined} */
  let timer = undefined;
  /** @type {{ x: number, y: number, open: boolean } | null} */
  let finger = null;
  const hide = () => {
    clearTimeout(timer);
    timer = undefined;
    paper.hidden = true;
  };
  /** @param {EventTarget | null} target @param {number} rest @param {boolean} large */
  const soon = (target, rest, large) => {
    hide();
    const card = target instanceof Element ? target.closest(".board [data-thing]") : null;
    if (!card || (!large && memory.get("captions") === false)) return;
    const mine = timer = setTimeout(async () => {
      const captions = await optional(() => import("./captions.js"));
      if (mine !== timer || !captions) return;
      if (finger) finger.open = true;
      captions.show(card, large, paper, page);
    }, rest);
  };
  main.addEventListener(
    "pointerover",
    ({ target, pointerType }) => pointerType === "mouse" && soon(target, RESTED, false),
  );
  main.addEventListener(
    "focusin",
    ({ target }) =>
      target instanceof Element && target.matches(":focus-visible") ? soon(target, RESTED, false) : hide(),
  );
  main.addEventListener("pointerdown", ({ target, pointerType, clientX: x, clientY: y }) => {
    finger = pointerType === "touch" ? { x, y, open: false } : null;
    return finger ? soon(target, PRESS, true) : hide();
  });
  addEventListener("pointermove", ({ clientX, clientY }) => {
    if (finger && !finger.open && Math.hypot(clientX - finger.x, clientY - finger.y) > FAR) hide();
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => finger && hide());
  // Lifting the finger closes the card, and is no click.
  main.addEventListener("click", (event) => {
    if (finger?.open) event.stopImmediatePropagation();
    finger = null;
  }, { capture: true });
  main.addEventListener("contextmenu", (event) => finger && event.preventDefault());
  for (const over of ["keydown", "wheel", "blur"]) addEventListener(over, hide);
}
