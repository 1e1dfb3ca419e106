/**
 * Who the user is: a guest of the service, whose token is kept in this browser, and what else it remembers.
 */

/**
 * @import { Api } from "./api.js"
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

// --- what this browser remembers ------------------------------------------------------------------------------------

const PREFIX = "stammtisch.";

export class Memory {
  /**
   * @param {() => Storage} storage  A browser may throw already when it is asked for.
   * @param {{ name: string }} tab
   */
  constructor(storage, tab) {
    this.storage = storage;
    this.tab = tab;
    /** @type {Map<string, string>} */
    this.fallback = new Map(entries(tab.name));
    /** Whether what was set last will be there when the browser is opened again. */
    this.lasting = true;
  }

  /** @param {string} key @returns {any} */
  get(key) {
    try {
      const text = this.fallback.get(key) ?? this.storage().getItem(PREFIX + key);
      return text === null ? null : JSON.parse(text);
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {unknown} value  null removes it. */
  set(key, value) {
    try {
      if (value === null) return void this.storage().removeItem(PREFIX + key);
      this.storage().setItem(PREFIX + key, JSON.stringify(value));
      this.lasting = true;
      value = null;
    } catch {
      this.lasting = false;
    } finally {
      this.carry(key, value);
    }
  }

  /** @param {string} key @param {unknown} value */
  carry(key, value) {
    const known = this.fallback.size;
    if (value === null) this.fallback.delete(key);
    else this.fallback.set(key, JSON.stringify(value));
    if (known || this.fallback.size) this.tab.name = JSON.stringify([...this.fallback]);
  }
}

/** @param {string} name  Of a tab. @returns {[string, string][]} */
function entries(name) {
  try {
    return JSON.parse(name);
  } catch {
    return [];
  }
}
