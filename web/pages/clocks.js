/** Clocks that run down. They are drawn beside everything else, because nothing else changes with the time. */

import { isShort, remaining, shown } from "../core/clock.js";
import { sound } from "./bell.js";
import { announce, api, byId, more } from "./page.js";

await more();

/**
 * @import { Say } from "../core/types.js"
 * @import { Page } from "./keyboard.js"
 */

const TICK = 200;

/** @param {Page} page @param {Say} say */
export function ticking(page, say) {
  /** The choice for which it has been said that time is short: when it runs out. @type {string | null} */
  let warned = null;
  setInterval(() => {
    const { game } = page.state() ?? {};
    if (!game?.clock || game.result) return;
    const now = Date.now() + api.skew;
    for (const element of byId("main").querySelectorAll(".clock")) {
      const seat = Number(/** @type {HTMLElement} */ (element).dataset["seat"]);
      const clock = game.clock.seats[seat];
      if (!clock) continue;
      const left = remaining(clock, now), text = shown(left), short = isShort(left, game.clock) && clock.runs_out;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("short", Boolean(short));
      if (!short || seat !== game.you || warned === clock.runs_out) continue;
      warned = clock.runs_out;
      announce(say("ui.time_is_short", { left: text }), "assertive");
      sound();
    }
  }, TICK);
}
