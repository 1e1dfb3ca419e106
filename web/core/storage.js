/**
 * What this browser remembers. Where storage is full or forbidden, it is remembered until the page is closed.
 */

const PREFIX = "stammtisch.";

export class Memory {
  /** @param {() => Storage} storage  A browser may throw already when it is asked for. */
  constructor(storage) {
    this.storage = storage;
    /** @type {Map<string, string>} */
    this.fallback = new Map();
    /** Whether what was set last will be there after a reload. */
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
      if (value === null) this.storage().removeItem(PREFIX + key);
      else this.storage().setItem(PREFIX + key, JSON.stringify(value));
      this.fallback.delete(key);
      this.lasting = true;
    } catch {
      if (value === null) this.fallback.delete(key);
      else this.fallback.set(key, JSON.stringify(value));
      this.lasting = false;
    }
  }

  /** @param {string} prefix @returns {string[]} */
  keys(prefix) {
    try {
      const stored = Object.keys(this.storage()).filter((key) => key.startsWith(PREFIX + prefix));
      return [...new Set([...stored.map((key) => key.slice(PREFIX.length)), ...this.fallback.keys()])]
        .filter((key) => key.startsWith(prefix));
    } catch {
      return [...this.fallback.keys()].filter((key) => key.startsWith(prefix));
    }
  }
}
