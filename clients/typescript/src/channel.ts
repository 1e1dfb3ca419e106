/**
 * The play channel: one web socket for everything that a client follows and plays. After an interruption it connects
 * again and resumes every follow at the version that has arrived.
 */

import { problem } from "./answers.js";
import { Backoff, sleep } from "./backoff.js";
import { ChannelUnavailable, Interrupted, type Problem } from "./errors.js";
import { given, type Json } from "./json.js";
import type { Rest } from "./rest.js";

/** Milliseconds after which a request without an answer shows that the connection is dead. */
const TIMEOUT = 10_000;
/** Attempts that fail before one has succeeded: there is no channel to be had, for example behind a proxy. */
const HOPELESS = 2;
/** Milliseconds for which no further attempt is made then. */
const UNAVAILABLE = 60_000;
const TOKEN_INVALID = 4401;
/** What messages are about that are not about a game. */
const SUBJECTS: Record<string, string> = { turn: "turns", end_turns: "turns" };

/** Something that is followed: messages in their order, over any number of connections. */
export class Follow {
  /** Of the last event that has arrived. */
  version: number;
  /** Whether the service has answered on this connection: what comes now belongs to this request. */
  begun = false;
  readonly #messages: (Json | Error)[] = [];
  #wake: () => void = () => {};

  constructor(readonly subject: string, readonly request: (after: number) => Json, version = 0) {
    this.version = version;
  }

  put(message: Json | Error): void {
    if (!(message instanceof Error) && message.type === "events") this.version = message.items.at(-1).version;
    this.#messages.push(message);
    this.#wake();
  }

  /** The next message. Throws `Problem`, `NoAnswer`, `ChannelUnavailable`. */
  async next(): Promise<Json> {
    while (this.#messages.length === 0) await new Promise<void>((wake) => (this.#wake = wake));
    const message = this.#messages.shift();
    if (message === undefined || message instanceof Error) throw message;
    return message;
  }
}

interface Waiting {
  answered: (message: Json) => void;
  failed: (error: Error) => void;
}

/** The play channel of a client, connected from the first follow until `close`. */
export class Channel {
  readonly #rest: Rest;
  readonly #WebSocket: typeof WebSocket | undefined;
  readonly #follows = new Map<string, Follow>();
  readonly #waiting = new Map<number, Waiting>();
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isRunning = false;
  #isClosed = false;
  #hasOpened = false;
  #unavailableUntil = 0;
  #number = 0;

  /** @param Socket Undefined: there is no channel. */
  constructor(rest: Rest, Socket: typeof WebSocket | undefined) {
    this.#rest = rest;
    this.#WebSocket = Socket;
  }

  /** Whether requests can be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#isClosed = true;
    this.#fail(new Interrupted("the client was closed"));
    this.#drop();
  }

  /** Connects again, with the token of now. What is followed is resumed. */
  reconnect(): void {
    if (this.#socket !== null) this.#drop();
  }

  /** The answer. Throws `Problem`, and `Interrupted` if the connection breaks. */
  async request(message: Json): Promise<Json> {
    if (!this.#isOpen) throw new Interrupted("the channel is not open");
    return await this.#ask(message);
  }

  /** `heard` runs at once: further messages can arrive before a promise is settled. */
  async #ask(message: Json, heard: (answer: Json) => void = () => {}): Promise<Json> {
    const id = ++this.#number;
    const socket = this.#socket;
    if (socket === null) throw new Interrupted("the channel is not connected");
    const timer = setTimeout(() => this.#socket === socket && this.#drop(), TIMEOUT);
    try {
      return await new Promise<Json>((answered, failed) => {
        const both = (answer: Json) => {
          heard(answer);
          answered(answer);
        };
        this.#waiting.set(id, { answered: both, failed });
        socket.send(JSON.stringify({ ...given(message), id }));
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Begins to follow. Throws `ChannelUnavailable`, also if the subject is followed already. */
  follow(follow: Follow): void {
    const Socket = this.#WebSocket;
    if (Socket === undefined || this.#follows.has(follow.subject) || Date.now() < this.#unavailableUntil) {
      throw new ChannelUnavailable("the channel cannot be used");
    }
    this.#follows.set(follow.subject, follow);
    if (this.#isOpen) void this.#begin(follow);
    else if (!this.#isRunning) void this.#run(Socket);
  }

  /** No message comes any more. */
  unfollow(follow: Follow): void {
    if (this.#follows.get(follow.subject) !== follow) return;
    this.#follows.delete(follow.subject);
    if (!this.#isOpen || !follow.begun) return;
    const message = follow.subject === "turns" ? { type: "unfollow_turns" } : { type: "unfollow", game: follow.subject };
    this.#ask(message).catch(() => {});
  }

  async #begin(follow: Follow): Promise<void> {
    follow.begun = false;
    try {
      await this.#ask(follow.request(follow.version), (answer) => {
        if (this.#follows.get(follow.subject) !== follow) return;
        follow.begun = true;
        follow.put(answer);
      });
    } catch (failure) {
      if (!(failure instanceof Interrupted)) await this.#refused(follow, failure as Problem);
    }
  }

  async #refused(follow: Follow, failure: Problem): Promise<void> {
    if (this.#follows.get(follow.subject) !== follow) return;
    if (failure.isTransient) {
      const socket = this.#socket;
      await sleep((failure.retryAfter ?? 1) * 1000);
      if (this.#socket === socket && this.#follows.get(follow.subject) === follow) await this.#begin(follow);
    } else {
      this.#follows.delete(follow.subject);
      follow.put(failure);
    }
  }

  /** Stays connected while something is followed. */
  async #run(Socket: typeof WebSocket): Promise<void> {
    this.#isRunning = true;
    const backoff = this.#rest.backoff();
    let failures = 0;
    try {
      while (this.#follows.size > 0 && !this.#isClosed) {
        const code = await this.#connection(Socket, backoff);
        if (this.#isClosed) return;
        if (code === TOKEN_INVALID) {
          return this.#fail(problem({ type: "unauthenticated", title: "The token is not valid." }, 401));
        }
        if (!this.#hasOpened && ++failures >= HOPELESS) {
          this.#unavailableUntil = Date.now() + UNAVAILABLE;
          return this.#fail(new ChannelUnavailable("no channel could be opened"));
        }
        await backoff.pause(new Interrupted(`the channel was closed with ${code}`));
      }
    } catch (failure) {
      this.#fail(failure as Error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** One connection, until it ends. Returns the code of its end. */
  #connection(Socket: typeof WebSocket, backoff: Backoff): Promise<number> {
    return new Promise((ended) => {
      const socket = (this.#socket = new Socket(`${this.#rest.url.replace(/^http/, "ws")}/v1/channel`, "stammtisch.v1"));
      const timer = setTimeout(() => this.#drop(), TIMEOUT);
      socket.onopen = () => {
        clearTimeout(timer);
        this.#opened().catch(() => this.#drop());
      };
      socket.onmessage = ({ data }) => {
        backoff.reset();
        this.#heard(JSON.parse(data));
      };
      // Node 20 reports a failed handshake as an error only.
      socket.onerror = () => socket.onclose?.(null as never);
      this.#ended = socket.onclose = (event: { code: number } | null) => {
        clearTimeout(timer);
        if (this.#socket !== socket) return;
        this.#socket = null;
        this.#isOpen = false;
        for (const follow of this.#follows.values()) follow.begun = false;
        for (const { failed } of this.#waiting.values()) failed(new Interrupted("the channel broke"));
        ended(event?.code ?? 1006);
      };
    });
  }

  #ended: (event: { code: number } | null) => void = () => {};

  /** Ends the connection without waiting for the other side, which may be gone. */
  #drop(): void {
    this.#socket?.close();
    this.#ended(null);
  }

  async #opened(): Promise<void> {
    this.#hasOpened = true;
    const { token } = this.#rest;
    if (token !== null) await this.#ask({ type: "authenticate", token });
    this.#isOpen = true;
    for (const follow of this.#follows.values()) void this.#begin(follow);
  }

  #heard(message: Json): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting !== undefined) {
      if (message.type === "problem") waiting.failed(failureOf(message));
      else waiting.answered(message);
      return;
    }
    const follow = this.#follows.get(SUBJECTS[message.type] ?? message.game);
    if (!follow?.begun) return;
    if (message.type === "end" || message.type === "end_turns") {
      follow.begun = false;
      if (message.problem) return void this.#refused(follow, failureOf(message));
      this.#follows.delete(follow.subject);
    }
    follow.put(message);
  }

  #fail(failure: Error): void {
    const follows = [...this.#follows.values()];
    this.#follows.clear();
    for (const follow of follows) follow.put(failure);
  }
}

function failureOf({ problem: document, retry_after: seconds }: Json): Problem {
  return problem(document, document.status, seconds ?? null);
}
