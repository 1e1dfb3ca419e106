/**
 * The play channel: one web socket for all that a tab follows and does. After an interruption it connects again and
 * follows on from the versions that have arrived.
 */

import { Problem } from "./api.js";
import { followIdentity, identity } from "./identity.js";

const PAUSES = [500, 1000, 2000, 4000, 8000];
/** Attempts that fail before anything was received: there is no channel to be had, for example behind a proxy. */
const HOPELESS = 2;
const TOKEN_INVALID = 4401;
const SHUT_DOWN = 1001;
/** What browsers report if a connection ended without a close frame. */
const GONE = 1006;
/** An attempt or a request without an answer for this long: the connection is dead, though nobody has said so. */
const PATIENCE = 10_000;
/** The same, after the device has slept or changed its network. */
const PROBE = 3_000;

/**
 * @typedef {object} Follow
 * @property {() => Record<string, unknown>} request  The message that begins or resumes it, without `id`.
 * @property {string} subject  What its messages are about: a game, "lobby", "turns", or the type of other messages.
 * @property {(message: any) => void} heard
 * @property {boolean} [begun]  The service has answered: what comes now belongs to this request, not to one before it.
 */

/** @typedef {"connecting" | "open" | "broken" | "unavailable" | "refused"} Condition */

export class Channel {
  /**
   * @param {object} parts
   * @param {string | URL} parts.url
   * @param {() => string | null} parts.token
   * @param {(condition: Condition) => void} [parts.changed]
   * @param {(url: string | URL) => WebSocket} [parts.connect]
   * @param {(action: () => void, milliseconds: number) => unknown} [parts.later]
   */
  constructor({ url, token, changed = () => {}, connect = open, later = pause }) {
    this.url = url;
    this.token = token;
    this.changed = changed;
    this.connect = connect;
    this.later = later;
    /** @type {Map<string, Follow>} */
    this.follows = new Map();
    /** @type {Map<number, { done: (answer: any) => void, failed: (problem: Problem) => void }>} */
    this.waiting = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Condition} */
    this.condition = "connecting";
    /** The token of the connection, once it is open. @type {string | null | undefined} */
    this.presented = undefined;
    this.failures = 0;
    this.requests = 0;
    this.heardAnything = false;
    this.closed = false;
  }

  /** @param {Follow} follow */
  follow(follow) {
    this.follows.set(follow.subject, follow);
    if (this.condition === "open") this.begin(follow);
    else if (!this.socket) this.start();
  }

  /** @param {string} subject  A game. */
  unfollow(subject) {
    if (!this.follows.delete(subject) || this.condition !== "open") return;
    this.request({ type: "unfollow", game: subject }).catch(() => {});
  }

  /** The network is back, or the tab is seen again: connects now, or finds out whether the connection still lives. */
  wake() {
    this.closed = false;
    if (!this.socket && this.follows.size) this.start();
    else if (this.condition === "open") this.request({ type: "unfollow", game: "" }, PROBE).catch(() => {});
  }

  /** Ends the connection, until `wake`. */
  close() {
    this.closed = true;
    this.drop(1000);
  }

  /** The user may be somebody else now: connects anew if the connection has another token. */
  identify() {
    if (this.presented === undefined || this.presented === this.token()) return;
    this.release();
    this.is("connecting");
    if (!this.closed) this.wake();
  }

  /**
   * The answer to a request. Rejects with a `Problem`; its status is 0 if the channel broke before an answer came.
   * @param {Record<string, unknown>} message
   * @param {number} [patience]  In milliseconds.
   * @returns {Promise<any>}
   */
  async request(message, patience = PATIENCE) {
    const id = ++this.requests;
    const { socket } = this;
    const { promise, resolve, reject } = Promise.withResolvers();
    if (!socket) throw unanswered();
    this.waiting.set(id, { done: resolve, failed: reject });
    this.later(() => {
      if (this.waiting.has(id) && this.socket === socket) this.drop(GONE);
    }, patience);
    socket.send(JSON.stringify({ ...message, id }));
    return await promise;
  }

  start() {
    this.presented = undefined;
    const socket = this.socket = this.connect(this.url);
    socket.onopen = () => this.opened().catch(() => socket.close());
    socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
    socket.onclose = ({ code }) => this.broke(code);
    // A browser waits for minutes for the answer to a handshake that was lost.
    this.later(() => {
      if (this.socket === socket && this.condition !== "open") this.drop(GONE);
    }, PATIENCE);
  }

  /** Does not wait for the other side, which may be gone. @param {number} code */
  drop(code) {
    if (!this.socket) return;
    this.release();
    this.broke(code);
  }

  /** Lets go of the socket. What waits for an answer gets none. */
  release() {
    const { socket } = this;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    this.socket = null;
    for (const { failed } of this.waiting.values()) failed(unanswered());
    this.waiting.clear();
  }

  async opened() {
    const token = this.presented = this.token();
    if (token) await this.request({ type: "authenticate", token });
    this.is("open");
    for (const follow of this.follows.values()) this.begin(follow);
  }

  /** @param {Follow} follow */
  begin(follow) {
    follow.begun = false;
    this.request(follow.request()).then((answer) => {
      follow.begun = true;
      follow.heard(answer);
    }, (error) => {
      if (error.status) follow.heard({ type: "end", problem: error.document });
    });
  }

  /** @param {any} message */
  heard(message) {
    this.heardAnything = true;
    this.failures = 0;
    const request = this.waiting.get(message.id);
    if (request) {
      this.waiting.delete(message.id);
      if (message.type !== "problem") return request.done(message);
      const { problem, retry_after: seconds } = message;
      return request.failed(new Problem(problem, problem.status, seconds));
    }
    const follow = this.follows.get(SUBJECTS[message.type] ?? message.game ?? message.type);
    if (follow?.begun) follow.heard(message);
  }

  /** @param {number} code */
  broke(code) {
    this.release();
    if (this.closed) return this.is("broken");
    if (code === TOKEN_INVALID) return this.is("refused");
    this.failures++;
    this.is(!this.heardAnything && this.failures >= HOPELESS ? "unavailable" : "broken");
    const pause = code === SHUT_DOWN && this.failures === 1
      ? 0
      : PAUSES[Math.min(this.failures, PAUSES.length) - 1] ?? 0;
    const spread = pause * (0.8 + 0.4 * Math.random());
    this.later(() => this.wake(), this.condition === "unavailable" ? 60_000 : spread);
  }

  /** @param {Condition} condition */
  is(condition) {
    this.condition = condition;
    this.changed(condition);
  }
}

/** What messages are about that are not about a followed game. @type {Record<string, string>} */
const SUBJECTS = { lobby: "lobby", end_lobby: "lobby", turn: "turns", end_turns: "turns" };

const unanswered = () => new Problem({ type: "no-answer" }, 0);

/** @param {string | URL} url */
function open(url) {
  return new WebSocket(url, "stammtisch.v1");
}

/** @param {() => void} action @param {number} milliseconds */
function pause(action, milliseconds) {
  return setTimeout(action, milliseconds);
}

// --- whose turn it is ------------------------------------------------------------------------------------------------

/**
 * @import { Api } from "./api.js"
 * @import { Memory } from "./identity.js"
 * @typedef {{ game: string, changed_at: string, runs_out?: string }} TurnGame  RULESET/ID, since when, until when.
 */

/** Without a play channel they are read this often. */
const POLL = 15_000;

/** The running games in which it is the user's turn, over all tables. */
export class Turns {
  /**
   * @param {object} parts
   * @param {Api} parts.api
   * @param {Channel} parts.channel
   * @param {(turns: Turns, entered: string | null) => void} parts.changed  `entered`: the game that has just become one.
   */
  constructor({ api, channel, changed }) {
    this.api = api;
    this.channel = channel;
    this.changed = changed;
    /** @type {Map<string, TurnGame>} */
    this.games = new Map();
  }

  start() {
    const heard = (/** @type {any} */ message) => this.heard(message);
    this.channel.follow({ subject: "turns", request: () => ({ type: "follow_turns" }), heard });
    setInterval(() => {
      if (this.channel.condition === "unavailable" && !document.hidden) this.read().catch(() => {});
    }, POLL);
  }

  /** The game that waits longest, other than this one. @param {string} [here] @returns {string | null} */
  next(here) {
    const others = [...this.games.values()].filter(({ game }) => game !== here);
    return others.toSorted((a, b) => a.changed_at < b.changed_at ? -1 : 1)[0]?.game ?? null;
  }

  /** @param {any} message */
  heard({ type, games, ...turn }) {
    if (type === "following_turns") return this.is(games);
    if (type !== "turn") return;
    const known = this.games.has(turn.game);
    if (turn.yours) this.games.set(turn.game, turn);
    else this.games.delete(turn.game);
    this.changed(this, turn.yours && !known ? turn.game : null);
  }

  /** @param {TurnGame[]} games */
  is(games) {
    this.games = new Map(games.map((each) => [each.game, each]));
    this.changed(this, null);
  }

  async read() {
    const { body } = await this.api.request("games", { query: { acting: "me" } });
    this.is(body.items.map(turnOf));
  }
}

/** @param {any} game  Of a list of games in which the user must act. @returns {TurnGame} */
export const turnOf = ({ ruleset, id, changed_at, runs_out }) => ({ game: `${ruleset}/${id}`, changed_at, runs_out });

/**
 * One web socket for all that a tab follows and does, as the user who it is now.
 * @param {Api} api @param {Memory} memory @param {(condition: Condition) => void} [changed]
 */
export function channelOf(api, memory, changed) {
  const url = new URL("v1/channel", api.base);
  url.protocol = url.protocol.replace("http", "ws");
  const channel = new Channel({ url, token: () => identity(memory)?.token ?? null, changed });
  followIdentity(memory, () => channel.identify());
  return channel;
}

/**
 * Follows the tables that wait for the user, from when there is one.
 * @param {Api} api @param {Memory} memory @param {Channel} channel
 * @param {(turns: Turns, entered: string | null) => void} changed
 */
export function followTurns(api, memory, channel, changed) {
  /** @type {Turns | null} */
  let turns = null;
  const follow = () => {
    if (turns || !identity(memory)) return;
    turns = new Turns({ api, channel, changed });
    turns.start();
  };
  follow();
  followIdentity(memory, follow);
}
