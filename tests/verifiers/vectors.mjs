// Computes with the JavaScript verifier what the published vectors give: JSON in, JSON out.

import { readFileSync, writeSync } from "node:fs";
import * as verifier from "../../clients/verifiers/stammtisch-verify.mjs";

const { canonical, hex, raw, Words } = verifier;
const { vectors, texts } = JSON.parse(readFileSync(0, "utf8"));
const secret = raw(vectors.secret);
const key = await verifier.tableKey(secret, vectors.game_id, vectors.entropies);
const hash = await verifier.salted(secret);

async function first(count, next) {
  const found = [];
  while (found.length < count) found.push(await next());
  return found;
}

let head = await verifier.firstHead(vectors.game_id);
const answer = { first_head: hex(head), chain: [], deals: [], below: {}, canonical: [] };
answer.commitment = hex(await verifier.commitment(secret));
answer.table_key = hex(key);
answer.seals = await Promise.all(
  vectors.sealed.entropies.map((entropy, seat) => verifier.seal(vectors.sealed.game_id, seat, entropy)),
);
for (const row of vectors.chain) {
  const [shown, full] = [await verifier.publicHash(row, row.public_event), await hash(row)];
  head = await verifier.nextHead(head, shown, full);
  answer.chain.push({ public: hex(shown), secret: hex(full), head: hex(head) });
}
const numbers = new Words(key, vectors.words.stream);
answer.words = { stream: vectors.words.stream, words: await first(vectors.words.words.length, () => numbers.word()) };
for (const { stream, items } of vectors.deals) answer.deals.push(await new Words(key, stream).shuffled(items));
for (const [n, row] of Object.entries(vectors.below)) {
  const lots = new Words(key, "deal:lot_drawn:1");
  answer.below[n] = await first(row.length, () => lots.below(Number(n)));
}
answer.clocks = vectors.clocks.map(({ appends, ...opened }) => {
  const dials = new verifier.Dials(opened);
  return appends.map(({ entries }) => {
    dials.follow(entries);
    const runsOut = dials.banks.map((_, seat) => dials.since.has(seat) ? Number(dials.runsOut(seat)) : null);
    return [dials.banks.map(Number), dials.reserves.map(Number), runsOut];
  });
});
for (const text of texts) {
  let written = null;
  try {
    written = canonical(JSON.parse(text));
  } catch {
    // refused
  }
  answer.canonical.push(written);
}
writeSync(1, JSON.stringify(answer));
