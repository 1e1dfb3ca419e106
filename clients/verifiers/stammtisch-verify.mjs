#!/usr/bin/env node
/* Verifies the record of a game without trusting its author. It runs in browsers and in Node 20 or newer and needs
 * nothing but Web Crypto.
 *
 *     import { parse, verify } from "./stammtisch-verify.mjs";
 *     const checks = await verify(parse(text), { head });
 *
 *     node stammtisch-verify.mjs [--head HEX] [--rules FILE]... [--same-deal] [--json] FILE...
 *
 * A file contains one record (stammtisch-record/1), or one record on each line; `-` is standard input. `head` is a head
 * that you kept while the game was played: the record must contain it. Only a kept head shows that the end of a game was
 * cut off before its secret was revealed.
 *
 * `--rules` is the description of a ruleset that is not in the table at the end of this file. Take it from the author of
 * the ruleset, or compare its hash with the one that they publish: the author of the description decides what counts as
 * a right shuffle. In a program: `verify(record, { descriptions: [await description(bytes)] })`.
 *
 * A check is {name, ok, version, detail}: `ok` is null where it could not be made, `version` is the first wrong one.
 * Checks of the protocol stammtisch/1:
 *
 *     shape       the record has exactly the required fields
 *     header      the fields beside the events match the events
 *     versions    1, 2, 3, ... without gaps or duplicates
 *     times       valid dates and times, never decreasing
 *     appends     which events were added together: none is missing; who has a choice afterwards (`acting`), and that
 *                 only they make choices; where the moves are, and that each fits the event that it caused
 *     life        the lifecycle of the game: each event is valid when it comes and is caused by the right seat; the
 *                 seats, the beginning, the start of each move, the maximum length, the end and the result fit the events
 *     clock       in a game with a clock: each player who had run out of time was removed, and nobody else; no choice
 *                 came later than that. It follows from the times of the events and from who had a choice
 *     public      the hash of every event as a bystander saw it (redacted records)
 *     secret      the salted hash of every full event (redacted records)
 *     heads       every event is chained to all events before it; in a complete record, the one with the secret, the
 *                 head follows from all events
 *     commitment  the hash that was published before the first player joined is that of the secret
 *     description the game was opened with the description that you gave (--rules, or a ruleset that is not in the
 *                 table)
 *     shuffles    every shuffle follows from the secret and the players' entropies, and every card comes from where it
 *                 lay; by a description only the first of the two
 *     receipt     the record contains the given head
 *
 * What is not checked: whether every move was legal and had its consequences, and whether bots chose as their published
 * functions do. By a description neither who has a choice and what a move causes, nor which cards a shuffle contains,
 * where a card lies, and the result. The service's own `verify` checks all of these.
 * What nobody can check without a kept head: docs/verification-limits.md.
 *
 * Exit status: 0 all checks were made and passed, 1 a check failed, 2 a file cannot be read or the output cannot be
 * written, 3 no check failed, but not all checks could be made: the game is not over, its ruleset is neither in the
 * table at the end of this file nor described by --rules, or its record follows another version of the protocol.
 */

const PROTOCOL = "stammtisch/1";
const FORMAT = "stammtisch-record/1";

const RECORD = [
  "commitment", "deck", "events", "format", "head", "id", "names", "options", "parent", "result", "rules", "ruleset",
  "seats", "secret",
];
const ENTRY = ["at", "by", "event", "more", "version"];
const HASHES = ["head", "public", "secret"]; // the fields that the entries of redacted records have
const MAY = ["acting", "move"]; // the fields that only some entries have

const HEX = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{6}Z$/;
const ENTROPY = /^[ -~]{0,64}$/;

/** A check failed. `version`: the first wrong event; null: the failure does not concern one event. */
class Wrong extends Error {
  constructor(detail, version = null) {
    super(detail);
    this.version = version;
  }
}

/** A check cannot be made with this record. The message says why. */
class Unknowable extends Error {}

// --- the protocol ----------------------------------------------------------------------------------------------------

const encoder = new TextEncoder();
const { subtle } = globalThis.crypto ?? {};

/** The text of RFC 8785. Only objects, arrays, strings, integers, booleans and null can occur. */
export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Wrong(`${value} is not an integer between -2^53 and 2^53`);
    return String(value);
  }
  if (typeof value === "string") {
    // UTF-8 has no unpaired surrogates; the encoder would silently replace them.
    if (/\p{Cs}/u.test(value)) throw new Wrong("a string contains an unpaired surrogate");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object") throw new Wrong(`a value of type ${typeof value} cannot occur`);
  // `sort` compares by UTF-16 code units, as RFC 8785 requires.
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${canonical(key)}:${canonical(value[key])}`).join()}}`;
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The 32 bytes of a hash in hex. */
export function raw(text) {
  if (typeof text !== "string" || !HEX.test(text)) throw new Wrong(`not 32 bytes in lower-case hex: ${text}`);
  return Uint8Array.from({ length: 32 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function sha256(bytes) {
  return new Uint8Array(await subtle.digest("SHA-256", bytes));
}

/** A function from a text to its HMAC-SHA-256 under the key. */
async function mac(key) {
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (text) => new Uint8Array(await subtle.sign("HMAC", imported, encoder.encode(text)));
}

export const commitment = (secret) => sha256(secret);
export const firstHead = (gameId) => sha256(encoder.encode(`${PROTOCOL}\n${gameId}`));
export const nextHead = (head, publicHash, secretHash) => sha256(joined(head, publicHash, secretHash));

/** The bytes that are hashed: these fields, as far as the entry has them. */
function hashed(entry, names) {
  const fields = names.filter((name) => Object.hasOwn(entry, name)).map((name) => [name, entry[name]]);
  return encoder.encode(canonical(Object.fromEntries(fields)));
}

const PUBLIC = ["version", "at", "by", "event", "more", "acting"];

export const publicHash = (entry, publicEvent) => sha256(hashed({ ...entry, event: publicEvent }, PUBLIC));

/** A function from an entry to its secret hash. */
export async function salted(secret) {
  const salt = await mac(secret);
  return async (entry, text = hashed(entry, [...PUBLIC, "move"])) =>
    sha256(joined(await salt(`salt:${entry.version}`), text));
}

/** What fixes the entropy of a seat in a sealed game, in hex. */
export const seal = async (gameId, seat, entropy) =>
  hex(await sha256(encoder.encode(`${PROTOCOL} seal\n${gameId}\n${seat}\n${entropy}`)));

export async function tableKey(secret, gameId, entropies) {
  return (await mac(secret))([PROTOCOL, gameId, ...entropies].join("\n"));
}

/** The random numbers of one dealer step: `stream` is `deal:TYPE:COUNT`. */
export class Words {
  constructor(key, stream) {
    this.mac = mac(key);
    this.stream = stream;
    this.block = 0;
    this.left = [];
  }

  async word() {
    if (!this.left.length) {
      const block = await (await this.mac)(`${this.stream}:${this.block++}`);
      const view = new DataView(block.buffer);
      for (let at = 0; at < 32; at += 4) this.left.push(view.getUint32(at));
    }
    return this.left.shift();
  }

  async below(n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let word = await this.word();
    while (word >= limit) word = await this.word();
    return word % n;
  }

  async shuffled(items) {
    const bytes = (card) => hex(encoder.encode(canonical(card)));
    const keyed = [...items].map((card) => [bytes(card), card]).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    const cards = keyed.map(([, card]) => card);
    for (let i = cards.length - 1; i > 0; i--) {
      const j = await this.below(i + 1);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return cards;
  }
}

// --- the checks ------------------------------------------------------------------------------------------------------

/** Decode JSON. Throws SyntaxError, also for duplicate keys and numbers that are not written as integers. */
export function parse(text) {
  const value = JSON.parse(text);
  const open = []; // for every open object its keys so far, for every open list null
  let key = false; // whether the next string is a key
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[{}[\],]/g)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
    else if (token === "}" || token === "]") open.pop();
    else if (token[0] === '"' && key) {
      const name = JSON.parse(token);
      if (open.at(-1).has(name)) throw new SyntaxError("duplicate key in an object");
      open.at(-1).add(name);
    } else if (token[0] !== '"' && /[.eE]/.test(token)) throw new SyntaxError(`${token} is not an integer`);
    key = (token === "{" || token === ",") && Boolean(open.at(-1));
  }
  return value;
}

/** All checks of a record as `parse` returns it. Never throws, whatever the record contains. `descriptions`: those that
 * the user trusts, as `description` returns them. `tables`: what this file knows itself. */
export async function verify(record, { head = null, descriptions = [], tables = TABLE } = {}) {
  const verification = new Verification(record, head, descriptions, tables);
  const hashes = record?.secret === null ? ["public", "secret", "heads"] : ["heads"];
  const names = ["shape", "header", "versions", "times", "appends", "life", ...hashes, "commitment", "shuffles"];
  if (verification.described || !verification.known) names.splice(-1, 0, "description");
  if (head !== null) names.push("receipt");
  if (isObject(record?.events?.[0]?.event) && Object.hasOwn(record.events[0].event, "clock"))
    names.splice(names.indexOf("life") + 1, 0, "clock");
  const checks = [];
  for (const name of names) {
    verification.at = null;
    const check = { name, ok: true, version: null, detail: "" };
    try {
      check.detail = await verification[name]();
    } catch (error) {
      check.ok = error instanceof Unknowable ? null : false;
      check.detail = error.message;
      if (error instanceof Wrong) check.version = error.version;
      else if (!(error instanceof Unknowable)) {
        // A malformed record fails the check.
        check.version = verification.at;
        check.detail = `malformed: ${error}`;
      }
    }
    checks.push(check);
    if (name === "shape" && !check.ok) break;
  }
  return checks;
}

/** The check `same-deal`: of the last of at least two records, as `parse` returns them, against those before it. Never
 * throws; `verify` each of them first. */
export function sameDeal(records) {
  const check = { name: "same-deal", ok: false, version: null, detail: "" };
  try {
    const [first, last] = [records[0], records.at(-1)];
    const [one, other] = [termsOfDeal(first), termsOfDeal(last)];
    const wrong = Object.keys(one).filter((name) => !same(one[name], other[name]));
    need(!wrong.length, `another ${wrong.join(", ")}`);
    need(one.deal, "the game has no deal");
    const before = new Map(records.slice(0, -1).flatMap(({ id, seats }) => seats.map(({ player }) => [player, id])));
    const here = last.seats.filter(({ player }) => player && before.has(player));
    const twice = here.map(({ player }) => `${player} played it in ${before.get(player)} too`);
    check.detail = ["the same deal", ...twice, parting(first, last)].join("; ");
    check.ok = !twice.length;
  } catch (error) {
    check.detail = error instanceof Wrong ? error.message : `malformed: ${error}`;
  }
  return check;
}

/** What the games of a deal have in common. */
function termsOfDeal({ events: [{ event }], seats: taken }) {
  const { deal = null, commitment, rules, seats, options, deck, places = [] } = event;
  const bots = places.map(({ bot = null }) => bot);
  return { deal, commitment, rules, seats, options, deck, bots, entropies: taken.map(({ entropy }) => entropy) };
}

/** The first event of the ruleset that differs. */
function parting(one, other) {
  const [ours, theirs] = [one, other].map(({ events }) => events.filter(({ event }) => !own(LIFECYCLE, event.type)));
  const at = ours.findIndex(({ event }, i) => !theirs[i] || !same(event, theirs[i].event));
  if (theirs[at]) return `the first difference is version ${theirs[at].version} here, ${ours[at].version} in ${one.id}`;
  return ours.length === theirs.length ? "no event differs" : "one of the games ends before an event differs";
}

/** The checks of a record. Each returns its detail text, or throws Wrong or Unknowable. */
class Verification {
  constructor(record, keptHead, descriptions, tables) {
    this.record = record;
    this.keptHead = keptHead;
    const name = String(isObject(record) && record.rules);
    this.described = descriptions.find((each) => each.rules === name); // that of the ruleset, if it was given
    this.known = own(tables, name); // the line of TABLE
    this.table = this.known ?? (this.described && lineOf(this.described)); // what is known of the ruleset
    this.at = null; // the version of the current event
  }

  get events() {
    return this.record.events.map((each) => each.event);
  }

  get opened() {
    return this.record.events[0].event;
  }

  /** Whether the record claims to be complete, not redacted. */
  get whole() {
    return this.record.secret !== null;
  }

  /** The secret from the events. */
  knownSecret() {
    const last = this.events.at(-1);
    const stated = this.opened.secret ?? (last.type === "revealed" ? last.secret : null);
    if (stated === null) throw new Unknowable("the secret is not revealed yet");
    return raw(stated);
  }

  /** Throws Wrong for the first version for which the function returns an error text; returns the number of events. */
  async none(wrong) {
    const found = await Promise.all(
      this.record.events.map(async (each, index) => {
        try {
          return await wrong(each, index + 1);
        } catch (error) {
          return `malformed: ${error}`;
        }
      }),
    );
    const first = found.findIndex((detail) => detail);
    if (first >= 0) throw new Wrong(found[first], first + 1);
    return found.length;
  }

  shape() {
    const { record } = this;
    if (isObject(record)) supported("format", record.format, FORMAT);
    if (!hasFields(record, RECORD)) throw new Wrong("the record has missing or unknown fields");
    if (!Array.isArray(record.events) || !record.events.length) throw new Wrong("the record has no events");
    const { names } = record;
    if (!isObject(names) || !Object.values(names).every((name) => typeof name === "string")) {
      throw new Wrong("`names` is not an object of texts");
    }
    canonical(names);
    record.events.forEach((each, index) => {
      const version = index + 1;
      if (this.whole && isObject(each) && HASHES.some((name) => Object.hasOwn(each, name)))
        throw new Wrong("the events of a complete record have no hashes", version);
      const known = isObject(each) && hasFields(without(each, [...MAY, ...HASHES]), ENTRY);
      if (!known) throw new Wrong("the entry has missing or unknown fields", version);
      if (!isObject(each.event) || typeof each.event.type !== "string") throw new Wrong("the event is not an object with a type", version);
      if ((each.event.type === "opened") !== (version === 1))
        throw new Wrong("`opened` must be the first event and no other", version);
      if (version === 1) supported("protocol", each.event.protocol, PROTOCOL);
      for (const name of this.whole ? [] : HASHES)
        if (typeof each[name] !== "string" || !HEX.test(each[name]))
          throw new Wrong(`\`${name}\` is not 32 bytes in lower-case hex`, version);
    });
    return `${FORMAT} of a game by ${record.rules}`;
  }

  header() {
    const { record, opened, events } = this;
    const { ruleset, rules, deck, options, commitment: committed, secret, parent = null } = opened;
    const ended = events.findLast((event) => event.type === "ended");
    const expected = {
      ruleset, rules, deck, options, commitment: committed, secret, parent, head: record.events.at(-1).head ?? record.head,
      seats: this.seats(), result: ended ? ended.result : null,
    };
    for (const [name, value] of Object.entries(expected))
      if (canonical(record[name]) !== canonical(value)) throw new Wrong(`\`${name}\` differs from the events`);
    const kinds = events.map((event) => event.type);
    const [before, last] = [kinds.at(-2), kinds.at(-1)];
    const early = kinds.slice(0, -1).indexOf("revealed");
    if (early >= 0) throw new Wrong("no event can follow `revealed`", early + 2);
    if (this.whole && last !== "revealed")
      throw new Wrong("the secret is visible but the game is not over", kinds.length);
    if (last === "revealed") {
      if (before !== "ended" && before !== "aborted")
        throw new Wrong("`revealed` must follow `ended` or `aborted`", kinds.length);
      if (this.whole && events.at(-1).secret !== secret)
        throw new Wrong("`revealed` has another secret than `opened`", kinds.length);
    }
    return "matches the events";
  }

  seats() {
    const taken = new Map();
    if (!(this.opened.seats > 0 && this.opened.seats <= 1000)) throw new Wrong("invalid number of seats", 1);
    for (const { type, seat, player, entropy } of this.events) {
      if (type === "joined") taken.set(seat, { seat, player, entropy });
      else if (type === "readied" && taken.has(seat)) taken.get(seat).entropy = entropy;
      else if (type === "left" && !taken.delete(seat)) throw new Wrong("a player leaves an empty seat");
    }
    const places = Array.from({ length: this.opened.seats }, (_, seat) => seat);
    for (const seat of taken.keys())
      if (!places.includes(seat)) throw new Wrong("a player takes a seat that does not exist");
    return places.map((seat) => taken.get(seat) ?? { seat, player: null, entropy: "" });
  }

  versions() {
    this.record.events.forEach((each, index) => {
      if (each.version !== index + 1) throw new Wrong(`the version is ${each.version}`, index + 1);
    });
    return `1 to ${this.record.events.length}, complete`;
  }

  times() {
    let last = "";
    this.record.events.forEach(({ at }, index) => {
      if (!isTime(at)) throw new Wrong(`${at} is not a valid time`, index + 1);
      if (at < last) throw new Wrong(`${at} is earlier than the event before it`, index + 1);
      last = at;
    });
    return `never decreasing, up to ${last}`;
  }

  appends() {
    const appends = new Appends(this.opened, this.table, this.whole);
    const { events } = this.record;
    for (const each of events) {
      this.at = (this.at ?? 0) + 1;
      try {
        appends.follow(each);
      } catch (error) {
        throw error instanceof Wrong ? new Wrong(error.message, this.at) : error;
      }
    }
    if (events.at(-1).more) throw new Wrong("the record ends within an append: more events must follow", this.at + 1);
    if (!this.table) throw new Unknowable(`checked in part: this file does not describe ${this.record.rules}`);
    const apart = this.known ? "" : "; who has a choice is not described";
    return `${events.filter((each) => !each.more).length} appends, each complete${apart}`;
  }

  async life() {
    if (!isUuid(this.record.id)) throw new Wrong("the id of the game is not a lower-case UUID", 1);
    const life = new Lifecycle(this.record.id, this.table);
    let first = true;
    for (const { at, by, event, more } of this.record.events) {
      this.at = (this.at ?? 0) + 1;
      try {
        life.time = at;
        life.follow(first, by, event);
        if (event.type === "readied") await life.fits(event);
        first = more === 0;
      } catch (error) {
        throw error instanceof Wrong ? new Wrong(error.message, this.at) : error;
      }
    }
    life.stop();
    if (!this.table)
      throw new Unknowable(`checked in part: this file does not describe the events of ${this.record.rules}`);
    return `${this.at} events in a valid order${this.known ? "" : "; the result is not described"}`;
  }

  clock() {
    const dials = new Dials(this.opened);
    let [append, expired] = [[], 0];
    for (const each of this.record.events) {
      this.at = (this.at ?? 0) + 1;
      append.push(each);
      if (isExpiry(each.event)) expired += 1;
      if (each.more !== 0) continue;
      try {
        dials.follow(append);
      } catch (error) {
        throw error instanceof Wrong ? new Wrong(error.message, this.at - append.length + 1 + error.version) : error;
      }
      append = [];
    }
    return `players who ran out of time: ${expired}; no choice was late`;
  }

  /** A function from an event to the event as a bystander sees it. */
  bystander() {
    const { table } = this;
    if (!table) throw new Unknowable(`this file does not describe what a bystander sees of ${this.record.rules}`);
    return (event) => {
      const hidden = own(HIDDEN, event.type) ?? own(table.hidden, event.type);
      if (!hidden) return event;
      const shown = { ...event };
      for (const [name, depth] of Object.entries(hidden))
        if (Object.hasOwn(shown, name)) shown[name] = backs(shown[name], depth);
      return shown;
    };
  }

  async public() {
    const shown = this.bystander();
    const count = await this.none(async (each) => {
      if (hex(await publicHash(each, shown(each.event))) !== each.public)
        return "the hash does not match the event as a bystander sees it";
    });
    return `${count} hashes`;
  }

  async secret() {
    const hash = await salted(this.knownSecret());
    let skipped = 0;
    const count = await this.none(async (each) => {
      if (hides(each.event) || (isChosen(each) && !Object.hasOwn(each, "move"))) skipped += 1;
      else if (hex(await hash(each)) !== each.secret)
        return "the hash does not match the salt and the full event";
    });
    if (skipped) throw new Unknowable(`${skipped} of ${count} events are redacted`);
    return `${count} hashes`;
  }

  /** The heads of a complete record. */
  async computed() {
    const [shown, hash] = [this.bystander(), await salted(this.knownSecret())];
    const hashes = this.record.events.map(async (each) => {
      const [event, text] = [shown(each.event), hashed(each, [...PUBLIC, "move"])];
      const open = event === each.event && !Object.hasOwn(each, "move");
      return Promise.all([open ? sha256(text) : publicHash(each, event), hash(each, text)]);
    });
    hashes.forEach((each) => each.catch(() => {})); // the first error is thrown below
    let head = await firstHead(this.record.id);
    const heads = [];
    for (this.at = 1; this.at <= hashes.length; this.at++)
      heads.push(hex((head = await nextHead(head, ...await hashes[this.at - 1]))));
    return heads;
  }

  async heads() {
    const { events } = this.record;
    if (this.whole) {
      const heads = await (this.chain = this.computed());
      if (heads.at(-1) !== this.record.head) throw new Wrong("`head` does not follow from the events and the secret");
      return `${heads.length} heads, computed, up to ${heads.at(-1)}`;
    }
    const first = await firstHead(this.record.id);
    const count = await this.none(async (each, version) => {
      // Uses the previous head as written: if it is wrong, the previous event is reported.
      const before = version === 1 ? first : raw(events[version - 2].head);
      if (hex(await nextHead(before, raw(each.public), raw(each.secret))) !== each.head)
        return "the head does not match the previous head and the two hashes";
    });
    return `${count} links up to ${events.at(-1).head}`;
  }

  async commitment() {
    raw(this.opened.commitment);
    if (hex(await commitment(this.knownSecret())) !== this.opened.commitment)
      throw new Wrong("is not the hash of the secret", 1);
    return "is the hash of the secret";
  }

  /** Whether the game has the rules that the user trusts. */
  description() {
    const { rules } = this.record;
    const hashed = hex(raw(this.opened.description));
    if (!this.described)
      throw new Unknowable(
        `NOT CHECKED: ${rules} is not in the table of this file. The game was opened with the description ` +
          `sha256:${hashed}. Get it from the author of the ruleset, compare the hash, and give it by --rules`,
      );
    const { sha256: mine } = this.described;
    need(mine === hashed, `the game was opened with another description than the one given, sha256:${hashed}`);
    return `the description that was given, sha256:${mine}`;
  }

  async shuffles() {
    const { opened, record, table: ruleset } = this;
    if (!ruleset) throw new Unknowable(`SHUFFLES NOT CHECKED: ${record.rules} is not in the table of this file`);
    const secret = this.knownSecret();
    if (!this.whole) throw new Unknowable("the record is redacted");
    // A branch has the deals of its root game.
    const gameId = opened.parent ? opened.parent.root : (opened.deal ?? record).id;
    const key = await tableKey(secret, gameId, this.seats().map((seat) => seat.entropy));
    let steps = {}; // how many steps began with an event of each type
    const dealer = (type) => new Words(key, `deal:${type}:${(steps[type] = (own(steps, type) ?? -1) + 1)}`);
    let table = { seats: opened.seats, deck: opened.deck, options: opened.options };
    // The tables to which the game goes back. Taking back a move restores the number of the dealer's step as well.
    const taken = record.events.filter(({ event }) => event.type === "taken_back");
    const past = new Map(taken.map(({ event }) => [event.to, null]));
    for (const { event, move, by } of record.events) {
      this.at = (this.at ?? 0) + 1;
      if (event.type === "taken_back") {
        const kept = past.get(event.to);
        [table, steps] = [structuredClone(kept.table), { ...kept.steps }];
        continue;
      }
      if (past.has(this.at - 1)) past.set(this.at - 1, { table: structuredClone(table), steps: { ...steps } });
      if (this.known && !placed(event)) throw new Wrong("a seat, slot or position is not a non-negative integer", this.at);
      [table.move, table.by] = [move, by];
      let right;
      try {
        right = (await ruleset.follow(table, event, () => dealer(event.type))) ?? {};
      } catch (error) {
        if (error instanceof Wrong) error.version = this.at;
        throw error;
      }
      for (const [name, value] of Object.entries(right))
        if (canonical(event[name]) !== canonical(value))
          throw new Wrong(`\`${name}\` of \`${event.type}\` differs from the derived value`, this.at);
    }
    const apart = this.known ? "" : "; which cards they are, and where they lie, is not described";
    return `${Object.values(steps).reduce((sum, last) => sum + last + 1, 0)} dealer steps, derived again${apart}`;
  }

  async receipt() {
    const heads = this.whole ? await this.chain : this.record.events.map((each) => each.head);
    const found = heads.indexOf(this.keptHead);
    if (found < 0) throw new Wrong("the given head is not in this record");
    return `the given head is that of version ${found + 1}`;
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasFields(value, names, optional = []) {
  if (!isObject(value)) return false;
  return Object.keys(value).filter((name) => !optional.includes(name)).sort().join() === names.join();
}

/** The object without these fields. */
function without(object, names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The object's own property: `constructor` and others are inherited. */
function own(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Another version of ours is not wrong: it cannot be checked. */
function supported(what, said, ours) {
  if (said !== ours && typeof said === "string" && new RegExp(`^${ours.slice(0, -1)}[1-9][0-9]*$`).test(said))
    throw new Unknowable(`CANNOT BE CHECKED: this file does not know the ${what} ${said}`);
  need(said === ours, `unknown ${what}: ${said}`);
}

/** Whether the text is an existing date and time in UTC with 6 decimals. */
function isTime(text) {
  const found = typeof text === "string" && TIME.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1, 4).map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

/** Cards as a bystander sees them; `depth` is the number of nested lists around them. */
function backs(value, depth) {
  need(depth === 0 || value === null || Array.isArray(value), "a hidden field is not a list");
  return depth === 0 || value === null ? null : value.map((item) => backs(item, depth - 1));
}

const PLACES = ["seat", "slot", "column", "start", "position"];

/** Whether all positions in the value are non-negative integers. */
function placed(value) {
  if (typeof value !== "object" || value === null) return true;
  const named = Array.isArray(value) ? [] : PLACES.filter((name) => Object.hasOwn(value, name));
  return named.every((name) => Number.isInteger(value[name]) && value[name] >= 0) && Object.values(value).every(placed);
}

/** Whether the value contains a hidden card (null). */
function hides(value) {
  return value === null || (typeof value === "object" && Object.values(value).some(hides));
}

// --- descriptions of rulesets ----------------------------------------------------------------------------------------

const DESCRIPTION = "stammtisch-rules/1";
const PARTS = ["draws", "events", "format", "hidden", "moves", "rules", "seats"];
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
// Limits of a description: its bytes, the paths of all shuffles, the steps of a path, and the lists around a card.
const [LARGEST, PATHS, STEPS, DEPTH] = [65536, 64, 16, 8];

/** The description in these bytes, with its hash as `sha256`. Throws an Error. */
export async function description(bytes) {
  const content = bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
  if (content.length > LARGEST) throw new Error(`a description has at most ${LARGEST} bytes`);
  const found = parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  need(isObject(found), "not a description of a ruleset");
  supported("format", found.format, DESCRIPTION);
  need(hasFields(found, PARTS), "the description has missing or unknown fields");
  checkDescription(found);
  return { ...found, sha256: hex(await sha256(content)) };
}

function checkDescription({ rules, seats, events, moves, hidden, draws }) {
  const named = (name) => typeof name === "string" && NAME.test(name);
  need(typeof rules === "string" && /^[a-z0-9._-]{1,200}\/[1-9][0-9]{0,8}$/.test(rules), "`rules` is not NAME/N");
  const [least, most] = Array.isArray(seats) && seats.length === 2 ? seats : [];
  need(isCount(least) && isCount(most) && 1 <= least && least <= most && most <= 1000, "invalid number of seats");
  need([events, moves, hidden, draws].every(isObject), "not a description of a ruleset");
  for (const part of [events, moves])
    for (const [kind, names] of Object.entries(part)) {
      const right = Array.isArray(names) && [kind, ...names].every(named) && !own(LIFECYCLE, kind);
      need(right, "invalid name of an event or a move, or of a field");
    }
  for (const [kind, fields] of Object.entries(hidden)) {
    const right = isObject(fields) && own(events, kind) && Object.entries(fields).every(
      ([name, depth]) => isCount(depth) && depth <= DEPTH && events[kind].includes(name),
    );
    need(right, `invalid hidden field of \`${kind}\``);
  }
  let paths = 0;
  for (const [kind, all] of Object.entries(draws)) {
    need(Array.isArray(all) && all.length && own(events, kind), "invalid `draws`");
    for (const draw of all) {
      const mine = checkDraw(draw);
      need(mine.every((path) => events[kind].includes(path.split("/")[0])), "a path to an unknown field");
      paths += mine.length;
    }
  }
  need(paths <= PATHS, `a description has at most ${PATHS} paths`);
}

/** The paths of what is drawn. */
function checkDraw(draw) {
  need(isObject(draw), "invalid draw");
  const { below, at, shuffle, turned = true } = draw;
  if (below !== undefined) {
    need(below === "seats" || (isCount(below) && below > 0 && below < 2 ** 32), "invalid number of outcomes");
    need(hasFields(draw, ["at", "below"]) && typeof at === "string" && NAME.test(at), "invalid lot");
    return [at];
  }
  need(hasFields(without(draw, ["turned"]), ["shuffle"]) && turned === true, "invalid shuffle");
  need(Array.isArray(shuffle) && shuffle.length, "a shuffle without cards");
  for (const path of shuffle) {
    const steps = typeof path === "string" ? path.split("/") : [];
    const right = NAME.test(steps[0] ?? "") && steps.length <= STEPS;
    need(right && steps.every((step) => /^([*]|{seat}|[a-z0-9_]{1,64})$/.test(step)), "invalid path");
  }
  return shuffle;
}

/** The line of TABLE that a description gives. What it does not tell is missing or null. */
function lineOf({ seats, events, moves, hidden, draws }) {
  const each = (part, made) => Object.fromEntries(Object.entries(part).map(([kind, names]) => [kind, made(names, kind)]));
  return {
    seats,
    events: each(events, (_, kind) => (own(draws, kind) ? DEAL : TOLD)),
    fields: events,
    moves: each(moves, (names) => [names.map((name) => `${name}?`).join(" "), null]),
    acting: {},
    hidden,
    follow: (table, event, dealer) => followDraws(own(draws, event.type), table, event, dealer),
  };
}

/** Compare what the dealer drew for the event with the random numbers of its step. Throws Wrong. */
async function followDraws(draws, { seats }, event, dealer) {
  if (!draws) return;
  const [words, drawn] = [dealer(), new Set()];
  for (const draw of draws) {
    const paths = draw.shuffle ?? [draw.at];
    for (let seat = 0; seat < (paths.join().includes("{seat}") ? seats : 1); seat++) {
      const cards = [];
      for (const path of paths)
        for (const [place, card] of foundAt(event, path.replaceAll("{seat}", seat).split("/"))) {
          need(!drawn.has(place), `\`${event.type}\`: the description draws a card twice`);
          drawn.add(place);
          cards.push(card);
        }
      const right = await followDraw(draw, cards, words, seats);
      need(same(cards, right), `\`${event.type}\` does not follow from the secret`);
    }
  }
}

/** The cards in the order, or the lot, that the random numbers give. */
async function followDraw({ below, turned }, cards, words, seats) {
  if (below !== undefined) return [await words.below(below === "seats" ? seats : below)];
  if (!turned) return words.shuffled(cards);
  const pairs = cards.every((card) => Array.isArray(card) && card.length === 2 && card.every(Number.isSafeInteger));
  need(pairs, "a card with two ends is not two integers");
  const shuffled = await words.shuffled(cards.map(([one, other]) => (one <= other ? [one, other] : [other, one])));
  for (const card of shuffled) if (await words.below(2)) card.reverse();
  return shuffled;
}

/** The places that the path leads to, in their order, each with what is there. */
function foundAt(value, [step, ...rest], place = "") {
  if (step === undefined) return [[place, value]];
  const listed = Array.isArray(value);
  const keys = listed && step === "*" ? [...value.keys()] : [listed && /^[0-9]+$/.test(step) ? Number(step) : step];
  const there = listed ? keys.every((key) => key < value.length) : isObject(value) && Object.hasOwn(value, step);
  need(there, `nothing is at \`${step}\``);
  return keys.flatMap((key) => foundAt(value[key], rest, `${place}/${key}`));
}

// --- the lifecycle of a game -----------------------------------------------------------------------------------------
//
// The events that every game has. `during`: the statuses in which the event is valid; `then`: the status after it
// (absent: unchanged); `by`: who causes it; `fields`: its required fields, `may`: its optional fields; `starts`: it is
// the first event of an append; all others follow from events of the same append.

const LIFECYCLE = {
  opened: {
    during: ["new"], then: "waiting", by: "nobody",
    fields: [
      "protocol", "ruleset", "rules", "description", "seats", "options", "deck", "private", "hotseat", "opener", "commitment", "secret",
    ],
    may: ["parent", "longest", "places", "absent", "clock", "undo", "rematch_of", "deal", "sealed", "puzzles", "hints"],
    starts: true,
  },
  joined: {
    during: ["waiting"], by: "its seat", fields: ["seat", "player", "entropy"], may: ["seal"], starts: true,
  },
  left: { during: ["waiting"], by: "its seat", fields: ["seat"], starts: true },
  declined: { during: ["waiting"], by: "its seat", fields: ["seat"], starts: true },
  readied: { during: ["waiting"], by: "its seat", fields: ["seat", "entropy"], starts: true },
  begun: { during: ["waiting"], then: "running", by: "nobody", fields: [] },
  gone: { during: ["running"], fields: ["seat", "moved", "cause"], may: ["bot"], starts: true },
  rejoined: { during: ["running"], by: "its seat", fields: ["seat"], starts: true },
  granted: { during: ["running"], by: "another seat", fields: ["seat", "seconds"], starts: true },
  resumed: { during: ["running"], by: "nobody", fields: ["milliseconds"], starts: true },
  voted: { during: ["running"], by: "its seat", fields: ["seat", "on", "yes"], may: ["to"], starts: true },
  taken_back: { during: ["running"], fields: ["seat", "to", "agreed"] },
  hinted: { during: ["running"], by: "its seat", fields: ["seat"], starts: true },
  ended: { during: ["running"], then: "finished", by: "nobody", fields: ["result"] },
  aborted: { then: "aborted", fields: [], may: ["cause", "unready"] },
  revealed: { during: ["finished", "aborted"], then: "revealed", by: "nobody", fields: ["secret"] },
};

/* What `cause` adds to the line of `aborted`. The cause `left` is never written: the field is absent. */
const ABORTED = {
  left: { during: ["waiting"], by: "the seat that left" },
  cancelled: { during: ["waiting"], by: "nobody", starts: true },
  expired: { during: ["waiting"], by: "nobody", starts: true },
  longest: { during: ["running"], by: "nobody" },
  absent: { during: ["running"], by: "nobody" },
  operator: { during: ["waiting", "running"], by: "nobody", starts: true },
  agreed: { during: ["running"], by: "nobody" },
};

/* What `cause` adds to the line of `gone`. */
const GONE = { left: { by: "its seat" }, expired: { by: "nobody" } };

/** The line of LIFECYCLE for the event. */
function about(event) {
  const kind = event.type;
  if (kind === "gone") {
    need(typeof event.cause === "string" && own(GONE, event.cause), "unknown cause");
    return { ...LIFECYCLE[kind], ...GONE[event.cause] };
  }
  if (kind === "taken_back") {
    need(typeof event.agreed === "boolean", "`agreed` is not a boolean");
    return { ...LIFECYCLE[kind], ...(event.agreed ? { by: "nobody" } : { by: "its seat", starts: true }) };
  }
  if (kind !== "aborted") return LIFECYCLE[kind];
  const written = Object.hasOwn(event, "cause");
  const cause = written ? event.cause : "left";
  need(typeof cause === "string" && own(ABORTED, cause), "unknown cause");
  need(cause !== "left" || !written, "the cause `left` must be absent");
  return { ...LIFECYCLE[kind], ...ABORTED[cause] };
}

/** Whether the choice of a seat caused the event. */
function isChosen({ by, event }) {
  return by !== null && !own(LIFECYCLE, event.type);
}

/** Whether a player ran out of time. One append removes all players who have. */
function isExpiry({ type, cause }) {
  return type === "gone" && cause === "expired";
}

/* How many appends, and events in them, are considered for an undo; how many moves a seat can take back and questions
 * it can ask. */
const [MADE, REACH, UNDOS, QUESTIONS] = [64, 256, 20, 10];

/* How often a player, and all players together, can leave a game that has not begun and somebody still joins it. */
const [STAND_UPS, ALL_STAND_UPS] = [10, 500];

/** The latest appends with events of the ruleset that stand: those that can be taken back. Of each append: `mover`
 * (null: no player's move), `to`, the version before it, `alone`: whether nothing else than the move is in it, and the
 * number of its events of the ruleset. */
class Moves {
  made = [];

  follow(append) {
    for (const { event } of append)
      if (event.type === "taken_back") this.made = this.made.filter(({ to }) => to < event.to);
    const events = append.filter(({ event }) => !own(LIFECYCLE, event.type)).length;
    if (!events) return;
    const [first] = append;
    const moved = isChosen(first);
    const alone = moved && append.every((each) => isChosen(each) && each.by === first.by);
    this.made = [...this.made, { mover: moved ? first.by : null, to: first.version - 1, alone, events }].slice(-MADE);
  }

  /** The number of events that stand after this version. */
  since(version) {
    return this.made.reduce((sum, { to, events }) => (to >= version ? sum + events : sum), 0);
  }

  /** The latest move of the seat. */
  latest(seat) {
    return this.made.findLast(({ mover }) => mover === seat) ?? { to: null };
  }
}

/** Which entries were added together by one command, without the rules of moves.
 *
 * `table` describes the ruleset; undefined: it is unknown. `whole`: no move may be missing. `follow` throws Wrong. */
class Appends {
  constructor(opened, table, whole) {
    this.opened = opened;
    this.table = table;
    this.whole = whole;
    this.before = null; // the previous entry
    [this.opening, this.running] = [false, false]; // whether this is the first append, and whether the game runs
    this.acting = []; // the seats that have a choice after the previous append
    [this.movers, this.mover] = [new Set(), null]; // the seats that chose in this append, and the last of them
    this.moved = false; // whether something happened in this append that can give a choice to other seats
    this.bots = botsOf(opened); // the seats that bots play now
    // Those of bots from the beginning that search, for which the game waits; without the rules: that may search.
    const known = table?.searches;
    this.patient = new Set([...this.bots].filter((seat) => !known || known.includes(opened.places[seat].bot)));
    this.moves = new Moves(); // the moves that stand
    this.begun = []; // the entries of this append
    this.ends = new Map(); // who has a choice after each append
    this.asked = null; // to which version the open question would go back
  }

  follow(entry) {
    need(isCount(entry.more), "`more` is not a non-negative integer");
    const first = this.before === null || this.before.more === 0;
    if (first) {
      [this.opening, this.movers, this.mover, this.moved] = [this.before === null, new Set(), null, false];
      this.begin(entry);
    } else this.goOn(entry);
    const kind = entry.event.type;
    this.running = kind === "begun" || (this.running && kind !== "ended" && kind !== "aborted");
    if (kind === "gone") this.bots.add(entry.event.seat);
    else if (kind === "rejoined") this.bots.delete(entry.event.seat);
    this.move(entry, first);
    if (!own(LIFECYCLE, kind)) {
      [this.moved, this.asked] = [true, null];
      if (entry.by !== null) this.movers.add((this.mover = entry.by));
    } else if (kind === "begun") this.moved = true;
    else if (!["granted", "rejoined", "resumed", "hinted"].includes(kind)) this.undo(entry.event); // else a question stays open
    need(kind !== "hinted" || this.acting.includes(entry.event.seat), "a seat without a choice needs no hint");
    if (entry.more) need(!Object.hasOwn(entry, "acting"), "only the last event of an append has `acting`");
    else this.choices(entry);
    this.before = entry;
    this.begun.push(entry);
    if (entry.more) return;
    this.ends.set(entry.version, entry.acting);
    this.moves.follow(this.begun);
    this.begun = [];
  }

  /** The seat takes back its latest move, or asks to. Then the same seats have a choice as before the move. */
  undo({ type, seat, to = null, yes, agreed }) {
    const { asked } = this;
    this.asked = null;
    if (type === "voted" && to !== null && yes) {
      this.asked = to;
      if (to === asked) return;
    } else if (type !== "taken_back") return;
    const mine = this.moves.latest(seat);
    const right = mine.to === to && this.ends.has(to);
    need(right, "`to` is not the version before the latest move of the seat");
    need(this.moves.since(to) <= REACH, "too much has happened since");
    if (type === "voted") return;
    need(agreed || (mine === this.moves.made.at(-1) && mine.alone), "something else has happened since");
    this.acting = this.ends.get(to);
  }

  /** The first entry of an append. */
  begin(entry) {
    if (isChosen(entry)) need(this.acting.includes(entry.by), "the seat has no choice");
    else {
      const alone = entry.event.type === "revealed" && Object.hasOwn(this.opened, "deal");
      need(alone || starts(entry.event), "the event cannot begin an append");
    }
  }

  /** Another entry of the append. */
  goOn(entry) {
    const { before, opened } = this;
    const { event, by } = entry;
    need(entry.more === before.more - 1, "`more` must be one less than before");
    need(entry.at === before.at, "an append has one time");
    if (isChosen(entry) && this.bots.has(by)) return; // a bot makes its choice in the append that gives it
    if (isExpiry(event) && isExpiry(before.event)) return;
    const joins = this.opening && event.type === "joined";
    if (joins && !opened.hotseat) {
      const opener = by === firstSeat(opened) && same(event.player, opened.opener);
      need(before.event.type === "opened" && opener, "only the opener joins when the game is opened");
    } else if (this.opening && isChosen(entry)) {
      need(Object.hasOwn(opened, "parent"), "only a branch is opened with choices");
    } else if (isChosen(entry)) {
      need(isChosen(before) && by === before.by, "another choice must begin an append");
    } else need(joins || !own(LIFECYCLE, event.type) || !starts(event), "the event must begin an append");
  }

  /** The move is on the first event that the choice caused, and fits it. */
  move(entry, first) {
    if (!Object.hasOwn(entry, "move")) {
      const goesOn = !first && isChosen(this.before) && entry.by === this.before.by;
      need(goesOn || !(this.whole && isChosen(entry)), "the move is missing");
      return;
    }
    const may = isChosen(entry) && (first || this.opening || this.bots.has(entry.by));
    need(may, "only the first event that a choice caused has a move");
    const { move, event } = entry;
    need(isObject(move) && typeof move.type === "string", "the move is not an object with a type");
    if (!this.table) return;
    const line = own(this.table.moves, move.type);
    need(line, "the ruleset has no such move");
    const [fields, causes] = line;
    const names = fields.split(" ").filter(Boolean);
    const required = names.filter((name) => !name.endsWith("?"));
    const known = names.map((name) => name.replace("?", ""));
    const written = Object.keys(move).filter((name) => name !== "type");
    const right = required.every((name) => written.includes(name)) && written.every((name) => known.includes(name));
    need(right, "the move has missing or unknown fields");
    if (!causes) return;
    const told = own(causes, event.type);
    need(told, "the move cannot cause this event");
    for (const [name, what] of Object.entries(told)) {
      const value = name[0] === "$" ? move[name.slice(1)] : event[name];
      need(fits(value, what, move), `\`${name}\` differs from the move`);
    }
  }

  /** `acting` of the last entry of an append. */
  choices(entry) {
    need(Object.hasOwn(entry, "acting"), "the last event of an append must have `acting`");
    const { acting, event } = entry;
    const { seats } = this.opened;
    const others = this.acting.filter((seat) => !this.movers.has(seat));
    need(Array.isArray(acting) && acting.every((seat) => isCount(seat) && seat < seats), "not seats");
    need(acting.every((seat, i) => i === 0 || acting[i - 1] < seat), "`acting` is not in rising order");
    need(acting.length > 0 === this.running, "a seat must have a choice while the game runs, and only then");
    need(!acting.some((seat) => this.bots.has(seat) && !this.patient.has(seat)), "a bot makes its choice in the append that gives it");
    const kept = this.moved || !this.running || same(acting, this.acting);
    need(kept, "nothing gives the choice to another seat");
    if (this.table && this.running) {
      const who = own(this.table.acting, event.type);
      if (who) need(same(acting, this.expected(who, event)), "another seat must have the choice");
      if (others.length && others.length < this.acting.length && this.table.result)
        need(same(acting.filter((seat) => !this.movers.has(seat)), others), "the others keep their choices");
    }
    this.acting = acting;
  }

  /** The seats that have the choice after this event. */
  expected(who, event) {
    const { seats } = this.opened;
    if (who === ALL) return Array.from({ length: seats }, (_, seat) => seat);
    const seat = who === MOVER ? this.mover : event.seat;
    return [who === NEXT ? (seat + 1) % seats : seat];
  }
}

/** The seats that bots play from the beginning. */
function botsOf({ places = [] }) {
  return new Set(places.flatMap((place, seat) => (Object.hasOwn(place, "bot") ? [seat] : [])));
}

/** Where the opener sits down when opening the game: at the seat that is kept for them, else the first open one. */
function firstSeat({ places = [{}], opener }) {
  const kept = places.findIndex((place) => place.player === opener);
  return kept >= 0 ? kept : places.findIndex((place) => !Object.keys(place).length);
}

/** Whether the event of LIFECYCLE can be the first of an append. */
function starts(event) {
  return Boolean(own(LIFECYCLE, event.type) && about(event).starts);
}

/** Whether the value is what the move tells: `$name` is a field of the move, `#name` a list of that length. */
function fits(value, told, move) {
  if (Array.isArray(told)) return value.length === told.length && told.every((each, i) => fits(value[i], each, move));
  if (isObject(told)) {
    const names = Object.keys(told);
    return hasFields(value, [...names].sort()) && names.every((name) => fits(value[name], told[name], move));
  }
  if (typeof told !== "string" || !/^[$#]/.test(told)) return same(value, told);
  const name = told.slice(1);
  return !Object.hasOwn(move, name) || same(told[0] === "#" ? value.length : value, move[name]);
}

const SECOND = 1_000_000n; // times are whole microseconds, which a Number could not hold in the year 9999
const MILLISECOND = 1000n;
const GRACE = 2n * SECOND; // how long after a seat has run out of time its choice is still accepted

/* The fields of a clock with their bounds, in seconds. */
const CLOCK = { bank: [5, 2_678_400], increment: [0, 2_678_400], delay: [0, 86_400], reserve: [0, 7_776_000] };

/** What each seat has left of its time. `follow` throws Wrong, with the index of the entry in the append. */
export class Dials {
  constructor({ clock, seats, absent, undo }) {
    const micros = Object.entries(clock).map(([name, seconds]) => [name, BigInt(seconds) * SECOND]);
    this.clock = Object.fromEntries(micros);
    this.banks = Array(seats).fill(this.clock.bank);
    this.reserves = Array(seats).fill(this.clock.reserve);
    this.since = new Map(); // when the choices of the seats that have one arose
    this.aborts = absent === "abort";
    this.at = 0n; // the time of the latest append
    this.past = []; // of each move that stands what the seats had left before it
    this.undo = undo !== undefined;
  }

  follow(append) {
    const [first] = append;
    const [at, after] = [microseconds(first.at), append.at(-1).acting];
    const events = append.map((each) => each.event);
    if (first.event.type === "resumed") this.resume(at, BigInt(first.event.milliseconds));
    else this.expire(at, events.filter(isExpiry).map(({ seat }) => seat), append.length - 1);
    const gone = events.filter(({ type }) => type === "gone").map(({ seat }) => seat);
    const mover = isChosen(first) ? first.by : null;
    const { type, seat, seconds } = first.event;
    const quarter = this.clock.bank / 4n;
    if (type === "rejoined" || type === "granted")
      for (const { banks, reserves } of [this, ...this.past])
        if (type === "rejoined") banks[seat] = banks[seat] > quarter ? banks[seat] : quarter;
        else reserves[seat] += BigInt(seconds) * SECOND;
    const [banks, reserves, dials] = [[...this.banks], [...this.reserves], new Map(this.since)];
    const then = { to: first.version - 1, since: this.at, stopped: at, dials, banks, reserves };
    const taken = events.find((event) => event.type === "taken_back");
    this.at = at;
    if (taken) this.takeBack(taken, at, after);
    if (this.undo && events.some((event) => !own(LIFECYCLE, event.type))) this.past = [...this.past, then].slice(-MADE);
    if (taken) return;
    for (const each of [...this.since.keys()])
      if (each === mover || !after.includes(each)) this.stop(each, at, gone.includes(each) ? 0n : this.clock.increment);
    for (const each of after) if (!this.since.has(each)) this.since.set(each, at);
  }

  /** Each seat whose time ran while no process of the service could take a move gets that time back. */
  resume(at, milliseconds) {
    if (milliseconds > (at - this.at) / MILLISECOND) throw new Wrong("more time is given back than has passed", 0);
    for (const { reserves } of [this, ...this.past])
      for (const seat of this.since.keys()) reserves[seat] += milliseconds * MILLISECOND;
  }

  /** The mover goes on with the time that it has used; nobody else is charged, unless their choice has stayed. */
  takeBack(event, at, after) {
    const then = this.past.find(({ to }) => to === event.to);
    this.past = this.past.filter(({ to }) => to < event.to);
    const dials = new Map();
    for (const [seat, since] of then.dials) {
      const now = this.since.get(seat);
      if (seat === event.seat) dials.set(seat, at - (then.stopped - since) - (now === undefined ? 0n : at - now));
      else if (now === since) {
        dials.set(seat, since);
        [then.banks[seat], then.reserves[seat]] = [this.banks[seat], this.reserves[seat]];
      } else dials.set(seat, at - (then.since - since));
    }
    [this.banks, this.reserves] = [then.banks, then.reserves];
    this.since = new Map(after.map((seat) => [seat, dials.get(seat) ?? at]));
  }

  /** `gone` are the seats that have run out of time by now, those that did so first come first. */
  expire(at, gone, last) {
    const over = [...this.since.keys()].map((seat) => [this.runsOut(seat), seat]);
    const overdue = over.filter(([time]) => at >= time + GRACE);
    overdue.sort(([a, seat], [b, other]) => (a < b ? -1 : a > b ? 1 : seat - other));
    const expected = overdue.map(([, seat]) => seat).slice(0, this.aborts ? 1 : overdue.length);
    for (let index = 0; index < Math.max(gone.length, expected.length); index += 1) {
      if (index >= gone.length)
        throw new Wrong(`seat ${expected[index]} had run out of time before`, Math.min(index, last));
      if (gone[index] === expected[index]) continue;
      const detail = expected.includes(gone[index]) ? "had not run out of time first" : "had not run out of time";
      throw new Wrong(`seat ${gone[index]} ${detail}`, index);
    }
  }

  runsOut(seat) {
    return this.since.get(seat) + this.clock.delay + this.banks[seat] + this.reserves[seat];
  }

  stop(seat, at, increment) {
    const spent = at - this.since.get(seat) - this.clock.delay;
    const used = spent > 0n ? spent : 0n;
    this.since.delete(seat);
    const over = used - this.banks[seat];
    if (over > 0n) this.reserves[seat] = this.reserves[seat] > over ? this.reserves[seat] - over : 0n;
    const bank = (over > 0n ? 0n : -over) + increment;
    this.banks[seat] = bank < this.clock.bank ? bank : this.clock.bank;
  }
}

/** From 1970 to this time. Years are counted from March, so that a leap day is the last. */
export function microseconds(at) {
  const [years, months, day, hour, minute, second] = at.slice(0, 19).split(/[-T:]/).map(Number);
  const [year, month] = months > 2 ? [years, months - 3] : [years - 1, months + 9];
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const days = 365 * year + leaps + Math.floor((153 * month + 2) / 5) + day - 719_469;
  return BigInt(days * 86_400 + hour * 3600 + minute * 60 + second) * SECOND + BigInt(at.slice(20, 26));
}

/** The state of a game without the rules of its moves: who is seated, and which events are valid next.
 *
 * `table` describes the ruleset; undefined: it is unknown. `follow` and `stop` throw Wrong. */
class Lifecycle {
  constructor(gameId, table) {
    this.id = gameId;
    this.table = table;
    this.status = "new";
    this.seated = new Map();
    this.opened = null;
    [this.bots, this.gone] = [new Set(), new Set()]; // the seats that bots play, and those of players who have gone
    [this.departures, this.moved] = [[], new Set()]; // the seat of each departure, and players who made a move
    this.kept = new Map(); // by seat the player for whom it is kept
    this.stoodUp = []; // the players who left before the game began, once for each time
    [this.time, this.deal] = ["", null]; // when the event happened, and the deal that the game has in common with others
    this.seals = new Map(); // by seat the seal of its player, in sealed games
    this.ready = new Set(); // the seats that have opened their entropy there
    this.granted = new Map(); // the seconds that each seat was given
    this.version = 0; // the number of events so far
    this.longest = null; // the number of events after which a running game is aborted; null: no limit
    this.due = "opened"; // the event that must come next, in the same append; null if several can
    [this.kind, this.by] = [null, null]; // of the previous event: its type, and the seat that caused it
    this.points = []; // the events that carry points, with their versions
    this.result = null; // the result that they add up to
    this.vote = null; // the latest question
    [this.asked, this.undone] = [[], []]; // the seats that asked questions and took back moves
    this.played = 0; // the number of the ruleset's events
    this.hinted = null; // that number, and how many moves were taken back, when a hint was asked for
  }

  /** `first`: the event is the first one of its append. */
  follow(first, by, event) {
    const kind = event.type;
    need(by === null || isCount(by), "`by` is not a seat");
    need(this.status !== "revealed", "no event can follow `revealed`");
    need(!(first && this.isFull()), "`aborted` must follow: the game has its maximum length");
    need(first || kind !== "revealed" || !this.deal, "`revealed` must begin an append");
    const due = this.due === null || (this.due === kind && (!first || kind === "opened"));
    need(due, `\`${this.due}\` must follow in the same append`);
    if (own(LIFECYCLE, kind)) this.happen(about(event), by, event);
    else this.play(first, by, event);
    [this.kind, this.by] = [kind, by];
    this.version += 1;
  }

  stop() {
    need(this.due === null, `the record ends but \`${this.due}\` must follow`);
    need(!this.isFull(), "the record ends but `aborted` must follow: the game has its maximum length");
  }

  /** Whether the game runs and has its maximum length: no append can follow the current one. */
  isFull() {
    return this.status === "running" && this.longest !== null && this.version >= this.longest;
  }

  /** Apply an event of LIFECYCLE, by its line. */
  happen(line, by, event) {
    const kind = event.type;
    const names = Object.keys(event).filter((name) => !line.may?.includes(name));
    need(same(names.sort(), ["type", ...line.fields].sort()), `\`${kind}\` has missing or unknown fields`);
    const late = this.deal && kind === "aborted" && event.cause === "expired" && this.time >= this.deal.until;
    const during = late ? [...line.during, "running"] : line.during;
    need(during.includes(this.status), `\`${kind}\` is not valid while the game is ${this.status}`);
    if (line.by === "another seat") {
      const gives = this.seated.has(by) && !this.gone.has(by) && by !== event.seat;
      need(gives, "another player must give the time");
    } else {
      const expected = { nobody: null, "its seat": event.seat, "the seat that left": this.by }[line.by];
      need(by === expected, `\`${kind}\` must be caused by ${line.by}`);
    }
    this.due = null;
    this[`when_${kind}`](event);
    this.status = line.then ?? this.status;
  }

  when_opened(event) {
    this.opened = event;
    const [least, most] = this.table?.seats ?? [1, 1000];
    need(isCount(event.seats) && least <= event.seats && event.seats <= most, "invalid number of seats");
    need(event.rules.split("/")[0] === event.ruleset, "`rules` belongs to another ruleset");
    need(event.deck.ruleset === event.ruleset, "the deck belongs to another ruleset");
    raw(event.description);
    const flags = [event.hotseat, event.private].every((flag) => typeof flag === "boolean");
    need(flags, "a flag is not a boolean");
    need(isPlayer(event.opener), "the opener is not a valid player");
    if (Object.hasOwn(event, "longest")) {
      this.longest = event.longest;
      need(isCount(this.longest) && this.longest >= 1, "`longest` is not a positive integer");
    }
    if (Object.hasOwn(event, "parent")) {
      const { parent } = event;
      need(hasFields(parent, ["at", "id", "root"]), "invalid parent");
      need(event.hotseat, "a branch must be a hotseat game");
      need(isUuid(parent.id) && isUuid(parent.root), "the id of a parent is not a lower-case UUID");
      need(this.id !== parent.id && this.id !== parent.root, "a game cannot be its own parent");
      const begun = 4; // `opened`, one `joined` at least (bots do not join), `begun`, a deal
      need(isCount(parent.at) && begun <= parent.at, "a branch must start in a running game");
    }
    if (Object.hasOwn(event, "places") || Object.hasOwn(event, "absent")) this.places(event);
    if (Object.hasOwn(event, "clock")) this.timed(event);
    const { undo = "free", rematch_of: repeated = this.id } = event;
    need(undo === "free" || undo === "agreed", "`undo` is neither `free` nor `agreed`");
    need(isUuid(repeated), "the id of the repeated game is not a lower-case UUID");
    if (Object.hasOwn(event, "deal")) {
      const deal = this.deal = event.deal;
      const may = Object.hasOwn(deal, "tables") ? ["id", "tables", "until"] : ["id", "until"];
      need(hasFields(deal, may), "invalid deal");
      need(isUuid(deal.id) && typeof deal.until === "string" && isTime(deal.until), "invalid id or end of the deal");
      const { tables = 2 } = deal;
      need(isCount(tables) && tables >= 2, "a deal has two tables or more");
      const alone = event.private && !event.hotseat && event.sealed === undefined;
      need(alone, "a game of a deal is private, and neither sealed nor hotseat");
    }
    need(event.sealed === undefined || event.sealed === true, "`sealed` is true or absent");
    need(!(event.sealed && event.hotseat), "a hotseat game is not sealed");
    need(event.puzzles === undefined || event.puzzles === true, "`puzzles` is true or absent");
    need(!(event.puzzles && (event.private || event.hotseat)), "a game of puzzles is public, and no hotseat game");
    if (Object.hasOwn(event, "hints")) {
      need(event.hints === true, "`hints` is true or absent");
      const alone = Object.hasOwn(event, "places") && botsOf(event).size === event.seats - 1;
      need(alone && !Object.hasOwn(event, "deal"), "hints are for a player who is alone with bots");
    }
    if (event.hotseat) this.due = "joined";
  }

  /** The bounds of a clock, in seconds. */
  timed({ clock, hotseat, absent }) {
    need(hasFields(clock, Object.keys(CLOCK).sort()), "the clock has missing or unknown fields");
    for (const [name, [least, most]] of Object.entries(CLOCK)) {
      const right = isCount(clock[name]) && least <= clock[name] && clock[name] <= most;
      need(right, `\`${name}\` of the clock is out of bounds`);
    }
    need(!hotseat, "a hotseat game has no clock");
    need(absent !== undefined, "a clock needs `absent`");
  }

  /** Who the seats are for, and who goes on for players who leave the running game. */
  places(event) {
    const { seats, hotseat, places = Array(seats).fill({}), absent = "abort" } = event;
    const isName = (name) => typeof name === "string" && name;
    need(!hotseat, "in a hotseat game one player has all seats");
    need(isName(absent), "`absent` is neither a bot nor `abort`");
    need(Array.isArray(places) && places.length === seats, "`places` are not those of the seats");
    for (const place of places) {
      const names = isObject(place) ? Object.keys(place) : ["x"];
      need(names.length < 2 && names.every((name) => name === "bot" || name === "player"), "invalid place");
      need(Object.values(place).every(isName), "invalid bot or player of a place");
    }
    this.kept = new Map(places.flatMap((place, seat) => (Object.hasOwn(place, "player") ? [[seat, place.player]] : [])));
    need(new Set(this.kept.values()).size === this.kept.size, "a player has two places");
    this.bots = botsOf(event);
    need(this.bots.size < places.length, "no seat is for a player");
  }

  when_joined({ seat, player, entropy, seal: sealed }) {
    const { seats, hotseat, opener } = this.opened;
    need(isCount(seat) && seat < seats, "the seat does not exist");
    need(!this.seated.has(seat) && !this.bots.has(seat), "the seat is taken");
    need(same(player, this.kept.get(seat) ?? player), "the seat is kept for another player");
    need(isPlayer(player), "invalid player");
    for (const [other, kept] of this.kept) if (kept === player) this.kept.delete(other);
    need(typeof entropy === "string" && ENTROPY.test(entropy), "invalid entropy");
    const has = sealed !== undefined;
    need(has === (this.opened.sealed === true), "a seal belongs to each seat of a sealed game, and to no other");
    if (has) {
      raw(sealed);
      need(entropy === "", "in a sealed game no player shows entropy before they are ready");
      this.seals.set(seat, sealed);
    }
    need(!this.deal || entropy === "", "in the games of a deal all entropies are empty");
    if (hotseat) {
      need(same(player, opener), "in a hotseat game the opener takes every seat");
      need(seat === this.seated.size, "in a hotseat game the seats are taken in order");
      const alike = seat === 0 || Object.hasOwn(this.opened, "parent") || entropy === this.entropy;
      need(alike, "in a hotseat game all seats have the same entropy");
      this.entropy = entropy;
    } else {
      need(![...this.seated.values()].includes(player), "the player has another seat");
      const { length: all } = this.stoodUp;
      const often = all >= ALL_STAND_UPS || this.stoodUp.filter((each) => each === player).length >= STAND_UPS;
      need(!often, "the player, or all players together, left the game too often");
    }
    this.seated.set(seat, player);
    this.due = this.isSeated() && !has ? "begun" : hotseat ? "joined" : null;
  }

  when_readied({ seat, entropy }) {
    need(this.opened.sealed, "the game is not sealed");
    need(this.isSeated(), "a seat is free");
    need(this.seals.has(seat) && !this.ready.has(seat), "the seat has opened its entropy, or has none");
    need(typeof entropy === "string" && ENTROPY.test(entropy), "invalid entropy");
    this.ready.add(seat);
    this.due = this.ready.size === this.seals.size ? "begun" : null;
  }

  async fits({ seat, entropy }) {
    need((await seal(this.id, seat, entropy)) === this.seals.get(seat), "the entropy is not the one that was sealed");
  }

  isSeated() {
    return this.seated.size + this.bots.size === this.opened.seats;
  }

  /** Whether nobody is left to play on: no player, or no bot for one who has gone. */
  isDeserted() {
    return this.gone.size === this.seated.size || (this.gone.size > 0 && this.opened.absent === "abort");
  }

  when_gone({ seat, moved, cause, bot }) {
    const { absent } = this.opened;
    need(absent !== undefined, "the terms let nobody leave a running game");
    need(isCount(seat) && this.seated.has(seat) && !this.gone.has(seat), "no player can leave this seat");
    need(cause === "left" || Object.hasOwn(this.opened, "clock"), "without a clock nobody runs out of time");
    need(same(bot ?? "abort", absent) && bot !== "abort" && bot !== null, "another bot than the terms name");
    need(same(moved, this.moved.has(seat)), "`moved` must say whether the player has made a move");
    this.departures.push(seat);
    this.gone.add(seat);
    this.bots.add(seat);
    this.vote = null;
    this.due = this.isDeserted() ? "aborted" : null;
  }

  when_rejoined({ seat }) {
    need(isCount(seat) && this.gone.has(seat), "the player has not left this seat");
    need(this.departures.filter((each) => each === seat).length < 3, "the player has left this seat for good");
    this.gone.delete(seat);
    this.bots.delete(seat);
  }

  when_granted({ seat, seconds }) {
    need(Object.hasOwn(this.opened, "clock"), "the game has no clock");
    need(isCount(seat) && this.seated.has(seat) && !this.gone.has(seat), "no player is at this seat");
    const { bank } = this.opened.clock;
    need(isCount(seconds) && seconds >= 1 && seconds <= bank, "this much time cannot be given at once");
    this.granted.set(seat, (this.granted.get(seat) ?? 0) + seconds);
    need(this.granted.get(seat) <= 4 * bank, "this much time cannot be given to one seat");
  }

  when_resumed({ milliseconds }) {
    need(Object.hasOwn(this.opened, "clock"), "the game has no clock");
    need(isCount(milliseconds) && milliseconds > 0, "this time cannot be given back");
  }

  /** The open question. A move ends that of an undo. */
  question() {
    return this.vote?.on === "undo" && this.vote.played !== this.played ? null : this.vote;
  }

  /** Whether all players who are present have agreed. */
  isAgreed() {
    const question = this.question();
    if (!question) return false;
    const said = question.yes.map((seat) => this.seated.get(seat));
    return [...this.seated].every(([seat, player]) => this.gone.has(seat) || said.includes(player));
  }

  when_voted(event) {
    const { seat, on, yes, to = null } = event;
    const question = this.question();
    need(isCount(seat) && this.seated.has(seat) && !this.gone.has(seat), "the voter is not at the table");
    need((on === "abort" || on === "undo") && typeof yes === "boolean", "invalid vote");
    if (!question) {
      need(yes, "there is no question to say no to");
      need(this.asked.filter((each) => each === seat).length < QUESTIONS, "the seat has asked too many questions");
      const right = [isCount(to), Object.hasOwn(event, "to")].every((has) => has === (on === "undo"));
      need(right, "only an undo has `to`");
      need(on === "abort" || this.opened.undo === "agreed", "no move can be taken back by agreement");
      const undone = this.undone.filter((each) => each === seat).length;
      need(on === "abort" || undone < UNDOS, "the seat has taken back too many moves");
      this.vote = { on, to, seat, yes: [], played: this.played };
      this.asked.push(seat);
    } else {
      need(on === question.on && same(to, question.to), "another question is open");
      need(!(yes && question.yes.includes(seat)), "the seat has agreed already");
    }
    if (yes) this.vote.yes.push(seat);
    else this.vote = null;
    if (this.isAgreed()) this.due = on === "abort" ? "aborted" : "taken_back";
  }

  when_taken_back({ seat, to, agreed }) {
    need(Object.hasOwn(this.opened, "undo"), "the terms let nobody take back a move");
    need(isCount(to) && to > 0 && to < this.version, "`to` is not an earlier version");
    if (agreed) {
      const question = this.question();
      const all = this.kind === "voted" && this.isAgreed() && question.on === "undo";
      need(all, "not all players have agreed");
      need(seat === question.seat && to === question.to, "another move than the question is about");
    } else {
      need(isCount(seat) && this.seated.has(seat) && !this.gone.has(seat), "no player is at this seat");
      need(this.undone.filter((each) => each === seat).length < UNDOS, "the seat has taken back too many moves");
    }
    this.undone.push(seat);
    this.vote = null;
    this.points = this.points.filter(([version]) => version <= to);
  }

  when_hinted({ seat }) {
    const about = [this.played, this.undone.length];
    need(Object.hasOwn(this.opened, "hints"), "the game has no hints");
    need(isCount(seat) && this.seated.has(seat) && !this.gone.has(seat), "no player is at this seat");
    need(!same(about, this.hinted), "the seat has asked for a hint about this choice");
    this.hinted = about;
  }

  when_left({ seat }) {
    need(isCount(seat) && this.seated.has(seat), "the seat is empty");
    need(!this.ready.size, "nobody leaves between the first `readied` and `begun`");
    this.seals.delete(seat);
    this.stoodUp.push(this.seated.get(seat));
    this.seated.delete(seat);
    this.due = this.seated.size ? null : "aborted";
  }

  when_declined({ seat }) {
    need(isCount(seat) && this.kept.delete(seat), "the seat is not kept for a player");
  }

  when_begun() {
    need((this.kind === "joined" || this.kind === "readied") && this.isSeated(), "a seat is free");
    need(this.ready.size === this.seals.size, "a seat has not opened its entropy");
  }

  when_ended({ result }) {
    need(hasFields(result, ["scores", "winners"], ["ranks", "teams"]), "invalid result");
    const { scores, winners, ranks, teams } = result;
    const { seats } = this.opened;
    need(Array.isArray(scores) && scores.length === seats, "the result needs one score for each seat");
    need(scores.every(Number.isSafeInteger), "a score is not an integer");
    need(Array.isArray(winners), "invalid result");
    need(winners.every((seat) => isCount(seat) && seat < seats), "a winner is not a seat");
    const ascending = winners.every((seat, i) => i === 0 || winners[i - 1] < seat);
    need(ascending, "the winners are not in ascending order");
    if (ranks !== undefined) {
      need(Array.isArray(ranks) && ranks.length === seats, "the result needs one rank for each seat");
      need(ranks.every(isCount), "a rank is not a count");
      const lowest = ranks.reduce((one, other) => Math.min(one, other));
      const first = ranks.flatMap((rank, seat) => rank === lowest ? [seat] : []);
      need(!winners.length || same(winners, first), "the winners are not those of the first rank");
    }
    if (teams !== undefined) {
      need(Array.isArray(teams) && teams.every(Array.isArray), "invalid teams");
      const members = teams.flat();
      need(members.every((seat) => isCount(seat) && seat < seats), "a seat of a team is not a seat");
      need(members.length === seats && new Set(members).size === seats, "a seat is not in exactly one team");
      const won = new Set(winners);
      const whole = teams.every((team) => new Set(team.map((seat) => won.has(seat))).size < 2);
      need(whole, "only a part of a team wins");
    }
    if (this.table?.result) {
      need(this.kind === "won", "`ended` must follow `won`");
      need(same(result, this.result), "the result differs from the events");
    }
    this.due = this.deal ? null : "revealed";
  }

  when_aborted({ cause = "left", unready }) {
    const deserted = this.kind === "left" && !this.seated.size;
    need(deserted === (cause === "left"), "the cause is absent if and only if the last player has left");
    need(cause !== "longest" || this.isFull(), "the game does not have its maximum length");
    const absent = this.kind === "gone" && this.isDeserted();
    need(absent === (cause === "absent"), "the cause is `absent` if and only if nobody is left to play on");
    const agreed = this.kind === "voted" && this.isAgreed() && this.question().on === "abort";
    need(agreed === (cause === "agreed"), "the cause is `agreed` if and only if all players have agreed");
    const late = cause === "expired" && this.seals.size > 0 && this.isSeated();
    const seats = [...this.seals.keys()].filter((seat) => !this.ready.has(seat)).sort((a, b) => a - b);
    const named = late ? same(unready, seats) : unready === undefined;
    need(named, "`unready` names who is not ready when a sealed game expires with all seats taken");
    this.due = this.deal ? null : "revealed";
  }

  when_revealed({ secret }) {
    raw(secret);
  }

  /** Apply an event of the ruleset. */
  play(first, by, event) {
    const kind = event.type;
    need(this.status === "running", `\`${kind}\` is not valid while the game is ${this.status}`);
    need(by === null || by < this.opened.seats, "the seat does not exist");
    const another = this.bots.has(by) && by !== this.by;
    need(!(another && this.isFull()), "`aborted` must follow: the game has its maximum length");
    if (by !== null && !this.bots.has(by)) this.moved.add(by);
    this.played += 1;
    if (!this.table) return;
    const role = own(this.table.events, kind);
    need(role, `the ruleset has no event \`${kind}\``);
    if (role === DEAL || (by === null && (this.by !== null || this.kind === "begun")))
      need(role === DEAL && by === null, "a dealer step must start here, and no seat causes it");
    else if (role === OWN && by !== null) need(event.seat === by, "`seat` differs from `by`");
    const { fields } = this.table;
    if (fields) {
      need(Object.keys(without(event, ["type"])).every((name) => fields[kind].includes(name)), `\`${kind}\` has unknown fields`);
      return;
    }
    if (by !== null && (first || by !== this.by || own(LIFECYCLE, this.kind))) {
      need(this.kind !== "begun", "a dealer step must follow `begun`");
      need(role === OWN || role === MOVE, "a move cannot start with this event");
    }
    if (kind === "won") {
      this.due = "ended";
      this.result = this.table.result(this.points.map(([, each]) => each), event);
    } else if (kind === "round_scored" || kind === "scored") this.points.push([this.version + 1, event]);
  }
}

function need(right, detail) {
  if (!right) throw new Wrong(detail);
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

function isUuid(value) {
  return typeof value === "string" && UUID.test(value);
}

/** Whether it can be the id of a player. Who that is, nobody can check. */
function isPlayer(value) {
  return typeof value === "string" && value !== "";
}

function same(one, other) {
  return canonical(one) === canonical(other);
}

// --- the command line, in Node ---------------------------------------------------------------------------------------

const VERDICTS = ["right: all checks were made", "WRONG", "", "nothing is wrong, but NOT ALL CHECKS COULD BE MADE"];
const DESCRIBED = "right: all checks were made that a description allows";

/** The exit status for the checks. */
export function status(checks) {
  if (checks.some((check) => check.ok === false)) return 1;
  return checks.every((check) => check.ok) ? 0 : 3;
}

/** The records in a text: one, or one on each line. */
function read(bytes) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  try {
    return [parse(text)];
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim());
    if (lines.length < 2) throw error;
    return lines.map(parse);
  }
}

/** The text with control characters escaped: a record must not control the terminal. */
function printable(text) {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function main(given) {
  const { readFileSync, writeSync } = await import("node:fs");
  const { parseArgs } = await import("node:util");
  const write = (to, line) => {
    // Written synchronously, so that a slow or closed reader is noticed here.
    let left = encoder.encode(`${line}\n`);
    while (left.length) {
      try {
        left = left.subarray(writeSync(to, left));
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  };
  const say = (line) => {
    try {
      write(1, line);
    } catch (error) {
      throw new Unwritable(error.code === "EPIPE" ? "" : `standard output: ${error.message}`);
    }
  };
  const complain = (line) => {
    try {
      write(2, printable(line));
    } catch {
      // Standard error is closed; the exit status remains.
    }
  };
  try {
    const rules = { type: "string", multiple: true, default: [] };
    const flag = { type: "boolean" };
    const options = { head: { type: "string" }, rules, "same-deal": flag, json: flag };
    const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true });
    if (!positionals.length)
      throw new Error("usage: stammtisch-verify.mjs [--head HEX] [--rules FILE]... [--same-deal] [--json] FILE...");
    return await verifyFiles(positionals, values, { readFileSync, say, complain });
  } catch (error) {
    if (error.message) complain(error.message); // no message: the reader has closed the pipe
    return 2;
  }
}

class Unwritable extends Error {}

/** Print the findings; returns the exit status. Throws Unwritable. */
async function verifyFiles(files, { head = null, rules, json, "same-deal": compare }, { readFileSync, say, complain }) {
  let worst = 0;
  const descriptions = [];
  const deals = [];
  for (const file of rules) {
    try {
      descriptions.push(await description(readFileSync(file === "-" ? 0 : file)));
    } catch (error) {
      complain(`${file}: ${error.message}`);
      return 2;
    }
  }
  for (const file of files) {
    let records;
    try {
      records = read(readFileSync(file === "-" ? 0 : file));
    } catch (error) {
      complain(`${file}: ${error.message}`);
      if (json) say(printable(JSON.stringify({ file, id: null, status: 2, checks: [], error: error.message })));
      worst = 2;
      continue;
    }
    for (const record of records) {
      const checks = await verify(record, { head, descriptions });
      if (compare && deals.push(record) > 1) checks.push(sameDeal(deals));
      const ended = status(checks);
      const id = record?.id ?? null;
      if (json) say(printable(JSON.stringify({ file, id, status: ended, checks, error: null })));
      else {
        const verdict = ended || own(TABLE, record.rules) ? VERDICTS[ended] : DESCRIBED;
        say(printable(`${file}: ${id}: ${verdict}`));
        for (const { name, ok, version, detail } of checks) {
          const mark = ok ? "ok" : ok === null ? "?" : "WRONG";
          const where = version === null ? "" : `version ${version}: `;
          say(printable(`  ${mark.padEnd(6)}${name.padEnd(12)}${where}${detail}`));
        }
      }
      const gravity = [0, 3, 1, 2];
      if (gravity.indexOf(ended) > gravity.indexOf(worst)) worst = ended;
    }
  }
  return worst;
}

// --- description of each ruleset -------------------------------------------------------------------------------------
//
// seats:  the minimum and the maximum number of seats.
// events: the role of each event type. DEAL: it starts a dealer step. OWN: a move can start with it, and its `seat`
//         makes the move. MOVE: a move can start with it. THEN: it is a consequence of earlier events.
// moves:  the fields of each move (`?`: optional), and by the type of the first event that it can cause: what the move
//         tells of the event's fields, and the event of the move's (`$name`).
// acting: who has a choice after an append, by the type of its last event, where that is all that matters. ALL: every
//         seat. SEAT: the seat in the event. MOVER: who made the move. NEXT: the seat after the one in the event.
// result: a function of the events that carry points and of `won`. It returns the result that they add up to.
// hidden: the fields of events that are redacted for bystanders, and the number of nested lists around the cards.
// follow: a function of the table (an object with `seats`, `deck` and `options`), the next event and the dealer. It
//         returns the fields of the event that follow from earlier events, with their expected values. Each call of
//         `dealer()` is the next dealer step and returns its random numbers.

const HIDDEN = { opened: { secret: 0 } };

const [DEAL, OWN, MOVE, THEN, TOLD] = ["deal", "own", "move", "then", "told"];
const [ALL, SEAT, MOVER, NEXT] = ["all", "seat", "mover", "next"];

/** By event type: its role, from lists of types for each role, `{own: "drawn taken"}`; or who acts after it. */
function roles(named) {
  return Object.fromEntries(
    Object.entries(named).flatMap(([role, kinds]) => kinds.split(" ").map((kind) => [kind, role])),
  );
}

/** The sum of the points of each seat. */
function added(scored) {
  return scored[0].points.map((_, seat) => scored.reduce((sum, each) => sum + each.points[seat], 0));
}

/** The seats with the best standing. In lists the later numbers break ties. */
function best(standings) {
  const higher = (a, b) => {
    const place = a.findIndex((number, i) => number !== b[i]);
    return place >= 0 && a[place] > b[place];
  };
  const seats = standings.map((_, seat) => seat);
  return seats.filter((seat) => !standings.some((other) => higher(other, standings[seat])));
}

function lowestWins(scored, won) {
  const scores = added(scored);
  need(same(won.winners, best(scores.map((score) => [-score]))), "the lowest score wins");
  return { scores, winners: won.winners };
}

function highestWins(scored, won) {
  const scores = added(scored);
  need(same(won.winners, best(scores.map((score) => [score]))), "the highest score wins");
  return { scores, winners: won.winners };
}

/* The points of all rounds and of the markers at the end. Ties are broken by the points of the rounds, then by cards,
 * which are not counted here. */
function scandaroonResult(scored, won) {
  const [rounds, last] = [added(scored), scored.at(-1)];
  const markers = [[last.no_trump, 2], [last.pile_first, 3], [last.pile_second, 1], [last.record?.seats ?? [], 2]];
  const scores = rounds.map((points, seat) =>
    markers.reduce((sum, [seats, worth]) => sum + (seats.includes(seat) ? worth : 0), points),
  );
  need(same(won.totals, scores), "the totals differ from the points");
  const highest = best(scores.map((score, seat) => [score, rounds[seat]]));
  need(won.winners[0] >= 0 && won.winners.every((seat) => highest.includes(seat)), "the highest score wins");
  return { scores, winners: won.winners };
}

/* Ties are broken by hearts. */
function scopinionResult(scored, won) {
  const last = scored.at(-1).breakdown;
  const scores = last.map((each) => each.vault + each.showcase + each.pairs + each.red + each.spades);
  const highest = best(scores.map((score, seat) => [score, last[seat].hearts]));
  need(same(won.winners, highest), "the highest score wins");
  return { scores, winners: won.winners };
}

/** The card of that slot of a layout, which is undefined once its column was cleared. */
function inSlot(table, seat, slot) {
  const card = table.layouts[seat][slot];
  need(card !== undefined, "the slot is empty");
  return card;
}

/** Remove and return the held card. */
function letGo(table) {
  const card = table.held;
  need(card !== undefined, "no card is held");
  delete table.held;
  return card;
}

async function skyjo(table, event, dealer) {
  const { seat, slot } = event;
  switch (event.type) {
    case "dealt": {
      const { numbers } = table.deck;
      const rising = Object.keys(numbers).map(Number).sort((a, b) => a - b);
      const cards = await dealer().shuffled(rising.flatMap((n) => Array(Math.min(numbers[n], 1000)).fill(n)));
      const cut = 12 * table.seats;
      table.layouts = Array.from({ length: table.seats }, (_, s) => cards.slice(12 * s, 12 * s + 12));
      table.discard = [cards[cut]];
      table.draw = cards.slice(cut + 1);
      return { layouts: table.layouts, discard: cards[cut], draw: table.draw };
    }
    case "restocked":
      table.draw = await dealer().shuffled(table.discard.slice(0, -1));
      table.discard = table.discard.slice(-1);
      return { draw: table.draw };
    case "drawn":
    case "taken":
      need(table.held === undefined, "a card is held already");
      table.held = (event.type === "drawn" ? table.draw : table.discard).pop();
      return { card: table.held };
    case "tossed": {
      const card = letGo(table);
      table.discard.push(card);
      return { card };
    }
    case "swapped": {
      const [out, card] = [inSlot(table, seat, slot), letGo(table)];
      table.layouts[seat][slot] = card;
      table.discard.push(out);
      return { card, out };
    }
    case "flipped":
      return { card: inSlot(table, seat, slot) };
    case "column_cleared": {
      const slots = [0, 1, 2].map((row) => event.column * 3 + row);
      const cards = slots.map((each) => inSlot(table, seat, each));
      need(cards.every((card) => card === cards[0]), "the cards of the column differ");
      for (const each of slots) table.layouts[seat][each] = undefined;
      table.discard.push(...cards);
      return { card: cards[0] };
    }
    case "layouts_revealed":
      return { cards: event.cards.map((turned) => ({ ...turned, card: inSlot(table, turned.seat, turned.slot) })) };
  }
}

async function scout(table, event, dealer) {
  const { seat } = event;
  const { seats } = table;
  const turned = ([up, down]) => [down, up];
  switch (event.type) {
    case "lot_drawn":
      return { seat: await dealer().below(seats) };
    case "dealt": {
      const chance = dealer();
      const printed = table.deck.cards.filter((card) => card.players.includes(seats)).map((card) => card.numbers);
      const aside = table.aside?.map((card) => [...card].sort((one, other) => one - other));
      const cards = await chance.shuffled(aside?.length ? aside : printed);
      for (let i = 0; i < cards.length; i++) if (await chance.below(2)) cards[i] = turned(cards[i]);
      const used = { 2: 22, 3: 12, 4: 11, 5: 9 }[seats];
      const hand = seats === 2 && table.options.two_player === "official" ? 11 : used;
      table.hands = Array.from({ length: seats }, (_, s) => cards.slice(hand * s, hand * s + hand));
      table.aside = cards.slice(hand * seats, used * seats);
      return { hands: table.hands, aside: table.aside };
    }
    case "oriented":
      if (event.turned) table.hands[seat] = table.hands[seat].reverse().map(turned);
      return {};
    case "shown":
      table.active = table.hands[seat].splice(event.start, event.cards.length);
      return { cards: table.active };
    case "scouted": {
      const card = event.end === "left" ? table.active.shift() : table.active.pop();
      table.hands[seat].splice(event.position, 0, event.flip ? turned(card) : card);
      return { card };
    }
  }
}

/** Put a card into an empty place. */
function lay(table, card, ...place) {
  const key = canonical(place);
  if (table.lying.has(key)) throw new Error(`there lies a card already: ${key}`);
  table.lying.set(key, card);
}

function look(table, ...place) {
  const key = canonical(place);
  if (!table.lying.has(key)) throw new Error(`no card lies there: ${key}`);
  return table.lying.get(key);
}

function lift(table, ...place) {
  const card = look(table, ...place);
  table.lying.delete(canonical(place));
  return card;
}

/** Remove and return the card at that index of the pile; by default the top one. */
function takeOut(pile, place = pile.length - 1) {
  if (place < 0 || place >= pile.length) throw new Error("the card is not in the pile");
  return pile.splice(place, 1)[0];
}

const SKYJO_ACTIONS = [
  "swap_own", "double_move", "draw_three", "look_line", "remove_one_each", "swap_players", "steal_action",
  "play_discarded_action", "defence",
];

/* `lying` holds the layouts, the held card, the three cards drawn aside, the open action cards, and the hands, each a
 * list of action cards. All other cards are in one of the four piles. */
async function skyjoAction(table, event, dealer) {
  const { type, seat, slot, place } = event;
  switch (type) {
    case "dealt": {
      const [chance, { deck }, cut] = [dealer(), table, 12 * table.seats];
      const copies = (card, count) => Array(Math.min(count, 1000)).fill(card);
      const rising = Object.keys(deck.numbers).map(Number).sort((a, b) => a - b);
      const playing = [...rising.flatMap((n) => copies(n, deck.numbers[n])), ...copies("star", deck.stars)];
      const cards = await chance.shuffled(playing);
      // The action cards belong to the same dealer step: they use the words after those of the playing cards.
      const actions = await chance.shuffled(SKYJO_ACTIONS.flatMap((a) => copies(a, own(deck.actions, a) ?? 0)));
      const first = table.options.seed_action_discard ? 5 : 4;
      table.lying = new Map();
      cards.slice(0, cut).forEach((card, i) => lay(table, card, "layout", Math.floor(i / 12), i % 12));
      actions.slice(0, 4).forEach((card, i) => lay(table, card, "open", i));
      for (let i = 0; i < table.seats; i++) lay(table, [], "hand", i);
      table.discard = [cards[cut]];
      table.draw = cards.slice(cut + 1);
      table.actionDiscard = actions.slice(4, first);
      table.actionPile = actions.slice(first);
      return {
        layouts: Array.from({ length: table.seats }, (_, s) => cards.slice(12 * s, 12 * s + 12)),
        draw: table.draw, discard: cards[cut], open: actions.slice(0, 4),
        action_discard: table.actionDiscard, action_pile: table.actionPile,
      };
    }
    case "restocked":
      table.draw = await dealer().shuffled(table.discard.slice(0, -1));
      table.discard = table.discard.slice(-1);
      return { draw: table.draw };
    case "actions_restocked":
      table.actionPile = await dealer().shuffled(table.actionDiscard.slice(0, -1));
      table.actionDiscard = table.actionDiscard.slice(-1);
      return { action_pile: table.actionPile };

    // Playing cards.
    case "drawn":
    case "drawn_aside":
    case "replaced": {
      const to = { drawn: ["held"], drawn_aside: ["three", place], replaced: ["layout", seat, slot] }[type];
      const card = takeOut(table.draw);
      lay(table, card, ...to);
      return { card };
    }
    case "taken": {
      const card = takeOut(table.discard);
      lay(table, card, "held");
      return { card, top: table.discard.slice(-1) };
    }
    case "kept":
      lay(table, lift(table, "three", place), "held");
      return {};
    case "tossed":
    case "dropped": {
      const card = lift(table, ...(type === "tossed" ? ["held"] : ["three", place]));
      table.discard.push(card);
      return { card };
    }
    case "swapped": {
      const out = lift(table, "layout", seat, slot);
      const card = lift(table, "held");
      lay(table, card, "layout", seat, slot);
      table.discard.push(out);
      return { card, out };
    }
    case "flipped":
      return { card: look(table, "layout", seat, slot) };
    case "line_looked":
      return { cards: event.slots.map((each) => look(table, "layout", event.owner, each)) };
    case "exchanged": {
      const [one, other] = [event.one, event.other].map((named) => ["layout", named.seat, named.slot]);
      const [first, second] = [lift(table, ...one), lift(table, ...other)];
      lay(table, first, ...other);
      lay(table, second, ...one);
      return {};
    }
    case "removed":
      table.discard.unshift(lift(table, "layout", seat, slot));
      return {};
    case "line_cleared": {
      const cards = event.slots.map((each) => lift(table, "layout", seat, each));
      table.discard.push(...cards);
      return { cards };
    }
    case "layouts_revealed":
      return { cards: event.cards.map((c) => ({ ...c, card: look(table, "layout", c.seat, c.slot) })) };

    // Action cards. All are face up: a played card is named and must be in its place.
    case "action_taken": {
      const { source } = event;
      const hand = look(table, "hand", seat);
      const card = source === "pile" ? takeOut(table.actionPile) : lift(table, "open", source);
      const laid = source === "pile" ? [] : table.actionPile.splice(-1);
      for (const each of laid) lay(table, each, "open", source);
      hand.push(card);
      return { card, laid };
    }
    case "action_laid_open": {
      const card = takeOut(table.actionPile);
      lay(table, card, "open", place);
      return { card };
    }
    case "blocked":
      // The event does not tell what the seat chose. It must have been there, and so must the attack.
      if (table.move) {
        const { type: chosen, slot: aimed, card } = table.move;
        const attack = { pick: "swap_players", steal: "steal_action" }[chosen];
        need(table.actionDiscard.at(-1) === attack, "no card attacks this way");
        need(seat !== table.by, "a seat does not attack itself");
        if (chosen === "pick") look(table, "layout", seat, aimed);
        else need(look(table, "hand", seat).includes(card), "the victim does not have the card");
      }
    // falls through
    case "played":
    case "discarded":
    case "stolen": {
      const hand = look(table, "hand", type === "stolen" ? event.victim : seat);
      table.actionDiscard.push(takeOut(hand, hand.indexOf(type === "blocked" ? "defence" : event.card)));
      return {};
    }
    case "replayed":
      table.actionDiscard.push(takeOut(table.actionDiscard, table.actionDiscard.lastIndexOf(event.card)));
      return {};
    case "effect_lapsed":
      return { card: table.actionDiscard.at(-1) };
  }
}

const SYMBOLS = ["scimitar", "crescent", "turban", "cross_tile"];

/* `lying` holds the occupied slots of the rows, the number of slots of each row, and the hands. Events name the card
 * that is played, exchanged or discarded, and its place; it must be there. */
async function scandaroon(table, event, dealer) {
  const { type, seat, spot } = event;
  const seats = Array.from({ length: table.seats }, (_, i) => i);
  const discard = (table.discard ??= []);
  const fromHand = (owner, card) => takeOut(look(table, "hand", owner), look(table, "hand", owner).indexOf(card));
  switch (type) {
    case "prepared": {
      const chance = dealer();
      table.starter = await chance.below(table.seats);
      table.trumps = await chance.shuffled(SYMBOLS);
      table.draw = await chance.shuffled(table.deck.cards.map((card) => card.id));
      table.lying = new Map();
      for (const i of seats) {
        lay(table, [], "hand", i);
        lay(table, 0, "slots", i);
      }
      return {
        starter: table.starter, trump: table.trumps.at(-1), trump_cards: table.trumps.slice(0, -1), draw: [...table.draw],
      };
    }
    case "reshuffled":
      table.draw = await dealer().shuffled([...table.draw, ...discard]);
      table.discard = [];
      return { draw: [...table.draw] };
    case "hands_dealt": {
      const given = seats.map((i) => event.cards[i].length);
      const dealt = seats.map(() => []);
      const first = seats.map((i) => canonical(i)).indexOf(canonical(table.starter));
      if (first < 0) throw new Error("nobody begins");
      while (given.some((count) => count > 0))
        for (const i of [...seats.slice(first), ...seats.slice(0, first)])
          if (given[i]-- > 0) dealt[i].push(takeOut(table.draw));
      for (const i of seats) look(table, "hand", i).push(...dealt[i]);
      return { cards: dealt };
    }
    case "trump_revealed":
      table.trumps.unshift(takeOut(table.trumps));
      return { trump: table.trumps.at(-1) };
    case "drawn": {
      const cards = Array.from(event.cards, () => takeOut(table.draw));
      look(table, "hand", seat).push(...cards);
      return { cards };
    }

    // A card lies there, and stays.
    case "used":
      look(table, "row", seat, event.position);
      return {};
    case "targeted":
    case "protected":
    case "boosted":
      for (const { row, position } of type === "boosted" ? event.spots : [spot]) look(table, "row", row, position);
      return {};

    // From hands.
    case "played":
      layLast(table, fromHand(seat, event.card), event.row);
      return {};
    case "exchanged":
      discard.push(fromHand(seat, event.card));
      return {};

    // From hands, or from rows.
    case "stone_played":
      if (own(event, "position") === undefined) {
        discard.push(fromHand(seat, event.card));
        return {};
      }
      discard.push(lift(table, "row", seat, event.position));
      return { card: discard.at(-1) };

    // From rows.
    case "spent":
      discard.push(lift(table, "row", seat, event.position));
      return {};
    case "removed":
      discard.push(lift(table, "row", spot.row, spot.position));
      return {};
    case "returned":
    case "stolen":
      look(table, "hand", type === "returned" ? event.to : seat).push(lift(table, "row", spot.row, spot.position));
      return {};
    case "swapped": {
      const [one, other] = [event.one, event.other].map((named) => ["row", named.row, named.position]);
      const [first, second] = [lift(table, ...one), lift(table, ...other)];
      lay(table, first, ...other);
      lay(table, second, ...one);
      return {};
    }
    case "shifted": {
      const { row } = spot;
      const { to } = event;
      const card = lift(table, "row", row, spot.position);
      if (canonical(to.row) !== canonical(row))
        return { to: { row: to.row, position: layLast(table, card, to.row) } };
      const slots = Array.from({ length: look(table, "slots", row) }, (_, i) => i);
      const places = slots.filter((i) => table.lying.has(canonical(["row", row, i])) || i === spot.position);
      const others = places.filter((i) => i !== spot.position).map((i) => lift(table, "row", row, i));
      const place = places.map((i) => canonical(i)).indexOf(canonical(to.position));
      if (place < 0) throw new Error("the card goes where none lies");
      others.splice(place, 0, card);
      places.forEach((i, number) => lay(table, others[number], "row", row, i));
      return {};
    }
    case "round_scored":
      for (const taken of event.taken) lift(table, "row", taken.row, taken.position);
      return {};
    case "table_cleared":
      for (const row of seats) {
        const slots = Array.from({ length: lift(table, "slots", row) }, (_, i) => i);
        lay(table, 0, "slots", row);
        const lying = slots.filter((i) => table.lying.has(canonical(["row", row, i])));
        discard.push(...lying.map((i) => lift(table, "row", row, i)));
      }
      table.starter = event.starter;
      return {};
  }
}

/** Put the card into a new slot at the end of the row; returns the slot. */
function layLast(table, card, row) {
  const slot = lift(table, "slots", row);
  lay(table, slot + 1, "slots", row);
  lay(table, card, "row", row, slot);
  return slot;
}

const COLOURS = ["green", "blue", "red", "orange"];

/* `lying` holds the hand, deck, discard, vault and showcase of each seat. Events name the card that a seat plays, buys,
 * secures or discards; it must be in the place that it comes from. */
async function scopinion(table, event, dealer) {
  const { type, seat } = event;
  const own = (name) => look(table, name, seat);
  const fromHand = (card) => takeOut(own("hand"), own("hand").indexOf(card));
  const drawn = () => (event.source === "deck" ? takeOut(own("deck")) : takeOut(table.graveyard, 0));
  switch (type) {
    case "dealt": {
      const [chance, { seats }] = [dealer(), table];
      const { cards } = table.deck;
      const ids = (wanted) => cards.filter(wanted).map((card) => card.id);
      const starter = await chance.below(seats);
      const sets = COLOURS.map((colour) => ids((card) => card.colour === colour)).filter((set) => set.length > 0);
      const decks = [];
      for (const set of sets.slice(0, seats)) decks.push(await chance.shuffled(set));
      const middle = await chance.shuffled(ids((card) => card.kind === "central" || card.group === "A"));
      const covered = await chance.shuffled(ids((card) => card.group === "B"));
      const purple = cards.filter((card) => card.group === "C").sort((a, b) => b.value - a.value).map((card) => card.id);
      const cut = middle.length - { 2: 15, 3: 9, 4: 0 }[seats];
      const least = covered.length - { 2: 5, 3: 3, 4: 0 }[seats];
      const targets = covered.slice(0, least);
      const hands = decks.map((deck) => deck.slice(-2));
      const rest = decks.map((deck) => deck.slice(0, -2));
      const supply = middle.slice(0, cut - 3);
      const display = middle.slice(cut - 3, cut);
      table.lying = new Map();
      for (let i = 0; i < seats; i++) {
        lay(table, [...hands[i]].reverse(), "hand", i); // as drawn
        lay(table, [...rest[i]], "deck", i);
        for (const name of ["discard", "vault", "showcase"]) lay(table, [], name, i);
      }
      Object.assign(table, { display: [...display], supply: [...supply], targets: [...purple, ...targets] });
      Object.assign(table, { purple: purple.length, covered: false, graveyard: [], stage: [] });
      return {
        starter, decks: rest, hands, supply, display, purple, targets: targets.slice(0, -1), turned: targets.slice(-1),
        removed: middle.slice(cut), removed_targets: covered.slice(least),
      };
    }
    case "bought": {
      for (const each of event.laid) table.stage.push(fromHand(each));
      const place = table.display.indexOf(event.card);
      const card = place < 0 ? takeOut(table.targets) : table.display[place];
      if (place < 0) table.covered = table.targets.length > table.purple;
      else table.display[place] = null;
      const asked = table.move?.to ?? null;
      need(event.to === asked || (asked === null && event.to !== "showcase"), "the move names another place");
      (event.to === "stage" ? table.stage : own(event.to)).push(card);
      return { card };
    }
    case "played":
      table.stage.push(fromHand(event.card));
      return {};
    case "trashed":
      table.stage.push(fromHand(event.by));
      table.graveyard.push(fromHand(event.card));
      return {};
    case "secured":
      own("vault").push(fromHand(event.card));
      return {};
    case "pik_off_made": {
      const place = table.display.indexOf(event.card);
      if (place < 0) throw new Error("the card is not in the display");
      table.graveyard.push(event.card);
      const filled = table.supply.splice(-1);
      table.display[place] = filled[0] ?? null;
      return { filled };
    }

    // Drawing.
    case "drawn_aside":
      table.aside = drawn();
      return { card: table.aside };
    case "kept":
      own("hand").push(table.aside);
      return {};
    case "rejected":
      table.stage.push(table.aside);
      return { card: table.aside };
    case "drawn": {
      const cards = Array.from(event.cards, drawn);
      own("hand").push(...cards);
      return { cards };
    }
    case "shuffled": {
      const deck = await dealer().shuffled([...lift(table, "deck", seat), ...lift(table, "discard", seat)]);
      lay(table, deck, "deck", seat);
      lay(table, [], "discard", seat);
      return { deck: [...deck] };
    }
    case "turn_ended": {
      for (const each of event.staged) table.stage.push(fromHand(each));
      const held = [table.move?.hold ?? null].filter((card) => card !== null);
      need(same(own("hand"), held), "another card was held");
      own("discard").push(...table.stage);
      const cards = Array.from(event.drawn, () => takeOut(own("deck")));
      own("hand").push(...cards);
      const filled = [];
      table.display.forEach((card, place) => {
        if (card === null && table.supply.length) filled.push((table.display[place] = takeOut(table.supply)));
      });
      const turned = table.covered ? table.targets.slice(-1) : [];
      Object.assign(table, { stage: [], covered: false });
      return { drawn: cards, filled, turned };
    }
    case "cards_revealed": {
      const all = (name) => Array.from({ length: table.seats }, (_, i) => look(table, name, i));
      return { hands: all("hand"), decks: all("deck"), vaults: all("vault") };
    }
  }
}

const GRID_MOVES = {
  flip: ["slot", { flipped: { slot: "$slot" } }],
  draw: ["", { drawn: {}, ran_out: {} }],
  take: ["", { taken: {} }],
  swap: ["slot", { swapped: { slot: "$slot" } }],
  toss: ["", { tossed: {} }],
};
const SPOT = { row: "$row", position: "$position" };

const TABLE = {
  "scandaroon/1": {
    searches: ["deep/1"],
    seats: [3, 4],
    events: roles({
      deal: "prepared reshuffled",
      own: "boosted drawn exchanged passed played protected removed returned shifted spent stolen stone_played " +
        "swapped targeted trump_changed used",
      then: "hands_dealt round_scored table_cleared trump_flipped trump_revealed turn_began won",
    }),
    moves: {
      play: ["card row", { played: { card: "$card", row: "$row" } }],
      use: ["position", { used: { position: "$position" } }],
      target: ["row position", {
        boosted: { spots: [SPOT] },
        swapped: { other: SPOT },
        targeted: { spot: SPOT },
        removed: { spot: SPOT },
        returned: { spot: SPOT },
        protected: { spot: SPOT },
        stolen: { spot: SPOT },
      }],
      place: ["position? row?", { shifted: { to: SPOT } }],
      set_trump: ["trump", { trump_changed: { trump: "$trump" } }],
      stone: ["symbol card? position?", {
        stone_played: { symbol: "$symbol", card: "$card", position: "$position" },
      }],
      exchange: ["card", { exchanged: { card: "$card" } }],
      stop: ["", { drawn: {}, spent: {} }],
      pass: ["", { passed: {} }],
    },
    acting: roles({ seat: "drawn exchanged stone_played targeted turn_began used" }),
    result: scandaroonResult,
    hidden: {
      prepared: { trump_cards: 1, draw: 1 },
      reshuffled: { draw: 1 },
      hands_dealt: { cards: 2 },
      drawn: { cards: 1 },
    },
    follow: scandaroon,
  },
  "scopinion/1": {
    searches: ["deep/1"],
    seats: [2, 4],
    events: roles({
      deal: "dealt shuffled",
      own: "bought kept pik_off_made played rejected secured trashed turn_ended",
      then: "cards_revealed drawn drawn_aside end_triggered scored turn_began won",
    }),
    moves: {
      buy: ["card pay to", { bought: { card: "$card", how: "pay", laid: "$pay" } }],
      triple: ["card by other to", { bought: { card: "$card", how: "triple", laid: ["$by", "$other"] } }],
      take: ["card by", { bought: { card: "$card", how: "take", laid: ["$by"] } }],
      draw_one: ["by", { played: { card: "$by", function: "draw_one" } }],
      keep_drawn: ["keep", { kept: { $keep: true }, rejected: { $keep: false } }],
      draw_two: ["by", { played: { card: "$by", function: "draw_two" } }],
      trash: ["card by", { trashed: { card: "$card", by: "$by" } }],
      secure: ["card", { secured: { card: "$card" } }],
      pik_off: ["card", { pik_off_made: { card: "$card" } }],
      end_turn: ["hold reshuffle", { turn_ended: { reshuffle: "$reshuffle" } }],
    },
    acting: roles({
      seat: "bought drawn drawn_aside kept pik_off_made secured trashed turn_began",
      mover: "end_triggered",
      next: "turn_ended",
    }),
    result: scopinionResult,
    hidden: {
      dealt: { decks: 2, hands: 2, supply: 1, targets: 1, removed: 1, removed_targets: 1 },
      drawn: { cards: 1 },
      drawn_aside: { card: 0 },
      secured: { card: 0 },
      shuffled: { deck: 1 },
      turn_ended: { drawn: 1 },
    },
    follow: scopinion,
  },
  "scout/1": {
    searches: ["deep/1"],
    seats: [2, 5],
    events: roles({
      deal: "dealt lot_drawn",
      own: "oriented scouted shown",
      then: "round_scored stuck turn_began won",
    }),
    moves: {
      keep: ["", { oriented: { turned: false } }],
      turn: ["", { oriented: { turned: true } }],
      show: ["start count", { shown: { start: "$start", cards: "#count" } }],
      scout: ["end flip position show", {
        scouted: { end: "$end", flip: "$flip", position: "$position", show: "$show" },
      }],
    },
    acting: roles({ all: "dealt", seat: "scouted turn_began" }),
    result: highestWins,
    hidden: {
      dealt: { hands: 2, aside: 1 },
      oriented: { turned: 0 },
      shown: { start: 0 },
      scouted: { flip: 0, position: 0 },
    },
    follow: scout,
  },
  "skyjo/1": {
    searches: [],
    seats: [2, 8],
    events: roles({
      deal: "dealt restocked",
      own: "drawn flipped ran_out swapped taken tossed",
      then: "column_cleared final_lap_began layouts_revealed round_scored turn_began won",
    }),
    moves: GRID_MOVES,
    acting: roles({ all: "dealt", seat: "drawn taken tossed turn_began" }),
    result: lowestWins,
    hidden: { dealt: { layouts: 2, draw: 1 }, restocked: { draw: 1 }, drawn: { card: 0 } },
    follow: skyjo,
  },
  "skyjo_action/1": {
    searches: [],
    seats: [2, 8],
    events: roles({
      deal: "actions_restocked dealt restocked",
      own: "action_taken discarded drawn dropped exchanged flipped kept kept_none line_looked lines_kept picked " +
        "played replayed stolen swapped taken tossed",
      move: "blocked line_cleared pick_skipped ran_out removed",
      then: "action_laid_open drawn_aside effect_lapsed final_lap_began layouts_revealed lines_offered move_began " +
        "moves_added picks_granted replaced round_scored starter_found turn_began victims_named won",
    }),
    moves: {
      ...GRID_MOVES,
      take_action: ["source", { action_taken: { source: "$source" }, ran_out: {} }],
      skip_action: ["", { pick_skipped: {} }],
      play: ["card", { played: { card: "$card" } }],
      discard: ["card", { discarded: { card: "$card" } }],
      pick: ["seat slot", {
        picked: { place: { seat: "$seat", slot: "$slot" } },
        exchanged: { other: { seat: "$seat", slot: "$slot" } },
        removed: { seat: "$seat", slot: "$slot" },
        blocked: { seat: "$seat" },
      }],
      look: ["seat line", { line_looked: { owner: "$seat", line: "$line" } }],
      keep: ["place", { kept: { place: "$place" } }],
      keep_none: ["", { kept_none: {} }],
      drop: ["place", { dropped: { place: "$place" } }],
      steal: ["seat card", { stolen: { victim: "$seat", card: "$card" }, blocked: { seat: "$seat" } }],
      replay: ["card", { replayed: { card: "$card" } }],
      clear_line: ["line", { line_cleared: { line: "$line" } }],
      keep_lines: ["", { lines_kept: {} }],
    },
    acting: roles({
      all: "dealt",
      seat: "drawn drawn_aside dropped kept kept_none lines_offered move_began picked played replayed stolen " +
        "swapped taken tossed turn_began",
      mover: "replaced victims_named",
    }),
    result: lowestWins,
    hidden: {
      dealt: { layouts: 2, draw: 1, action_pile: 1 },
      restocked: { draw: 1 },
      actions_restocked: { action_pile: 1 },
      drawn: { card: 0 },
      drawn_aside: { card: 0 },
      line_looked: { cards: 1 },
    },
    follow: skyjoAction,
  },
};

// At the end of the module, when everything above is defined.
if (typeof process !== "undefined" && process.argv?.[1]) {
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([import("node:fs"), import("node:url")]);
  const called = import.meta.url.startsWith("file:") && fileURLToPath(import.meta.url);
  let started = null;
  try {
    started = realpathSync(process.argv[1]);
  } catch {
    // Node was not started with a file.
  }
  if (called && called === started)
    process.exitCode = await main(process.argv.slice(2));
}
