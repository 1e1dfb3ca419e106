/**
 * Who the user is: a guest of the service, whose token is kept in this browser.
 */

/**
 * @import { Api } from "./api.js"
 * @import { Memory } from "./storage.js"
 * @typedef {{ id: string, name: string, token: string }} Identity
 */

const KEY = "identity";

/** @param {Memory} memory @returns {Identity | null} */
export function identity(memory) {
  const known = memory.get(KEY);
  return known && typeof known.token === "string" ? known : null;
}

/** @param {Api} api @param {Memory} memory @param {string} name @returns {Promise<Identity>} */
export async function register(api, memory, name) {
  const { body } = await api.request("players", { method: "POST", body: { name }, headers: { Authorization: null } });
  memory.set(KEY, body);
  return body;
}

/** @param {Api} api @param {Memory} memory @param {string} name @returns {Promise<Identity>} */
export async function rename(api, memory, name) {
  const { body } = await api.request("players/me", { method: "PATCH", body: { name } });
  memory.set(KEY, body);
  return body;
}

/** @param {Memory} memory */
export function forget(memory) {
  memory.set(KEY, null);
}

/** 128 random bits as hexadecimal digits: an idempotency key, or the player's part of the shuffle. */
export function random() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
