#!/usr/bin/env node
/* Checks the record of a game without trusting who has written it: in a browser or in Node 20 or newer, with Web Crypto
 * and nothing else.
 *
 *     import { parse, verify } from "./stammtisch-verify.mjs";
 *     const checks = await verify(parse(text), { head });
 *
 *     node stammtisch-verify.mjs [--head HEX] [--json] FILE...
 *
 * A file holds one record (stammtisch-record/1), or one on each line; `-` is standard input. `head` is one that you have
 * seen while the game was played, and kept: the record must still contain it. Nothing else shows that the end of a game
 * was cut off before its secret was revealed.
 *
 * A check is {name, ok, version, detail}: `ok` is null where it could not be made, `version` is the first that is wrong.
 * What is checked, protocol stammtisch/1:
 *
 *     shape       the fields that a record has to have, and no others
 *     header      what stands beside the events is what the events say
 *     versions    1, 2, 3, ...: none is missing, none is there twice
 *     times       real dates and times of day, never running back
 *     life        every event of the game can come when it does and is caused by who can cause it: the seats, the
 *                 beginning, who begins a move, the end, and the result as the events tell it
 *     public      the hash of every event as a bystander saw it
 *     secret      the salted hash of every whole event
 *     heads       every event is chained to all before it
 *     commitment  the hash that was shown before anybody sat down is that of the secret
 *     shuffles    every shuffle follows from the secret and what the players contributed, and every card comes from
 *                 where it lay
 *     receipt     the head that you have seen
 *
 * What is not checked: whether every move was legal and had its consequences. The service's own `verify` does that.
 * What nobody can check without a head that was seen: docs/verification-limits.md.
 *
 * The exit status: 0 all checks were made and everything is right, 1 something is wrong, 2 a file cannot be read or the
 * output cannot be written, 3 nothing is wrong, but not all checks could be made: the game is not over, or it is of a
 * ruleset that is not in the table at the end of this file.
 */

const PROTOCOL = "stammtisch/1";
const FORMAT = "stammtisch-record/1";

const RECORD = [
  "commitment", "deck", "events", "format", "head", "id", "options", "parent", "result", "rules", "ruleset", "seats",
  "secret",
];
const ENTRY = ["at", "by", "event", "head", "public", "secret", "version"];

const HEX = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{6}Z$/;
const ENTROPY = /^[ -~]{0,64}$/;

/** Something is not as it should be, from this version on (null: it is not about an event). */
class Wrong extends Error {
  constructor(detail, version = null) {
    super(detail);
    this.version = version;
  }
}

/** It cannot be checked with what there is. */
class Unknowable extends Error {}

// --- the protocol ----------------------------------------------------------------------------------------------------

const encoder = new TextEncoder();
const { subtle } = globalThis.crypto ?? {};

/** The text of RFC 8785. Only objects, arrays, strings, integers, booleans and null can occur. */
export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Wrong(`${value} is no integer that is exact everywhere`);
    return String(value);
  }
  if (typeof value === "string") {
    // An unpaired surrogate has no UTF-8; the encoder would silently put another character in its place.
    if (/\p{Cs}/u.test(value)) throw new Wrong("a string has half a character in it");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object") throw new Wrong(`no ${typeof value} can occur`);
  // `sort` compares by UTF-16 code units, as the standard asks for.
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${canonical(key)}:${canonical(value[key])}`).join()}}`;
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The 32 bytes that are written in hex. */
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

function entry(version, at, by, event) {
  return encoder.encode(canonical({ version, at, by, event }));
}

export const publicHash = (version, at, by, publicEvent) => sha256(entry(version, at, by, publicEvent));

/** A function from an entry to its secret hash. */
export async function salted(secret) {
  const salt = await mac(secret);
  return async (version, at, by, event) => sha256(joined(await salt(`salt:${version}`), entry(version, at, by, event)));
}

export async function tableKey(secret, gameId, entropies) {
  return (await mac(secret))([PROTOCOL, gameId, ...entropies].join("\n"));
}

/** The random numbers of one of the dealer's steps. */
export class Words {
  constructor(key, step) {
    this.mac = mac(key);
    this.step = step;
    this.block = 0;
    this.left = [];
  }

  async word() {
    if (!this.left.length) {
      const block = await (await this.mac)(`deal:${this.step}:${this.block++}`);
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
    const cards = [...items];
    for (let i = cards.length - 1; i > 0; i--) {
      const j = await this.below(i + 1);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return cards;
  }
}

// --- the checks ------------------------------------------------------------------------------------------------------

/** What stands in the JSON. Throws SyntaxError, also for what `JSON.parse` takes without a word: a key that stands twice
 * in an object, for readers differ in which of the two they believe, and a number that is not written as an integer. */
export function parse(text) {
  const value = JSON.parse(text);
  const open = []; // for every object that we are in its keys so far, for every list null
  let key = false; // whether a string that comes now is a key
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[{}[\],]/g)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
    else if (token === "}" || token === "]") open.pop();
    else if (token[0] === '"' && key) {
      const name = JSON.parse(token);
      if (open.at(-1).has(name)) throw new SyntaxError("a key stands twice in an object");
      open.at(-1).add(name);
    } else if (token[0] !== '"' && /[.eE]/.test(token)) throw new SyntaxError(`${token} cannot occur`);
    key = (token === "{" || token === ",") && Boolean(open.at(-1));
  }
  return value;
}

/** All checks of a record, which is what `parse` has made of it. Whatever it is, nothing is thrown. */
export async function verify(record, { head = null } = {}) {
  const proof = new Proof(record, head);
  const names = [
    "shape", "header", "versions", "times", "life", "public", "secret", "heads", "commitment", "shuffles",
  ];
  if (head !== null) names.push("receipt");
  const checks = [];
  for (const name of names) {
    proof.at = null;
    const check = { name, ok: true, version: null, detail: "" };
    try {
      check.detail = await proof[name]();
    } catch (error) {
      check.ok = error instanceof Unknowable ? null : false;
      check.detail = error.message;
      if (error instanceof Wrong) check.version = error.version;
      else if (!(error instanceof Unknowable)) {
        // Whatever is in the record: what does not fit together is wrong.
        check.version = proof.at;
        check.detail = `cannot be made sense of: ${error}`;
      }
    }
    checks.push(check);
    if (name === "shape" && !check.ok) break;
  }
  return checks;
}

/** A record while it is checked. Each check returns what it has found, or throws Wrong or Unknowable. */
class Proof {
  constructor(record, seenHead) {
    this.record = record;
    this.seenHead = seenHead;
    this.at = null; // the version that is being looked at
  }

  get events() {
    return this.record.events.map((each) => each.event);
  }

  get opened() {
    return this.record.events[0].event;
  }

  /** Whether the record claims to hide nothing. */
  get whole() {
    return this.record.secret !== null || this.opened.secret !== null;
  }

  /** The secret that the events tell. */
  knownSecret() {
    const last = this.events.at(-1);
    const told = this.opened.secret ?? (last.type === "revealed" ? last.secret : null);
    if (told === null) throw new Unknowable("the secret is not revealed yet");
    return raw(told);
  }

  /** Throws for the first version of which the function says that something is wrong. */
  async none(wrong) {
    const found = await Promise.all(
      this.record.events.map(async (each, index) => {
        try {
          return await wrong(each, index + 1);
        } catch (error) {
          return `cannot be made sense of: ${error}`;
        }
      }),
    );
    const first = found.findIndex((detail) => detail);
    if (first >= 0) throw new Wrong(found[first], first + 1);
    return found.length;
  }

  shape() {
    const { record } = this;
    if (!hasFields(record, RECORD)) throw new Wrong("these are not the fields of a record");
    if (record.format !== FORMAT) throw new Wrong(`the format ${record.format} is not known here`);
    if (!Array.isArray(record.events) || !record.events.length) throw new Wrong("there are no events");
    record.events.forEach((each, index) => {
      const version = index + 1;
      if (!hasFields(each, ENTRY)) throw new Wrong("these are not the fields of an entry", version);
      if (!isObject(each.event) || typeof each.event.type !== "string") throw new Wrong("this is no event", version);
      if ((each.event.type === "opened") !== (version === 1))
        throw new Wrong("a game is opened once, and first of all", version);
      for (const name of ["public", "secret", "head"])
        if (typeof each[name] !== "string" || !HEX.test(each[name]))
          throw new Wrong(`\`${name}\` is not 32 bytes in lower-case hex`, version);
    });
    return `${FORMAT} of a game by ${record.rules}`;
  }

  header() {
    const { record, opened, events } = this;
    const { ruleset, rules, deck, options, commitment: committed, secret, parent = null } = opened;
    const ended = events.findLast((event) => event.type === "ended");
    const said = {
      ruleset, rules, deck, options, commitment: committed, secret, parent, head: record.events.at(-1).head,
      seats: this.seats(), result: ended ? ended.result : null,
    };
    for (const [name, value] of Object.entries(said))
      if (canonical(record[name]) !== canonical(value)) throw new Wrong(`\`${name}\` is not what the events say`);
    const kinds = events.map((event) => event.type);
    const [before, last] = [kinds.at(-2), kinds.at(-1)];
    const early = kinds.slice(0, -1).indexOf("revealed");
    if (early >= 0) throw new Wrong("nothing can follow on the end of a game", early + 2);
    if (this.whole && last !== "revealed")
      throw new Wrong("the secret is open though the game is not over", kinds.length);
    if (last === "revealed") {
      if (before !== "ended" && before !== "aborted")
        throw new Wrong("the secret is revealed though the game is not over", kinds.length);
      if (this.whole && events.at(-1).secret !== secret)
        throw new Wrong("another secret is revealed than the game was opened with", kinds.length);
    }
    this.aborted();
    return "says what the events say";
  }

  /** A game is aborted for the cause that it says, and a game does not go on behind its greatest length. */
  aborted() {
    const longest = own(this.opened, "longest") ?? null;
    if (Object.hasOwn(this.opened, "longest") && !(Number.isSafeInteger(longest) && longest > 0))
      throw new Wrong("no game has such a greatest length", 1);
    const begun = this.events.some((event) => event.type === "begun");
    this.record.events.forEach(({ event, by }, index, entries) => {
      if (!index) return;
      const before = entries[index - 1];
      const full = longest !== null && index >= longest;
      if (event.type === "aborted") {
        const right = {
          left: by !== null && by === before.by && before.event.type === "left",
          cancelled: by === null && !begun,
          expired: by === null && !begun,
          longest: by === null && begun && full,
        };
        if (own(right, event.cause ?? "left") !== true)
          throw new Wrong("the game is not aborted for such a cause", index + 1);
      } else if (full && begun && by !== null && by !== before.by)
        throw new Wrong("the game goes on behind its greatest length", index + 1);
    });
  }

  seats() {
    const taken = new Map();
    if (!(this.opened.seats > 0 && this.opened.seats <= 1000)) throw new Wrong("no game has so many seats", 1);
    for (const { type, seat, player, entropy } of this.events) {
      if (type === "joined") taken.set(seat, { seat, player, entropy });
      else if (type === "left" && !taken.delete(seat)) throw new Wrong("somebody leaves a seat where nobody sits");
    }
    const places = Array.from({ length: this.opened.seats }, (_, seat) => seat);
    for (const seat of taken.keys())
      if (!places.includes(seat)) throw new Wrong("somebody sits where there is no seat");
    return places.map((seat) => taken.get(seat) ?? { seat, player: null, entropy: "" });
  }

  versions() {
    this.record.events.forEach((each, index) => {
      if (each.version !== index + 1) throw new Wrong(`here stands version ${each.version}`, index + 1);
    });
    return `1 to ${this.record.events.length}, none is missing`;
  }

  times() {
    let last = "";
    this.record.events.forEach(({ at }, index) => {
      if (!isTime(at)) throw new Wrong(`${at} is no time`, index + 1);
      if (at < last) throw new Wrong(`${at} is before the event before it`, index + 1);
      last = at;
    });
    return `never running back, up to ${last}`;
  }

  life() {
    const table = own(TABLE, this.record.rules);
    if (!isUuid(this.record.id)) throw new Wrong("the id of the game is no UUID in lower case", 1);
    const life = new Life(this.record.id, table);
    for (const { at, by, event } of this.record.events) {
      this.at = (this.at ?? 0) + 1;
      try {
        life.follow(at, by, event);
      } catch (error) {
        throw error instanceof Wrong ? new Wrong(error.message, this.at) : error;
      }
    }
    life.stop();
    if (!table) throw new Unknowable(`only in part: the events of ${this.record.rules} are not known here`);
    return `${this.at} events, each of which can come when it does`;
  }

  async public() {
    const table = own(TABLE, this.record.rules);
    if (!table) throw new Unknowable(`what a bystander sees of ${this.record.rules} is not known here`);
    const count = await this.none(async ({ at, by, event, public: stated }, version) => {
      const shown = { ...event };
      const hidden = own(HIDDEN, event.type) ?? own(table.hidden, event.type) ?? {};
      for (const [name, depth] of Object.entries(hidden)) {
        if (!Object.hasOwn(shown, name)) return `\`${name}\` is missing`;
        shown[name] = backs(shown[name], depth);
      }
      if (hex(await publicHash(version, at, by, shown)) !== stated)
        return "the hash is not that of the event as a bystander sees it";
    });
    return `${count} hashes`;
  }

  async secret() {
    const hash = await salted(this.knownSecret());
    const { whole } = this;
    let skipped = 0;
    const count = await this.none(async ({ at, by, event, secret: stated }, version) => {
      if (!whole && hides(event)) skipped += 1;
      else if (hex(await hash(version, at, by, event)) !== stated)
        return "the hash is not that of the salt and the whole event";
    });
    if (skipped) throw new Unknowable(`${skipped} of ${count} events are not whole`);
    return `${count} hashes`;
  }

  async heads() {
    const { events } = this.record;
    const first = await firstHead(this.record.id);
    const count = await this.none(async (each, version) => {
      // The head before is taken as it stands there: if it is wrong, then it is the first that is.
      const before = version === 1 ? first : raw(events[version - 2].head);
      if (hex(await nextHead(before, raw(each.public), raw(each.secret))) !== each.head)
        return "the head does not follow from the one before it and the two hashes";
    });
    return `${count} links up to ${events.at(-1).head}`;
  }

  async commitment() {
    raw(this.opened.commitment);
    if (hex(await commitment(this.knownSecret())) !== this.opened.commitment)
      throw new Wrong("is not the hash of the secret", 1);
    return "is the hash of the secret";
  }

  async shuffles() {
    const { opened, record } = this;
    const ruleset = own(TABLE, record.rules);
    if (!ruleset) throw new Unknowable(`SHUFFLES NOT CHECKED: ${record.rules} is not in the table of this file`);
    const secret = this.knownSecret();
    if (!this.whole) throw new Unknowable("the cards are not all in this record");
    // A branch is dealt what the game was dealt that it goes back to.
    const gameId = opened.parent ? opened.parent.root : record.id;
    const key = await tableKey(secret, gameId, this.seats().map((seat) => seat.entropy));
    let steps = 0;
    const dealer = () => new Words(key, steps++);
    const table = { seats: opened.seats, deck: opened.deck, options: opened.options };
    for (const { event } of record.events) {
      this.at = (this.at ?? 0) + 1;
      if (!placed(event)) throw new Wrong("a place is not counted from zero", this.at);
      const right = (await ruleset.follow(table, event, dealer)) ?? {};
      for (const [name, value] of Object.entries(right))
        if (canonical(event[name]) !== canonical(value))
          throw new Wrong(`\`${name}\` of \`${event.type}\` is not what follows`, this.at);
    }
    return `${steps} steps of the dealer, derived again`;
  }

  receipt() {
    const found = this.record.events.find((each) => each.head === this.seenHead);
    if (!found) throw new Wrong("the head that was seen is none of this record's");
    return `the head that was seen is that of version ${found.version}`;
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasFields(value, names) {
  return isObject(value) && Object.keys(value).sort().join() === names.join();
}

/** What the object itself has under that name: every object has a `constructor` that nobody gave it. */
function own(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether this is a date that exists, and a time of that day, in UTC with 6 decimals. */
function isTime(text) {
  const found = typeof text === "string" && TIME.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1, 4).map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

/** Cards as a bystander sees them; `depth` lists one within the other lead to them. */
function backs(value, depth) {
  return depth === 0 || value === null ? null : value.map((item) => backs(item, depth - 1));
}

const PLACES = ["seat", "slot", "column", "start", "position"];

/** Whether all places that the value names are counted from zero. */
function placed(value) {
  if (typeof value !== "object" || value === null) return true;
  const named = Array.isArray(value) ? [] : PLACES.filter((name) => Object.hasOwn(value, name));
  return named.every((name) => Number.isInteger(value[name]) && value[name] >= 0) && Object.values(value).every(placed);
}

/** Whether there is the back of a card somewhere in the value. */
function hides(value) {
  return value === null || (typeof value === "object" && Object.values(value).some(hides));
}

// --- the life of a game ----------------------------------------------------------------------------------------------
//
// The events of the game as such. `during`: the status of the game in which it can come; `then`: the status after it
// (none: as before); `by`: who causes it; `fields`: what it says, `may`: what it may say as well.

const LIFE = {
  opened: {
    during: ["new"], then: "waiting", by: "nobody",
    fields: [
      "ruleset", "rules", "seats", "options", "deck", "private", "hotseat", "opener", "commitment", "secret",
    ],
    may: ["parent", "longest"],
  },
  joined: { during: ["waiting"], by: "its seat", fields: ["seat", "player", "entropy"] },
  left: { during: ["waiting"], by: "its seat", fields: ["seat"] },
  begun: { during: ["waiting"], then: "running", by: "nobody", fields: [] },
  ended: { during: ["running"], then: "finished", by: "nobody", fields: ["result"] },
  aborted: { during: ["waiting", "running"], then: "aborted", by: "its cause", fields: [], may: ["cause"] },
  revealed: { during: ["finished", "aborted"], then: "revealed", by: "nobody", fields: ["secret"] },
};

/** A game as far as it has come, without the rules of its moves: who sits, and what may come next, and when.
 *
 * `table` is what is known of the ruleset, undefined if nothing is. `follow` and `stop` throw Wrong. */
class Life {
  constructor(gameId, table) {
    this.id = gameId;
    this.table = table;
    this.status = "new";
    this.sitting = new Map();
    this.opened = null;
    this.due = "opened"; // the event that must come next, at the time of the one before it; null if several can
    [this.kind, this.at, this.by] = [null, null, null]; // of the event before: its type, when it came, who caused it
    [this.points, this.result] = [[], null]; // the events that tell points, and the result that they amount to
  }

  follow(at, by, event) {
    const kind = event.type;
    need(by === null || isCount(by), "`by` is no seat");
    need(this.status !== "revealed", "nothing can follow on the end of a game");
    need(this.due === null || this.due === kind, `\`${this.due}\` must follow`);
    const about = own(LIFE, kind);
    if (about) this.happen(about, at, by, event);
    else this.play(at, by, event);
    [this.kind, this.at, this.by] = [kind, at, by];
  }

  stop() {
    need(this.due === null, `the record ends though \`${this.due}\` must follow`);
  }

  /** An event of the game as such. */
  happen(about, at, by, event) {
    const kind = event.type;
    const names = Object.keys(event).filter((name) => !about.may?.includes(name));
    need(same(names.sort(), ["type", ...about.fields].sort()), `these are not the fields of \`${kind}\``);
    need(about.during.includes(this.status), `\`${kind}\` cannot come while the game is ${this.status}`);
    const cause = own(event, "cause") ?? "left";
    const byCause = cause === "left" ? this.by : null;
    const expected = { nobody: null, "its seat": event.seat, "its cause": byCause }[about.by];
    need(by === expected, `\`${kind}\` is caused by ${about.by}`);
    const itself = cause === "cancelled" || cause === "expired";
    const alone = kind === "opened" || (this.due === null && by !== null) || itself;
    need(alone || at === this.at, `\`${kind}\` comes together with what is before it`);
    this.due = null;
    this[`when_${kind}`](event);
    this.status = about.then ?? this.status;
  }

  when_opened(event) {
    this.opened = event;
    const [least, most] = this.table?.seats ?? [1, 1000];
    need(isCount(event.seats) && least <= event.seats && event.seats <= most, "no game has so many seats");
    need(event.rules.split("/")[0] === event.ruleset, "the rules are those of another ruleset");
    need(event.deck.ruleset === event.ruleset, "the deck is that of another ruleset");
    const flags = [event.hotseat, event.private].every((flag) => typeof flag === "boolean");
    need(flags, "a flag is true or false");
    need(isPlayer(event.opener), "the opener is no player");
    if (Object.hasOwn(event, "parent")) {
      const { parent } = event;
      need(hasFields(parent, ["at", "id", "root"]), "this is no parent");
      need(event.hotseat, "a branch is played on all seats by one player");
      need(isUuid(parent.id) && isUuid(parent.root), "the id of a parent is no UUID in lower case");
      need(this.id !== parent.id && this.id !== parent.root, "a game is no branch of itself");
      const begun = event.seats + 2; // opened, all have sat down, begun
      need(isCount(parent.at) && begun <= parent.at, "a branch goes on from a game that runs");
    }
    if (event.hotseat) this.due = "joined";
  }

  when_joined({ seat, player, entropy }) {
    const { seats, hotseat, opener } = this.opened;
    need(isCount(seat) && seat < seats, "there is no such seat");
    need(!this.sitting.has(seat), "the seat is not free");
    need(isPlayer(player), "this is no player");
    need(typeof entropy === "string" && ENTROPY.test(entropy), "this is no entropy");
    if (hotseat) {
      need(same(player, opener), "nobody but the opener plays here");
      need(seat === this.sitting.size, "the seats are taken in their order");
      const alike = seat === 0 || Object.hasOwn(this.opened, "parent") || entropy === this.entropy;
      need(alike, "one player sits down on all seats with the same entropy");
      this.entropy = entropy;
    } else {
      const here = [...this.sitting.values()].some((each) => each.id === player.id);
      need(!here, "the player sits here already");
    }
    this.sitting.set(seat, player);
    this.due = this.sitting.size === seats ? "begun" : hotseat ? "joined" : null;
  }

  when_left({ seat }) {
    need(isCount(seat) && this.sitting.delete(seat), "nobody sits there");
    this.due = this.sitting.size ? null : "aborted";
  }

  when_begun() {
    need(this.kind === "joined" && this.sitting.size === this.opened.seats, "seats are free");
  }

  when_ended({ result }) {
    need(hasFields(result, ["scores", "winners"]), "this is no result");
    const { scores, winners } = result;
    const { seats } = this.opened;
    need(Array.isArray(scores) && scores.length === seats, "not every seat has a score");
    need(scores.every(Number.isSafeInteger), "a score is no integer");
    need(Array.isArray(winners) && winners.length, "somebody has won");
    need(winners.every((seat) => isCount(seat) && seat < seats), "a winner is no seat");
    const rising = winners.every((seat, i) => i === 0 || winners[i - 1] < seat);
    need(rising, "the winners are not in the order of their seats");
    if (this.table) {
      need(this.kind === "won", "nobody has won yet");
      need(same(result, this.result), "the result is not what the events say");
    }
    this.due = "revealed";
  }

  /** Whether the game has reached its greatest length is a part of the check `header`. */
  when_aborted(event) {
    const { cause } = event;
    if (!Object.hasOwn(event, "cause"))
      need(this.kind === "left" && !this.sitting.size, "only an empty table is given up");
    else if (cause === "longest") need(this.status === "running", "only a game that runs can be too long");
    else {
      need(cause === "cancelled" || cause === "expired", "no game is aborted for such a cause");
      need(this.status === "waiting", "only a game that waits is cancelled or expires");
    }
    this.due = "revealed";
  }

  when_revealed({ secret }) {
    raw(secret);
  }

  /** An event of the ruleset. */
  play(at, by, event) {
    const kind = event.type;
    need(this.status === "running", `\`${kind}\` cannot come while the game is ${this.status}`);
    need(by === null || by < this.opened.seats, "there is no such seat");
    need(by !== null || at === this.at, "what nobody causes comes together with what is before it");
    if (!this.table) return;
    const role = own(this.table.events, kind);
    need(role, `the ruleset has no \`${kind}\``);
    if (role === DEAL || (by === null && (this.by !== null || this.kind === "begun")))
      need(role === DEAL && by === null, "it is the dealer who begins here, and nobody else deals");
    else if (role === OWN && by !== null) need(event.seat === by, "another seat makes this move");
    if (by !== null && (by !== this.by || own(LIFE, this.kind))) {
      need(this.kind !== "begun", "the dealer begins");
      need(role === OWN || role === MOVE, "no move begins like this");
    }
    if (by !== null && role === THEN) need(at === this.at, "what follows from a move comes together with it");
    if (kind === "won") {
      this.due = "ended";
      this.result = this.table.result(this.points, event);
    } else if (kind === "round_scored" || kind === "scored") this.points.push(event);
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

/** Whose name it is, and whether it is, nobody can check. */
function isPlayer(value) {
  return hasFields(value, ["id", "name"]) && Object.values(value).every((text) => typeof text === "string" && text);
}

function same(one, other) {
  return canonical(one) === canonical(other);
}

// --- the command line, in Node ---------------------------------------------------------------------------------------

const VERDICTS = ["right: all checks were made", "WRONG", "", "nothing is wrong, but NOT ALL CHECKS COULD BE MADE"];

/** The exit status that the checks amount to. */
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

/** What stands in a record must not command the terminal. */
function printable(text) {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function main(given) {
  const { readFileSync, writeSync } = await import("node:fs");
  const { parseArgs } = await import("node:util");
  const write = (to, line) => {
    // Written at once, so that whoever reads slowly or not at all is noticed here.
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
      // There is nobody to tell; the exit status does.
    }
  };
  try {
    const options = { head: { type: "string" }, json: { type: "boolean" } };
    const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true });
    if (!positionals.length) throw new Error("usage: stammtisch-verify.mjs [--head HEX] [--json] FILE...");
    return await verifyFiles(positionals, values, { readFileSync, say, complain });
  } catch (error) {
    if (error.message) complain(error.message); // who has read enough need not be told
    return 2;
  }
}

class Unwritable extends Error {}

/** Says what is found; the exit status. Throws Unwritable. */
async function verifyFiles(files, { head = null, json }, { readFileSync, say, complain }) {
  let worst = 0;
  for (const file of files) {
    let records;
    try {
      records = read(readFileSync(file === "-" ? 0 : file));
    } catch (error) {
      complain(`${file}: ${error.message}`);
      worst = 2;
      continue;
    }
    for (const record of records) {
      const checks = await verify(record, { head });
      const ended = status(checks);
      const id = record?.id ?? null;
      if (json) say(printable(JSON.stringify({ file, id, status: ended, checks })));
      else {
        say(printable(`${file}: ${id}: ${VERDICTS[ended]}`));
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

// --- what has to be known of each ruleset ----------------------------------------------------------------------------
//
// seats:  the least and the greatest number of them.
// events: by type, who causes such an event. DEAL: it begins one of the dealer's steps. OWN: a move can begin with it,
//         and its `seat` makes the move. MOVE: a move can begin with it. THEN: it follows from what is before it.
// result: a function of the events that tell points and of `won`. It returns the result that they amount to.
// hidden: the fields of events in which a bystander sees the backs of cards, and how many lists, one within the other,
//         lead to them.
// follow: a function of the table (an object of its own, with `seats`, `deck` and `options` in it), the next event and
//         the dealer. It returns the fields of the event that follow from what was before, with the values that they
//         must have. Each call of `dealer()` is the dealer's next step and returns its numbers.

const HIDDEN = { opened: { secret: 0 } };

const [DEAL, OWN, MOVE, THEN] = ["deal", "own", "move", "then"];

/** By type of event what is written by role: `{own: "drawn taken"}`. */
function roles(named) {
  return Object.fromEntries(
    Object.entries(named).flatMap(([role, kinds]) => kinds.split(" ").map((kind) => [kind, role])),
  );
}

/** Of every seat the points of all rounds. */
function added(scored) {
  return scored[0].points.map((_, seat) => scored.reduce((sum, each) => sum + each.points[seat], 0));
}

/** The seats that stand highest. Of several numbers the later ones break ties. */
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

/* What was scored in all rounds, and for the markers as they lie at the end. Of equal totals the one with more points
 * of the rounds wins; of equal points the cards tell, which are not counted here. */
function scandaroonResult(scored, won) {
  const [rounds, last] = [added(scored), scored.at(-1)];
  const markers = [[last.no_trump, 2], [last.pile_first, 3], [last.pile_second, 1], [last.record?.seats ?? [], 2]];
  const scores = rounds.map((points, seat) =>
    markers.reduce((sum, [seats, worth]) => sum + (seats.includes(seat) ? worth : 0), points),
  );
  need(same(won.totals, scores), "the totals are not what was scored");
  const highest = best(scores.map((score, seat) => [score, rounds[seat]]));
  need(won.winners.every((seat) => highest.includes(seat)), "the highest score wins");
  return { scores, winners: won.winners };
}

/* Of equal totals the one with more hearts wins. */
function scopinionResult(scored, won) {
  const told = scored.at(-1).scores;
  const scores = told.map((each) => each.vault + each.showcase + each.pairs + each.red + each.spades);
  const highest = best(scores.map((score, seat) => [score, told[seat].hearts]));
  need(same(won.winners, highest), "the highest score wins");
  return { scores, winners: won.winners };
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
      table.held = table.draw.pop();
      return { card: table.held };
    case "taken":
      table.held = table.discard.pop();
      return { card: table.held };
    case "tossed":
      table.discard.push(table.held);
      return { card: table.held };
    case "swapped": {
      const out = table.layouts[seat][slot];
      table.layouts[seat][slot] = table.held;
      table.discard.push(out);
      return { card: table.held, out };
    }
    case "flipped":
      return { card: table.layouts[seat][slot] };
    case "column_cleared": {
      const card = table.layouts[seat][event.column * 3];
      table.discard.push(card, card, card);
      return { card };
    }
    case "layouts_revealed":
      return { cards: event.cards.map((turned) => ({ ...turned, card: table.layouts[turned.seat][turned.slot] })) };
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
      const cards = await chance.shuffled(table.aside?.length ? table.aside : printed);
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

/** A card comes to lie where none lies. */
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

/** The card at that place of the pile, the top one if none is named, is taken out of it. */
function takeOut(pile, place = pile.length - 1) {
  if (place < 0 || place >= pile.length) throw new Error("the card is not in the pile");
  return pile.splice(place, 1)[0];
}

const SKYJO_ACTIONS = [
  "swap_own", "double_move", "draw_three", "look_line", "remove_one_each", "swap_players", "steal_action",
  "play_discarded_action", "defence",
];

/* What has a place of its own is in `lying`: the layouts, the card that is held, the three that are drawn aside, the
 * open action cards; and the hands, each a list of action cards. All else is in one of the four piles. */
async function skyjoAction(table, event, dealer) {
  const { type, seat, slot, place } = event;
  switch (type) {
    case "dealt": {
      const [chance, { deck }, cut] = [dealer(), table, 12 * table.seats];
      const copies = (card, count) => Array(Math.min(count, 1000)).fill(card);
      const rising = Object.keys(deck.numbers).map(Number).sort((a, b) => a - b);
      const playing = [...rising.flatMap((n) => copies(n, deck.numbers[n])), ...copies("star", deck.stars)];
      const cards = await chance.shuffled(playing);
      // The same step goes on to the action cards: its words go on where the playing cards have left off.
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

    // Action cards. All lie open, so that who plays one names it; it must be there.
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
    case "played":
    case "discarded":
    case "blocked":
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

/* In `lying` are the slots of the rows that hold a card, how many slots every row has, and the hands. Whose card it is
 * that is played, exchanged or discarded, and from where, is told openly; it must be there. */
async function scandaroon(table, event, dealer) {
  const { type, seat, spot } = event;
  const seats = Array.from({ length: table.seats }, (_, i) => i);
  const discard = (table.discard ??= []);
  const fromHand = (owner, card) => takeOut(look(table, "hand", owner), look(table, "hand", owner).indexOf(card));
  switch (type) {
    case "prepared": {
      const chance = dealer();
      table.start = await chance.below(table.seats);
      table.trumps = await chance.shuffled(SYMBOLS);
      table.draw = await chance.shuffled(table.deck.cards.map((card) => card.id));
      table.lying = new Map();
      for (const i of seats) {
        lay(table, [], "hand", i);
        lay(table, 0, "slots", i);
      }
      return {
        start: table.start, trump: table.trumps.at(-1), trump_cards: table.trumps.slice(0, -1), draw: [...table.draw],
      };
    }
    case "reshuffled":
      table.draw = await dealer().shuffled([...table.draw, ...discard]);
      table.discard = [];
      return { draw: [...table.draw] };
    case "hands_dealt": {
      const given = seats.map((i) => event.cards[i].length);
      const dealt = seats.map(() => []);
      const first = seats.map((i) => canonical(i)).indexOf(canonical(table.start));
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
      table.start = event.start;
      return {};
  }
}

/** The card comes to lie in a new slot at the end of the row, which is returned. */
function layLast(table, card, row) {
  const slot = lift(table, "slots", row);
  lay(table, slot + 1, "slots", row);
  lay(table, card, "row", row, slot);
  return slot;
}

const COLOURS = ["green", "blue", "red", "orange"];

/* In `lying` are the hand, deck, discard, vault and showcase of every seat. What a seat lays, buys, secures or puts
 * away is named; it must be where it comes from. */
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
      const start = await chance.below(seats);
      const sets = COLOURS.map((colour) => ids((card) => card.colour === colour)).filter((set) => set.length > 0);
      const decks = [];
      for (const set of sets.slice(0, seats)) decks.push(await chance.shuffled(set));
      const middle = await chance.shuffled(ids((card) => card.kind === "central" || card.group === "A"));
      const covered = await chance.shuffled(ids((card) => card.group === "B"));
      const purple = cards.filter((card) => card.group === "C").sort((a, b) => b.value - a.value).map((card) => card.id);
      const cut = middle.length - { 2: 15, 3: 9, 4: 0 }[seats];
      const least = covered.length - { 2: 5, 3: 3, 4: 0 }[seats];
      const targets = covered.slice(0, least);
      const hands = decks.map((deck) => deck.slice(-2).reverse());
      const rest = decks.map((deck) => deck.slice(0, -2));
      const supply = middle.slice(0, cut - 3);
      const display = middle.slice(cut - 3, cut).reverse();
      table.lying = new Map();
      for (let i = 0; i < seats; i++) {
        lay(table, [...hands[i]], "hand", i);
        lay(table, [...rest[i]], "deck", i);
        for (const name of ["discard", "vault", "showcase"]) lay(table, [], name, i);
      }
      Object.assign(table, { display: [...display], supply: [...supply], targets: [...purple, ...targets] });
      Object.assign(table, { purple: purple.length, covered: false, graveyard: [], stage: [] });
      return {
        start, decks: rest, hands, supply, display, purple, targets: targets.slice(0, -1), turned: targets.slice(-1),
        removed: [...middle.slice(cut), ...covered.slice(least)],
      };
    }
    case "bought": {
      for (const each of event.laid) table.stage.push(fromHand(each));
      const place = table.display.indexOf(event.card);
      const card = place < 0 ? takeOut(table.targets) : table.display[place];
      if (place < 0) table.covered = table.targets.length > table.purple;
      else table.display[place] = null;
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

const TABLE = {
  "scandaroon/1": {
    seats: [3, 4],
    events: roles({
      deal: "prepared reshuffled",
      own: "boosted drawn exchanged passed played protected removed returned shifted spent stolen stone_played " +
        "swapped targeted trump_changed used",
      then: "hands_dealt round_scored table_cleared trump_flipped trump_revealed turn_began won",
    }),
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
    seats: [2, 4],
    events: roles({
      deal: "dealt shuffled",
      own: "bought kept pik_off_made played rejected secured trashed turn_ended",
      then: "cards_revealed drawn drawn_aside end_triggered scored turn_began won",
    }),
    result: scopinionResult,
    hidden: {
      dealt: { decks: 2, hands: 2, supply: 1, targets: 1, removed: 1 },
      drawn: { cards: 1 },
      drawn_aside: { card: 0 },
      secured: { card: 0 },
      shuffled: { deck: 1 },
      turn_ended: { drawn: 1 },
    },
    follow: scopinion,
  },
  "scout/1": {
    seats: [2, 5],
    events: roles({
      deal: "dealt lot_drawn",
      own: "oriented scouted shown",
      then: "round_scored stuck turn_began won",
    }),
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
    seats: [2, 8],
    events: roles({
      deal: "dealt restocked",
      own: "drawn flipped ran_out swapped taken tossed",
      then: "column_cleared final_lap_began layouts_revealed round_scored turn_began won",
    }),
    result: lowestWins,
    hidden: { dealt: { layouts: 2, draw: 1 }, restocked: { draw: 1 }, drawn: { card: 0 } },
    follow: skyjo,
  },
  "skyjo_action/1": {
    seats: [2, 8],
    events: roles({
      deal: "actions_restocked dealt restocked",
      own: "action_taken discarded drawn dropped exchanged flipped kept kept_none line_looked lines_kept picked " +
        "played replayed stolen swapped taken tossed",
      move: "blocked line_cleared pick_skipped ran_out removed",
      then: "action_laid_open drawn_aside effect_lapsed final_lap_began layouts_revealed lines_offered move_began " +
        "moves_added picks_granted replaced round_scored starter_found turn_began victims_named won",
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

// Last of all, when everything above is there.
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
