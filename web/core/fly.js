/**
 * Flights: the cards are drawn where they lie now, and then move there from where they were. Only transforms move, and
 * a flight can be cut short at any time.
 */

/** @import { Thing } from "./types.js" */

/** More cards than these do not fly at once. */
const MOST = 24;

/**
 * Where things are on the screen.
 * @param {Element} root
 * @returns {Map<Thing, DOMRect>}
 */
export function positions(root) {
  /** @type {Map<Thing, DOMRect>} */
  const found = new Map();
  for (const element of root.querySelectorAll("[data-thing]")) {
    found.set(element.getAttribute("data-thing") ?? "", element.getBoundingClientRect());
  }
  return found;
}

/**
 * @param {Element} root
 * @param {Map<Thing, DOMRect>} before
 * @param {{ from: Thing, to: Thing }[]} flights
 * @param {number} duration
 * @returns {Animation[]}
 */
export function fly(root, before, flights, duration) {
  return flights.slice(0, MOST).flatMap(({ from, to }) => {
    const [element, start] = [root.querySelector(`[data-thing="${to}"]`), before.get(from)];
    return element instanceof HTMLElement && start
      ? [from === to ? turn(element, duration) : move(element, start, duration)]
      : [];
  });
}

/** @param {HTMLElement} card @param {number} duration */
function turn(card, duration) {
  return card.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration, easing: "ease-out" });
}

/** @param {HTMLElement} card @param {DOMRect} from @param {number} duration */
function move(card, from, duration) {
  const to = card.getBoundingClientRect();
  const [dx, dy, scale] = [from.left - to.left, from.top - to.top, to.width ? from.width / to.width : 1];
  const lean = Math.max(-7, Math.min(7, dx / 40));
  card.style.setProperty("transform-origin", "0 0");
  card.style.setProperty("z-index", "9");
  const flight = card.animate([
    { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, easing: "cubic-bezier(.3, 0, .4, 1)" },
    {
      transform: `translate(${dx * 0.4}px, ${dy * 0.4 - 20}px) scale(${(1 + scale) / 2 * 1.05}) rotate(${lean}deg)`,
      offset: 0.6,
      easing: "cubic-bezier(.2, .8, .3, 1)",
    },
    { transform: "none" },
  ], { duration, fill: "backwards" });
  const land = () => {
    card.style.removeProperty("transform-origin");
    card.style.removeProperty("z-index");
  };
  flight.finished.then(land, land);
  return flight;
}
