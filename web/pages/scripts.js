/** The addresses of scripts that are started by them. */

/** The scripts that are made from their address: Trusted Types wants a policy for them. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("stammtisch", {
  createScriptURL: (/** @type {string} */ url) => url,
});

/** The address of a script: the service worker's is that of the pages, which it serves. @param {"worker.js" | "sw.js"} name */
export function scriptUrl(name) {
  const url = (name === "sw.js" ? new URL(name, document.baseURI) : new URL(`../${name}`, import.meta.url)).href;
  return policy?.createScriptURL(url) ?? url;
}
