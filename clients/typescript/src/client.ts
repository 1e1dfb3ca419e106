/** The client. */

import { Contact, PAUSES, sleep } from "./backoff.js";
import { Channel, Follow } from "./channel.js";
import { ChannelUnavailable } from "./errors.js";
import { given, type Json } from "./json.js";
import { checked, Rest } from "./rest.js";
import type * as schema from "./schema.js";
import { type Of, Table, type Viewpoint } from "./table.js";

/** Milliseconds between two questions whether it is the caller's turn, where there is no play channel. */
const POLL = 5000;

export interface ClientOptions {
  /** A guest's token, or one that a site has issued. Without it the client can register or watch. */
  token?: string;
  /**
   * Seconds for which requests are repeated; `Infinity` for ever. Default: 300. Until the service has answered for the
   * first time, they are at most 10.
   */
  patience?: number;
  /** False: event streams instead of the play channel. */
  channel?: boolean;
  /** For Node before 22, which has none. Without one the client uses event streams. */
  WebSocket?: typeof WebSocket;
  fetch?: typeof fetch;
  /** Is told after the second attempt that the service does not answer. Default: `console.warn`. */
  warn?: (text: string) => void;
  /**
   * Secret random text, from which the entropies of sealed games follow. A program that runs again needs the same one to
   * open what it has sealed. Default: drawn anew.
   */
  seed?: string;
  /** Milliseconds before the second, third ... attempt of a request. */
  pauses?: readonly number[];
}

/** The terms of a new game. */
export interface Terms<R extends string> extends Omit<schema.GameRequest, "seats" | "options"> {
  /** Their number, or for each `"me"`, `"open"`, the name of a bot or `{player: id}`. */
  seats: number | readonly (string | schema.KeptSeat)[];
  options?: Of<R>["options"];
}

export interface LobbyFilter {
  ruleset?: string;
  status?: schema.Status;
  player?: string;
  /** With a free seat. */
  open?: boolean;
  /** False: without bots. */
  bots?: boolean;
  /** In which the caller must act. */
  acting?: boolean;
  /** In which a seat is kept for the caller. */
  invited?: boolean;
}

/** A client of the service at a URL, for one player. */
export class Client {
  readonly #rest: Rest;
  readonly #channel: Channel;

  /** Throws `InvalidUrl`. */
  constructor(url: string | URL, options: ClientOptions = {}) {
    const { token = null, patience = 300, pauses = PAUSES, channel = true, seed = crypto.randomUUID() } = options;
    const send = options.fetch ?? ((input, init) => fetch(input, init));
    const base = checked(url);
    this.#rest = new Rest(base, token, new Contact(base, patience, options.warn), pauses, send, seed);
    this.#channel = new Channel(this.#rest, channel ? options.WebSocket ?? globalThis.WebSocket : undefined);
  }

  /** Closes the play channel. */
  close(): void {
    this.#channel.close();
  }

  /** The token of the player. Keep a guest's: it cannot be issued again. */
  get token(): string | null {
    return this.#rest.token;
  }

  /** Registers as a guest. The client then acts for this player. Programs that play say `bot: true`. */
  async register(name: string, { bot = false } = {}): Promise<schema.Identity> {
    const identity: schema.Identity = await this.#rest.post("/v1/players", { name, bot }, null);
    this.#rest.token = identity.token;
    this.#channel.reconnect();
    return identity;
  }

  /** The caller's profile. */
  async me(): Promise<schema.Profile> {
    return await this.#rest.get("/v1/players/me");
  }

  /** Changes the name of a guest, the face of a player (null: none), or both. */
  async rename(name?: string, face?: schema.Face | null): Promise<schema.Player> {
    return JSON.parse((await this.#rest.send("PATCH", "/v1/players/me", { body: { name, face } })).text);
  }

  /** The public profile of a player. */
  async player(id: string): Promise<schema.Profile> {
    return await this.#rest.get(`/v1/players/${encodeURIComponent(id)}`);
  }

  /** The rulesets with their numbers of players. */
  async rulesets(): Promise<schema.RulesetListed[]> {
    return (await this.#rest.get("/v1/rulesets")).items;
  }

  /** The games of the lobby, newest first. */
  async *games({ open, bots, acting, invited, ...rest }: LobbyFilter = {}): AsyncGenerator<schema.LobbyGame, void> {
    const flags = { open: open || null, bots: bots === false ? false : null };
    const mine = { acting: acting ? "me" : null, invited: invited ? "me" : null };
    yield* this.#pages("/v1/games", { ...rest, ...flags, ...mine });
  }

  /** The players of a ruleset, best first. */
  async *standings(ruleset: string, { bots = true } = {}): AsyncGenerator<schema.Standing, void> {
    yield* this.#pages(`/v1/standings/${encodeURIComponent(ruleset)}`, { bots: bots ? null : false });
  }

  async *#pages(path: string, query: Json): AsyncGenerator<any, void> {
    let page = await this.#rest.get(path, { ...query, limit: 100 });
    for (;;) {
      yield* page.items;
      if (page.next === null) return;
      page = await this.#rest.get(page.next);
    }
  }

  /**
   * Opens a game, once.
   * @param key The idempotency key, by default a new one: with the same key the same game is returned.
   */
  async open<R extends string>(ruleset: R, terms: Terms<R>, key: string = crypto.randomUUID()): Promise<Table<R>> {
    const game = await this.#rest.post(`/v1/games/${encodeURIComponent(ruleset)}`, given(terms), key);
    return this.table(ruleset, game.id, { invite: game.invite });
  }

  /** The game with this id. Nothing is requested. `sit` takes a seat. `as`: a seat of a hotseat game. */
  table<R extends string>(
    ruleset: R,
    id: string,
    { invite, as }: { invite?: string | null; as?: Viewpoint } = {},
  ): Table<R> {
    return new Table(this.#rest, this.#channel, ruleset, id, invite ?? null, as);
  }

  /** Tables at which the caller must act: those of now, then each as it becomes the caller's turn. Never ends. */
  async *tablesToPlay(): AsyncGenerator<Table<string>, void> {
    for (;;) {
      const follow = new Follow("turns", () => ({ type: "follow_turns" }));
      try {
        this.#channel.follow(follow);
        for (;;) {
          const message = await follow.next();
          for (const { game } of message.games ?? (message.yours ? [message] : [])) {
            const [ruleset, id] = game.split("/");
            yield this.table(ruleset, id);
          }
        }
      } catch (failure) {
        if (!(failure instanceof ChannelUnavailable)) throw failure;
      } finally {
        this.#channel.unfollow(follow);
      }
      for await (const { ruleset, id } of this.games({ acting: true })) yield this.table(ruleset, id);
      await sleep(POLL);
    }
  }
}
