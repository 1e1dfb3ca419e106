/** The descriptions by ruleset. A ruleset that is not here is described from its schemas (`core/describe.js`). */

import { later } from "../core/later.js";

/** @type {Record<string, () => Promise<{ default: import("../core/types.js").Table }>>} */
const TABLES = {
  skyjo: () => import("./skyjo.js"),
  skyjo_action: () => import("./skyjo_action.js"),
  scout: () => import("./scout.js"),
  scopinion: () => import("./scopinion.js"),
  scandaroon: () => import("./scandaroon.js"),
};

/** Those without rules in words: tables of packages. @type {Set<string>} */
const UNTOLD = new Set();

export const listed = () => Object.keys(TABLES);

/** @param {string} name @returns {Promise<import("../core/types.js").Table | null>} */
export async function tableOf(name) {
  const load = TABLES[name];
  return load ? (await later(load)).default : null;
}

/** By ruleset: what a move does with its cards, and events at which the house speaks. */
export const choices = () => later(() => import("./choices.js"));
export const moments = () => later(() => import("./moments.js"));

/** The rules of a ruleset in words, as data. @param {string} name @returns {URL | null} */
export const rulesOf = (name) =>
  name in TABLES && !UNTOLD.has(name) ? new URL(`./rules/${name}.json`, import.meta.url) : null;
