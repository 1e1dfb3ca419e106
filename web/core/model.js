/**
 * What the table shows, as a pure function of the page's state.
 */

import { areas, sorted, sorts, things } from "./areas.js";
import { clicksOf, compose, isByName, NOTHING, thingsOf } from "./compose.js";
import { houseNames, strengthOf } from "./house.js";
import { prompt } from "./prompts.js";
import * as talk from "./talk.js";
import { isolated } from "./words.js";

/**
 * @import { Area, Chair, Chip, Game, Look, Message, Model, Move, Rail, Replay, Table, Thing, View } from "./types.js"
 * @import { Choice, Composition } from "./compose.js"
 * @import { Film } from "./film.js"
 */

/**
 * @typedef {object} State
 * @property {string} ruleset
 * @property {Table} table
 * @property {any} deck
 * @property {any} labels
 * @property {Game} game
 * @property {Film} film
 * @property {number} shown  The version that is shown.
 * @property {string} perspective
 * @property {boolean} replaying  The scrubber is shown in place of the rail.
 * @property {boolean} playing
 * @property {number} speed
 * @property {boolean} [brief]  The slider moves.
 * @property {Choice} choice
 * @property {Thing | null} hover
 * @property {boolean} tapped  By a finger.
 * @property {Move | null} pending  The move that is under way.
 * @property {Thing[]} pendingThings
 * @property {number} awaited  The version of the last move, which may not have arrived yet.
 * @property {Move | null} confirm
 * @property {import("../pages/lesson.js").Guide | null} [lesson]  The user learns the game at seat 0; the page moves for the others.
 * @property {import("./types.js").Guide | null} [whatIf]  A branch in which an extension plays the other seats on.
 * @property {(string | undefined)[]} [called]  By seat, the names that the user chose for players of the house.
 * @property {boolean} [thinking]  An extension computes what the user asked it for.
 * @property {number | null} curtain  The seat to which the device is handed.
 * @property {string | null} me  The user's id.
 * @property {string} [asks]  When a move is asked for again: `never`, `counts` (the default) or `always`.
 * @property {string[]} [given]  The names that the user gave to the seats of this device.
 * @property {{ left: number | null, lowered: boolean } | null} sheet  A round has been scored: the seconds until the game goes
 *   on by itself; null: when the player says so.
 * @property {boolean} [sorted]  The own cards are shown in the order of the deck.
 * @property {boolean} missed  What happened while nobody looked is being played.
 * @property {number} [since]  The number of moves that were missed, and whether they are shown has not been said.
 * @property {string} notice  What went wrong, in the rail.
 * @property {number | null} lifted  The seat behind the curtain that has said that it is there.
 * @property {number} spoken  The version up to which the log has been read out.
 * @property {string} asked  The question that was announced; "": none is open.
 * @property {number} mended  How often everything had to be read again.
 * @property {boolean} connected  The service answers, as far as is known.
 * @property {import("./line.js").Company | null} company  Who follows the game, as far as it is known.
 * @property {() => number} [pace]  Milliseconds that a move of others takes.
 * @property {Map<number, string>} [said]  What players say now, by seat.
 * @property {string | null} next  Another table that waits for the user.
 * @property {import("./types.js").Weighed | null} [weighed]  What an extension says of choices.
 * @property {import("./types.js").Say} say
 */

/** Of a table at which nobody has done anything yet. */
export const fresh = () => ({
  choice: NOTHING,
  hover: null,
  tapped: false,
  pending: null,
  pendingThings: [],
  awaited: 0,
  confirm: null,
  curtain: null,
  notice: "",
  me: null,
  playing: false,
  missed: false,
  sheet: null,
  brief: false,
  speed: 1,
  lifted: null,
  spoken: 0,
  asked: "",
  mended: 0,
  connected: true,
  company: null,
  next: null,
});

/** The seat at the bottom. @param {State} state @returns {number | null} */
export function seatOf({ perspective, game }) {
  if (/^\d+$/.test(perspective)) return Number(perspective);
  return perspective === "all" ? game.you ?? 0 : null;
}

/** @param {State} state @returns {string[]} */
export function namesOf({ game, labels, say, given = [], called = [] }) {
  if (game.hotseat && given.length) {
    return game.seats.map((_, seat) => given[seat]?.trim() || say("table.player", { n: seat + 1 }));
  }
  const house = houseNames(game.seats.map(({ bot }) => bot), labels.bots, called);
  /** @type {(string | undefined)[]} */
  const names = game.seats.map(({ player }, /** @type {number} */ seat) => player?.name ?? house[seat]);
  return names.map((name, seat) => {
    if (name === undefined) return say("ui.free_seat");
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${seat + 1}`;
  });
}

/** @param {State} state @returns {talk.Tongue & { ruleset: string }} */
export const tongueOf = (state) => ({ ...state, names: namesOf(state) });

/** The moves that can be made now: none while another version is shown, or one is under way. @param {State} state */
export function legalNow({ game, film, shown, curtain, pending, awaited, replaying, perspective, sheet }) {
  const settled = !pending && game.version >= awaited;
  const now = shown === film.last && film.last === game.version && !replaying && curtain === null && !sheet && settled;
  const own = game.you !== null && (perspective === String(game.you) || perspective === "all");
  return now && own ? /** @type {Move[]} */ (game.legal_moves) : [];
}

/** The move ends something, or gives up what does not come back. @param {State} state @param {Move} move */
export const isGrave = ({ table, film, shown, game, deck }, move) =>
  game.legal_moves.length > 1 &&
  Boolean(table.confirm?.(move, film.view(shown) ?? {}, game.you ?? 0, deck, game.legal_moves));

/** A move is under way, or what it did has not arrived. @param {State} state */
const isBusy = ({ pending, awaited, game }) => pending !== null || game.version < awaited;

/** @param {State} state @returns {Composition} */
export function composed(state) {
  const view = state.film.view(state.shown);
  return compose(state.table, view ? legalNow(state) : [], state.game.you ?? 0, view ?? {}, state.choice);
}

/**
 * @param {State} state
 * @param {(message: Message) => void} send
 * @returns {Model | null}  null: there is no view yet.
 */
export function model(state, send) {
  const { table, film, shown, deck, say, ruleset } = state;
  const view = film.view(shown);
  if (!view) return null;
  const you = seatOf(state), laid = areas(table, view);
  const drawn = state.sorted ? laid.map((area) => sorts(area, you) ? sorted(area, deck) : area) : laid;
  const tongue = tongueOf(state);
  const composition = composed(state), brief = state.brief && state.replaying;
  return {
    ruleset,
    table,
    deck,
    view,
    you,
    chairs: chairs(state, view),
    areas: drawn,
    look: looks(state, composition, view, brief ? new Set() : touched(state, laid)),
    rail: rail(state, composition, view, tongue, things(drawn)),
    log: brief ? [] : talk.log(film, tongue, state.replaying ? film.last : shown),
    aims: state.table.grid === "grids" && aims(state, view),
    sheet: state.sheet && sheet(state, view),
    replay: state.replaying ? replay(state, tongue) : null,
    scores: brief ? { heads: [], rows: [], note: "" } : scores(state, view),
    tally: film.tally(shown),
    curtain: state.curtain === null ? null : { name: tongue.names[state.curtain] ?? "", next: state.curtain },
    hover: state.hover,
    tapped: state.tapped,
    sorted: state.sorted ?? false,
    say,
    send,
  };
}

/** A card of another seat is chosen, or can be, also by a move that is under way. @param {State} state @param {View} view */
function aims(state, view) {
  const { table, game } = state, you = game.you ?? 0, moves = isBusy(state) ? game.legal_moves : legalNow(state);
  const things = moves.flatMap((/** @type {Move} */ move) => thingsOf(table, move, you, view));
  return [...table.picked?.(view) ?? [], ...things].some((thing) => {
    const [zone = "", seat] = thing.split("/");
    return table.zones[zone]?.per && seat !== String(you);
  });
}

/** @param {State} state @param {View} view @returns {Chair[]} */
function chairs(state, view) {
  const { table, game, say, film, shown } = state;
  const names = namesOf(state);
  const { acting: after, by = null } = film.item(shown) ?? {};
  // Within an append, as while house players move, it is the turn of the seat that is shown.
  const next = film.items[shown]?.by ?? null, turn = by === seatOf(state) ? next ?? by : by;
  const acting = state.sheet ? [] : shown === game.version ? game.to_act : after ?? (turn === null ? [] : [turn]);
  const winners = shown === film.last ? game.result?.winners ?? [] : [];
  const totals = table.score.total ? view[table.score.total] : null;
  const deeds = talk.deeds(film, tongueOf(state), shown, seatOf(state)), guide = state.lesson ?? state.whatIf;
  return game.seats.map((/** @type {any} */ { seat, player, bot, gone }) => ({
    seat,
    name: names[seat] ?? "",
    player: player?.id ?? bot ?? null,
    face: guide && seat !== guide.seat ? true : faceOf(game, seat),
    strength: strengthOf(bot),
    left: gone ? say("house.for", { name: names[seat] ?? "" }) : "",
    own: seat === game.you,
    acting: acting.includes(seat),
    winner: winners.includes(seat),
    total: totals?.[seat] ?? (shown === film.last ? game.result?.scores[seat] : null) ?? null,
    counts: table.counts?.(view, seat, say) ?? [],
    deed: deeds[seat],
    ...presence(state, seat, player, gone),
    says: state.said?.get(seat) ? say(`phrase.${state.said.get(seat)}`) : "",
    timed: Boolean(game.clock) && game.status === "running" && !bot && !gone && shown === film.last,
  }));
}

/** What the portrait of a seat shows: true: one of the house; "": the first letter of the name. @param {Game} game @param {number} seat @returns {boolean | string} */
const faceOf = ({ hotseat, seats }, seat) => Boolean(seats[seat]?.bot) || (!hotseat && seats[seat]?.player?.face) || "";

/** Whether the player of a seat is connected, and since when not. @param {State} state @param {number} seat @param {unknown} player @param {unknown} gone */
function presence({ company, connected, game }, seat, player, gone) {
  if (seat === game.you && !connected && game.status === "running") return { presence: "gone", since: "" };
  if (!company || !player || gone || game.hotseat || game.status !== "running") return { presence: "", since: "" };
  const since = company.away.find((each) => each.seat === seat)?.since ?? "";
  return { presence: company.here.includes(seat) ? "here" : since ? "away" : "gone", since };
}

/**
 * @param {State} state @param {Composition} composition @param {View} view @param {Set<Thing>} last  What was touched.
 * @returns {(thing: Thing) => Look}
 */
function looks(state, { next, left }, view, last) {
  const { choice, hover, pendingThings, table, game, confirm } = state;
  const hinted = new Set(), picked = new Set(table.picked?.(view));
  if (hover && next.has(hover)) {
    for (const move of left) {
      const rest = clicksOf(table, move, game.you ?? 0, view);
      if (rest.includes(hover)) rest.forEach((thing) => hinted.add(thing));
    }
    hinted.delete(hover);
  }
  return (thing) => ({
    legal: (!confirm && next.has(thing)) || undefined,
    chosen: choice.clicked.filter((each) => each === thing).length || Number(picked.has(thing)) || undefined,
    pending: pendingThings.includes(thing) || undefined,
    last: last.has(thing) || undefined,
    hint: hinted.has(thing) || undefined,
    ...state.weighed?.look?.(thing, state, view),
  });
}

/**
 * What is marked: in a replay the places that the move touched, at the table one place for each opponent that has moved
 * since the own last move.
 * @param {State} state @param {Area[]} laid  What is shown. @returns {Set<Thing>}
 */
function touched(state, laid) {
  const { table, film, shown, replaying } = state, you = seatOf(state), round = film.view(shown)?.round;
  if (replaying) return changed(table, film, shown);
  /** @type {Map<number, Mark | null>} */
  const found = new Map();
  for (let at = shown; at > Math.max(0, shown - FAR) && film.view(at)?.round === round; at--) {
    const item = film.items[at - 1], by = item?.by ?? null;
    if (by !== null && by === you) break;
    if (item && by !== null && !found.has(by)) found.set(by, markOf(table, film, item, by));
  }
  return new Set(
    [...found.values()].flatMap((mark) => mark && faceAt(laid, mark.thing) === mark.face ? [mark.thing] : []),
  );
}

/** What lies at a place. @param {Area[]} laid @param {Thing} thing */
function faceAt(laid, thing) {
  const place = laid.flatMap(({ places }) => places).findLast((each) => each.thing === thing);
  return place && `${place.state} ${JSON.stringify(place.card)}`;
}

/** Events after which a move is forgotten. */
const FAR = 60;

/** A place, and what the move has left there: the mark goes when something else lies there. @typedef {{ thing: Thing, face: string | undefined }} Mark */
/** The marks of moves. @type {WeakMap<object, Mark | null>} */
const known = new WeakMap();

/** The place that the move touched last, of the seat itself if there is one. @param {Table} table @param {Film} film @param {import("./film.js").Item} item @param {number} seat @returns {Mark | null} */
function markOf(table, film, item, seat) {
  const before = known.get(item);
  if (before !== undefined) return before;
  const all = [...changed(table, film, item.version)];
  const isOwn = (/** @type {Thing} */ thing) => {
    const [zone = "", owner] = thing.split("/");
    return table.zones[zone]?.per === "seat" && owner === String(seat);
  };
  const thing = all.findLast(isOwn) ?? all.at(-1), view = film.view(item.version) ?? {};
  const found = thing === undefined ? null : { thing, face: faceAt(areas(table, view), thing) };
  known.set(item, found);
  return found;
}

/** The places whose cards a move changed. @param {Table} table @param {Film} film @param {number} shown @returns {Set<Thing>} */
function changed(table, film, shown) {
  const events = film.move(shown);
  const [before, after] = [film.view((events[0]?.version ?? 1) - 1), film.view(shown)];
  const found = new Set(events.flatMap(({ event }) => table.touches?.[event.type]?.(event) ?? []));
  /** What nobody sees comes first: it is marked where nothing else has changed. @type {Set<Thing>} */
  const backs = new Set();
  if (!before || !after) return found;
  const old = new Map(areas(table, before).map((area) => [area.id, area]));
  for (const area of areas(table, after)) {
    const was = old.get(area.id);
    if (area.zone.kind === "count" || area.zone.token) continue;
    if (area.zone.kind === "list" && was && area.places.length < was.places.length) continue;
    area.places.forEach((place, index) => {
      const same = was?.places[index];
      if (same?.state !== place.state || JSON.stringify(same.card) !== JSON.stringify(place.card)) {
        (place.state === "back" ? backs : found).add(place.thing);
      }
    });
  }
  return found.size + backs.size > MOST_TOUCHED ? new Set() : new Set([...backs, ...found]);
}

/** A deal touches everything: then nothing is lit. */
const MOST_TOUCHED = 8;

/**
 * @param {State} state
 * @param {Composition} composition
 * @param {View} view
 * @param {talk.Tongue} tongue
 * @param {Set<Thing>} drawn
 * @returns {Rail}
 */
function rail(state, composition, view, tongue, drawn) {
  const { say, choice, confirm, pending, labels, notice } = state;
  const asked = prompt(state, composition, view, tongue), { buttons } = composition;
  const verbs = buttons.map((move) => asked?.verb(move) ?? "");
  const light = buttons.filter((move) => !isGrave(state, move)), main = buttons.length > 1 && light.length === 1;
  const offered = buttons.map((move, index) => {
    const verb = verbs[index], alone = verb && verbs.indexOf(verb) === verbs.lastIndexOf(verb);
    // Beside a move that is asked again, the other one is the main button.
    return { move, label: alone ? verb : talk.nameOf(move, buttons, tongue), main: main && move === light[0] };
  });
  const byName = namedThings(composition.next, drawn).map((thing) => ({
    thing,
    label: talk.nameOfThing(thing, tongue),
  }));
  const asking = question(state, composition, view, tongue, asked);
  return {
    ...asking,
    hint: state.sheet?.left
      ? say("ui.goes_on", { left: state.sheet.left })
      : notice || lost(state) || missedDeeds(state, tongue) || hinted(state, asked),
    chips: state.sheet
      ? [
        {
          label: say(state.sheet.lowered ? "ui.show_scores" : "ui.show_table"),
          message: { do: "lower", lowered: !state.sheet.lowered },
        },
        { label: say("ui.next_round"), message: { do: "next round" }, main: true },
      ]
      : state.since
      ? [
        { label: say("ui.skip"), message: { do: "skip" } },
        { label: say("ui.show_me"), message: { do: "watch" }, main: true },
      ]
      : state.missed
      ? [{ label: say("ui.skip"), message: { do: "skip" } }]
      : seatLeft(state) !== null && state.game.status === "running"
      ? [{ label: say("ui.come_back"), message: { do: "return" }, main: true }]
      : pending && lost(state)
      ? [{ label: say("ui.try_now"), message: { do: "retry" }, main: true }]
      : pending || confirm
      ? []
      : [...byName, ...offered, ...paced(state, asking.mover)],
    switches: composition.switches.filter(({ field }) => isUsed(field, composition, choice)).map((
      { field, value, values },
    ) => ({
      field,
      label: asked?.switched(field) ?? labels.fields?.[field] ?? field,
      value,
      values: values.map((each) => ({
        value: each,
        label: labels.values?.[field]?.[String(each)] ?? say(each ? "ui.yes" : "ui.none"),
      })),
    })),
    cancel: choice.clicked.length > 0 && !pending,
    confirm: confirm ? { move: confirm, label: asked?.verb(confirm) || talk.nameOf(confirm, [confirm], tongue) } : null,
    meter: asked?.meter,
    busy: isBusy(state),
  };
}

/** How fast moves of the house are shown, while there are any. @param {State} state @param {number | null} [mover] @returns {Chip[]} */
function paced({ film, shown, game, lesson, pace, say }, mover = null) {
  const now = pace?.(), there = mover !== null && (shown < film.last || game.seats[mover]?.bot);
  if (!now || !there || lesson || game.hotseat || game.status !== "running") return [];
  return [{ label: say("ui.pace_now", { pace: say(`ui.pace_${now}`) }), message: { do: "pace" }, quiet: true }];
}

/** More about the question, while it is open. @param {State} state @param {import("./prompts.js").Prompt | null} asked */
const hinted = (state, asked) => asked && !state.sheet && !state.missed && !isBusy(state) ? asked.hint : "";

/** The service does not answer: what becomes of a move. @param {State} state */
const lost = ({ connected, game, pending, say }) =>
  connected || game.status !== "running" ? "" : say(pending ? "ui.kept" : "problem.no-answer");

/** What the others did since the last look. @param {State} state @param {talk.Tongue} tongue */
const missedDeeds = (state, tongue) =>
  state.since
    ? talk.deeds(state.film, tongue, state.film.last, seatOf(state)).flatMap((deed, seat) =>
      deed ? `${tongue.names[seat]} ${deed.text}.` : []
    ).join(" ")
    : "";

/** A switch is shown once its move is begun, or can be made at once. @param {string} field @param {Composition} composition @param {Choice} choice */
const isUsed = (field, { left, buttons }, { clicked }) =>
  (clicked.length ? left : buttons).some((move) => field in move);

/** Things that are chosen by name: of those that are open the first kind only. @param {Set<Thing>} next @param {Set<Thing>} drawn */
function namedThings(next, drawn) {
  const open = [...next].filter((thing) => isByName(thing) && !drawn.has(thing));
  const kind = (/** @type {Thing} */ thing) => thing.startsWith("move/") ? "move/" : thing.split("=")[0];
  const first = open.find((thing) => thing.startsWith("move/")) ?? open[0];
  return first ? open.filter((thing) => kind(thing) === kind(first)) : [];
}

/** The seat that the user has left, where a house player goes on. @param {State} state @returns {number | null} */
export function seatLeft({ game, me }) {
  const left = game.seats.find((/** @type {any} */ { player, gone }) => gone && player?.id === me);
  return left?.seat ?? null;
}

/** What another seat did, while more is waiting to be shown. @param {State} state @param {talk.Tongue} tongue */
function deedShown(state, tongue) {
  const { film, shown } = state, by = film.items[shown - 1]?.by ?? null;
  const deed = by === null ? undefined : talk.deeds(film, tongue, shown, seatOf(state))[by];
  const next = film.items[shown]?.by ?? null; // after the own move
  const mover = deed ? by : next;
  const question = deed
    ? `${deed.who} ${deed.text}`
    : next === null
    ? ""
    : state.say("ui.waits_for", { names: tongue.names[next], count: 1 });
  return { question, spoken: question, mover, ...deed && { deed: [`${deed.who} `, ...deed.parts] } };
}

/**
 * For the eyes and for the ears.
 * @param {State} state @param {Composition} composition @param {View} view @param {talk.Tongue} tongue
 * @param {import("./prompts.js").Prompt | null} asked
 * @returns {Pick<Rail, "question" | "spoken" | "deed" | "mover">}
 */
function question(state, { left }, view, tongue, asked) {
  const { say, game, confirm, choice, labels } = state;
  /** @param {string} text */
  const plain = (text) => ({ question: text, spoken: text });
  /** @param {number[]} seats */
  const names = (seats) => ({ names: listed(seats.map((seat) => tongue.names[seat] ?? ""), say), count: seats.length });
  if (game.result) return plain(say("ui.over", names(game.result.winners)));
  if (game.status === "aborted") return plain(say("ui.aborted"));
  if (state.sheet) return scored(state, view, say);
  if (state.since) return plain(say("ui.missed_moves", { n: state.since }));
  if (state.missed) return plain(say("ui.missed"));
  if (isBusy(state)) return plain(say(lost(state) ? "ui.offline" : "ui.sending"));
  if (!left.length && state.shown < state.film.last) return deedShown(state, tongue);
  if (!left.length) {
    const [mover = null, ...more] = game.to_act, { player, gone } = game.seats[mover ?? 0] ?? {};
    const isAway = mover !== null && !more.length &&
      ["away", "gone"].includes(presence(state, mover, player, gone).presence);
    const waits = isAway ? say("ui.is_away", { name: tongue.names[mover] }) : say("ui.waits_for", names(game.to_act));
    return {
      ...plain(mover === null ? "" : waits),
      mover: more.length ? null : mover,
    };
  }
  if (asked) return { question: asked.ask, spoken: asked.say };
  if (confirm) return plain(say("ui.sure"));
  const move = labels.moves?.[left[0]?.type ?? ""];
  if (choice.clicked.length && move) return plain(say("ui.go_on", { what: move }));
  return plain(labels.phases?.[view.phase] ?? say("ui.your_turn"));
}

/** @param {State} state @param {View} view @param {import("./types.js").Say} say */
function scored(state, view, say) {
  const { why, title, round, rows } = sheet(state, view), over = say("ui.round_over", { n: round });
  const points = rows.map(({ name, points, sum }) => say("ui.round_points", { name, points, sum }));
  return { question: over, spoken: [over, ...why ? [why] : [], title, ...points].join(". ") };
}

/** Names as a list: "Ann, Ben and Carla". @param {string[]} names @param {import("./types.js").Say} say */
const listed = (names, say) =>
  names.length < 2
    ? names.join("")
    : say("ui.and", { first: names.slice(0, -1).map(isolated).join(", "), last: names.at(-1) });

/** @param {State} state @param {talk.Tongue} tongue @returns {Replay} */
function replay(state, tongue) {
  const { film, shown, playing, speed, perspective, table, game, say } = state;
  const seats = game.seats.map((/** @type {any} */ { seat }) => ({
    value: String(seat),
    label: tongue.names[seat] ?? "",
  }));
  const free = (game.result && !game.deal) || game.hotseat;
  return {
    first: Math.max(film.first, 1),
    last: film.last,
    version: shown,
    playing,
    speed,
    live: false,
    over: Boolean(game.result),
    marks: state.brief ? [] : marks(film.marks(table.marks ?? []), film.last, tongue),
    losses: state.weighed?.marks ?? [],
    perspectives: free
      ? [{ value: "all", label: say("ui.all") }, ...seats, { value: "bystander", label: say("ui.bystander") }]
      : [],
    perspective,
    brief: state.brief ?? false,
  };
}

/** The last round that was scored, the best first. @param {State} state @param {View} view @returns {import("./types.js").Sheet} */
function sheet(state, view) {
  const { table: { score: { best, why, reckon, doubled } }, say, film, shown, game } = state,
    all = scores(state, view).rows;
  const low = best === "lowest", points = all.map(({ cells }) => Number(cells.at(-1)));
  const reached = low ? Math.min(...points) : Math.max(...points), first = points.filter((each) => each === reached);
  const now = film.tally(shown - 1)?.points, target = Number(game.options?.target_points ?? 0);
  const rows = all.map(({ seat, name, sum }, at) => {
    const got = points[at] ?? 0, laid = now?.[seat] ?? 0;
    return {
      name,
      face: faceOf(game, seat),
      points: got,
      before: sum - got,
      sum,
      half: doubled && got === 2 * laid ? laid : 0,
      reckoned: (reckon?.(view, seat) ?? []).filter(({ count }) => count),
      best: got === reached,
    };
  }).toSorted((a, b) => low ? a.points - b.points : b.points - a.points);
  const names = listed(rows.filter((row) => row.best).map(({ name }) => name), say);
  return {
    why: why?.(view, say) ?? "",
    title: say(low ? "ui.has_fewest" : "ui.has_most", { names, count: first.length }),
    round: all[0]?.cells.length ?? 0,
    target,
    most: Math.max(1, target, ...rows.map(({ sum }) => sum)),
    lowered: state.sheet?.lowered ?? false,
    rows,
  };
}

/** Marks that are close to the one before have no room for a label. */
const ROOM = 0.3;

/** @param {import("./film.js").Item[]} items @param {number} last @param {talk.Tongue} tongue @returns {Replay["marks"]} */
function marks(items, last, tongue) {
  let labelled = -last;
  return items.map(({ version, event }) => {
    const room = version - labelled > last * ROOM && version < last * (1 - ROOM / 2);
    if (room) labelled = version;
    return { version, label: room ? tongue.labels.events?.[event.type] ?? "" : "" };
  });
}

/** @param {State} state @param {View} view @returns {Model["scores"]} */
function scores(state, view) {
  const { table, say, game, shown, film, labels } = state;
  const { total, rounds, best } = table.score;
  /** @type {number[] | null} */
  const sums = (shown === film.last ? game.result?.scores : null) ?? (total ? view[total] : null);
  if (!sums) return { heads: [], rows: [], note: "" };
  /** @type {any[]} */
  const played = (rounds ? view[rounds] : []) ?? [];
  const winning = best === "lowest" ? Math.min(...sums) : Math.max(...sums);
  const parts = Object.entries(table.score.parts?.(view) ?? {}).filter(([, points]) => points.some(Boolean));
  const names = namesOf(state), over = shown === film.last && game.result?.teams;
  const teams = over || table.score.teams?.(view) || sums.map((_, seat) => [seat]);
  return {
    heads: [
      ...played.map((_, index) => String(index + 1)),
      ...parts.map(([name]) => labels.values?.part?.[name] ?? name),
    ],
    rows: teams.map(([seat = 0, ...partners]) => ({
      seat,
      name: listed([seat, ...partners].map((each) => names[each] ?? ""), say),
      cells: played.map((round) => (Array.isArray(round) ? round : round.points)?.[seat] ?? ""),
      parts: parts.map(([, points]) => points[seat] ?? 0),
      sum: sums[seat] ?? 0,
      best: sums[seat] === winning && played.length > 0,
    })),
    note: say(best === "lowest" ? "ui.fewest_win" : "ui.most_win"),
  };
}
