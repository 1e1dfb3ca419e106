/** Verifies a record beside the page, which stays responsive. */

// @ts-types="../tests/web/types/verify.d.ts"
import { description, parse, sameDeal, verify } from "./verify.mjs";

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

/**
 * The checks of each of these records, and from the second one on, that it has the deal of those before it.
 * @param {string[]} texts @returns {Promise<Check[][]>}
 */
async function compared(texts) {
  /** @type {object[]} */
  const deals = [], all = [];
  for (const text of texts) {
    const checks = await checked(text, null, null);
    if (checks[0]?.ok) deals.push(/** @type {object} */ (parse(text)));
    if (deals.length > 1) checks.push(sameDeal(deals));
    all.push(checks);
  }
  return all;
}

addEventListener("message", async ({ data: { text, texts, head, rules }, ports: [answer] }) => {
  answer?.postMessage(await (texts ? compared(texts) : checked(text, head, rules)));
});
