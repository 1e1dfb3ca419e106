/** The user on several devices: taking one's seats along, signing out everywhere, taking away and forgetting. */

import { Problem } from "../core/api.js";
import { html, nothing } from "../core/html.js";
import { become, forget, identity, random } from "../core/identity.js";
import { qr } from "../core/qr.js";
import { drawing } from "../table/card.js";
import { dialog, dismiss, ends } from "./forms.js";
import { announce, api, explained, memory, more } from "./page.js";

await more();

/** @import { Say } from "../core/types.js" */

/** Where the code of a signing out is kept until there is a new token. */
const PENDING = "renewal";

/** Shows a code for another device, as a link and to be photographed. @param {Say} say */
export async function handOver(say) {
  const { body } = await api.request("players/me/codes", { method: "POST" });
  const link = new URL(".", document.baseURI);
  link.hash = new URLSearchParams({ code: body.code }).toString();
  const until = new Date(body.expires_at).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  await dialog(
    say("ui.hand_over"),
    html`<p>${say("ui.hand_over_hint", { time: until })}</p>${picture(link.href, say)}
      <label class="field"><span>${say("ui.link")}</span><input readonly .value=${link.href} @focus=${(
      /** @type {any} */ event,
    ) => event.target.select()}></label>
      <div class="ends"><button type="button" class="btn main" @click=${dismiss}>${say("ui.ok")}</button></div>`,
  );
}

/** The QR code of a text. @param {string} text @param {Say} say */
export function picture(text, say) {
  const code = qr(text);
  if (!code) return nothing;
  const size = code.length + 8;
  const d = code.flatMap((row, y) => row.map((dark, x) => dark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("");
  const shape = {
    tag: "svg",
    attrs: { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": say("ui.qr") },
    children: [
      { tag: "rect", attrs: { width: size, height: size, fill: "#fff" }, children: [] },
      { tag: "path", attrs: { d, fill: "#000" }, children: [] },
    ],
  };
  return drawing(`qr ${text}`, () => /** @type {any} */ (shape));
}

/**
 * Takes over the player of the code in the address, which leaves it at once. Anybody can make such a link: without being
 * asked nobody becomes another player.
 * @param {Say} say
 */
export async function takeOver(say) {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  if (!/^[0-9a-f]{32}$/.test(code)) return;
  history.replaceState(null, "", location.pathname + location.search);
  const known = identity(memory);
  const hint = html`<p>${say("ui.take_over_hint")}</p>${
    known ? html`<p>${say("ui.take_over_instead", { name: known.name })}</p>` : nothing
  }`;
  if (await dialog(say("ui.take_over"), html`${hint}${ends(say, say("ui.take_over"))}`) !== "ok") return;
  try {
    const { body } = await exchanged(code);
    become(memory, body);
    location.reload();
  } catch (error) {
    const text = error instanceof Problem && error.status === 404 ? say("ui.code_invalid") : explained(error, say);
    announce(text, "assertive");
    await dialog(say("ui.take_over"), html`<p class="wrong">${text}</p>${closing(say)}`);
  }
}

/** @param {Say} say */
const closing = (say) =>
  html`<div class="ends"><button type="button" class="btn main" @click=${dismiss}>${say("ui.ok")}</button></div>`;

/** @param {string} code */
const exchanged = (code) =>
  api.request("players/tokens", { method: "POST", body: { code }, headers: { Authorization: null } });

/**
 * Makes all tokens of the user invalid, and gets a new one for this device. The code for it is kept until there is one:
 * nobody is locked out by an answer that is lost.
 * @param {Say} say @returns {Promise<string>} What is wrong.
 */
export async function signOutEverywhere(say) {
  const code = memory.get(PENDING) ?? random();
  memory.set(PENDING, code);
  try {
    await api.request("players/me/sign-out", { method: "POST", body: { code } });
    return await renew(say);
  } catch (error) {
    return explained(error, say);
  }
}

/** Exchanges the code that is kept for a token, if there is one. @param {Say} say @returns {Promise<string>} What is wrong. */
export async function renew(say) {
  const code = memory.get(PENDING);
  if (!code) return "";
  try {
    const { body } = await exchanged(code);
    become(memory, body);
    memory.set(PENDING, null);
    return "";
  } catch (error) {
    if (error instanceof Problem && error.status === 404) memory.set(PENDING, null);
    return explained(error, say);
  }
}

/** What the service has of the user, and the token, as a file. */
export async function exportAll() {
  const user = identity(memory);
  const { body: profile } = await api.request("players/me");
  const games = [];
  for (let next = `games?player=${user?.id}&limit=100`; next;) {
    const { body } = await api.request(next.split("?")[0] ?? "", {
      query: Object.fromEntries(new URLSearchParams(next.split("?")[1])),
    });
    games.push(...body.items);
    next = body.next ?? "";
  }
  const text = JSON.stringify({ format: "stammtisch-player/1", service: api.base, ...user, profile, games }, null, 2);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "stammtisch.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Erases the user's name for ever, after asking. @param {Say} say @returns {Promise<string>} What is wrong. */
export async function forgetForEver(say) {
  const hint = html`<p>${say("ui.forget_ever_hint")}</p>`;
  if (await dialog(say("ui.forget_ever"), html`${hint}${ends(say, say("ui.forget_ever"))}`) !== "ok") return "";
  try {
    await api.request("players/me", { method: "DELETE" });
    forget(memory);
    return "";
  } catch (error) {
    return explained(error, say);
  }
}
