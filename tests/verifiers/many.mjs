// Verifies records as they come: lines {"record", "head"} on standard input, for each a line of checks on standard output.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { verify } from "../../clients/verifiers/stammtisch-verify.mjs";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { record, head } = JSON.parse(line);
  writeSync(1, `${JSON.stringify(await verify(record, { head }))}\n`);
}
