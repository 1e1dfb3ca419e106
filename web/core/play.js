/**
 * What happens at a table, as pure functions from one state of the page to the next: what arrives, clicks, and a move
 * that is under way. What they ask for beside that, such as sending a move, is in their answer.
 */

import { click, clicksOf, NOTHING } from "./compose.js";
import { composed, fresh, isGrave, legalNow } from "./model.js";

/**
 * @import { Item } from "./film.js"
 * @import { State } from "./model.js"
 * @import { Letter } from "./outbox.js"
 * @import { Message, Move, Thing } from "./types.js"
 * @typedef {Pick<State, "game" | "film" | "perspective">} News  What the line has brought.
 * @typedef {{ state: State, make?: Move }} Told  The next state, and a move to be made.
 */

/** No move is under way. */
const SETTLED = { pending: null, pendingThings: [], awaited: 0 };

/** @param {State} state @returns {State} */
const unclicked = (state) => ({ ...state, choice: { ...state.choice, clicked: [] } });

/** What the line has brought. @param {State} state @param {News} news @param {string} [notice] @returns {State} */
export function arrived(state, { game, film, perspective }, notice = state.notice) {
  const stays = state.replaying || state.perspective === perspective, shown = stays ? state.shown : film.last;
  const settled = state.awaited && game.version >= state.awaited ? SETTLED : {};
  const sheet = stays ? state.sheet : null; // of a round that another film shows
  const next = { ...state, game, film, perspective, shown, notice, sheet, ...settled };
  return next.choice.clicked.length && composed(next).left.length === 0 ? unclicked(next) : next;
}

/** Another user, or none: what the one before has chosen and seen is gone. @param {State} state @param {string | null} me @returns {State} */
export const became = (state, me) => state.me === me ? state : { ...state, ...fresh(), me };

/**
 * In a hotseat game the device goes to the seat that is to act: behind the curtain, where somebody knows more. In a
 * branch all cards lie open.
 * @param {State} state @param {string | null} as  The perspective that was chosen.
 * @returns {{ state: State, as: string | null }}
 */
export function handedOver(state, as) {
  const guide = state.lesson ?? state.whatIf;
  if (guide && state.game.status === "running") return { state, as: String(guide.seat) };
  const { game, table } = state, mine = game.seats[0]?.player?.id === state.me;
  const next = game.to_act.includes(Number(as)) ? Number(as) : game.to_act[0];
  const over = game.result || state.replaying || game.status !== "running";
  if (!game.hotseat || over || !mine || next === undefined) return { state, as };
  const open = !table.private || game.parent || state.lifted === next;
  return {
    state: { ...state, curtain: open ? null : next },
    as: game.parent ? "all" : open ? String(next) : "bystander",
  };
}

/** A move is under way, or it is answered with the version that it has made. @param {State} state @param {Letter | null} letter @param {number} version @returns {State} */
export function underWay(state, letter, version) {
  // What the move has done is drawn when it arrives; the card stays raised until then.
  if (state.game.version < version) return { ...state, awaited: version };
  const view = state.film.view(state.shown);
  /** @type {Thing[]} */
  const pendingThings = letter && view ? clicksOf(state.table, letter.move, state.game.you ?? 0, view) : [];
  return { ...state, ...SETTLED, pending: letter?.move ?? null, pendingThings };
}

/** What a person does at the table; null: nothing that is decided here. @param {State} state @param {Message} message @returns {Told | null} */
export function told(state, message) {
  switch (message.do) {
    case "click":
      return clicked(state, message.thing);
    case "hover":
      return {
        state: state.hover === message.thing
          ? state
          : { ...state, hover: message.thing, tapped: message.tapped ?? false },
      };
    case "move":
      return chosen(state, message.move);
    case "confirm":
      return message.yes && state.confirm
        ? made(state, state.confirm)
        : { state: { ...unclicked(state), confirm: null } };
    case "lower":
      return { state: { ...state, sheet: state.sheet && { ...state.sheet, lowered: message.lowered } } };
    case "sort":
      return { state: { ...state, sorted: !state.sorted } };
    case "cancel":
      return { state: { ...unclicked(state), confirm: null } };
    case "switch": {
      const switches = { ...state.choice.switches, [message.field]: message.value };
      return { state: { ...state, choice: { ...state.choice, switches } } };
    }
    default:
      return null;
  }
}

/** @param {State} before @param {Thing} thing @returns {Told} */
function clicked(before, thing) {
  if (before.pending || before.confirm) return { state: before };
  const { table, game, film, shown } = before, view = film.view(shown) ?? {};
  const choice = click(table, legalNow(before), game.you ?? 0, view, before.choice, thing);
  const state = { ...before, choice, notice: "" }, { move } = composed(state);
  return move ? chosen(state, move) : { state };
}

/** Whether a move is asked for again: moves that end something, or as it was chosen in the settings. @param {State} state @param {Move} move */
const isAsked = (state, move) => state.asks === "always" || (state.asks !== "never" && isGrave(state, move));

/** @param {State} state @param {Move} move @returns {Told} */
const chosen = (state, move) =>
  isAsked(state, move) && !state.confirm ? { state: { ...state, confirm: move } } : made(state, move);

/** @param {State} state @param {Move} move @returns {Told} */
const made = (state, move) => ({
  state: { ...untapped(state), choice: NOTHING, confirm: null, notice: "" },
  make: move,
});

/** What a finger has chosen is not pointed at any longer. @param {State} state @returns {State} */
const untapped = (state) => state.tapped ? { ...state, hover: null, tapped: false } : state;

/**
 * The next version, up to another one, at which a round is scored. The last round is the end of the game, and at one
 * device the curtain comes first.
 * @param {State} state @param {number} until @returns {number | null}
 */
export function scoredUntil({ table, film, game, shown, missed, replaying }, until) {
  const rounds = table.score.rounds, count = (/** @type {number} */ at) => film.view(at)?.[rounds ?? ""]?.length ?? 0;
  const over = game.result || film.marks(["ended"]).length; // the log may know it first
  if (!rounds || missed || replaying || game.hotseat || over || count(until) <= count(shown)) return null;
  let at = shown + 1;
  while (count(at) <= count(shown)) at++;
  return at;
}

/** Seconds after which the next round begins by itself, where others wait. */
const PAUSE = 20;

/** The end of a round is looked at. Against the house alone, until the player goes on. @param {State} state @param {number} version @returns {State} */
export function scored(state, version) {
  const { game, me } = state;
  const others = game.clock || game.seats.some((/** @type {any} */ { player }) => player && player.id !== me);
  return { ...state, shown: version, sheet: { left: others ? PAUSE : null, lowered: false } };
}

/** How many moves have not been shown; of one nobody is asked. @param {import("./film.js").Film} film @param {number} shown */
export function missedMoves(film, shown) {
  let moves = 0;
  for (let at = shown; at < film.last; at = film.next(at)) moves++;
  return moves > 1 ? moves : 0;
}

/** Something happened since the version that was seen last, and it can be played now. @param {News} news @param {number} seen */
export const hasMissed = ({ game, film }, seen) =>
  seen < film.last && film.view(seen) !== null && game.status === "running" && !game.hotseat;
