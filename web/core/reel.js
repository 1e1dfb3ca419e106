/**
 * Files that the user opens: records, and films, which can be shown without a service.
 */

import { Film } from "./film.js";

/**
 * @import { Game } from "./types.js"
 * @typedef {Record<string, any>} RecordDocument  `stammtisch-record/1`
 * @typedef {object} FilmDocument  `stammtisch-film/1`
 * @property {RecordDocument} record
 * @property {any} ruleset
 * @property {any} captions
 * @property {Record<string, any[]>} perspectives
 * @typedef {{ record: RecordDocument, film: FilmDocument | null, text: string }} Opened  `text` is that of the record.
 */

/** Larger files are not read: the longest games have a tenth of it. */
const MOST = 64 * 2 ** 20;

/** The file cannot be used. `message` is a key of the words. */
export class Unusable extends Error {}

/** @param {Blob} file @returns {Promise<Opened>} */
export async function open(file) {
  if (file.size > MOST) throw new Unusable("file.too_large");
  const packed = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const stream = packed[0] === 0x1f && packed[1] === 0x8b
    ? file.stream().pipeThrough(new DecompressionStream("gzip"))
    : file.stream();
  return read(await bounded(stream).catch(unusable));
}

/** @param {string} text @returns {Opened} */
export function read(text) {
  const found = parsed(text);
  if (found?.format === "stammtisch-record/1") return { record: checked(found), film: null, text };
  if (found?.format !== "stammtisch-film/1") throw new Unusable("file.unknown");
  const { record, ruleset, captions, perspectives } = found;
  const fits = Array.isArray(perspectives?.all) && ruleset?.schemas && ruleset?.labels && captions;
  if (!fits) throw new Unusable("file.damaged");
  return { record: checked(record), film: { record, ruleset, captions, perspectives }, text: JSON.stringify(record) };
}

/** A stream as text, unless it is larger than any game. @param {ReadableStream<any>} stream */
async function bounded(stream) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true });
    if (text.length > MOST) throw new Unusable("file.too_large");
  }
  return text + decoder.decode();
}

/** @param {unknown} error @returns {never} */
function unusable(error) {
  throw error instanceof Unusable ? error : new Unusable("file.unknown");
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unusable("file.unknown");
  }
}

/** What is shown of a record before it is verified. @param {any} record @returns {RecordDocument} */
function checked(record) {
  const first = record?.events?.[0]?.event;
  if (first?.type !== "opened" || !Array.isArray(record.seats) || typeof record.ruleset !== "string") {
    throw new Unusable("file.damaged");
  }
  return record;
}

/** The events without views: for the log of a record alone. @param {RecordDocument} record @returns {Film} */
export function log(record) {
  return joined(record, record.events.map(() => ({ patch: [] })));
}

/** The views from a perspective. @param {FilmDocument} film @param {string} perspective @returns {Film} */
export function views({ record, perspectives }, perspective) {
  return joined(record, perspectives[perspective] ?? []);
}

/** @param {RecordDocument} record @param {any[]} steps @returns {Film} */
function joined({ events }, steps) {
  const film = new Film();
  try {
    film.add(events.map((/** @type {any} */ entry, /** @type {number} */ index) => {
      const { patch, tally, event = entry.event } = steps[index];
      return { ...entry, event, patch, tally };
    }));
  } catch {
    throw new Unusable("file.damaged");
  }
  return film;
}

/** The game of a record, as far as the service would tell it when it is over. @param {RecordDocument} record @returns {Game} */
export function gameOf(record) {
  const { id, ruleset, rules, options, deck, seats, names, result, commitment, head, parent, events } = record;
  const opened = events[0].event, bots = opened.places ?? [];
  return {
    id,
    ruleset,
    rules,
    options,
    deck,
    commitment,
    head,
    parent,
    result,
    hotseat: opened.hotseat,
    status: result ? "finished" : "aborted",
    created_at: events[0].at,
    decision: null,
    private: false,
    links: { self: "", events: "", moves: "", seats: "", deck: "" },
    view: null,
    version: events.length,
    you: null,
    to_act: [],
    legal_moves: [],
    seats: seats.map((/** @type {any} */ { seat, player }) => ({
      seat,
      player: player && { id: player, name: names?.[player] ?? player },
      bot: bots[seat]?.bot,
    })),
  };
}
