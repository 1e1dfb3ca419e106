/**
 * The scripts that are started by their URL. Under Trusted Types only the policy `stammtisch` may name them, and it
 * names no others.
 */

/** @type {Record<string, () => URL>} */
const SCRIPTS = {
  worker: () => new URL("../worker.js", import.meta.url),
  service: () => new URL("sw.js", document.baseURI),
};

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("stammtisch", {
  createScriptURL: (/** @type {string} */ name) => SCRIPTS[name]?.().href ?? "",
});

/** @param {"worker" | "service"} name @returns {string} */
export const scriptUrl = (name) => policy?.createScriptURL(name) ?? SCRIPTS[name]?.().href;
