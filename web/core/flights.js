/**
 * What moved between two views: cards that left are paired with cards that came. Cards are conserved, so everything
 * can be paired; a back can be paired with any card. Pairs fly by the Web Animations API.
 */

/**
 * @import { Area, Card, Place, Thing } from "./types.js"
 */

/**
 * A card that left or came. `card` is null if only its back is seen.
 * @typedef {{ thing: Thing, card: Card | null, area: string }} Ghost
 */

/**
 * @typedef {object} Step
 * @property {{ from: Thing, to: Thing, card: Card | null }[]} flights  `from` equals `to` for a card that is turned.
 * @property {Ghost[]} left  Cards that could not be paired.
 * @property {Ghost[]} came
 */

/**
 * @param {Area[]} before
 * @param {Area[]} after
 * @returns {Step}
 */
export function pair(before, after) {
  /** @type {Ghost[]} */
  const left = [];
  /** @type {Ghost[]} */
  const came = [];
  const [old, now] = [moving(before), moving(after)];
  /** @type {Thing[]} */
  const covered = [];
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const [gone, new_] = difference(old.get(id), now.get(id));
    left.push(...gone);
    came.push(...new_);
    const backs = old.get(id)?.places.filter(({ state }) => state === "back") ?? [];
    covered.push(...backs.slice(gone.filter(({ card }) => card === null).length).map(({ thing }) => thing));
  }
  return throughBacks(matched(left, came), covered);
}

/**
 * Different faces that are left over: the one went under a back that seems unchanged, the other came from under it.
 * @param {Step} step
 * @param {Thing[]} covered  Places with such backs, one for each.
 * @returns {Step}
 */
function throughBacks({ flights, left, came }, covered) {
  const most = Math.min(left.length, came.length, covered.length);
  for (let index = 0; index < most; index++) {
    const [a, b, via] = /** @type {[Ghost, Ghost, Thing]} */ ([left[index], came[index], covered[index]]);
    flights.push({ from: a.thing, to: via, card: a.card }, { from: via, to: b.thing, card: b.card });
  }
  return { flights, left: left.slice(most), came: came.slice(most) };
}

/** @param {Area[]} shown @returns {Map<string, Area>} */
function moving(shown) {
  return new Map(shown.filter(({ zone }) => !zone.token).map((area) => [area.id, area]));
}

/**
 * The cards that left the zone, and those that came.
 * @param {Area | undefined} before
 * @param {Area | undefined} after
 * @returns {[Ghost[], Ghost[]]}
 */
function difference(before, after) {
  const [a, b] = [before?.places ?? [], after?.places ?? []];
  const kind = (before ?? after)?.zone.kind;
  const id = (before ?? after)?.id ?? "";
  /** @param {Place[]} places @returns {Ghost[]} */
  const ghosts = (places) =>
    places.filter(({ state }) => state !== "empty").map(({ thing, state, card }) => ({
      thing,
      card: state === "face" ? card : null,
      area: id,
    }));
  if (kind === "slots") {
    const changed = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index)
      .filter((index) => !alike(a[index], b[index]));
    /** @param {Place[]} places */
    const these = (places) => ghosts(changed.flatMap((index) => places[index] ?? []));
    return [these(a), these(b)];
  }
  // Compared from both ends; cards that are the same in the middle are found one by one.
  let start = 0;
  while (start < a.length && start < b.length && alike(a[start], b[start])) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && alike(a.at(-1 - end), b.at(-1 - end))) end++;
  return [ghosts(a.slice(start, a.length - end)), ghosts(b.slice(start, b.length - end))];
}

/** @param {Place | undefined} a @param {Place | undefined} b */
function alike(a, b) {
  return a?.state === b?.state && (a?.state !== "face" || key(a.card) === key(b?.card ?? null));
}

/** @param {Card | null} card */
function key(card) {
  return card === null ? "" : JSON.stringify(card);
}

/** The same for a card that lies upside down. @param {Card | null} card */
function identity(card) {
  return key(Array.isArray(card) ? card.toSorted((a, b) => a - b) : card);
}

/**
 * Equal faces first, those that stay in their zone before others; then cards that are turned in place; then the rest.
 * @param {Ghost[]} left
 * @param {Ghost[]} came
 * @returns {Step}
 */
function matched(left, came) {
  /** @type {Step["flights"]} */
  const flights = [];
  /** @param {(a: Ghost, b: Ghost) => boolean} fits */
  const take = (fits) => {
    left = left.filter((a) => {
      const index = came.findIndex((b) => fits(a, b));
      if (index < 0) return true;
      const [b] = /** @type {[Ghost]} */ (came.splice(index, 1));
      flights.push({ from: a.thing, to: b.thing, card: b.card ?? a.card });
      return false;
    });
  };
  came = [...came];
  /** @param {Ghost} a @param {Ghost} b */
  const equal = (a, b) => a.card !== null && b.card !== null && identity(a.card) === identity(b.card);
  take((a, b) => equal(a, b) && a.area === b.area);
  take((a, b) => equal(a, b) && a.area !== b.area);
  take((a, b) => turns(a, b) && a.thing === b.thing);
  take((a, b) => a.card !== null && b.card === null && a.area !== b.area);
  take((a, b) => a.card === null && b.card !== null && a.area !== b.area);
  take((a, b) => a.card === null && b.card === null && a.area !== b.area);
  take((a, b) => a.card === null || b.card === null);
  return { flights, left, came };
}

/** A face that is covered, or a back that is turned up. @param {Ghost} a @param {Ghost} b */
function turns(a, b) {
  return (a.card === null) !== (b.card === null);
}

// --- on the screen ----------------------------------------------------------------------------------------------------

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
  // All are measured before the first moves: otherwise the page is laid out for each of them.
  const all = flights.slice(0, MOST).flatMap(({ from, to }) => {
    const [element, start] = [root.querySelector(`[data-thing="${to}"]`), before.get(from)];
    return element instanceof HTMLElement && start
      ? [{ element, start, end: from === to ? null : element.getBoundingClientRect() }]
      : [];
  });
  return all.map(({ element, start, end }) => end ? move(element, start, end, duration) : turn(element, duration));
}

/** @param {HTMLElement} card @param {number} duration */
function turn(card, duration) {
  return card.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration, easing: "ease-out" });
}

/** @param {HTMLElement} card @param {DOMRect} from @param {DOMRect} to @param {number} duration */
function move(card, from, to, duration) {
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
