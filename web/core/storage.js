/**
 * What this browser remembers. Where storage is full or forbidden, the tab remembers it: its name survives a change of
 * the page, but not one of the site.
 */

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
