/** A table: a game that is played, watched or waited for. */

import { sleep } from "./backoff.js";
import { type Channel, Follow } from "./channel.js";
import { ChannelUnavailable, Unsealed } from "./errors.js";
import type { Json } from "./json.js";
import { patched } from "./patch.js";
import { CannotReady, SeatTaken } from "./problems.js";
import { GameRecord } from "./record.js";
import { pauseAfter, type Rest } from "./rest.js";
import type { Rulesets } from "./rulesets.js";
import type * as schema from "./schema.js";
import { seal } from "./verifier.mjs";

/** The types of any ruleset. */
export interface AnyRuleset {
  game: schema.Game;
  view: schema.GameView;
  move: schema.GameMove;
  item: schema.EventItem;
  options: schema.GameOptions;
}

/** The types of a ruleset, by its name. */
export type Of<R extends string> = R extends keyof Rulesets ? Rulesets[R] : AnyRuleset;

/** A seat, or another perspective. */
export type Viewpoint = number | "bystander" | "all";

/** A move that was made. `replayed`: an earlier attempt had made it. */
export interface Made {
  version: number;
  head: string;
  replayed: boolean;
}

/** The moves that nothing speaks against, the best first. */
export interface Hint<R extends string> {
  readonly seat: number;
  /** The version of the table that it is about. */
  readonly version: number;
  readonly moves: readonly Of<R>["move"][];
  /** The move that the first one is compared with; absent: the figures are missing. */
  readonly against?: Of<R>["move"];
  /** By how many points the first one is better than `against`. It may be chance: see `error`. */
  readonly ahead: number;
  /** The standard error of `ahead`. */
  readonly error: number;
  /** In how many worlds `ahead` was measured. */
  readonly worlds: number;
}

/** A table after an event, as the caller sees it. */
export interface State<R extends string> {
  /** The number of events so far. */
  readonly version: number;
  readonly status: schema.Status;
  /** The caller's seat; null for a bystander. */
  readonly seat: number | null;
  /** The seats that have a choice. */
  readonly toAct: readonly number[];
  /** The version since which the caller's choice exists; null without a choice. */
  readonly decision: number | null;
  /** The table as the caller sees it; null before the game begins. */
  readonly view: Of<R>["view"] | null;
  /** All legal moves of the caller. */
  readonly legalMoves: readonly Of<R>["move"][];
  /** What has happened since the state before. */
  readonly events: readonly Of<R>["item"][];
  /** The result; null until the game is finished. */
  readonly result: schema.Result | null;
}

/** A choice of the caller's. */
export interface Turn<R extends string> extends State<R> {
  readonly view: Of<R>["view"];
  readonly seat: number;
  readonly decision: number;
  /**
   * Makes a move, exactly once. The request is repeated until it is answered. Its key follows from the game and the
   * decision, so that a program that crashes here cannot make two moves when it runs again.
   *
   * Throws `IllegalMove`, `StaleDecision` if the choice has changed, `IdempotencyKeyReused` if an attempt before a crash
   * has made another move.
   */
  play(move: Of<R>["move"]): Promise<Made>;
}

const OVER = ["finished", "aborted"];

export class Table<R extends string> {
  readonly ruleset: R;
  readonly id: string;
  /** The code of a private game. */
  readonly invite: string | null;
  readonly #rest: Rest;
  readonly #channel: Channel;
  readonly #as: Viewpoint | undefined;
  readonly #path: string;

  constructor(rest: Rest, channel: Channel, ruleset: R, id: string, invite: string | null = null, as?: Viewpoint) {
    this.ruleset = ruleset;
    this.id = id;
    this.invite = invite;
    this.#rest = rest;
    this.#channel = channel;
    this.#as = as;
    this.#path = `/v1/games/${encodeURIComponent(ruleset)}/${encodeURIComponent(id)}`;
  }

  /** Ruleset and id: `RULESET/ID`. */
  get name(): string {
    return `${this.ruleset}/${this.id}`;
  }

  /** The game as the caller sees it. */
  async game(): Promise<Of<R>["game"]> {
    return await this.#rest.get(this.#path, this.#query());
  }

  /**
   * The game as it was at an earlier version, from 1 on. `seat`: as which seat to look, by default that of the table.
   * Throws `Forbidden` for the seat of another player while the game runs, `NotFound` for a version that the game has not
   * reached.
   */
  async at(version: number, seat?: Viewpoint): Promise<Of<R>["game"]> {
    return await this.#rest.get(this.#path, { as: seat ?? this.#as, invite: this.invite, at: version });
  }

  /**
   * Takes a seat: the given one, else one that is kept for the caller, else the first free one. The last free seat begins
   * the game. Entropy is the caller's contribution to the shuffles. In a sealed game only its seal is sent; by default
   * the entropy follows from the client's `seed`.
   */
  async sit(seat: number | null = null, { entropy = "" } = {}): Promise<Of<R>["game"]> {
    let game: Json = await this.game();
    if (!game.sealed || game.status !== "waiting") return await this.#post("seats", { seat, entropy });
    for (let left = game.seats.length;; left -= 1) {
      const place = seat ?? (await this.#place(game));
      const sealed = await seal(this.id, place, entropy || (await this.#entropy(place)));
      try {
        return await this.#post("seats", { seat: place, seal: sealed });
      } catch (failure) {
        if (!(failure instanceof SeatTaken) || seat !== null || left === 1) throw failure;
      }
      game = await this.game(); // somebody else was faster
    }
  }

  /** The seat that the service would choose. */
  async #place({ seats }: Json): Promise<number> {
    const free: Json[] = seats.filter(({ player, bot }: Json) => player === null && !bot);
    const kept = free.filter(({ reserved }) => reserved);
    const me = kept.length ? (await this.#rest.get("/v1/players/me")).id : null;
    return (kept.find(({ reserved }) => reserved.id === me) ?? free.find(({ reserved }) => !reserved) ?? seats[0]).seat;
  }

  /**
   * Opens the sealed entropy, once all seats are taken. `turns` and `changes` do that by themselves.
   *
   * Throws `Unsealed` unless the log has a seal of every player, and is the one of which this client knows a head.
   */
  async ready({ entropy = "" } = {}): Promise<void> {
    const { you, seats }: Json = await this.game();
    const record = await this.record(), { events, head }: Json = record.fields, kept = this.#rest.heads.get(this.id);
    const { verdict } = await record.verify(kept?.head);
    const same = !kept || events[kept.version - 1]?.head === kept.head;
    const seals = new Map<number, string | undefined>(
      seats.flatMap(({ seat, bot }: Json) => (bot ? [] : [[seat, undefined]])),
    );
    for (const { event } of events) if (/^(joined|left)$/.test(event.type)) seals.set(event.seat, event.seal);
    const opened = entropy || (await this.#entropy(you));
    const own = seals.get(you) === (await seal(this.id, you, opened));
    if (verdict === "wrong" || !same || !own || [...seals.values()].includes(undefined))
      throw new Unsealed("The entropy stays closed: the log does not have the right seal of each player.");
    if (!kept) this.#rest.heads.set(this.id, { version: events.length, head });
    await this.#post("ready", { entropy: opened });
  }

  /** What this client contributes to the shuffles of a sealed game. */
  async #entropy(seat: number): Promise<string> {
    return (await seal(this.#rest.seed, seat, this.id)).slice(0, 32);
  }

  /** Readies, if all seats of a sealed game are taken and the caller is not ready. */
  async #readyIfDue({ you, seats, sealed, status }: Json): Promise<void> {
    const waits = status === "waiting" && sealed && you !== null && !seats[you].ready;
    if (!waits || !seats.every(({ player, bot }: Json) => player || bot)) return;
    await this.ready().catch((failure) => {
      if (!(failure instanceof CannotReady)) throw failure; // another program was faster, or somebody has left
    });
  }

  /** Leaves the seat, by default the caller's. `running`: also a game that runs, in which a bot goes on. */
  async leave(seat: number | null = null, { running = false } = {}): Promise<void> {
    const left = seat ?? (await this.game()).you;
    const query = { running: running ? "true" : null, invite: this.invite };
    await this.#rest.send("DELETE", `${this.#path}/seats/${left}`, { query, headers: keyed() });
  }

  /** Gives another seat time, in a game with a clock. */
  async giveTime(seat: number, seconds: number): Promise<void> {
    await this.#post("time", { seat, seconds });
  }

  /** Takes back the caller's move that ended with this version, or asks the others. */
  async takeBack(version: number): Promise<void> {
    const query = { invite: this.invite };
    await this.#rest.send("DELETE", `${this.#path}/moves/${version}`, { query, headers: keyed() });
  }

  /** Asks all players to abort the game or to let the caller take back a move, or answers the open question. */
  async vote(on: "abort" | "undo", yes: boolean): Promise<void> {
    await this.#post("votes", { on, yes });
  }

  /** Sits down in the game that repeats this finished one. Returns its id. */
  async rematch(entropy = ""): Promise<string> {
    return (await this.#post("rematch", { entropy })).id;
  }

  /**
   * A hint about the caller's choice, in a game against bots that was opened with `hints`. The log records that the caller
   * has asked. A choice has one hint. Throws `NoHint` without a choice, or if the game has no hints.
   */
  async hint(): Promise<Hint<R>> {
    return await this.#post("hints", undefined);
  }

  /** Aborts the caller's game before it begins. */
  async cancel(): Promise<void> {
    await this.#rest.send("DELETE", this.#path, { query: { invite: this.invite }, headers: keyed() });
  }

  /** The portable record: complete when the game is over. */
  async record(): Promise<GameRecord> {
    return new GameRecord(await this.#rest.read(`${this.#path}/record`, { query: { invite: this.invite } }));
  }

  /** The service's own verification. */
  async audit(): Promise<schema.Audit> {
    return await this.#rest.get(`${this.#path}/audit`, { invite: this.invite });
  }

  async #post(part: string, body: unknown): Promise<any> {
    return await this.#rest.post(`${this.#path}/${part}`, body, crypto.randomUUID(), { invite: this.invite });
  }

  #query(): Json {
    return { as: this.#as, invite: this.invite };
  }

  /**
   * Makes a move, exactly once. `version`: of the game that it was decided on; without it the move is judged on the game
   * as it is. `key`: the idempotency key, by default a new one.
   */
  async play(move: Of<R>["move"], { version, key }: { version?: number; key?: string } = {}): Promise<Made> {
    const same = key ?? crypto.randomUUID();
    const backoff = this.#rest.backoff();
    for (;;) {
      try {
        if (this.#channel.isOpen) return await this.#playOnChannel(move, version, same);
        return await this.#playOnRest(move, version, same);
      } catch (failure) {
        await pauseAfter(failure, backoff);
      }
    }
  }

  async #playOnChannel(move: unknown, version: number | undefined, key: string): Promise<Made> {
    const { head, replayed, ...answer } = await this.#channel.request({
      type: "move", game: this.name, move, key, version, as: this.#as, invite: this.invite,
    });
    return { version: answer.version, head, replayed };
  }

  async #playOnRest(move: unknown, version: number | undefined, key: string): Promise<Made> {
    const precondition = version === undefined ? null : `"${version}.0"`;
    const headers = { "Idempotency-Key": key, "If-Match": precondition, Prefer: "return=minimal" };
    const options = { body: move, query: this.#query(), headers };
    const answer = await this.#rest.attempt("POST", `${this.#path}/moves`, options);
    const { version: now, head } = JSON.parse(answer.text);
    return { version: now, head, replayed: answer.headers.get("Idempotency-Replayed") === "true" };
  }

  /** The caller's choices, each once, until the game is over. A game that has not begun is waited for. */
  async *turns(): AsyncGenerator<Turn<R>, void> {
    let offered = "", seen: Of<R>["item"][] = [];
    for await (const state of this.changes()) {
      seen = [...seen, ...state.events];
      if (state.decision === null || state.legalMoves.length === 0) continue;
      const choice = `turn-${state.seat}-${state.decision}`;
      if (choice === offered) continue;
      offered = choice;
      const play = (move: Of<R>["move"]) => this.play(move, { version: state.version, key: choice });
      yield { ...state, events: seen, play } as Turn<R>;
      seen = [];
    }
  }

  /** The table now, and after each change, until the game is over. */
  async *changes(): AsyncGenerator<State<R>, void> {
    const game: Json = await this.game();
    await this.#readyIfDue(game);
    let view: unknown = game.view, version: number = game.version, items: Of<R>["item"][] = [];
    yield stateOf(game, view, items);
    if (OVER.includes(game.status)) return;
    for await (const message of this.#messages(version, typeof this.#as === "number" ? this.#as : game.you)) {
      if (message.type === "events") {
        for (const item of message.items) view = patched(view, item.patch);
        items = [...items, ...message.items];
        version = message.items.at(-1).version;
        if (message.items.some(({ event }: Json) => event.type === "joined")) await this.#readyIfDue(await this.game());
      } else if (message.type === "state" && message.version === version) {
        yield stateOf(message, view, items);
        items = [];
      }
    }
  }

  /** All events after a version, then each as it happens, until the game is over. */
  async *events(after = 0): AsyncGenerator<Of<R>["item"], void> {
    for await (const message of this.#messages(after, null)) {
      if (message.type === "events") yield* message.items;
    }
  }

  /** `events` and `state` until the game is over: from the channel, or else from an event stream. */
  async *#messages(after: number, seat: number | null): AsyncGenerator<Json, void> {
    const follow = new Follow(this.name, (version) => ({
      type: "follow", game: this.name, after: version, as: this.#as, invite: this.invite, patch: true,
    }), after);
    try {
      this.#channel.follow(follow);
      for (;;) {
        const message = await follow.next();
        yield message;
        if (message.type === "end") return;
      }
    } catch (failure) {
      if (!(failure instanceof ChannelUnavailable)) throw failure;
    } finally {
      this.#channel.unfollow(follow);
    }
    yield* this.#streamed(follow.version, seat);
  }

  /** The same messages, from event streams and the game itself. */
  async *#streamed(version: number, seat: number | null): AsyncGenerator<Json, void> {
    const backoff = this.#rest.backoff();
    const look = async () => ({ type: "state", ...(await this.#rest.get(this.#path, this.#query())) });
    for (;;) {
      try {
        const query = { ...this.#query(), with: "patch" };
        for await (const item of this.#rest.stream(`${this.#path}/events`, query, version)) {
          backoff.reset();
          version = item.version;
          yield { type: "events", items: [item] };
          if (item.more === 0 && (seat === null || item.acting?.includes(seat))) yield await look();
        }
        const state: Json = await look();
        if (state.version === version) {
          yield state;
          if (OVER.includes(state.status)) return;
        }
        await sleep(100); // the stream ended before the game: the process shuts down
      } catch (failure) {
        await pauseAfter(failure, backoff);
      }
    }
  }
}

function stateOf<R extends string>(state: Json, view: unknown, events: readonly Of<R>["item"][]): State<R> {
  return {
    version: state.version,
    status: state.status,
    seat: state.you,
    toAct: state.to_act,
    decision: state.decision,
    view: view as Of<R>["view"] | null,
    legalMoves: state.legal_moves,
    events,
    result: state.result,
  };
}

function keyed(): Record<string, string> {
  return { "Idempotency-Key": crypto.randomUUID() };
}
