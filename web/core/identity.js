/**
 * Who the user is: a guest of the service, whose token is kept in this browser, and what else it remembers.
 */

/**
 * @typedef {{ id: string, name: string, token: string, face?: string }} Identity
 */

const KEY = "identity";

/** Calls `act` when the user has changed, in this tab or another. @param {Memory} memory @param {() => void} act */
export const followIdentity = (memory, act) => memory.watch(KEY, act);

/** @param {Memory} memory @param {Identity | null} known */
export const become = (memory, known) => memory.set(KEY, known);

/** @param {Memory} memory @returns {Identity | null} */
export function identity(memory) {
  const known = memory.get(KEY);
  return known && typeof known.token === "string" ? known : null;
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
 * What the pages remember: in the browser's storage, where that is full in the tab's, and else as long as the page lasts.
 * Nothing is read that another origin could have written, such as the name of the tab.
 */
export class Memory {
  /** @param {...(() => Store)} stores  The most lasting one first. A browser may throw already when it is asked for one. */
  constructor(...stores) {
    /** @type {Map<string, string>} */
    const kept = new Map();
    const page = {
      getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ text) => void kept.set(key, text),
      removeItem: (/** @type {string} */ key) => void kept.delete(key),
    };
    this.stores = [...stores, () => page];
    /** Which store has what was set last. */
    this.place = 0;
    /** @type {[string, () => void][]} */
    this.watchers = [];
  }

  /** What was set last will be there when the browser is opened again. */
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
      const text = attempt(() => store().getItem(PREFIX + key));
      if (text) return attempt(() => JSON.parse(text));
    }
    return null;
  }

  /** @param {string} key @param {unknown} value  null removes it. */
  set(key, value) {
    let open = value !== null;
    for (const [place, store] of this.stores.entries()) {
      attempt(() => store().removeItem(PREFIX + key));
      if (open) {
        attempt(() => {
          store().setItem(PREFIX + key, JSON.stringify(value));
          this.place = place;
          open = false;
        });
      }
    }
    this.changed(PREFIX + key);
  }

  /** Calls `act` after each change of the value. @param {string} key @param {() => void} act */
  watch(key, act) {
    this.watchers.push([PREFIX + key, act]);
  }

  /** This tab has changed it, or another one. @param {string | null} key  As it is stored; null: all. */
  changed(key) {
    for (const [each, act] of this.watchers) if (key === null || key === each) act();
  }
}

/** @template T @param {() => T} act @returns {T | null} */
function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}
