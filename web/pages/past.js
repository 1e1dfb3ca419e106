/** Steps into the past of a game, and back. */

import { PACE } from "../core/stage.js";

/**
 * @import { Message } from "../core/types.js"
 * @import { Page } from "./keyboard.js"
 */

/** @param {Message} message @param {Page} page */
export function replayed(message, page) {
  const state = page.state();
  if (!state) return;
  const { film, shown, playing } = state;
  const least = Math.max(film.first, 1);
  switch (message.do) {
    case "show":
      return go(message.version, page);
    case "first":
      return go(least, page);
    case "back":
      return go(film.back(shown), page);
    case "next":
      return shown >= film.last ? live(page) : go(film.next(shown), page, PACE);
    case "last":
      return go(film.last, page);
    case "play":
      page.change({ playing: !playing, replaying: true, shown: shown >= film.last ? least : shown });
      return page.advance();
    case "speed":
      page.change({ speed: message.speed });
      return page.draw(0);
    case "live":
      return live(page);
  }
}

/** @param {number} version @param {Page} page @param {number} [duration] */
function go(version, page, duration = 0) {
  const film = page.state()?.film;
  if (!film) return;
  const shown = Math.max(film.first, 1, Math.min(version, film.last));
  page.change({ replaying: true, playing: false, missed: false, shown });
  page.draw(duration);
}

/** Back from the past to the game that runs. @param {Page} page */
function live(page) {
  const state = page.state(), { line } = page;
  if (!state || state.game.result) return;
  page.change({ replaying: false, playing: false, shown: state.film.last });
  if (!state.game.hotseat && line.as !== null) line.show(null);
  page.seat();
  page.draw(0);
}
