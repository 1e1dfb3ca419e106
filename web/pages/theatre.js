/** Plays a film: a table whose game is in a file. It asks no service for anything. */

import { step } from "../core/film.js";
import { fly, pair, positions } from "../core/flights.js";
import { html, nothing } from "../core/html.js";
import { later } from "../core/later.js";
import * as models from "../core/model.js";
import * as reel from "../core/reel.js";
import { labelled } from "../core/words.js";
import { place } from "../table/fit.js";
import { table as drawTable } from "../table/table.js";
import { tableOf } from "../tables/index.js";
import { replayed } from "./extras.js";
import { pressed } from "./keyboard.js";
import { announce, bar, byId, emptied, entitle, tongue } from "./page.js";

/**
 * @import { Area, Message, Say } from "../core/types.js"
 * @import { FilmDocument } from "../core/reel.js"
 */

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Theatre {
  /** @param {FilmDocument} film @param {Say} say @param {() => unknown} tools  What else is in the bar. */
  constructor(film, say, tools) {
    this.film = film;
    this.say = say;
    this.tools = tools;
    /** @type {models.State | null} */
    this.state = null;
    /** @type {Area[]} */
    this.drawn = [];
    /** @type {Animation[]} */
    this.flights = [];
    /** @type {number | undefined} */
    this.clock = undefined;
    /** What keys and the scrubber act on. @type {import("./keyboard.js").Page} */
    this.page = {
      state: () => this.state,
      send: (message) => this.send(message),
      line: /** @type {any} */ (null),
      seat: () => {},
      advance: () => this.advance(),
      draw: (duration) => this.draw(still.matches ? 0 : duration),
      change: (parts) => this.change(parts),
      moves: () => null,
      help: async () => (await later(() => import("./dialogs.js"))).keys(this.say),
      next: () => {},
      connect: () => {},
      connected: () => {},
      waits: () => {},
      rules: () => {},
      undo: () => {},
    };
  }

  /** Shows the first view. @param {number | null} at  Another version to begin with. */
  async begin(at) {
    const { record, ruleset, captions } = this.film, { say } = this;
    const own = { ...(ruleset.labels[tongue] ?? ruleset.labels.en), captions: captions[tongue] ?? {} };
    const table = await tableOf(record.ruleset) ??
      (await later(() => import("../core/describe.js"))).describe(ruleset);
    const film = reel.views(this.film, "all"), first = Math.max(film.first, 1);
    this.state = {
      ...models.fresh(),
      ruleset: record.ruleset,
      table,
      deck: record.deck,
      labels: own,
      say: labelled(say, own),
      game: reel.gameOf(record),
      film,
      shown: at ? Math.min(Math.max(at, first), film.last) : first,
      perspective: "all",
      replaying: true,
    };
    document.body.className = "at-table";
    this.draw(0);
  }

  end() {
    clearTimeout(this.clock);
    this.state = null;
    document.body.className = "";
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    pressed(event, this.page);
  }

  /** @param {Partial<models.State>} parts */
  change(parts) {
    clearTimeout(this.clock);
    if (this.state) this.state = { ...this.state, ...parts };
  }

  /** @param {Message} message */
  send(message) {
    const { state } = this;
    if (!state) return;
    const last = state.shown >= state.film.last;
    switch (message.do) {
      case "hover":
      case "click":
      case "live":
        return;
      case "perspective":
        this.change({ perspective: message.perspective, film: reel.views(this.film, message.perspective) });
        return this.draw(0);
      case "branch":
        return location.assign(`table?g=${state.ruleset}/${state.game.id}#v=${state.shown}`);
      case "next":
        return last ? undefined : replayed(message, this.page);
      default:
        return replayed(message, this.page);
    }
  }

  /** Goes on playing. */
  advance() {
    clearTimeout(this.clock);
    const { state } = this;
    if (!state?.playing) return this.draw(0);
    const next = step(state.film, state.shown, { calm: still.matches, speed: state.speed, patient: true });
    if (!next) {
      this.change({ playing: false });
      return this.draw(0);
    }
    this.state = { ...state, shown: next.version };
    this.draw(next.flies ? Math.min(next.delay, 420) : 0);
    this.clock = setTimeout(() => this.advance(), next.delay);
  }

  /** @param {number} duration  Of the flights; 0: none. */
  draw(duration) {
    const { state } = this, root = emptied(byId("main"));
    const model = state && models.model(state, (message) => this.send(message));
    if (!state || !model) return;
    if (model.replay) model.replay.live = true; // there is no game that goes on
    this.heading(state);
    const before = duration ? positions(root) : null, old = this.drawn;
    this.drawn = model.areas;
    const over = state.game.result && state.shown === state.film.last;
    const result = over ? html`<p class="result-line" role="status">${model.rail.question}</p>` : nothing;
    place(html`${drawTable(model)}${result}`, root);
    if (before && old.length) {
      for (const flight of this.flights) flight.finish();
      this.flights = fly(root, before, pair(old, this.drawn).flights, Math.max(duration, 180));
    }
    const line = model.log.findLast(({ version }) => version <= state.shown);
    if (line) announce(`${line.who} ${line.text}`);
  }

  /** @param {models.State} state */
  heading({ labels, film, shown, say }) {
    const round = film.view(shown)?.round;
    entitle(`${labels.title} · Stammtisch`);
    bar(this.say, {
      title: html`<h1>${labels.title} ${round ? html`<small>${say("ui.round", { n: round })}</small>` : nothing}</h1>`,
      tools: this.tools(),
    });
  }
}
