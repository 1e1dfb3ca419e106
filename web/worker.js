/** Verifies a record beside the page, which stays responsive. */

// @ts-types="../tests/web/types/verify.d.ts"
import { parse, verify } from "./verify.mjs";

/** @typedef {import("../tests/web/types/verify.d.ts").Check} Check */

/** All checks of the record in a text. @param {string} text @param {string | null} head @returns {Promise<Check[]>} */
async function checked(text, head) {
  try {
    return await verify(parse(text), { head });
  } catch (error) {
    return [{ name: "shape", ok: false, version: null, detail: String(error) }];
  }
}

addEventListener("message", async ({ data: { text, head }, ports: [answer] }) => {
  answer?.postMessage(await checked(text, head));
});
