/** What a table has beyond clicks. Loaded when the table can be played already. */

import { identity } from "../core/identity.js";
import { Turns } from "../core/turns.js";
import { ring } from "./bell.js";
import { channelOf } from "./connection.js";
import { ticking } from "./clocks.js";
import { draggable } from "./drag.js";
import { pressed } from "./keyboard.js";
import { api, memory } from "./page.js";
import "./past.js";

/**
 * @import { Say } from "../core/types.js"
 * @import { Page } from "./keyboard.js"
 */

/** @param {Page} page @param {string} path  RULESET/ID of this table. @param {Say} say */
export function begin(page, path, say) {
  const channel = channelOf(page.connected);
  page.connect(channel);
  document.addEventListener("keydown", (event) => pressed(event, page));
  draggable(page);
  ticking(page, say);
  /** @param {Turns} turns @param {string | null} entered */
  const changed = (turns, entered) => {
    page.waits(turns);
    if (entered) ring(entered, say, entered === path);
  };
  if (identity(memory)) new Turns({ api, channel, changed }).start();
  document.body.dataset["ready"] = "";
}
