/**
 * The keyboard: which thing an arrow leads to, and what the keys do.
 */

/** @import { Message } from "./types.js" */

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The index of the nearest box in the direction of an arrow key; -1 if there is none.
 * @param {string} key
 * @param {Box} from
 * @param {Box[]} boxes
 */
export function nearest(key, from, boxes) {
  const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
  let [best, found] = [Infinity, -1];
  boxes.forEach((box, index) => {
    const x = box.left + box.width / 2 - from.left - from.width / 2;
    const y = box.top + box.height / 2 - from.top - from.height / 2;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    const far = ahead + 2.5 * aside;
    if (ahead > 4 && far < best) [best, found] = [far, index];
  });
  return found;
}

/** @param {string} key */
export const isArrow = (key) => key in DIRECTIONS;

/**
 * What a key does in the replay, beside the arrows on the table.
 * @param {string} key
 * @returns {Message | null}
 */
export function replayKey(key) {
  switch (key) {
    case "ArrowLeft":
      return { do: "back" };
    case "ArrowRight":
      return { do: "next" };
    case "Home":
      return { do: "first" };
    case "End":
      return { do: "last" };
    case " ":
      return { do: "play" };
    case "Escape":
      return { do: "live" };
    default:
      return null;
  }
}
