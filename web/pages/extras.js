/** What a table has beyond clicks. Loaded when the table can be played already. */

import { pressed } from "./keyboard.js";
import "./past.js";

/** @import { Page } from "./keyboard.js" */

/** @param {Page} page */
export function begin(page) {
  document.addEventListener("keydown", (event) => pressed(event, page));
  document.body.dataset["ready"] = "";
}
