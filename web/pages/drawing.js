/** A table on its page: one function makes bar, table and title follow the state. */

import { clicksOf } from "../core/compose.js";
import { html, nothing, render } from "../core/html.js";
import { later, once, placed } from "../core/later.js";
import * as models from "../core/model.js";
import * as talk from "../core/talk.js";
import { nameOf, sign } from "../table/card.js";
import { place } from "../table/fit.js";
import { unfold } from "../table/log.js";
import { table as drawTable, veil } from "../table/table.js";
import { bar, byId, emptied, entitle } from "./page.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Area, Message, Model, Move, Thing } from "../core/types.js"
 *
 * @typedef {object} Hands  What buttons do.
 * @property {(message: Message) => void} send
 * @property {(name: string, ...given: unknown[]) => void} act
 * @property {() => void} toggleReplay
 */

/** The table of a page, with what flies over it. */
const finishing = once(() => import("./finale.js"));

export class Drawing {
  /** @param {Hands} hands @param {typeof heading} head  Draws bar and title. */
  constructor(hands, head = heading) {
    this.hands = hands;
    this.head = head;
    /** What makes cards fly: loaded when something moves for the first time. @type {typeof import("../core/flights.js") | null} */
    this.flying = null;
    /** @type {Promise<void> | null} */
    this.air = null;
    /** The areas that are drawn. @type {Area[]} */
    this.areas = [];
    /** @type {Animation[]} */
    this.flights = [];
    /** What is asked and told above the table. @type {typeof import("./extras.js").around | null} */
    this.around = null;
    /** Keeps the focus over a draw. @type {typeof import("./keyboard.js").kept | null} */
    this.kept = null;
    /** @type {typeof import("./finale.js") | null} */
    this.finale = null;
    /** The panel of the proof of a finished game. @type {((folded?: boolean) => unknown) | null} */
    this.proof = null;
  }

  /** Everything that flies has arrived. */
  land() {
    for (const flight of this.flights) flight.finish();
  }

  /** The end of the game, once it is loaded. @param {Model} model @param {State} state */
  end(model, state) {
    if (this.finale) return this.finale.finale(model, state, this.after(state, true));
    finishing().then((module) => {
      this.finale = module;
      this.hands.act("ended");
    });
  }

  /** What a finished game is followed by; its place is there before it is loaded. @param {State} state @param {boolean} [folded] */
  after({ game }, folded = false) {
    return game.result ? html`<div class="after">${this.proof?.(folded) ?? nothing}</div>` : nothing;
  }

  /**
   * Makes the page follow the state.
   * @param {State} state @param {number} duration  Of the flights; 0: none.
   * @returns {Model | null}  What is drawn; null: the game has not begun.
   */
  draw(state, duration) {
    const root = emptied(byId("main")), { send } = this.hands, model = models.model(state, send);
    const heads = () => state.brief || this.head(state, this.hands);
    if (!model || (state.curtain !== null && state.perspective !== "bystander")) {
      heads();
      if (model) render(veil(model), root);
      return model;
    }
    if (duration) this.air ??= later(() => import("../core/flights.js")).then((module) => void (this.flying = module));
    const { flying } = this, before = duration && flying ? flying.positions(root) : null, old = this.areas;
    this.areas = model.areas;
    model.look = named(model, state);
    state.lesson?.guided(model, state);
    const draw = () => { // everything is measured before, so nothing is laid out for it
      heads();
      if (ending(state)) this.end(model, state);
      place(html`${drawTable(model, this.after(state))}${this.around?.(model, state, this.hands)}`, root);
    };
    if (this.kept) this.kept(root, draw);
    else draw();
    state.lesson?.light();
    if (flying && before && old.length) {
      this.land();
      this.flights = flying.fly(root, before, flying.pair(old, this.areas).flights, Math.max(duration, 180));
    }
    return model;
  }
}

/** The end of the game is shown: not while it is replayed. @param {State} state */
const ending = ({ game, film, shown, replaying, curtain, lesson }) =>
  (Boolean(game.result) || game.status === "aborted") && !replaying && !lesson && shown === film.last &&
  curtain === null;

/** What a click on a thing does is part of its name. @param {Model} model @param {State} state @returns {Model["look"]} */
function named(model, state) {
  const { look } = model, leads = leadingTo(model, state);
  return (thing) => {
    const looked = look(thing), moves = leads.get(thing);
    if (!looked.legal || !moves) return looked;
    const area = model.areas.find(({ places }) => places.some((place) => place.thing === thing));
    const place = area?.places.findLast((each) => each.thing === thing);
    const does = talk.leadsTo(moves, models.tongueOf(state));
    return { ...looked, label: area && place ? `${nameOf(place, area, model)}. ${does}` : undefined };
  };
}

/** The moves that each thing belongs to. @param {Model} model @param {State} state @returns {Map<Thing, Move[]>} */
function leadingTo({ table, you, view }, state) {
  /** @type {Map<Thing, Move[]>} */
  const found = new Map();
  for (const move of models.composed(state).left) {
    for (const thing of new Set(clicksOf(table, move, you ?? 0, view))) {
      found.set(thing, [...found.get(thing) ?? [], move]);
    }
  }
  return found;
}

/** Bar and title. @param {State} state @param {Hands} hands */
export function heading(state, { act, toggleReplay }) {
  const { game, labels, say, film, shown, next } = state, round = film.view(shown)?.round;
  const mine = state.curtain === null && !state.replaying && !state.pending && game.legal_moves.length > 0;
  const turn = mine ? `● ${say("ui.your_turn")} · ` : "";
  entitle(`${turn}${labels.title} · Stammtisch`, mine || next !== null);
  bar(say, {
    title: html`<h1>${labels.title} ${
      game.result
        ? html`<small>${say("ui.finished")}</small>`
        : round
        ? html`<small>${state.lesson ? say("lesson.first_game") : say("ui.round", { n: round })}</small>`
        : nothing
    }</h1>`,
    tools: state.lesson?.tools(state, act) ?? html`
      ${state.company?.watchers
        ? html`<span class="soft wide">${say("ui.watching", { count: state.company?.watchers })}</span>`
        : nothing}${state.connected ? nothing : html`<span class="offline" role="status">${say("ui.offline")}</span>`}
            ${game.status === "running"
              ? html`<button type="button" class="tool wide" @click=${toggleReplay}>${
                say(state.replaying ? "ui.to_game" : "ui.replay")
              }</button>`
              : nothing}
            ${theirs(state, act, true)}${undoing(state, act)}${theirs(state, act, false)}
            <button type="button" class="tool wide" @click=${() => act("moves")} ?hidden=${!models.legalNow(state)
              .length}>${say("ui.moves")} <kbd>M</kbd></button>
            ${next
              ? html`<a class="tool call" href=${`table?g=${next}`} aria-label=${say("ui.next_table")}><span
                class="wide">${say("ui.next_table")}</span><span class="slim">${sign("chevron")}</span></a>`
              : nothing}
            <button type="button" class="tool wide" @click=${() => act("rules")}>${say(
              "ui.rules",
            )} <kbd>R</kbd></button>
            ${film.view(shown)
              ? html`
                <button type="button" class="tool narrow" aria-controls="side" aria-label=${say("table.log")}
                  @click=${unfold}>${sign("list")}</button>
              `
              : nothing}
            <button type="button" class="tool" aria-label=${say("ui.about")} @click=${() => act("about")}>${sign(
              "dots",
            )}</button>
    `,
  });
}

/**
 * A tool that cannot always be used: then it looks so, and says why when it is pressed, which a finger can do, too.
 * @param {string} name  Of its sign and its class. @param {string} text @param {boolean} off @param {Hands["act"]} act
 * @param {string} [module]  Of an extension. @param {boolean} [slim]  It is a sign without text.
 */
const tool = (name, text, off, act, module, slim) =>
  html`
    <button type="button" class="tool ${name} ${module ? "extra" : ""}" aria-label=${text} title=${slim
      ? text
      : nothing}
      aria-disabled=${off ? "true" : nothing}
      @click=${() => off ? act("why", `ui.${name}_hint`) : module ? act("tool", module) : act(name)}>${sign(name)}${slim
        ? nothing
        : html`<span class="wide">${text}</span>`}</button>
  `;

/** The tools of extensions. @param {any} state @param {Hands["act"]} act @param {boolean} ofGame  For the game, else for people. */
const theirs = ({ game, replaying, pending, thinking, say, me }, act, ofGame) =>
  placed("tools").filter(({ term }) =>
    Boolean(term) === ofGame && game.you !== null &&
    (term
      ? game[term] && game.status === "running" && !replaying
      : !game.hotseat && game.seats.some((/** @type {any} */ { player, gone }) => player && !gone && player.id !== me))
  ).map(({ name, text, term, busy, module }) =>
    thinking && busy
      ? html`<span class="tool extra ${name} thinks" role="status">${sign(name)}<span>${say(busy)}</span></span>`
      : tool(name, say(text), Boolean(term && (pending || !game.legal_moves.length)), act, module, !term)
  );

/**
 * Why this move cannot be taken back is never said: a reason could betray a card. What is said is always the same.
 * @param {State} state @param {Hands["act"]} act
 */
function undoing(state, act) {
  const { game, replaying, pending, say } = state;
  if (!game.undo_mode || game.you === null || game.status !== "running" || replaying) return nothing;
  const asks = game.undo_mode === "agreed" && game.undo === null;
  const off = (game.undo === null && !asks) || pending !== null || (asks && Boolean(game.vote));
  return tool("undo", say(asks ? "ui.undo_ask" : "ui.undo"), off, act);
}
