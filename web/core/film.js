/**
 * A game's views from one perspective, version by version. Views share what did not change: patches (RFC 6902) are
 * applied to copies of what they touch.
 */

/**
 * @import { EventItem, View } from "./types.js"
 */

/** An item of `GET .../events?with=patch,tally`. @typedef {Omit<EventItem, "patch"> & { patch: Operation[] }} Item */

/** Events that change nothing that is seen. */
export const SILENT = new Set(["turn_began", "begun", "revealed", "move_began"]);

export class Film {
  constructor() {
    /** @type {Item[]} */
    this.items = [];
    /** The view of version N is at index N; before the first event there is none. @type {(View | null)[]} */
    this.views = [null];
    /** What the cards count, likewise. @type {any[]} */
    this.tallies = [null];
    /** The seat whose move the append of a version began with, likewise. @type {(number | null)[]} */
    this.movers = [null];
  }

  /** The newest version. */
  get last() {
    return this.items.length;
  }

  /** The first version with a view; 0: there is none yet. */
  get first() {
    return Math.max(0, this.views.findIndex((view) => view !== null && view !== undefined));
  }

  /**
   * The items after the last version. Those that are known are skipped.
   * @param {Item[]} items
   */
  add(items) {
    for (const item of items) {
      if (item.version <= this.last) continue;
      if (item.version !== this.last + 1) throw new Mismatch(`version ${item.version} after ${this.last}`);
      const view = apply(this.views[this.last] ?? null, item.patch);
      const goesOn = this.item(this.last)?.at === item.at;
      this.movers.push(goesOn ? this.movers[this.last] ?? null : item.by);
      this.items.push(item);
      this.views.push(view);
      this.tallies.push(item.tally ?? this.tallies.at(-1));
    }
  }

  /** @param {number} version @returns {View | null} */
  view(version) {
    return this.views[version] ?? null;
  }

  /** @param {number} version @returns {import("./types.js").Model["tally"]} */
  tally(version) {
    return this.tallies[version] ?? null;
  }

  /** @param {number} version @returns {Item | undefined} */
  item(version) {
    return this.items[version - 1];
  }

  /**
   * Whether a move, or what the dealer did, is complete with this version: all events of an append have one time, and
   * what house players do follows in the same append.
   * @param {number} version
   */
  isBoundary(version) {
    const next = this.item(version + 1);
    return !next || this.item(version)?.at !== next.at || (this.isHouse(version + 1) && !SILENT.has(next.event.type));
  }

  /** A house player did it: nobody else acts in the append of another seat. @param {number} version */
  isHouse(version) {
    const by = this.item(version)?.by ?? null;
    return by !== null && by !== this.movers[version];
  }

  /** The end of the next move. @param {number} version */
  next(version) {
    let found = Math.min(version + 1, this.last);
    while (!this.isBoundary(found)) found++;
    return found;
  }

  /** The end of the move before. @param {number} version */
  back(version) {
    const least = Math.max(this.first, 1);
    let found = Math.max(version - 1, least);
    while (found > least && !this.isBoundary(found)) found--;
    return found;
  }

  /** The events of the move that ends with this version. @param {number} version @returns {Item[]} */
  move(version) {
    const found = [];
    for (let each = version; each > 0 && (each === version || !this.isBoundary(each)); each--) {
      const item = this.item(each);
      if (item) found.unshift(item);
    }
    return found;
  }

  /** The versions with an event of one of these types. @param {readonly string[]} types */
  marks(types) {
    return this.items.filter(({ event }) => types.includes(event.type));
  }
}

// --- patches ----------------------------------------------------------------------------------------------------------

/** Of a document of any service: what is unknown is refused. @typedef {{ op: string, path: string, value?: unknown }} Operation */

/** A patch that does not fit the document: something was missed. */
export class Mismatch extends Error {}

/**
 * The document after the operations.
 * @param {any} document
 * @param {Operation[]} operations
 * @returns {any}
 */
export function apply(document, operations) {
  return operations.reduce((before, operation) => at(before, keys(operation), operation), document);
}

/** @param {Operation} operation */
function keys(operation) {
  const path = operation?.path;
  const whole = operation?.op === "remove" || Object.hasOwn(operation ?? {}, "value");
  if (typeof path !== "string" || !/^(\/|$)/.test(path) || !whole) throw new Mismatch("not an operation of a patch");
  return path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @param {any} node
 * @param {string[]} path
 * @param {Operation} operation
 * @returns {any}
 */
function at(node, path, operation) {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (operation.op !== "replace" && operation.op !== "add") throw new Mismatch(`${operation.op} of everything`);
    return operation.value;
  }
  if (Array.isArray(node)) return inArray(node, key, rest, operation);
  if (node === null || typeof node !== "object") throw new Mismatch(`nothing at ${operation.path}`);
  const known = Object.hasOwn(node, key);
  if (rest.length) {
    if (!known) throw new Mismatch(`nothing at ${operation.path}`);
    return { ...node, [key]: at(node[key], rest, operation) };
  }
  if (operation.op === "add") return { ...node, [key]: operation.value };
  if (!known) throw new Mismatch(`nothing at ${operation.path}`);
  if (operation.op === "replace") return { ...node, [key]: operation.value };
  if (operation.op !== "remove") throw new Mismatch(`unknown operation ${operation.op}`);
  const { [key]: _, ...others } = node;
  return others;
}

/**
 * @param {any[]} list
 * @param {string} key
 * @param {string[]} rest
 * @param {Operation} operation
 * @returns {any[]}
 */
function inArray(list, key, rest, operation) {
  const adds = operation.op === "add" && !rest.length;
  const index = key === "-" && adds ? list.length : /^(0|[1-9][0-9]*)$/.test(key) ? Number(key) : -1;
  if (index < 0 || index > list.length || (index === list.length && !adds)) {
    throw new Mismatch(`nothing at ${operation.path}`);
  }
  if (rest.length) return list.with(index, at(list[index], rest, operation));
  switch (operation.op) {
    case "add":
      return list.toSpliced(index, 0, operation.value);
    case "replace":
      return list.with(index, operation.value);
    case "remove":
      return list.toSpliced(index, 1);
    default:
      throw new Mismatch(`unknown operation ${operation.op}`);
  }
}

// --- which version is shown: one move at a time, faster the longer the queue

/** A move takes this long on the stage, in milliseconds. */
export const PACE = 220;
/** The same, of a house player: it has not been waited for. */
const HOUSE_PACE = 450;
/** The same, in a replay. */
const REPLAY_PACE = 600;
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
 * @param {{ still?: boolean, calm?: boolean, speed?: number, patient?: boolean, replay?: boolean, pace?: number | null }} [how]
 *   `still`: everything is shown at once. `calm`: motion is reduced; the pace stays, because time to read is no motion.
 *   `pace`: the milliseconds that a move of others takes by choice; 0: everything is shown at once.
 *   `replay`: every move is shown, however many there are. `patient`: what happened while nobody looked is shown.
 * @returns {Showing | null}
 */
export function step(
  film,
  shown,
  { still = false, calm = false, speed = 1, patient = false, replay = false, pace: given = null } = {},
) {
  if (shown >= film.last) return null;
  if (replay) return { version: film.next(shown), delay: REPLAY_PACE / speed, flies: !still && !calm };
  const house = film.isHouse(shown + 1), most = patient || house ? LONGER : LONG;
  const waiting = queue(film, shown, most);
  if (still || given === 0 || waiting > most) return { version: film.last, delay: 0, flies: false };
  const pace = given !== null || (house && !patient)
    ? (given ?? HOUSE_PACE) / Math.max(1, waiting / 6)
    : PACE / Math.max(1, waiting / 3);
  return { version: film.next(shown), delay: pace / speed, flies: !calm };
}

/** @param {Played} film @param {number} shown @param {number} most */
function queue(film, shown, most) {
  let moves = 0;
  for (let version = shown; version < film.last && moves <= most; version = film.next(version)) moves++;
  return moves;
}
