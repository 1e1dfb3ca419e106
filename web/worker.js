/** A worker that verifies records: hashing a long game takes longer than a page may stand still. */

// @ts-types="../tests/web/types/stammtisch-verify.d.ts"
import { parse, verify } from "./vendor/stammtisch-verify.js";

/** `text` is a record as JSON, `head` a head that was kept. Answers with the checks, or with the reason why it is none. */
addEventListener("message", async ({ data: { id, text, head } }) => {
  try {
    postMessage({ id, checks: await verify(parse(text), { head }) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
