/** Verifies a record beside the page, which stays responsive. */

// @ts-types="../tests/web/types/verify.d.ts"
import { description, parse, verify } from "./verify.mjs";

/** @typedef {import("../tests/web/types/verify.d.ts").Check} Check */

/**
 * All checks of the record in a text.
 * @param {string} text @param {string | null} head @param {Uint8Array | null} rules  A description, as the author gives it.
 * @returns {Promise<Check[]>}
 */
async function checked(text, head, rules) {
  let name = "description";
  try {
    const descriptions = rules ? [await description(rules)] : [];
    name = "shape";
    return await verify(parse(text), { head, descriptions });
  } catch (error) {
    return [{ name, ok: false, version: null, detail: String(error) }];
  }
}

addEventListener("message", async ({ data: { text, head, rules }, ports: [answer] }) => {
  answer?.postMessage(await checked(text, head, rules));
});
