/** The proof that a game was dealt as promised: its record is verified by a worker of this browser. */

import { html, nothing, styled } from "../core/html.js";
import { partOf, placed } from "../core/later.js";
import { GLYPHS, path as line } from "../faces/glyphs.js";
import { sign } from "../table/card.js";
import { api, more } from "./page.js";
import { scriptUrl } from "./scripts.js";

await more();

/**
 * @import { Check } from "../../tests/web/types/verify.d.ts"
 * @import { Say } from "../core/types.js"
 * @import { Receipt } from "../core/line.js"
 *
 * @typedef {object} Verdict
 * @property {Check[]} checks  In their order; none: they could not be made.
 * @property {Receipt | null} receipt  What this browser saw of the game: the record contains it.
 * @property {boolean} bots  House players took part.
 * @property {string} wrong  Why nothing could be checked: a key of the words, or "".
 * @property {Check[] | null} audit  The server's own checks, once they are asked for.
 */

/** Kept, so that it needs the service only once. @type {Worker | null} */
let worker = null;

/**
 * The checks of a record. Rejects if the worker cannot be loaded.
 * @param {string} text  The record, as it came.
 * @param {string | null} head  One that was seen: the record has to contain it.
 * @param {Uint8Array | null} [rules]  The description of its ruleset, if the person gave one.
 * @returns {Promise<Check[]>}
 */
export const verified = (text, head, rules = null) => answered({ text, head, rules });

/** The checks of each record of games with the same deal. @param {string[]} texts @returns {Promise<Check[][]>} */
export const compared = (texts) => answered({ texts });

/** What the worker answers. @param {object} asked @returns {Promise<any>} */
function answered(asked) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const { port1, port2 } = new MessageChannel();
  worker ??= new Worker(scriptUrl("worker.js"), { type: "module" });
  worker.addEventListener("error", (event) => {
    worker = null;
    reject(event);
  });
  port1.onmessage = ({ data }) => resolve(data);
  worker.postMessage(asked, [port2]);
  return promise;
}

/** Hashing needs a secure context: HTTPS, or this machine. */
export const canHash = () => Boolean(/** @type {Crypto | undefined} */ (globalThis.crypto)?.subtle);

/**
 * The verdict on a record.
 * @param {string | null} text  null: there is none. @param {Receipt | null} receipt
 * @param {string | null} [head]  To be checked against if there is no receipt.
 * @param {Uint8Array | null} [rules]  The description of its ruleset, if the person gave one.
 * @returns {Promise<Verdict>}
 */
export async function judged(text, receipt, head = null, rules = null) {
  const verdict = { checks: [], receipt, bots: false, wrong: "", audit: null };
  if (!canHash()) return { ...verdict, wrong: "proof.insecure" };
  if (text === null) return { ...verdict, wrong: "proof.no_record" };
  const bots = hasBots(text);
  return await verified(text, receipt?.head ?? head, rules).then(
    (checks) => ({ ...verdict, bots, checks }),
    () => ({ ...verdict, bots, wrong: "proof.not_loaded" }),
  );
}

/** @param {string} text  Of a record, which may be damaged. */
function hasBots(text) {
  try {
    return /"(places|bot)":/.test(text) && JSON.parse(text).events[0].event.places?.length > 0;
  } catch {
    return false;
  }
}

/** The record of a finished game; null: it cannot be read. @param {string} path  RULESET/ID @param {string | null} invite */
const recordOf = (path, invite) =>
  api.fetch(`games/${path}/record`, { headers: { Invite: invite } })
    .then((answer) => answer.ok ? answer.text() : null).catch(() => null);

/** The server's own checks of its log. @param {string} path @param {string | null} invite @returns {Promise<Check[]>} */
export async function audited(path, invite) {
  const { body } = await api.request(`games/${path}/audit`, { headers: { Invite: invite } });
  return body.checks;
}

const SEAL =
  "M12 0.7L14.4 3L17.6 2.2L18.6 5.4L21.8 6.3L21 9.6L23.3 12L21 14.4L21.8 17.6L18.6 18.6L17.6 21.8L14.4 21L12 23.3L9.6 21L6.4 21.8L5.4 18.6L2.2 17.7L3 14.4L0.7 12L3 9.6L2.2 6.3L5.4 5.4L6.3 2.2L9.6 3Z";
Object.assign(GLYPHS, {
  tick: [line("l", "M5 12.5 10 17.5 19 7")],
  cross: [line("l", "M6 6 18 18M18 6 6 18")],
  dash: [line("l", "M6 12H18")],
  seal: [line("f", SEAL), line("cut", "M7.5 12.5 10.7 15.7 16.5 9")],
  broken: [line("f", SEAL), line("cut", "M8.5 8.5 15.5 15.5M15.5 8.5 8.5 15.5")],
  unsealed: [line("l", SEAL), line("l", "M8.5 12H15.5")],
});

const MARKS = new Map([[true, "tick"], [false, "cross"], [null, "dash"]]);

/** @param {Check} check @param {Say} say */
function row({ name, ok, version, detail }, say) {
  const key = `proof.${name}`, known = say(key), about = say(`${key}_is`);
  const state = ok === null ? "proof.not_made" : ok ? "proof.right" : "proof.wrong";
  return html`
    <details
      class="check ${ok === null ? "open" : ok ? "right" : "wrong"}"><summary>${sign(
        MARKS.get(ok) ?? "dash",
      )}<span>${known === key ? name : known}</span> <span class="vh">${say(state)}</span></summary>
        ${about === `${key}_is` ? nothing : html`<p>${about}</p>`}
        <p class="soft" lang="en">${version === null
          ? ""
          : `${say("table.version")} ${version}: `}${detail}</p></details>
  `;
}

/** What no record can show. @param {Verdict} verdict @param {Say} say */
const limits = ({ bots }, say) =>
  html`<ul class="limits">${
    ["legal", "peek", "names", ...(bots ? ["bots"] : [])].map((key) =>
      html`<li>${sign("dash")}<span>${say(`proof.not_${key}`)}</span></li>`
    )
  }</ul>`;

/** The badge in a sentence. @param {Verdict} verdict @param {Say} say */
export function summary({ checks, receipt, wrong }, say) {
  if (wrong) return { state: "open", title: say("proof.unchecked"), text: say(wrong) };
  const right = checks.filter(({ ok }) => ok).length, count = checks.length;
  const failed = checks.some(({ ok }) => ok === false), title = say("proof.count", { right, count });
  const seen = receipt ? say("proof.contains", { version: receipt.version }) : say("proof.not_seen");
  if (failed) return { state: "wrong", title: say("proof.forged"), text: title };
  return { state: right === count ? "right" : "open", title, text: seen };
}

/** For a file with the description of a ruleset. @param {Say} say @param {(rules: Uint8Array) => void} describe */
function chooser(say, describe) {
  /** @param {{ target: any }} event */
  const chosen = async ({ target: { files: [file] } }) => file && describe(new Uint8Array(await file.arrayBuffer()));
  return html`<label class="drop"><span>${say("proof.describe")}</span><input type="file"
    accept=".json,application/json" @change=${chosen}></label>`;
}

await styled("proof");

/**
 * The badge with its checks. Without a verdict: it is being checked.
 * @param {Verdict | null} verdict @param {Say} say @param {(event: Event) => void} again  Tries again what could not be checked.
 * @param {(rules: Uint8Array) => void} describe  Checks again, by this description of a ruleset that nobody knows here.
 * @param {() => void} [ask]  For the server's own checks.
 * @param {boolean} [folded]  In one line, if it is right.
 */
export function badge(verdict, say, again, describe, ask, folded = false) {
  if (!verdict) {
    return html`
      <section class="panel proof">
        <h2>${say("proof.title")}</h2>
        <p>${say("proof.checking")}</p>
      </section>
    `;
  }
  const { state, title, text } = summary(verdict, say), { checks, audit } = verdict;
  const more = html`
    ${checks.length
      ? html`
        <details class="all" ?open=${state === "wrong"}><summary>${say("proof.checks")}</summary>${checks.map((check) =>
          row(check, say)
        )}${checks.some(({ name, ok }) => name === "description" && !ok) ? chooser(say, describe) : nothing}</details>
      `
      : nothing}
    <h3>${say("proof.not_shown")}</h3>${limits(verdict, say)} ${audit
      ? html`<h3>${say("proof.audit")}</h3><p class="soft">${say("proof.audit_is")}</p>${
        audit.map((check) => row(check, say))
      }`
      : ask
      ? html`<button type="button" class="linky" @click=${ask}>${say("proof.ask_audit")}</button>`
      : nothing}
  `;
  return html`
    <section class="panel proof ${state} ${folded ? "folded" : ""}" aria-label=${say("proof.title")}>
      <div class="head" role="status">${sign(state === "right" ? "seal" : state === "wrong" ? "broken" : "unsealed")}
        <h2>${folded && state === "right" ? say("proof.fair") : title}</h2><p>${text}</p></div>
        ${verdict.wrong && canHash()
          ? html`<p><button type="button" class="btn small" @click=${again}>${say("proof.again")}</button></p>`
          : nothing}${folded && state === "right"
          ? html`<details class="how"><summary>${say("proof.how")}</summary>${more}</details>`
          : more}</section>
  `;
}

/**
 * The panel of a finished game, which is being verified.
 * @param {string} path  RULESET/ID @param {string | null} invite @param {Receipt | null} receipt @param {string} head
 * @param {Say} say @param {() => void} changed
 * @param {import("./keyboard.js").Page} page  For what extensions have beside it.
 * @param {boolean} sealed  Its cards are still played elsewhere: there is no record yet.
 */
export function prover(path, invite, receipt, head, say, changed, page, sealed) {
  const others = placed("finished").filter((each) => !sealed || each.sealed).map(({ module }) => {
    const part = { draw: () => html`<section class="panel beside soon"></section>` };
    partOf(module).then(({ panel }) => {
      part.draw = panel(page, path, invite, say);
      changed();
    });
    return part;
  });
  /** @type {Verdict | null} */
  let verdict = null;
  /** @param {Partial<Verdict>} found */
  const is = (found) => {
    verdict = /** @type {Verdict} */ ({ ...verdict, ...found });
    changed();
  };
  const ask = async () => is({ audit: await audited(path, invite).catch(() => []) });
  /** @type {Uint8Array | null} */
  let rules = null;
  const check = async () => is(await judged(await recordOf(path, invite), receipt, head, rules));
  const again = () => {
    verdict = null;
    changed();
    check();
  };
  /** @param {Uint8Array} given */
  const describe = (given) => {
    rules = given;
    again();
  };
  if (!sealed) check();
  const beside = () => page.state()?.game.status === "finished" ? others.map(({ draw }) => draw()) : nothing;
  return (folded = false) => [
    beside(),
    sealed ? nothing : badge(verdict, say, again, describe, ask, folded),
  ];
}
