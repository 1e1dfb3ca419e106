/** Checks in this browser that the tables of a deal had the same cards, and says in words what was checked. */

import { html, nothing } from "../core/html.js";
import { api } from "./page.js";
import { canHash, compared } from "./proof.js";

/**
 * @import { Check } from "../../../../../tests/web/types/verify.d.ts"
 * @import { Schemas, Say } from "../core/types.js"
 * @typedef {Schemas["PairingResource"]} Pairing
 * @typedef {{ count: number, wrong: string[], promise: boolean, why: string }} Verdict
 *   `wrong`: what is wrong, in the words of the verifier. `promise`: the cards are those of the hash on this page.
 */

/** Records that are checked at most. */
export const MOST = 20;

/** @param {Pairing} deal @returns {Promise<Verdict>} */
export async function checked(deal) {
  const verdict = { count: 0, wrong: /** @type {string[]} */ ([]), promise: false, why: "" };
  if (!canHash()) return { ...verdict, why: "same.insecure" };
  const tables = deal.tables.filter(({ invite, status }) => invite && status === "finished").slice(0, MOST);
  const texts = await Promise.all(
    tables.map(({ game, invite }) =>
      api.fetch(`games/${game?.replace("/v1/games/", "")}/record`, { headers: { Invite: invite ?? null } })
        .then((answer) => answer.ok ? answer.text() : "")
    ),
  );
  const all = await compared(texts);
  all.forEach((checks, index) => {
    for (const { name, ok, detail } of checks.filter((each) => each.ok === false)) {
      verdict.wrong.push(`${tables[index]?.number} · ${name}: ${ok === false ? detail : ""}`);
    }
  });
  const promised = texts.map(promiseOf);
  verdict.promise = promised.every((each) => each?.id === deal.deal?.id && each?.commitment === deal.deal?.commitment);
  return { ...verdict, count: texts.length };
}

/** @param {string} text  A record. */
function promiseOf(text) {
  try {
    const { deal, commitment } = JSON.parse(text).events[0].event;
    return { id: deal.id, commitment };
  } catch {
    return null;
  }
}

/** @param {Verdict} verdict @param {Say} say */
export function shown({ count, wrong, promise, why }, say) {
  if (why || !count) return html`<p role="status">${say(why || "same.nothing_to_check")}</p>`;
  const right = !wrong.length && promise;
  return html`<div role="status" class=${right ? "right" : "wrong"}>
    <p><b>${say(right ? "same.checked" : "same.forged", { count })}</b></p>
    <p>${say(promise ? "same.promised" : "same.not_promised")}</p>
    ${wrong.length ? html`<ul lang="en">${wrong.map((each) => html`<li>${each}</li>`)}</ul>` : nothing}</div>`;
}
