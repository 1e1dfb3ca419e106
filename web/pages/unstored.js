/** The memory of a table in a page of another site: it ends with the page. The site chooses language and theme. */

import { Memory } from "../core/identity.js";

const asked = new URLSearchParams(location.search);
/** @type {Map<string, string>} */
const kept = new Map();
const storage = {
  getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  removeItem: (/** @type {string} */ key) => void kept.delete(key),
};

export const unstored = new Memory(() => /** @type {any} */ (storage), { name: "" });
unstored.set("language", asked.get("lang"));
unstored.set("theme", ["light", "dark"].find((theme) => theme === asked.get("theme")) ?? null);

// pages/page.js, which is evaluated next, takes it.
Object.assign(globalThis, { unstored });
