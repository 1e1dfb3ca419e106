/** The time that seats have left. The service tells absolute times, and the page counts down to them. */

/** @import { SeatClock } from "./types.js" */

/** Time is short below this share of the bank, and in any case below this number of milliseconds. */
const SHORT = 0.1, SHORTEST = 10_000;

/** What is left when it is read out, in milliseconds. */
const TOLD = [10_000, 30_000];

/**
 * What is left, in milliseconds.
 * @param {SeatClock} clock
 * @param {number} now  By the clock of the service.
 */
export function remaining({ left, reserve, runs_out }, now) {
  return runs_out === null ? left + reserve : Math.max(0, Date.parse(runs_out) - now);
}

/** @param {number} milliseconds @param {{ bank: number }} terms  In seconds. */
export const isShort = (milliseconds, { bank }) => milliseconds < Math.max(SHORTEST, bank * 1000 * SHORT);

/**
 * The least of these that has come, if there was more at the beginning of the choice.
 * @param {number} milliseconds  What is left.
 * @param {SeatClock} clock
 */
export const due = (milliseconds, { left, reserve, runs_out }) =>
  (runs_out && TOLD.find((each) => milliseconds <= each && each < left + reserve)) || null;

/** As a clock shows it: 2:07, 1:02:07; longer times in days and hours. @param {number} milliseconds */
export function shown(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  if (days) return `${days} d ${hours} h`;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const rest = `${hours ? two(Math.floor(seconds / 60) % 60) : Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}
