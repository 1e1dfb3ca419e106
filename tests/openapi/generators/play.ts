// Plays whole games with the types that openapi-typescript has made, through openapi-fetch: `node play.js URL`.
// One game of Skyjo through its own types, then one of every ruleset through the routes for any ruleset.

import assert from "node:assert/strict";

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Client = ReturnType<typeof createClient<paths, "application/json">>;

const MOST = 5000; // a game takes fewer moves

/** The same numbers each time. */
function dice(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
}

/** Every kind of move equally often. */
function anyOf<M extends { type: string }>(moves: M[], roll: (below: number) => number): M {
  const kinds = [...new Set(moves.map((move) => move.type))].sort();
  const kind = kinds[roll(kinds.length)];
  const found = moves.filter((move) => move.type === kind);
  const chosen = found[roll(found.length)];
  assert(chosen !== undefined);
  return chosen;
}

function done<T>(answer: { data?: T; error?: unknown; response: Response }): NonNullable<T> {
  assert(answer.data != null, `${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data;
}

/** What a ruleset's own schema describes is a game: this has to compile. */
const neutral = (game: Schemas["SkyjoGame"] | Schemas["ScandaroonGame"] | Schemas["ScoutGame"]): Schemas["Game"] => game;

/** Nor does this compile unless the type of a move tells its fields. */
function told(move: Schemas["SkyjoMove"]): string {
  switch (move.type) {
    case "flip":
    case "swap":
      return `${move.type} ${move.slot}`;
    case "draw":
    case "take":
    case "toss":
      return move.type;
  }
}

async function playSkyjo(client: Client): Promise<number> {
  const roll = dice(1);
  let game = done(
    await client.POST("/v1/games/skyjo", { body: { seats: 2, hotseat: true, options: { target_points: 30 } } }),
  );
  const points: number = game.options.target_points;
  assert.equal(points, 30);
  const params = { path: { game_id: game.id } };
  const refused = await client.POST("/v1/games/skyjo/{game_id}/moves", { params, body: { type: "swap", slot: 0 } });
  assert.equal(refused.response.status, 409);
  for (let moves = 0; moves < MOST; moves++) {
    if (game.status === "finished") {
      assert(game.result !== null && game.view?.phase === "over");
      assert.equal(neutral(game).id, game.id);
      return moves;
    }
    const legal = done(await client.GET("/v1/games/skyjo/{game_id}/moves", { params }));
    const chosen = anyOf(legal.legal_moves, roll);
    assert(told(chosen).startsWith(chosen.type));
    const header = { "Idempotency-Key": String(moves), Prefer: "return=minimal" };
    const made = done(
      await client.POST("/v1/games/skyjo/{game_id}/moves", { params: { ...params, header }, body: chosen }),
    );
    assert(made.events.length > 0 && made.game === undefined);
    game = done(await client.GET("/v1/games/skyjo/{game_id}", { params }));
  }
  throw new Error("the game does not end");
}

async function play(ruleset: string, seats: number, client: Client): Promise<number> {
  const roll = dice(2);
  let game: Schemas["Game"] = done(
    await client.POST("/v1/games/{ruleset}", { params: { path: { ruleset } }, body: { seats, hotseat: true } }),
  );
  const params = { path: { ruleset, game_id: game.id } };
  for (let moves = 0; moves < MOST; moves++) {
    if (game.status === "finished") {
      assert.equal(game.result?.scores.length, seats);
      const page = done(
        await client.GET("/v1/games/{ruleset}/{game_id}/events", { params: { ...params, query: { limit: 500 } } }),
      );
      assert.equal(page.items[0]?.event.type, "opened");
      return moves;
    }
    const legal = done(await client.GET("/v1/games/{ruleset}/{game_id}/moves", { params }));
    const body = anyOf(legal.legal_moves, roll);
    const made = done(await client.POST("/v1/games/{ruleset}/{game_id}/moves", { params, body }));
    assert(made.game !== undefined);
    game = made.game;
  }
  throw new Error("the game does not end");
}

const baseUrl = process.argv[2];
assert(baseUrl !== undefined);
const stranger = createClient<paths, "application/json">({ baseUrl });
const { id: player, token } = done(await stranger.POST("/v1/players", { body: { name: "Bob" } }));
const client = createClient<paths, "application/json">({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const played = [`skyjo, typed: ${await playSkyjo(client)} moves`];
for (const { name, seats } of done(await client.GET("/v1/rulesets")).items) {
  played.push(`${name}: ${await play(name, seats.least, client)} moves`);
}
const listed = done(await client.GET("/v1/games", { params: { query: { status: "finished", player } } }));
assert.equal(listed.items.length, played.length);
console.log(played.join(", "));
