/**
 * The play channel: one web socket for all that a tab follows. After an interruption it connects again and follows on
 * from the versions that have arrived.
 */

const PAUSES = [500, 1000, 2000, 4000, 8000];
/** Attempts that fail before anything was received: there is no channel to be had, for example behind a proxy. */
const HOPELESS = 2;
const TOKEN_INVALID = 4401;
const SHUT_DOWN = 1001;

/**
 * @typedef {object} Follow
 * @property {() => Record<string, unknown>} request  The message that begins or resumes it, without `id`.
 * @property {string} subject  What its messages are about: a game, or "".
 * @property {(message: any) => void} heard
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
    /** @type {Map<number, { done: (answer: any) => void, failed: (problem: any) => void }>} */
    this.waiting = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Condition} */
    this.condition = "connecting";
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

  /** @param {string} subject */
  unfollow(subject) {
    if (!this.follows.delete(subject) || this.condition !== "open") return;
    this.request(subject ? { type: "unfollow", game: subject } : { type: "unfollow_lobby" }).catch(() => {});
  }

  /** Connects now: the network is back, or the tab is seen again. */
  wake() {
    if (!this.socket && !this.closed && this.follows.size) this.start();
  }

  close() {
    this.closed = true;
    this.socket?.close(1000);
  }

  /**
   * The answer to a request. Rejects with the message of type `problem`, or with null if the channel broke.
   * @param {Record<string, unknown>} message
   * @returns {Promise<any>}
   */
  request(message) {
    const id = ++this.requests;
    return new Promise((done, failed) => {
      if (!this.socket) return failed(null);
      this.waiting.set(id, { done, failed });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }

  start() {
    const socket = this.socket = this.connect(this.url);
    socket.onopen = () => this.opened().catch(() => socket.close());
    socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
    socket.onclose = ({ code }) => this.broke(code);
  }

  async opened() {
    const token = this.token();
    if (token) await this.request({ type: "authenticate", token });
    this.is("open");
    for (const follow of this.follows.values()) this.begin(follow);
  }

  /** @param {Follow} follow */
  begin(follow) {
    this.request(follow.request()).catch((answer) => {
      if (answer) follow.heard({ ...answer, type: "end" });
    });
  }

  /** @param {any} message */
  heard(message) {
    this.heardAnything = true;
    this.failures = 0;
    const request = this.waiting.get(message.id);
    if (request) {
      this.waiting.delete(message.id);
      if (message.type === "problem") request.failed(message);
      else request.done(message);
      return;
    }
    this.follows.get(message.game ?? "")?.heard(message);
  }

  /** @param {number} code */
  broke(code) {
    this.socket = null;
    for (const { failed } of this.waiting.values()) failed(null);
    this.waiting.clear();
    if (this.closed) return;
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

/** @param {string | URL} url */
function open(url) {
  return new WebSocket(url, "stammtisch.v1");
}

/** @param {() => void} action @param {number} milliseconds */
function pause(action, milliseconds) {
  return setTimeout(action, milliseconds);
}
