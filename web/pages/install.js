/** Lets the browser keep the pages: they open without a network, and can be installed. */

import { scriptUrl } from "./scripts.js";

/** Without a secure context, or in a private window, there are no service workers: then nothing is kept. */
export function install() {
  navigator.serviceWorker?.register(scriptUrl("sw.js"), { updateViaCache: "none" }).catch(() => {});
}
