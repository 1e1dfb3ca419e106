/**
 * The proof of a game, checked in this browser by the stand-alone verifier, which knows nothing of these pages.
 */

import { scriptUrl } from "./scripts.js";

/** @typedef {{ name: string, ok: boolean | null, version: number | null, detail: string }} Check */

/** @type {Worker | null} */
let worker = null;
let asked = 0;
/** @type {Map<number, { done: (checks: Check[]) => void, failed: (error: Error) => void }>} */
const waiting = new Map();

/** Whether this browser can hash: only over HTTPS and on this machine. */
export const canVerify = () => Boolean(globalThis.crypto?.subtle);

/** Loads the verifier, so that it is there when the service is not. */
export function prepare() {
  if (worker) return worker;
  worker = new Worker(/** @type {any} */ (scriptUrl("worker")), { type: "module" });
  worker.onmessage = ({ data: { id, checks, error } }) => {
    const { done, failed } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (checks) done?.(checks);
    else failed?.(new Error(error));
  };
  worker.onerror = () => {
    for (const { failed } of waiting.values()) failed(new Error("the verifier could not be loaded"));
    waiting.clear();
    worker = null;
  };
  return worker;
}

/**
 * All checks of a record. Rejects if the text is no JSON.
 * @param {string} text
 * @param {string | null} [head]  A head that was kept: the record has to contain it.
 * @returns {Promise<Check[]>}
 */
export function verified(text, head = null) {
  const { promise, resolve, reject } = Promise.withResolvers(), id = ++asked;
  waiting.set(id, { done: resolve, failed: reject });
  prepare().postMessage({ id, text, head });
  return promise;
}
