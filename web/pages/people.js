/** Whom the user does not hear: people, players of the house, whole tables. */

import { memory } from "./page.js";

/** People and tables that are not heard, the latest last. Bounded: the oldest are forgotten. */
const MOST = 200;

/** @param {string} who  A player, or a table as RULESET/ID. */
export const isMuted = (who) => (memory.get("muted") ?? []).includes(who);

/** @param {string} who @param {boolean} muted */
export function mute(who, muted) {
  const others = (memory.get("muted") ?? []).filter((/** @type {string} */ each) => each !== who);
  memory.set("muted", [...others, ...(muted ? [who] : [])].slice(-MOST));
}
