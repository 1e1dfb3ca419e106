/**
 * The service worker: keeps the pages and their files, so that they open without a network. It never touches `/v1`.
 * The service writes the names of pages and files into it.
 */

const PREFIX = "stammtisch-";
const DIGEST = "<!-- digest -->";
const CACHE = `${PREFIX}${DIGEST}`;
/** @type {string[]} */
const SHELLS = JSON.parse(`<!-- shells -->`);
/** @type {string[]} */
const FILES = JSON.parse(`<!-- files -->`);

const worker = /** @type {any} */ (globalThis);
const base = new URL("./", worker.location.href);

/** Everything or nothing: a page without one of its modules does not run. */
async function fill() {
  const shells = await Promise.all(SHELLS.map(current)), cache = await caches.open(CACHE);
  await Promise.all(shells.map(([url, response]) => cache.put(url, response)));
  await cache.addAll(FILES.map((path) => new URL(path, base).href));
}

/** A page, if it is of this release: during an upgrade another one answers too. @param {string} path @returns {Promise<[string, Response]>} */
async function current(path) {
  const url = new URL(path, base).href, Accept = "text/html"; // programs get an index at the address of the lobby
  const response = await fetch(url, { headers: { Accept }, cache: "no-cache" });
  const text = await response.clone().text();
  if (!response.ok || !text.includes(`web/${DIGEST}/`)) throw new Error(`${url} is of another release`);
  return [url, response];
}

/** Of other versions, which no open page uses any more. */
async function clear() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** The page as it is now; without a network as it was. @param {Request} request @param {string} path */
async function shell(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(new URL(path, base).href, { cacheName: CACHE, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** Files never change: their URL has a hash of all of them. @param {Request} request */
const file = async (request) =>
  await caches.match(request, { cacheName: CACHE, ignoreVary: true }) ?? await fetch(request);

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clear()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== base.origin || !pathname.startsWith(base.pathname)) return;
  const path = pathname.slice(base.pathname.length);
  if (path.startsWith("web/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && SHELLS.includes(path)) event.respondWith(shell(request, path));
});
