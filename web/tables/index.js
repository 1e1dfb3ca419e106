/** The descriptions by ruleset. A ruleset that is not here is described from its schemas (`core/describe.js`). */

/** @type {Record<string, () => Promise<{ default: import("../core/types.js").Table }>>} */
export const TABLES = {
  skyjo: () => import("./skyjo.js"),
  skyjo_action: () => import("./skyjo_action.js"),
  scout: () => import("./scout.js"),
  scopinion: () => import("./scopinion.js"),
  scandaroon: () => import("./scandaroon.js"),
};

/** The rules of a ruleset in words, as data. @param {string} name @returns {URL | null} */
export const rulesOf = (name) => name in TABLES ? new URL(`./rules/${name}.json`, import.meta.url) : null;
