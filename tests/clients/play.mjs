/**
 * Plays a game at random from all its seats, and follows its events as a bystander; then plays the beginning of a
 * rematch. Prints, as JSON, the id, the moves of each seat as they were made, and the events:
 * `node play.mjs URL RULESET SEATS [TERMS]`.
 */
import assert from "node:assert/strict";

const { Client, problems, Unsealed } = await import(process.env.PACKAGE); // the URL of the installed package's module
const [url, ruleset, seats, terms = "{}"] = process.argv.slice(2);
const options = { pauses: [10, 20, 50], channel: typeof WebSocket === "function" };

/** Every kind of move equally often. */
function anyOf(moves) {
  const kinds = [...new Set(moves.map(({ type }) => type))];
  const kind = kinds[Math.floor(Math.random() * kinds.length)];
  const found = moves.filter(({ type }) => type === kind);
  return found[Math.floor(Math.random() * found.length)];
}

async function play(table) {
  const made = [];
  for await (const turn of table.turns()) {
    if (turn.view === null) throw new Error("a turn without a view");
    const move = anyOf(turn.legalMoves);
    await turn.play(move);
    made.push(move);
  }
  return made;
}

/** Everything else that players do: a rematch, time given, a move taken back, an end by agreement. */
async function playAgain(over, clients) {
  const ids = new Set(await Promise.all(over.map((table) => table.rematch())));
  assert.equal(ids.size, 1);
  const tables = clients.map((client) => client.table(ruleset, [...ids][0]));
  if (sealed) {
    const strangers = new Client(url, { ...options, token: clients[0].token });
    for (const table of tables) await table.sit();
    await assert.rejects(strangers.table(ruleset, tables[0].id).ready(), Unsealed);
    for (const table of tables) await table.ready();
    await assert.rejects(tables[0].ready(), problems.NotWaiting);
  }
  const games = await Promise.all(tables.map((table) => table.game()));
  await tables[0].giveTime(games[1].you, 5);
  const table = tables[games.findIndex((game) => game.legal_moves.length > 0)];
  const mine = clients[tables.indexOf(table)].tablesToPlay();
  assert.equal((await mine.next()).value.name, table.name);
  await mine.return();
  const turns = table.turns();
  const { value: turn } = await turns.next();
  const made = await turn.play(turn.legalMoves[0]);
  if ((await table.game()).undo === made.version) {
    await table.takeBack(made.version);
    const { value: same } = await turns.next();
    assert.deepEqual(same.legalMoves, turn.legalMoves);
    await same.play(same.legalMoves.at(-1));
  } else {
    const refused = await table.takeBack(made.version).catch((problem) => problem);
    assert.ok(refused instanceof problems.NotUndoable && refused.document.undo === null, String(refused));
  }
  await turns.return();
  for (const each of tables) await each.vote("abort", true);
  assert.equal((await table.game()).cause, "agreed");
}

/** A hint, in a game against bots. */
async function advised(client) {
  const table = await client.open("scout", { seats: ["me", "careful/1", "careful/1"], hints: true });
  const hint = await table.hint();
  assert.deepEqual(await table.hint(), hint);
  await table.play(hint.moves[0]);
  await table.leave(null, { running: true });
}

/** What the lists say about a player and the game that is over. */
async function lookedUp(client, table) {
  const { name } = await client.rename("Anna", "fox");
  const { id } = await client.me(), profile = await client.player(id);
  assert.deepEqual([name, profile.name, profile.face], ["Anna", "Anna", "fox"]);
  assert.ok((await client.rulesets()).some((each) => each.name === ruleset));
  const games = [], standings = [];
  for await (const game of client.games({ ruleset, player: id, status: "finished" })) games.push(game.id);
  for await (const standing of client.standings(ruleset)) standings.push(standing.player.id);
  assert.deepEqual(games, [table.id]);
  assert.ok(standings.includes(id));
}

const clients = Array.from({ length: Number(seats) }, () => new Client(url, options));
await Promise.all(clients.map((client, number) => client.register(`Player ${number}`, { bot: true })));
const first = await clients[0].open(ruleset, { seats: clients.length, clock: { bank: 3600 }, ...JSON.parse(terms) });
const tables = [first];
const sealed = Boolean(JSON.parse(terms).sealed);
if (sealed) await first.sit();
for (const client of clients.slice(1)) {
  const table = client.table(ruleset, first.id);
  await table.sit();
  tables.push(table);
}
const watcher = new Client(url, options);
const follow = async (items = []) => {
  for await (const item of watcher.table(ruleset, first.id).events()) items.push(item);
  return items;
};
const [events, ...moves] = await Promise.all([follow(), ...tables.map(play)]);
const over = await first.game();
const [beginning, end] = [await first.at(1, 0), await tables[1].at(over.version, "all")];
assert.deepEqual([beginning.version, beginning.status, end.version, end.view], [1, "waiting", over.version, over.view]);
const { verdict } = await (await first.record()).verify();
const { ok } = await first.audit();
await lookedUp(clients[0], first);
await playAgain(tables, clients);
if (ruleset === "scout") await advised(clients[0]);
console.log(JSON.stringify({ id: first.id, moves, events, verdict, ok, channel: options.channel }));
for (const client of [...clients, watcher]) client.close();
