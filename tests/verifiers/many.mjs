// Verifies records as they come: lines {"record", "head"} on standard input, for each a line of checks on standard output.

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
const { verify } = await import("../../clients/verifiers/stammtisch-verify.mjs");

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { record, head } = JSON.parse(line);
  writeSync(1, `${JSON.stringify(await verify(record, { head }))}\n`);
}
