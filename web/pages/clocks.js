/** Clocks that run down. They are drawn beside everything else, because nothing else changes with the time. */

import { due, isShort, remaining, shown } from "../core/clock.js";
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
  /** What has been read out in this turn of the user; Infinity: nothing. */
  let told = Infinity;
  setInterval(() => {
    const { game } = page.state() ?? {};
    if (!game?.clock || game.result) return;
    const now = Date.now() + api.skew;
    for (const element of byId("main").querySelectorAll(".clock")) {
      const seat = Number(/** @type {HTMLElement} */ (element).dataset["seat"]);
      const clock = game.clock.seats[seat];
      if (!clock) continue;
      const left = remaining(clock, now),
        text = shown(left),
        short = isShort(left, game.clock) && clock.runs_out !== null;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("short", short);
      if (seat !== game.you) continue;
      if (clock.runs_out === null) told = Infinity;
      const least = due(left, clock);
      if (least === null || least >= told) continue;
      told = least;
      announce(say("ui.time_is_short", { n: Math.ceil(left / 1000) }), "assertive");
      sound();
    }
  }, TICK);
}
