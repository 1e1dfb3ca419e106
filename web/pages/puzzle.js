/** The puzzle of the day: a position without a game, at a table like any other. Its only move is checked by the service. */

import { Film } from "../core/film.js";
import { html, render, styled } from "../core/html.js";
import { fresh } from "../core/model.js";
import * as play from "../core/play.js";
import { labelled } from "../core/words.js";
import { TABLES } from "../tables/index.js";
import { Drawing } from "./drawing.js";
import { pressed } from "./keyboard.js";
import { announce, api, bar, begin, byId, emptied, entitle, explained, more, ruleset, tongue } from "./page.js";
import { HALF, marked, number, quoted } from "./review.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Message, Move, Schemas, Thing } from "../core/types.js"
 * @typedef {Schemas["DailyPuzzle"]} Puzzle
 * @typedef {Schemas["PuzzleAnswer"]} Answer
 */

const say = await begin();
await Promise.all([more(), styled("review")]);

/** @type {Puzzle | null} */
let puzzle = null;
/** What the page shows; null: there is no puzzle, or it is not here. @type {State | null} */
let state = null;
/** The answer to a move; null before. @type {{ made: Move, said: Answer } | null} */
let answer = null;

const drawing = new Drawing({ send, act, toggleReplay: () => {} }, heading);

async function start() {
  const { body } = await api.request("puzzles/today");
  if (!body) return empty(say("puzzle.none"));
  puzzle = /** @type {Puzzle} */ (body);
  const { ruleset: name, deck: of, seats, seat } = puzzle, path = `rulesets/${name}/decks/${of}`;
  const [rules, deck, captions] = await Promise.all([
    ruleset(name),
    api.request(path).then((found) => found.body, () => null),
    api.request(`${path}/captions`).then((found) => found.body[tongue], () => ({})),
  ]);
  const table = await TABLES[name]?.().then((module) => module.default) ??
    (await import("../core/describe.js")).describe(rules);
  const labels = { ...rules.own, captions };
  const film = new Film();
  // The whole position is one event, as at a table that has just been opened.
  film.add([/** @type {any} */ ({ version: 1, by: null, event: { type: "begun" }, patch: [whole(puzzle)], at: "" })]);
  state = {
    ...fresh(),
    ruleset: name,
    table,
    deck,
    labels,
    say: labelled(say, labels),
    game: gameOf(puzzle),
    given: Array.from({ length: seats }, (_, n) => n === seat ? say("table.you") : say("table.player", { n: n + 1 })),
    film,
    shown: 1,
    perspective: String(seat),
    replaying: false,
  };
  draw();
}

/** @param {Puzzle} puzzle */
const whole = ({ view }) => ({ op: "replace", path: "", value: view });

/** A game in which this is the choice. @param {Puzzle} puzzle @returns {State["game"]} */
const gameOf = ({ ruleset: name, rules, options, deck, seats, seat, legal_moves: moves, view }) => /** @type {any} */ ({
  id: "",
  ruleset: name,
  rules,
  options,
  deck: { name: deck },
  hotseat: true, // seats have names and no players
  status: "running",
  version: 1,
  seats: Array.from({ length: seats }, (_, number) => ({ seat: number, player: null })),
  you: seat,
  to_act: [seat],
  legal_moves: moves,
  view,
  result: null,
});

/** @param {Message} message */
function send(message) {
  if (!state) return;
  const told = play.told(state, message);
  if (!told) return;
  state = told.state;
  if (told.make) ask(told.make);
  else draw();
}

/** @param {Move} move */
async function ask(move) {
  if (!state || !puzzle || answer) return;
  state = { ...state, pending: move };
  draw();
  try {
    const { body } = await api.request(`puzzles/${puzzle.day}`, { method: "POST", body: move });
    solved(move, body);
  } catch (error) {
    state = { ...state, pending: null, notice: explained(error, say) };
  }
  draw();
}

/** @param {Move} made @param {Answer} said */
function solved(made, said) {
  if (!state || !puzzle) return;
  answer = { made, said };
  const at = { seat: puzzle.seat, made, best: /** @type {Move} */ (said.solution) };
  state = {
    ...state,
    pending: null,
    game: { ...state.game, legal_moves: [], to_act: [] },
    weighed: said.right ? null : /** @type {any} */ ({
      marks: [],
      look: (/** @type {Thing} */ thing, /** @type {State} */ { table }, /** @type {any} */ view) =>
        marked(thing, at, table, view, say),
    }),
  };
  state = { ...state, notice: sentence() };
  announce(state.notice, "assertive");
}

/** Whether it was right, and by how much: never without the range. */
function sentence() {
  if (!answer || !state) return "";
  const { said: { right, solution, gap, error } } = answer;
  return say(right ? "puzzle.right" : "puzzle.wrong", {
    best: quoted(/** @type {Move} */ (solution), state, say),
    gap: number(gap),
    low: number(gap - HALF * error),
    high: number(gap + HALF * error),
  });
}

/** @param {string} name */
async function act(name) {
  if (!state) return;
  if (name === "rules") return (await import("./rules.js")).rules(state);
  if (name !== "moves") return;
  const move = await (await import("./dialogs.js")).allMoves(state);
  if (move) send({ do: "move", move });
}

/** Once more from the beginning. */
function again() {
  if (!state || !puzzle) return;
  answer = null;
  state = { ...state, ...fresh(), game: gameOf(puzzle), weighed: null };
  draw();
}

// --- what is drawn ------------------------------------------------------------------------------------------------

function draw() {
  if (state) drawing.draw(state, 0);
}

/** @param {State} state */
function heading({ labels }) {
  entitle(`${say("puzzle.title")} · ${labels.title} · Stammtisch`);
  bar(say, {
    title: html`<h1>${say("puzzle.title")} <small>${labels.title}</small></h1>`,
    tools: html`
      ${answer
        ? html`<button type="button" class="tool" @click=${again}>${say("puzzle.again")}</button>`
        : html`<button type="button" class="tool" @click=${() => act("moves")}>${say("ui.moves")}</button>`}
      <button type="button" class="tool wide" @click=${() => act("rules")}>${say("ui.rules")}</button>
      <a class="tool wide" href=".">${say("ui.to_lobby")}</a>
    `,
  });
}

/** @param {string} text */
function empty(text) {
  bar(say, { here: "puzzle" });
  document.body.className = "";
  render(
    html`
      <section class="panel alone">
        <h1>${say("puzzle.title")}</h1>
        <p>${text}</p>
        <p><a class="btn" href=".">${say("ui.to_lobby")}</a></p>
      </section>
    `,
    emptied(byId("main")),
  );
}

/** @param {EventTarget | null} target */
const thingAt = (target) =>
  target instanceof Element ? target.closest("[data-thing]")?.getAttribute("data-thing") ?? null : null;

byId("main").addEventListener("click", ({ target }) => {
  const thing = target instanceof Element && target.closest("button") ? thingAt(target) : null;
  if (thing && !thing.startsWith("seat/")) send({ do: "click", thing });
});
for (const over of ["focusin", "pointerover"]) {
  byId("main").addEventListener(over, ({ target }) => send({ do: "hover", thing: thingAt(target) }));
}

/** What keys act on. @type {import("./keyboard.js").Page} */
const page = {
  state: () => state,
  send,
  line: /** @type {any} */ (null),
  seat: () => {},
  advance: () => {},
  draw,
  change: (parts) => {
    if (state) state = { ...state, ...parts };
  },
  moves: () => answer ? null : act("moves"),
  help: async () => (await import("./dialogs.js")).keys(say),
  next: () => {},
  connect: () => {},
  connected: () => {},
  waits: () => {},
  rules: () => act("rules"),
  undo: () => {},
};
document.addEventListener("keydown", (event) => pressed(event, page));

start().catch((error) => empty(explained(error, say)));
