/**
 * Who the user is: a guest of the service, whose token is kept in this browser, and what else it remembers.
 */

/**
 * @import { Api } from "./api.js"
 * @typedef {{ id: string, name: string, token: string }} Identity
 */

const KEY = "identity";

/** Calls `act` when the user's identity has changed, in this tab or in another one. @param {Memory} memory @param {() => void} act */
export const followIdentity = (memory, act) => memory.watch(KEY, act);

/** @param {Memory} memory @param {Identity | null} known */
export const become = (memory, known) => memory.set(KEY, known);

/** @param {Memory} memory @returns {Identity | null} */
export function identity(memory) {
  const known = memory.get(KEY);
  return known && typeof known.token === "string" ? known : null;
}

/** @param {Api} api @param {Memory} memory @param {string} name @returns {Promise<Identity>} */
export async function register(api, memory, name) {
  const { body } = await api.request("players", { method: "POST", body: { name }, headers: { Authorization: null } });
  become(memory, body);
  return body;
}

/** @param {Api} api @param {Memory} memory @param {string} name @returns {Promise<Identity>} */
export async function rename(api, memory, name) {
  const { body } = await api.request("players/me", { method: "PATCH", body: { name } });
  become(memory, body);
  return body;
}

/** @param {Memory} memory */
export function forget(memory) {
  become(memory, null);
}

/** 128 random bits as hexadecimal digits: an idempotency key, or the player's part of the shuffle. */
export function random() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- what this browser remembers ------------------------------------------------------------------------------------

const PREFIX = "stammtisch.";

/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store */

/**
 * What the pages of this origin have stored. Where the browser's storage is full, the tab's takes it; where that fails
 * too, it lasts as long as the page. Nothing is read that another origin could have written, such as the tab's name.
 */
export class Memory {
  /** @param {...(() => Store)} stores  The most lasting one first. A browser may throw already when it is asked for one. */
  constructor(...stores) {
    const page = shelf();
    this.stores = [...stores, () => page];
    /** Where the latest value went: 0 if it is there when the browser is opened again. */
    this.place = 0;
    /** @type {Map<string, (() => void)[]>} */
    this.watchers = new Map();
  }

  /** What was set last is there when the browser is opened again. */
  get lasting() {
    return this.place === 0;
  }

  /** What was set last is not there on the next page. */
  get fleeting() {
    return this.place > 0 && this.place === this.stores.length - 1;
  }

  /** @param {string} key @returns {any} */
  get(key) {
    for (const store of this.stores.toReversed()) {
      try {
        const text = store().getItem(PREFIX + key);
        if (text !== null) return JSON.parse(text);
      } catch {
        // The next one may have it.
      }
    }
    return null;
  }

  /** @param {string} key @param {unknown} value  null removes it. */
  set(key, value) {
    let open = value !== null;
    for (const [place, store] of this.stores.entries()) {
      try {
        if (open) {
          store().setItem(PREFIX + key, JSON.stringify(value));
          this.place = place;
          open = false;
        } else store().removeItem(PREFIX + key);
      } catch {
        discard(store, PREFIX + key);
      }
    }
    this.changed(PREFIX + key);
  }

  /** Calls `act` after each change of the value. @param {string} key @param {() => void} act */
  watch(key, act) {
    this.watchers.set(key, [...this.watchers.get(key) ?? [], act]);
  }

  /** Another tab has changed it, or this one. @param {string | null} key  As it is stored; null: everything. */
  changed(key) {
    for (const [each, acts] of this.watchers) {
      if (key === null || key === PREFIX + each) { for (const act of acts) act(); }
    }
  }
}

/** An older value that cannot be replaced must not be found again. @param {() => Store} store @param {string} key */
function discard(store, key) {
  try {
    store().removeItem(key);
  } catch {
    // There is none.
  }
}

/** What lasts as long as the page. @returns {Store} */
function shelf() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  };
}
