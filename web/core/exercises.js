/** Own mistakes that a review has named, kept in the browser until their better move is found. */

/**
 * @import { Memory } from "./identity.js"
 * @import { Move } from "./types.js"
 * @typedef {{ path: string, version: number, seat: number, best: Move, loss: number, error: number }} Exercise
 *   `path`: RULESET/ID. `version`: of the choice; the position is that of the version before.
 */

/** The oldest are forgotten. */
const MOST = 20;

/** The latest last. @param {Memory} memory @returns {Exercise[]} */
export const exercises = (memory) => memory.get("mistakes") ?? [];

/** @param {Exercise} one */
const isSame = (one) => (/** @type {Exercise} */ other) => other.path === one.path && other.version === one.version;

/** @param {Memory} memory @param {Exercise[]} found */
export function remember(memory, found) {
  const known = exercises(memory), fresh = found.filter((each) => !known.some(isSame(each)));
  if (fresh.length) memory.set("mistakes", [...known, ...fresh].slice(-MOST));
}

/** @param {Memory} memory @param {Exercise} solved */
export const done = (memory, solved) =>
  memory.set("mistakes", exercises(memory).filter((each) => !isSame(solved)(each)));
