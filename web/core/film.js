/**
 * A game's views from one perspective, version by version. Views share what did not change.
 */

import { apply, Mismatch } from "./patch.js";

/**
 * @import { GameEvent, View } from "./types.js"
 * @import { Operation } from "./patch.js"
 */

/**
 * An item of `GET .../events?with=patch,tally`.
 * @typedef {object} Item
 * @property {number} version
 * @property {string} at
 * @property {number | null} by
 * @property {GameEvent} event
 * @property {Operation[]} patch
 * @property {any} [tally]  What the cards count with this version, if that has changed.
 * @property {number[]} [to_act]
 * @property {string} public
 * @property {string} secret
 * @property {string} head
 */

/** Events that change nothing that is seen. */
export const SILENT = new Set(["turn_began", "begun", "revealed", "move_began"]);

export class Film {
  constructor() {
    /** @type {Item[]} */
    this.items = [];
    /** The view of version N is at index N; before the first event there is none. @type {(View | null)[]} */
    this.views = [null];
    /** What the cards count, likewise. @type {any[]} */
    this.tallies = [null];
    /** The seat whose move the append of a version began with, likewise. @type {(number | null)[]} */
    this.movers = [null];
  }

  /** The newest version. */
  get last() {
    return this.items.length;
  }

  /** The first version with a view; 0: there is none yet. */
  get first() {
    return Math.max(0, this.views.findIndex((view) => view !== null && view !== undefined));
  }

  /**
   * The items after the last version. Those that are known are skipped.
   * @param {Item[]} items
   */
  add(items) {
    for (const item of items) {
      if (item.version <= this.last) continue;
      if (item.version !== this.last + 1) throw new Mismatch(`version ${item.version} after ${this.last}`);
      const view = apply(this.views[this.last] ?? null, item.patch);
      const goesOn = this.item(this.last)?.at === item.at;
      this.movers.push(goesOn ? this.movers[this.last] ?? null : item.by);
      this.items.push(item);
      this.views.push(view);
      this.tallies.push(item.tally ?? this.tallies.at(-1));
    }
  }

  /** @param {number} version @returns {View | null} */
  view(version) {
    return this.views[version] ?? null;
  }

  /** @param {number} version @returns {import("./types.js").Model["tally"]} */
  tally(version) {
    return this.tallies[version] ?? null;
  }

  /** @param {number} version @returns {Item | undefined} */
  item(version) {
    return this.items[version - 1];
  }

  /**
   * Whether a move, or what the dealer did, is complete with this version: all events of an append have one time, and
   * what house players do follows in the same append.
   * @param {number} version
   */
  isBoundary(version) {
    const next = this.item(version + 1);
    return !next || this.item(version)?.at !== next.at || (this.isHouse(version + 1) && !SILENT.has(next.event.type));
  }

  /** A house player did it: nobody else acts in the append of another seat. @param {number} version */
  isHouse(version) {
    const by = this.item(version)?.by ?? null;
    return by !== null && by !== this.movers[version];
  }

  /** The end of the next move. @param {number} version */
  next(version) {
    let found = Math.min(version + 1, this.last);
    while (!this.isBoundary(found)) found++;
    return found;
  }

  /** The end of the move before. @param {number} version */
  back(version) {
    const least = Math.max(this.first, 1);
    let found = Math.max(version - 1, least);
    while (found > least && !this.isBoundary(found)) found--;
    return found;
  }

  /** The events of the move that ends with this version. @param {number} version @returns {Item[]} */
  move(version) {
    const found = [];
    for (let each = version; each > 0 && (each === version || !this.isBoundary(each)); each--) {
      const item = this.item(each);
      if (item) found.unshift(item);
    }
    return found;
  }

  /** The versions with an event of one of these types. @param {readonly string[]} types */
  marks(types) {
    return this.items.filter(({ event }) => types.includes(event.type));
  }
}
