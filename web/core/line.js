/**
 * A game as it runs: the snapshot, the film up to the newest version, and what arrives after it, over the play channel
 * or, where there is none, by polling.
 */

import { Film } from "./film.js";
import { Mismatch } from "./patch.js";

/**
 * @import { Api } from "./api.js"
 * @import { Channel } from "./channel.js"
 * @typedef {Record<string, any>} Game  The game resource.
 */

const POLL = 3000;

export class Line {
  /**
   * @param {object} parts
   * @param {Api} parts.api
   * @param {Channel | null} parts.channel  null: only polling.
   * @param {string} parts.path  RULESET/ID
   * @param {string | null} parts.invite
   * @param {(line: Line) => void} parts.changed
   * @param {(problem: any) => void} parts.failed  The game cannot be shown, or not any more.
   */
  constructor({ api, channel, path, invite, changed, failed }) {
    this.api = api;
    this.channel = channel;
    this.path = path;
    this.invite = invite;
    this.changed = changed;
    this.failed = failed;
    /** @type {Game | null} */
    this.game = null;
    /** @type {string | null} */
    this.etag = null;
    /** The perspective, `?as=`; null: the caller's own. @type {string | null} */
    this.as = null;
    /** The films by perspective. @type {Map<string, Film>} */
    this.films = new Map();
    this.reachable = true;
    /** The game cannot be shown: nothing is asked any more. */
    this.refused = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Promise<void>} */
    this.busy = Promise.resolve();
  }

  /** The film from the perspective that is shown. @returns {Film} */
  get film() {
    const perspective = this.perspective;
    const known = this.films.get(perspective) ?? new Film();
    this.films.set(perspective, known);
    return known;
  }

  /** The perspective of the film. */
  get perspective() {
    if (this.as !== null) return this.as;
    const { you, result } = this.game ?? {};
    return result ? "all" : you === null || you === undefined ? "bystander" : String(you);
  }

  /** Reads the game and what is missing of its film; then follows it. */
  async start() {
    await this.refresh();
    this.follow();
  }

  stop() {
    clearTimeout(this.timer);
    this.channel?.unfollow(this.path);
  }

  /** Shows the game from another perspective. @param {string | null} as */
  async show(as) {
    this.stop();
    this.as = as;
    this.etag = null;
    await this.start();
  }

  /** Reads what is new. One reading at a time. */
  refresh() {
    this.busy = this.busy.then(() => this.read()).catch((error) => this.unread(error));
    return this.busy;
  }

  async read() {
    const query = { as: this.as, invite: this.invite };
    const { status, body, etag } = await this.api.request(`games/${this.path}`, {
      query,
      headers: { "If-None-Match": this.etag },
    });
    const back = !this.reachable;
    this.reachable = true;
    if (status === 200) {
      this.game = body;
      this.etag = etag;
    }
    const { film, game } = this;
    if (game && game.version > film.last) await this.extend(film);
    if (status === 200 || back) this.changed(this);
  }

  /** @param {Film} film */
  async extend(film) {
    const begun = this.game?.status !== "waiting";
    const as = begun ? this.perspective : null;
    const query = { after: film.last, with: "patch,tally", as, invite: this.invite };
    try {
      film.add(await this.api.lines(`games/${this.path}/events`, { query }));
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.films.clear();
      this.etag = null;
      await this.read();
    }
  }

  /** @param {any} error */
  unread(error) {
    if (error?.transient) {
      this.reachable = false;
      if (this.game) return this.changed(this);
    } else {
      this.refused = true;
    }
    this.failed(error);
  }

  follow() {
    clearTimeout(this.timer);
    if (this.refused || this.game?.result || this.game?.status === "aborted") return;
    if (this.channel && this.channel.condition !== "unavailable" && this.game?.status !== "waiting") {
      this.channel.follow({
        subject: this.path,
        request: () => this.request(),
        heard: (message) => this.heard(message),
      });
    }
    this.timer = setTimeout(() => this.poll(), POLL);
  }

  async poll() {
    const open = this.channel?.condition === "open" && this.channel.follows.has(this.path);
    if (!open && !document.hidden) await this.refresh();
    this.follow();
  }

  request() {
    const { path, invite, film } = this;
    return {
      type: "follow",
      game: path,
      after: film.last,
      as: this.perspective,
      patch: true,
      ...(invite ? { invite } : {}),
    };
  }

  /** @param {any} message */
  heard(message) {
    try {
      if (message.type === "events") this.film.add(message.items);
      else if (message.type === "state") this.update(message);
      else if (message.type === "end") this.refresh();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.films.clear();
      this.etag = null;
      this.refresh();
    }
  }

  /** @param {any} message */
  update({ type: _, game: __, ...state }) {
    if (!this.game || state.version < this.game.version) return;
    this.game = { ...this.game, ...state };
    this.etag = null;
    this.changed(this);
  }
}
