/**
 * Plays a game at random from all its seats, and follows its events as a bystander. Prints, as JSON, the id, the moves of
 * each seat as they were made, and the events: `node play.mjs URL RULESET SEATS [TERMS]`.
 */
import { Client } from "../../clients/typescript/dist/index.js";

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

const clients = Array.from({ length: Number(seats) }, () => new Client(url, options));
await Promise.all(clients.map((client, number) => client.register(`Player ${number}`, { bot: true })));
const first = await clients[0].open(ruleset, { seats: clients.length, ...JSON.parse(terms) });
const tables = [first];
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
const { verdict } = await (await first.record()).verify();
const { ok } = await first.audit();
console.log(JSON.stringify({ id: first.id, moves, events, verdict, ok, channel: options.channel }));
for (const client of [...clients, watcher]) client.close();
