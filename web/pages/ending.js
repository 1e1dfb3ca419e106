/** A game ends before it is over: its player says so, or all of them agree. */

import { html } from "../core/html.js";
import { dialog, ends } from "./forms.js";
import { announce, api, explained } from "./page.js";

/** @import { Say } from "../core/types.js" */

/** Nobody else sits there but the house. @param {{ game: any, me: string | null }} state */
export const isAlone = ({ game, me }) =>
  game.seats.every((/** @type {any} */ { player, gone }) => !player || gone || player.id === me);

/**
 * Ends the game, or asks the others to, after one question.
 * @param {boolean} alone @param {string} path  RULESET/ID @param {string | null} invite @param {Say} say
 * @returns {Promise<string>} What is wrong.
 */
export async function end(alone, path, invite, say) {
  const title = say(alone ? "ui.end_game" : "ui.abort_ask");
  const sure = await dialog(
    title,
    html`<p>${say(alone ? "ui.end_game_how" : "ui.abort_how")}</p>${
      ends(say, say(alone ? "ui.end_yes" : "ui.abort_yes"))
    }`,
  );
  if (sure !== "ok") return "";
  try {
    await api.request(`games/${path}/votes`, {
      method: "POST",
      body: { on: "abort", yes: true },
      headers: { Invite: invite },
    });
    return "";
  } catch (error) {
    announce(explained(error, say), "assertive");
    return explained(error, say);
  }
}
