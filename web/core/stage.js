/**
 * Which version is shown: one move at a time, faster the longer the queue.
 */

/** A move takes this long on the stage, in milliseconds. */
export const PACE = 220;
/** The same, of a house player: it has not been waited for. */
const HOUSE_PACE = 450;
/** More moves than this are not played but jumped over. */
const LONG = 12;
/** The same, for house players, and for what happened while nobody looked. */
const LONGER = 60;

/**
 * @typedef {object} Showing
 * @property {number} version  The next version to show.
 * @property {number} delay  Milliseconds until the one after it.
 * @property {boolean} flies  Cards fly.
 *
 * @typedef {{ last: number, next: (version: number) => number, isHouse: (version: number) => boolean }} Played
 */

/**
 * The next step from the version that is shown to the newest one; null when it is shown.
 * @param {Played} film
 * @param {number} shown
 * @param {{ still?: boolean, speed?: number, patient?: boolean }} [how]  `still`: motion is reduced. `patient`: what
 *   happened while nobody looked is shown.
 * @returns {Showing | null}
 */
export function step(film, shown, { still = false, speed = 1, patient = false } = {}) {
  if (shown >= film.last) return null;
  const house = film.isHouse(shown + 1), most = patient || house ? LONGER : LONG;
  const waiting = queue(film, shown, most);
  if (still || waiting > most) return { version: film.last, delay: 0, flies: false };
  const pace = house && !patient ? HOUSE_PACE / Math.max(1, waiting / 6) : PACE / Math.max(1, waiting / 3);
  return { version: film.next(shown), delay: pace / speed, flies: true };
}

/** @param {Played} film @param {number} shown @param {number} most */
function queue(film, shown, most) {
  let moves = 0;
  for (let version = shown; version < film.last && moves <= most; version = film.next(version)) moves++;
  return moves;
}
