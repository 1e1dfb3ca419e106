// Verifies records as they come: lines {"record", "head", "rules"} on standard input, for each a line of checks on standard
// output. `rules`: descriptions of rulesets, instead of the tables; null: the tables. Instead of a record {"description"}:
// whether it is refused; or {"deals"}: whether these records are of one deal.

import { createHash, createHmac } from "node:crypto";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

// Web Crypto hashes in other threads, which takes three times as long for small texts. The tests of the program and of
// the browser use it.
const subtle = {
  digest: async (_, data) => createHash("sha256").update(data).digest(),
  importKey: async (_, key) => key,
  sign: async (_, key, data) => createHmac("sha256", key).update(data).digest(),
};
Object.defineProperty(globalThis, "crypto", { value: { subtle } });
const { description, sameDeal, verify } = await import("../../clients/verifiers/stammtisch-verify.mjs");

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { record, head, rules, description: text, deals } = JSON.parse(line);
  const described = (each) => description(new TextEncoder().encode(each));
  const alone = rules && { descriptions: await Promise.all(rules.map(described)), tables: {} };
  const answer = () => {
    if (deals) return sameDeal(deals);
    return text === undefined ? verify(record, { head, ...alone }) : described(text).then(() => "", String);
  };
  writeSync(1, `${JSON.stringify(await answer())}\n`);
}
