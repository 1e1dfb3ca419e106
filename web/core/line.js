/**
 * A game as it runs: the snapshot, the film up to the newest version, and what arrives after it, over the play channel
 * or, where there is none, by polling. What was seen cannot be changed afterwards without a head that does not fit.
 */

import { Problem } from "./api.js";
import { same } from "./compose.js";
import { Film, Mismatch } from "./film.js";

/**
 * @import { Api } from "./api.js"
 * @import { Channel } from "./channel.js"
 * @import { Item } from "./film.js"
 * @import { Game } from "./types.js"
 * @typedef {{ watchers: number, here: number[], away: { seat: number, since: string }[] }} Company
 * @typedef {{ version: number, head: string }} Receipt  What this browser has seen of a game.
 */

const POLL = 3000;

export class Line {
  /**
   * @param {object} parts
   * @param {Api} parts.api
   * @param {Channel | null} parts.channel  null: only polling.
   * @param {string} parts.path  RULESET/ID
   * @param {string | null} parts.invite
   * @param {Receipt | null} parts.receipt  The log has to contain it.
   * @param {(game: Game) => void} [parts.opened]  The game is known, its log is being read.
   * @param {(line: Line) => void} parts.changed
   * @param {(seat: number, phrase: string) => void} [parts.said]  A player says something; it is kept nowhere.
   * @param {(problem: any) => void} parts.failed  The game cannot be shown, or not any more.
   */
  constructor({ api, channel, path, invite, receipt, opened = () => {}, changed, said = () => {}, failed }) {
    this.api = api;
    this.channel = channel;
    this.path = path;
    this.invite = invite;
    this.receipt = receipt;
    this.opened = opened;
    this.changed = changed;
    this.failed = failed;
    this.said = said;
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
    /** How often what arrived did not fit and everything was read again. */
    this.mended = 0;
    /** What the channel follows: the perspective, "" before the game begins; null: nothing. @type {string | null} */
    this.followed = null;
    /** Nothing is asked before: the service wants a pause. */
    this.pausedUntil = 0;
    /** Who follows the game, as far as the channel says. @type {Company | null} */
    this.company = null;
    /** @type {Promise<void>} */
    this.busy = Promise.resolve();
    /** @type {Promise<void>} */
    this.checking = Promise.resolve();
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
    const { you, result, deal } = this.game ?? {};
    return result && !deal ? "all" : you === null || you === undefined ? "bystander" : String(you);
  }

  get begun() {
    return this.game !== null && this.game.status !== "waiting";
  }

  /** Reads the game and what is missing of its film; then follows it. */
  async start() {
    setInterval(() => this.poll(), POLL);
    await this.refresh();
  }

  /** Shows the game from another perspective. @param {string | null} as */
  async show(as) {
    this.as = as;
    this.etag = null;
    await this.refresh();
  }

  /** Reads what is new. One reading at a time. */
  refresh() {
    this.busy = this.busy.then(() => this.read()).catch((error) => this.unread(error));
    return this.busy;
  }

  /**
   * The game is read as a bystander unless a perspective was chosen. Views come with the film, and the answer tells
   * whether the seats share a screen: then nobody's cards are asked for before somebody says that they are there.
   * @returns {Promise<void>}
   */
  async read(again = false) {
    const { status, body, etag } = await this.api.request(`games/${this.path}`, {
      query: { as: this.as ?? "bystander" },
      headers: { "If-None-Match": this.etag, Invite: this.invite },
    });
    const back = !this.reachable;
    this.reachable = true;
    // While it was on its way, the channel has brought a later version: nothing would bring the moves of that one again.
    if (status === 200 && !again && body.version < (this.game?.version ?? 0)) return this.read(true);
    if (status === 200) {
      this.game = body;
      this.etag = etag;
      this.opened(body);
    }
    if (this.game && this.game.version > this.film.last) await this.extend(this.film);
    if (status === 200 || back) this.changed(this);
    if (this.channel?.condition === "broken") this.channel.wake();
    this.follow();
  }

  /** @param {Film} film */
  async extend(film) {
    const as = this.begun ? this.perspective : null;
    const query = { after: film.last, with: "patch,tally", as };
    this.add(await this.api.lines(`games/${this.path}/events`, { query, headers: { Invite: this.invite } }), film);
  }

  /** @param {any} error */
  unread(error) {
    if (error instanceof Mismatch) return this.mend();
    this.pausedUntil = Date.now() + (error?.retryAfter ?? 0) * 1000;
    if (error?.transient) {
      this.reachable = false;
      if (this.game) return this.changed(this);
    } else {
      this.refused = true;
      this.unfollow();
    }
    this.failed(error);
  }

  /** @param {Channel} channel */
  connect(channel) {
    this.channel = channel;
    this.follow();
  }

  // --- the channel ----------------------------------------------------------------------------------------------------

  get over() {
    return (Boolean(this.game?.result) || this.game?.status === "aborted") && !this.game?.deal;
  }

  /** What the channel should follow. */
  get wanted() {
    return this.begun ? this.perspective : "";
  }

  follow() {
    const { channel, path, wanted } = this;
    if (!channel || !this.game || this.refused || this.over || this.followed === wanted) return;
    this.followed = wanted;
    channel.follow({ subject: path, request: () => this.request(), heard: (message) => this.heard(message) });
  }

  unfollow() {
    this.followed = null;
    this.channel?.unfollow(this.path);
  }

  poll() {
    // After a request that failed something is missing that the channel does not bring.
    const current = this.reachable && this.followed !== null && this.channel?.condition === "open";
    if (!current && !this.refused && !this.over && !document.hidden && Date.now() >= this.pausedUntil) this.refresh();
  }

  request() {
    const { path, invite, film, followed } = this;
    const as = /^\d+$/.test(followed ?? "") ? Number(followed) : followed;
    return {
      type: "follow",
      game: path,
      after: film.last,
      patch: true,
      tally: true,
      presence: true,
      ...(as === "" ? {} : { as }),
      ...(invite ? { invite } : {}),
    };
  }

  /** @param {any} message */
  heard(message) {
    // Still on its way for the perspective before: it would show its cards to the one that is shown now.
    if (this.followed !== this.wanted && message.type !== "end") return;
    try {
      if (message.type === "events") this.add(message.items, this.film);
      else if (message.type === "state") this.update(message);
      else if (message.type === "presence") this.met(message);
      else if (message.type === "phrase") this.said(message.seat, message.phrase);
      else if (message.type === "end") this.ended(message.problem);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.mend();
    }
  }

  /** @param {Company} company */
  met(company) {
    if (same(company, this.company)) return;
    this.company = company;
    this.changed(this);
  }

  /** @param {any} problem */
  ended(problem) {
    this.unfollow();
    this.etag = null;
    if (problem) this.pausedUntil = Date.now() + POLL;
    else this.refresh();
  }

  /** @param {any} message */
  update({ type: _, game: __, ...state }) {
    if (!this.game || state.version < this.game.version) return;
    const { game } = this, { status, you, result, deal } = game, next = { vote: undefined, ...state };
    this.etag = null;
    // To follow repeats what was just read.
    const known = /** @type {Record<string, unknown>} */ (game);
    const repeats = Object.entries(next).every(([key, value]) => same(known[key], value));
    if (repeats && state.version === this.film.last) return;
    this.game = { ...game, ...next };
    this.changed(this);
    // What only the resource tells, such as the view of a seat that was taken just now.
    if (status !== state.status || you !== state.you || (result && deal)) this.refresh();
  }

  // --- the log --------------------------------------------------------------------------------------------------------

  /** @param {Item[]} items @param {Film} film */
  add(items, film) {
    const before = film.last;
    film.add(items);
    this.checking = this.checking.then(() => this.check(film, before));
  }

  /** The heads after this version have to follow from one another. @param {Film} film @param {number} before */
  async check(film, before) {
    const { receipt } = this;
    const head = film.item(before)?.head ?? await root(this.path.split("/")[1] ?? "");
    const seen = !receipt || receipt.version > film.last || film.item(receipt.version)?.head === receipt.head;
    const current = [...this.films.values()].includes(film);
    if (current && !(seen && await links(head, film.items.slice(before)))) this.mend();
  }

  /** Something does not fit. It is read again from the beginning; if it still does not fit, nothing more is shown. */
  mend() {
    this.films.clear();
    this.etag = null;
    this.unfollow();
    this.mended++;
    if (this.mended > 1) this.unread(new Problem({ type: "broken-chain" }, 409));
    else this.refresh();
  }
}

// --- the hash chain: every head follows from the one before it and the hashes of its entry

/** @typedef {{ public: string, secret: string, head: string }} Link */

/** Hashing needs a secure context: HTTPS, or this machine. */
const subtle = () => /** @type {Crypto | undefined} */ (globalThis.crypto)?.subtle;

/** The head before the first entry. @param {string} id  Of the game. */
export const root = (id) => hash(new TextEncoder().encode(`stammtisch/1\n${id}`));

/**
 * Whether the heads of the items follow from the head before them. True where nothing can be hashed.
 * @param {string} head
 * @param {Link[]} items
 */
export async function links(head, items) {
  let last = head;
  for (const item of items) {
    if (subtle() && await hash(bytes(last + item.public + item.secret)) !== item.head) return false;
    last = item.head;
  }
  return true;
}

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<string>} */
async function hash(data) {
  const digest = await subtle()?.digest("SHA-256", data);
  return digest ? Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
}

/** @param {string} hex */
function bytes(hex) {
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}
