/**
 * The review of a finished game: what each choice was worth, as far as its player could know. The service makes it on
 * request. No figure is shown without its range, and nothing is called a mistake before the review is final.
 */

import { Problem } from "../core/api.js";
import { html, nothing, styled, svg } from "../core/html.js";
import { remember } from "../core/exercises.js";
import { placed } from "../core/later.js";
import * as models from "../core/model.js";
import { someone } from "./forms.js";
import { announce, api, explained, memory, more } from "./page.js";
import { HALF, marked, number, quoted } from "./weighed.js";

/**
 * @import { Page } from "./keyboard.js"
 * @import { Move, Say, Thing, View } from "../core/types.js"
 * @import { State } from "../core/model.js"
 *
 * @typedef {object} Account
 * @property {number} result @property {number} luck @property {number} errors @property {number} finds
 * @property {number} others @property {number} error
 *
 * @typedef {object} Choice
 * @property {number} version @property {number} round @property {number} seat @property {Move} made
 * @property {boolean} as_house @property {boolean} hinted @property {Move} [best] @property {number} loss
 * @property {number} error @property {keyof typeof HEIGHTS} [category]
 *
 * @typedef {{ version: number, expected: number, luck: number }} Point
 *
 * @typedef {object} Document
 * @property {"pending" | "first" | "final"} state
 * @property {Account[]} accounts
 * @property {{ accounts: Account[], curves: Point[][] }[]} rounds
 * @property {Choice[]} choices
 * @property {{ phase: string, done: number, all: number }} [progress]
 * @property {number} [place]
 */

await Promise.all([more(), styled("review")]);

const HEIGHTS = { inaccuracy: 1, mistake: 2, blunder: 3 };
const PARTS = /** @type {const} */ (["luck", "errors", "finds", "others"]);
/** Standard errors between a loss and what it is at least, with nine chances in ten. */
const SURE = 1.28;
/** Seconds after which it is asked again, if the service does not say it. */
const AGAIN = 2;
/** So often a review that fails is asked for again without a click. */
const TRIES = 2;

/** @param {number} figure */
const signed = (figure) => `${Math.round(figure * 10) > 0 ? "+" : ""}${number(figure).replace("-", "−")}`;

/** @param {Choice} choice */
const least = ({ loss, error }) => loss - SURE * error;

class Reviewer {
  /** @param {Page} page @param {string} path  RULESET/ID @param {string | null} invite @param {Say} say */
  constructor(page, path, invite, say) {
    this.page = page;
    this.path = path;
    this.invite = invite;
    this.say = say;
    /** What is known so far; null: it was not asked for. @type {Document | null} */
    this.found = null;
    this.wrong = "";
    this.waits = false;
  }

  // --- what is asked of the service

  /** Asks until the review is final. */
  async ask() {
    this.wrong = "";
    this.waits = true;
    this.draw();
    let tries = TRIES;
    while (this.waits) {
      const seconds = await this.once().catch((error) => this.failed(error, --tries));
      if (this.found?.state === "final") this.waits = false;
      this.draw();
      if (this.waits) await new Promise((done) => setTimeout(done, seconds * 1000));
    }
  }

  /** @returns {Promise<number>} Seconds until it is to be asked again. */
  async once() {
    const { body, headers } = await api.request(`games/${this.path}/review`, { headers: { Invite: this.invite } });
    if (body.state !== "pending" || this.found?.state !== "first") this.found = body;
    if (body.state === "final") {
      announce(this.say("review.ready"));
      this.practise();
    }
    return Number(headers?.get("Retry-After")) || AGAIN;
  }

  /** @param {unknown} error @param {number} tries  That are left. @returns {number} */
  failed(error, tries) {
    const seconds = error instanceof Problem ? error.retryAfter ?? 0 : 0;
    const busy = error instanceof Problem && [429, 503, 0].includes(error.status);
    if (busy && tries > 0 && seconds < 60) return seconds || AGAIN;
    this.waits = false;
    this.wrong = seconds ? this.say("review.later", { count: Math.ceil(seconds / 60) }) : explained(error, this.say);
    announce(this.wrong, "assertive");
    return 0;
  }

  /**
   * The things of the move that was made and of the better one, at the position before the choice.
   * @param {Thing} thing @param {State} state @param {View} view
   */
  look = (thing, { weighed, shown, table }, view) => {
    const at = weighed?.at;
    return at && at.version === shown + 1 ? marked(thing, at, table, view, this.say) : {};
  };

  /** Own mistakes come back as exercises. */
  practise() {
    const you = this.page.state()?.game.you ?? null, { path } = this;
    const own = this.claims().filter(({ seat, category }) => seat === you && category !== "inaccuracy");
    remember(
      memory,
      own.map(({ version, seat, best, loss, error }) => ({
        path,
        version,
        seat,
        best: /** @type {Move} */ (best),
        loss,
        error,
      })),
    );
  }

  // --- what is shown

  draw() {
    const state = this.page.state();
    if (!state) return;
    if (this.found?.state === "final") this.page.change({ weighed: { ...state.weighed, marks: this.marks(state) } });
    this.page.draw(0);
  }

  /** The choices that are named, of everybody; the most certain loss first. */
  claims() {
    if (this.found?.state !== "final") return [];
    return this.found.choices.filter(({ category, best }) => category && best).toSorted((a, b) => least(b) - least(a));
  }

  /** @param {State} state */
  marks(state) {
    const at = state.weighed?.at;
    return this.claims().map((choice) => ({
      version: choice.version - 1,
      height: HEIGHTS[choice.category ?? "inaccuracy"],
      href: `#v=${choice.version - 1}&as=${choice.seat}`,
      label: `${this.names(state)[choice.seat]}: ${this.sentence(choice, state)}`,
      now: at?.version === choice.version,
      go: () => this.go(choice),
    }));
  }

  /** Shows the position before a choice, with the eyes of its seat. @param {Choice} choice */
  go(choice) {
    const state = this.page.state(), { version, seat, made, best } = choice;
    if (!state || !best) return;
    const at = { version, seat, made, best };
    this.page.change({ weighed: { marks: [], ...state.weighed, at, look: this.look, note: () => this.note() } });
    history.replaceState(null, "", `${location.pathname}${location.search}#v=${version - 1}&as=${seat}`);
    this.page.send({ do: "show", version: version - 1 });
    if (state.perspective !== String(seat)) this.page.send({ do: "perspective", perspective: String(seat) });
    this.draw();
    announce(this.sentence(choice, state));
  }

  /** Shows what is known already, and the choice at this version: the way back from a branch. @param {number} version */
  async resume(version) {
    await this.ask();
    const choice = this.claims().find((each) => each.version === version);
    if (choice) this.go(choice);
  }

  /** A branch that goes on with the best move: the user plays the seat, the house the others. @param {Choice} choice */
  async branch({ version, seat, best }) {
    const { path, say } = this;
    try {
      if (!(await someone(say))) return;
      const { body } = await api.request(`games/${path}/branches`, {
        method: "POST",
        body: { at: version - 1 },
        headers: { Invite: this.invite },
      });
      const branch = `${body.ruleset}/${body.id}`;
      await api.request(`games/${branch}/moves`, { method: "POST", body: best, query: { as: seat } });
      location.href = `table?g=${branch}&if=${seat}`;
    } catch (error) {
      this.wrong = explained(error, say);
      announce(this.wrong, "assertive");
      this.draw();
    }
  }

  /** @param {State} state */
  names(state) {
    return models.namesOf(state);
  }

  /** @param {Choice} choice @param {State} state */
  sentence(choice, state) {
    const { made, best, loss, error, as_house, hinted, seat, version } = choice, when = { seat, at: version - 1 };
    const both = [made, best ?? made];
    const fields = {
      made: quoted(made, both, state, this.say, when),
      best: quoted(best ?? made, both, state, this.say, when),
      loss: number(loss),
      low: number(loss - HALF * error),
      high: number(loss + HALF * error),
    };
    const more = [as_house && this.say("review.as_house"), hinted && this.say("review.hinted")].filter(Boolean);
    return [this.say("review.cost", fields), ...more].join(" ");
  }

  /** The seat whose choices are shown first. @param {State} state */
  own(state) {
    return state.game.you ?? state.game.seats.find((/** @type {any} */ { player }) => player)?.seat ?? 0;
  }

  /** The panel beside the proof. */
  panel() {
    const state = this.page.state(), { found, say, waits, wrong } = this;
    if (!state) return nothing;
    const { you, result } = state.game, lost = you !== null && !result?.winners.includes(you);
    const title = say(lost ? "review.title" : "review.decided");
    return html`<section class="panel beside review ${found || waits ? "open" : ""}" aria-label=${title}>
      <h2>${title}</h2>
      ${
      found || waits ? nothing : html`
        <p class="soft">${say("review.about")}</p>
        <button type="button" class="btn small" @click=${() => this.ask()}>${say("review.ask")}</button>
      `
    }${found || waits ? [this.progress(), this.split(state), this.curve(state), this.moments(state)] : nothing}
      <p class="wrong" role="alert">${wrong}</p></section>`;
  }

  /** How far it is: always of one height. */
  progress() {
    const { found, say, waits } = this;
    if (found?.state === "final") return html`<p class="soft step">${say("review.measure")}</p>`;
    const { phase = "waiting", done = 0, all = 0 } = found?.progress ?? {};
    const text = found?.state === "first"
      ? say("review.provisional")
      : found?.place
      ? say("review.place", { count: found.place })
      : say(phase === "waiting" ? "review.waits" : "review.weighs");
    return html`<div class="step"><p class="soft" role="status">${text}</p>${
      waits
        ? html`<progress max=${all || 1} value=${found?.state === "first" ? nothing : done} aria-label=${
          say("review.progress")
        }></progress>`
        : html`<button type="button" class="btn small" @click=${() => this.ask()}>${say("review.again")}</button>`
    }</div>`;
  }

  /** Where the results come from: a bar for each seat, and a table of the same. @param {State} state */
  split(state) {
    const { say } = this, names = this.names(state), accounts = this.found?.accounts ?? [];
    const most = Math.max(1, ...accounts.map(reach));
    const order = names.map((_, seat) => seat).toSorted((a, b) =>
      Number(b === this.own(state)) - Number(a === this.own(state))
    );
    return html`
      <figure class="split ${this.found?.state ?? ""}">
        <figcaption>${say("review.split")}</figcaption>
        <div aria-hidden="true">${order.map((seat) => this.bar(names[seat] ?? "", accounts[seat], most))}
              <ul class="key">${PARTS.map((part) => html`<li class=${part}>${say(`review.${part}`)}</li>`)}</ul></div>
        <details>
          <summary>${say("review.figures")}</summary>
          <div class="wide-table">
            <table>
              <thead>
                <tr><th scope="col">${say("review.player")}</th>${["result", ...PARTS].map((part) =>
                  html`<th scope="col">${say(`review.${part}`)}</th>`
                )}</tr>
              </thead>
              <tbody>${order.map((seat) => {
                const row = accounts[seat];
                return html`<tr><th scope="row">${names[seat]}</th><td>${row ? signed(row.result) : "…"}</td>${
                  PARTS.map((part) =>
                    html`<td>${row ? signed(row[part]) : "…"}${
                      row && part === "luck"
                        ? html`
                          <small>± ${number(HALF * row.error)}</small>
                        `
                        : nothing
                    }</td>`
                  )
                }</tr>`;
              })}</tbody>
            </table>
          </div>
          <p class="soft">${say("review.error")}</p>
        </details>
      </figure>
    `;
  }

  /** @param {string} name @param {Account | undefined} row @param {number} most */
  bar(name, row, most) {
    const width = (/** @type {number} */ points) => `--w:${Math.abs(points) / most * 50}%`;
    const side = (/** @type {boolean} */ minus) =>
      html`<span class=${minus ? "minus" : "plus"}>${
        row
          ? PARTS.filter((part) => row[part] && row[part] < 0 === minus).map((part) =>
            html`<i class=${part} .style=${width(row[part])}></i>`
          )
          : nothing
      }</span>`;
    return html`
      <div
        class="bar-of"><b>${name}</b><div class="axis">${side(true)}${side(false)}${row
          ? html`<i class="whisker" .style=${`--w:${HALF * row.error / most * 50}%`}></i>`
          : nothing}</div><span class="sum">${row ? signed(row.result) : ""}</span></div>
    `;
  }

  /** What the own seat could expect, from round to round. @param {State} state */
  curve(state) {
    const seat = this.own(state), rounds = this.found?.rounds ?? [], { last } = state.film;
    let before = 0;
    /** @type {[number, number][]} */
    const points = [];
    rounds.forEach(({ accounts, curves }, index) => {
      const curve = curves[seat] ?? [], next = rounds[index + 1]?.curves[seat]?.[0]?.version ?? last;
      for (const { version, expected } of curve) points.push([version || next, before + expected]);
      before += accounts[seat]?.result ?? 0;
    });
    const most = Math.max(1, ...points.map(([, y]) => Math.abs(y)));
    const line = points.map(([x, y]) => `${(x / last * 300).toFixed(1)},${(40 - y / most * 36).toFixed(1)}`).join(" ");
    const text = this.say("review.curve_of", { name: this.names(state)[seat], end: signed(before) });
    return html`
      <figure class="curve">
        <figcaption>${this.say("review.curve")}</figcaption>
        <svg viewBox="0 0 300 80" preserveAspectRatio="none" role="img" aria-label=${text}>
              ${svg`
                <path class="zero" d="M0 40H300" />
                <polyline points=${line}/>
              `}</svg>
      </figure>
    `;
  }

  /** @param {State} state */
  moments(state) {
    if (this.found?.state !== "final") return nothing;
    const { say } = this, own = this.own(state), claims = this.claims(), names = this.names(state);
    const mine = claims.filter(({ seat }) => seat === own), rest = claims.filter(({ seat }) => seat !== own);
    return html`<h3>${say("review.moments", { name: names[own] })}</h3>${
      mine.length ? this.list(mine, state) : html`<p>${say("review.none")}</p>`
    }${
      rest.length
        ? html`<details><summary>${say("review.others_moments", { count: rest.length })}</summary>${
          this.list(rest, state, true)
        }</details>`
        : nothing
    }`;
  }

  /** @param {Choice[]} choices @param {State} state @param {boolean} [named] */
  list(choices, state, named = false) {
    const names = this.names(state), now = state.weighed?.at?.version;
    return html`<ol class="moments">${
      choices.map((choice) =>
        html`<li class=${choice.version === now ? "now" : ""}><a href=${`#v=${choice.version - 1}&as=${choice.seat}`}
          aria-current=${choice.version === now ? "true" : nothing} @click=${(/** @type {Event} */ event) => {
          event.preventDefault();
          this.go(choice);
        }}><b>${named ? `${names[choice.seat]}: ` : ""}${this.say(`review.${choice.category}`)}</b>
          <small>${this.say("ui.round", { n: choice.round + 1 })}</small> ${this.sentence(choice, state)}</a></li>`
      )
    }</ol>`;
  }

  /** The sentence over the table, while the position before a choice is shown. */
  note() {
    const state = this.page.state(), at = state?.weighed?.at;
    if (!state || !at || state.shown !== at.version - 1) return nothing;
    const choice = this.claims().find(({ version }) => version === at.version);
    if (!choice) return nothing;
    return html`
      <p
        class="moment-line"><span><b>${this.say(`review.${choice.category}`)}</b> ${this.sentence(
          choice,
          state,
        )}</span>${placed("branch").map(({ text }) =>
          html`<button type="button" class="btn small" @click=${() => this.branch(choice)}>${this.say(text)}</button>`
        )}</p>
    `;
  }
}

/**
 * The panel beside the proof. A link from a branch leads back to its choice.
 * @param {Page} page @param {string} path @param {string | null} invite @param {Say} say
 */
export function panel(page, path, invite, say) {
  const reviewer = new Reviewer(page, path, invite, say), fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.has("review")) reviewer.resume(Number(fragment.get("v")) + 1);
  return () => reviewer.panel();
}

/** How far a bar reaches from the middle. @param {Account} row */
function reach(row) {
  const plus = PARTS.reduce((sum, part) => sum + Math.max(0, row[part]), 0);
  return Math.max(plus, plus - row.result);
}
