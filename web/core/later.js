/**
 * What is loaded when it is used: modules, words, styles, data. Nothing else fetches a file or imports a module on use
 * (`no-silent-load` in tests/web/lint.js).
 */

/** Milliseconds until the second attempt. */
const PAUSE = 500;

/** Those that have failed, until the user wants to try again. @type {(() => void)[]} */
let waiting = [];

/** What extensions have at places of pages: the service says it in the shell. @type {import("./types.js").Places} */
const PLACES = JSON.parse(/** @type {any} */ (globalThis).document?.querySelector("[name=places]")?.content ?? "{}");

/** What extensions have at a place, in their order. @template {keyof import("./types.js").Places} K @param {K} place */
export const placed = (place) => PLACES[place] ?? [];

/** A module of an extension. @param {string} path  Below the files of the pages. @returns {Promise<any>} */
export const partOf = (path) => later(() => import(`../${path}`));

/** All that has failed is tried again. */
function again() {
  const all = waiting;
  waiting = [];
  for (const each of all) each();
}

/**
 * What `load` loads. If it fails twice the user is asked (pages/check.js), and waits for the next attempt: what was
 * begun goes on as soon as one succeeds.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>}
 */
export async function later(load) {
  for (let attempts = 1;; attempts++) {
    try {
      const found = await load();
      if (attempts > 1) again();
      return found;
    } catch (error) {
      if (attempts === 1) await new Promise((done) => setTimeout(done, PAUSE));
      else {
        console.error(error);
        await new Promise((done) => {
          waiting.push(() => done(null));
          dispatchEvent(new CustomEvent("unloaded", { detail: again }));
        });
      }
    }
  }
}

/**
 * The same as a function that loads once, however often it is called.
 * @template T @param {() => Promise<T>} load @returns {() => Promise<T>}
 */
export function once(load) {
  /** @type {Promise<T> | undefined} */
  let loaded = undefined;
  return () => loaded ??= later(load);
}

/** The same for what nobody misses: null if it fails. @template T @param {() => Promise<T>} load @returns {Promise<T | null>} */
export const optional = (load) => load().catch(() => null);

/** A file of the pages. @param {URL} url */
export async function file(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}
