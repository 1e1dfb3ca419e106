// Verifies many records in one process: lines {"record", "head"} on standard input, lines of checks on standard output.

import { readFileSync, writeSync } from "node:fs";
import { verify } from "../../clients/verifiers/stammtisch-verify.mjs";

for (const line of readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  const { record, head } = JSON.parse(line);
  writeSync(1, `${JSON.stringify(await verify(record, { head }))}\n`);
}
