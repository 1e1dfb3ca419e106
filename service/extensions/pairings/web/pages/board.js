/** At the end of a game: the way to a challenge with its seats, or to everybody who plays its cards. */

import { html, nothing } from "../core/html.js";

/** @import { Say } from "../core/types.js" */

/**
 * @param {import("./keyboard.js").Page} page @param {string} path  RULESET/ID @param {string | null} _invite @param {Say} say
 * @returns {() => unknown} Draws it.
 */
export function panel(page, path, _invite, say) {
  return () => {
    const state = page.state(), game = /** @type {any} */ (state?.game);
    if (!game || game.hotseat || game.imported || (game.private && game.you === null)) return nothing;
    const { deal } = /** @type {any} */ (state?.film.items[0]?.event ?? {}); // the game names its deal only while that is sealed
    const link = deal
      ? html`<a class="btn small" href=${`same?id=${deal.id}`}>${say("board.everybody")}</a>`
      : html`<a class="btn small" href=${`same?from=${path}`}>${say("board.challenge")}</a>`;
    return html`<section class="panel beside">${link}</section>`;
  };
}
