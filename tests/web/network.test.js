/** What pages ask, send and keep: the API, the outbox, storage, the channel and the line of a game. */

import { Api, Problem } from "../../web/core/api.js";
import { Channel } from "../../web/core/channel.js";
import { Memory } from "../../web/core/identity.js";
import { Line, links, root } from "../../web/core/line.js";
import { Outbox, sender } from "../../web/core/outbox.js";
import { equal, item } from "./asserts.js";

// --- api ------------------------------------------------------------------------------------------------------------

/** What the request throws if the service answers with this. @param {Response} response */
const thrown = async (response, way = "request") => {
  const api = /** @type {any} */ (new Api("http://x/", () => null, () => Promise.resolve(response)));
  return await api[way]("games").then(() => null, (/** @type {any} */ error) => [error.status, error.transient]);
};

Deno.test("api: an answer that is cut off is none", async () => {
  equal(await thrown(new Response('{"version": 3}')), null);
  equal(await thrown(new Response(null, { status: 304 })), null);
  for (const text of ["", '{"vers']) equal(await thrown(new Response(text)), [0, true]);
  equal(await thrown(new Response('{"a":1}\n{"b'), "lines"), [0, true]);
  equal(await thrown(new Response("<h1>Bad gateway</h1>", { status: 502 })), [502, true]);
  equal(await thrown(new Response("{}", { status: 403 })), [403, false]);
});

Deno.test("api: a path leads where it says, or nowhere", () => {
  const api = new Api("http://x/games/", () => null);
  for (const path of ["games/a/b-1/moves", "v1/games/a", "/v1/games/a", "players/site%3Ann%2Fx"]) {
    equal(api.url(path).href, `http://x/games/v1/${path.replace(/^\/?v1\//, "")}`);
  }
  const ids = "..|../..|%2e%2e|.%2E/x|..\\..|a/../../me|x?as=1|x?|x#y|a b|a\nb|\u00e9";
  for (const id of ids.split("|")) {
    let wrong = null;
    try {
      api.url(`games/${id}/moves`);
    } catch (problem) {
      wrong = problem;
    }
    equal([id, /** @type {any} */ (wrong)?.status], [id, 404]);
  }
});

// --- outbox, storage ------------------------------------------------------------------------------------------------

/** @returns {any} */
function storage() {
  /** @type {Record<string, string>} */
  const kept = {};
  return {
    getItem: (/** @type {string} */ key) => kept[key] ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void (kept[key] = value),
    removeItem: (/** @type {string} */ key) => void delete kept[key],
  };
}

/** @param {((letter: any) => any)[]} answers @param {{ id: string }} [user] */
function outbox(answers, user = { id: "ann" }) {
  const memory = new Memory();
  /** @type {string[]} */
  const keys = [];
  /** @type {number[]} */
  const waits = [];
  const made = new Outbox({
    memory,
    player: () => user.id,
    post: (letter) => {
      keys.push(letter.key);
      return Promise.resolve().then(() => answers[keys.length - 1]?.(letter));
    },
    wait: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
  });
  return { made, keys, waits, memory };
}

const LETTER = { game: "g/1", move: { type: "draw" }, seat: null, version: 1 };
const KEPT = { ...LETTER, player: "ann", key: "0".repeat(32) };
/** @param {number} status @param {string} type @param {any} [more] */
const problem = (status, type, more = {}) => () => {
  throw new Problem({ type, ...more }, status, more.retryAfter ?? null);
};

Deno.test("outbox: the same key until there is an answer", async () => {
  const { made, keys, waits } = outbox([
    problem(0, "no-answer"),
    problem(503, "unavailable", { retryAfter: 3 }),
    problem(429, "too-many-requests"),
    () => ({ version: 2 }),
  ]);
  equal(await made.send(LETTER), { is: "made", answer: { version: 2 } });
  equal([keys.length, new Set(keys).size, made.open("g/1")], [4, 1, null]);
  equal(waits, [500, 3000, 2000]);
  equal(/^[0-9a-f]{32}$/.test(keys[0] ?? ""), true);
});

Deno.test("outbox: what the answer says", async () => {
  equal((await outbox([problem(409, "illegal-move", { legal_moves: [1] })]).made.send(LETTER)).is, "illegal");
  equal((await outbox([problem(412, "stale-decision", { missed: [] })]).made.send(LETTER)).is, "stale");
  equal((await outbox([problem(403, "not-seated")]).made.send(LETTER)).is, "failed");
});

Deno.test("outbox: a move is open until it is answered, also for another page", async () => {
  const { made, memory } = outbox([problem(409, "illegal-move"), () => ({ version: 1 })]);
  memory.set("outbox.g/1", KEPT);
  equal(made.open("g/1"), KEPT);
  await made.send({ ...LETTER, move: { type: "other" } });
  equal(made.open("g/1"), null);
});

Deno.test("outbox: while another tab's move is open, that one is sent, and this one is stale", async () => {
  const { made, keys, memory } = outbox([() => ({ version: 1 })]);
  memory.set("outbox.g/1", KEPT);
  equal(await made.send({ ...LETTER, move: { type: "other" } }), { is: "stale" });
  equal(keys, [KEPT.key]);
});

Deno.test("outbox: what is no open move of this user at this table is not sent", () => {
  for (
    const wrong of [
      { game: "g/2" },
      { game: "../players/me" },
      { player: "ben" },
      { player: undefined },
      { key: "k" },
      { key: 7 },
      { seat: "../1" },
      { version: "x" },
      { move: null },
      { move: {} },
    ]
  ) {
    const { made, memory } = outbox([]);
    memory.set("outbox.g/1", { ...KEPT, ...wrong });
    equal([wrong, made.open("g/1")], [wrong, null]);
    memory.set("outbox.../x", { ...KEPT, ...wrong, game: "../x" });
    equal(made.open("../x"), null);
  }
});

Deno.test("outbox: a move ends with the user who decided on it", async () => {
  const user = { id: "ann" };
  const lost = () => {
    user.id = "ben";
    return problem(0, "no-answer")();
  };
  const { made, keys, memory } = outbox([lost, () => ({ version: 2 })], user);
  equal(await made.send(LETTER), { is: "stale" });
  equal([keys.length, memory.get("outbox.g/1")], [1, null]);
});

Deno.test("outbox: over the channel where it is open, else over REST, with the same key and version", async () => {
  /** @type {any[]} */
  const sent = [];
  const way = { condition: "open", request: (/** @type {any} */ message) => Promise.resolve(void sent.push(message)) };
  const rest = {
    request: (/** @type {string} */ path, /** @type {any} */ { headers }) =>
      Promise.resolve({ body: void sent.push([path, headers]) }),
  };
  const post = sender(/** @type {any} */ (rest), () => /** @type {any} */ (way), "code");
  const letter = { ...KEPT, seat: "1", version: 7, key: "k" };
  await post(letter);
  way.condition = "broken";
  await post({ ...letter, seat: null });
  equal(sent[0], { type: "move", game: "g/1", move: letter.move, key: "k", version: 7, as: 1, invite: "code" });
  equal(sent[1]?.[0], "games/g/1/moves");
  equal([sent[1]?.[1]["If-Match"], sent[1]?.[1]["Idempotency-Key"], sent[1]?.[1].Invite], ['"7.0"', "k", "code"]);
});

/** @type {() => any} */
const forbidden = () => {
  throw new Error("forbidden");
};

Deno.test("storage: what the browser cannot keep the tab keeps, and what it cannot keep the page", () => {
  for (
    const { browser, lasting, fleeting } of [
      { browser: true, lasting: true, fleeting: false },
      { browser: false, lasting: false, fleeting: false },
      { browser: false, tab: false, lasting: false, fleeting: true },
    ].map(({ browser, tab = true, ...more }) => {
      const stores = [browser && storage(), tab && storage()].map((kept) => kept ? () => kept : forbidden);
      return { browser: stores, ...more };
    })
  ) {
    const memory = new Memory(...browser);
    memory.set("a", { b: 1 });
    equal([memory.get("a"), memory.lasting, memory.fleeting], [{ b: 1 }, lasting, fleeting]);
    equal(new Memory(...browser).get("a"), fleeting ? null : { b: 1 });
    memory.set("a", null);
    equal([memory.get("a"), new Memory(...browser).get("a")], [null, null]);
  }
});

Deno.test("storage: what is full loses the older value, and what is damaged is nothing", () => {
  const full = storage(), tab = storage();
  full.setItem("stammtisch.a", "1");
  full.setItem("stammtisch.c", "{");
  full.setItem = forbidden;
  const memory = new Memory(() => full, () => tab);
  equal([memory.get("a"), memory.get("c")], [1, null]);
  memory.set("a", 2);
  equal([memory.get("a"), full.getItem("stammtisch.a"), tab.getItem("stammtisch.a")], [2, null, "2"]);
});

Deno.test("storage: followers are notified of a change, here and in other tabs", () => {
  const memory = new Memory(storage);
  let told = 0;
  memory.watch("a", () => void told++);
  memory.set("a", 1);
  memory.set("b", 1);
  equal(told, 1);
  for (const [key, expected] of /** @type {[string | null, number][]} */ ([["stammtisch.a", 2], ["b", 2], [null, 3]])) {
    memory.changed(key);
    equal(told, expected);
  }
});

// --- channel --------------------------------------------------------------------------------------------------------

/** A socket that the test holds the other end of. */
class Socket {
  constructor() {
    /** @type {any[]} */
    this.sent = [];
    /** @type {any} */
    this.onopen = this.onmessage = this.onclose = () => {};
  }
  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  /** @param {any} message */
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

/** @param {{ token: string | null }} [user] */
function channel(user = { token: "t" }) {
  /** @type {Socket[]} */
  const sockets = [];
  /** @type {{ action: () => void, pause: number }[]} */
  const later = [];
  const made = new Channel({
    url: "ws://x",
    token: () => user.token,
    connect: () => {
      const socket = new Socket();
      sockets.push(socket);
      return /** @type {any} */ (socket);
    },
    later: (action, pause) => void later.push({ action, pause }),
  });
  return { made, sockets, later };
}

const turn = () => new Promise((done) => setTimeout(done, 0));

/** The pauses after interruptions; those of requests are the patience with each of them. @param {any[]} later */
const pauses = (later) => later.filter(({ pause }) => pause !== 10_000 && pause !== 3_000);

Deno.test("channel: the token goes first, then the follows, again after each interruption", async () => {
  const { made, sockets, later } = channel();
  let after_ = 0;
  /** @type {any[]} */
  const heard = [];
  const request = () => ({ type: "follow", game: "g/1", after: after_ });
  made.follow({ subject: "g/1", request, heard: (m) => heard.push(m) });
  const [first] = sockets;
  first?.onopen();
  equal(first?.sent[0], { type: "authenticate", token: "t", id: 1 });
  first?.says({ type: "authenticated", id: 1 });
  await turn();
  equal(first?.sent[1], { type: "follow", game: "g/1", after: 0, id: 2 });
  first?.says({ type: "events", game: "g/1", items: [0] });
  equal(heard.length, 0); // of a follow before this one
  first?.says({ type: "following", id: 2 });
  await turn();
  first?.says({ type: "events", game: "g/1", items: [1] });
  equal(heard.map(({ type }) => type), ["following", "events"]);
  after_ = 7;
  first?.onclose({ code: 1006 });
  const [pause] = pauses(later);
  equal([made.condition, pauses(later).length, pause.pause >= 400 && pause.pause <= 600], ["broken", 1, true]);
  pause.action();
  sockets[1]?.onopen();
  sockets[1]?.says({ type: "authenticated", id: 3 });
  await turn();
  equal(sockets[1]?.sent[1]?.after, 7);
  equal(made.condition, "open");
});

Deno.test("channel: another token reaches the connection, whatever its condition", async () => {
  const user = { token: /** @type {string | null} */ (null) };
  const { made, sockets } = channel(user);
  made.follow({ subject: "g/1", request: () => ({ type: "follow" }), heard: () => {} });
  user.token = "ann"; // while it connects: the first message has it
  made.identify();
  equal(sockets.length, 1);
  const authenticated = async () => {
    sockets.at(-1)?.onopen();
    await turn();
    sockets.at(-1)?.says({ type: "authenticated", id: sockets.at(-1)?.sent[0].id });
    await turn();
    return sockets.at(-1)?.sent.map(({ type, token }) => token ?? type);
  };
  equal(await authenticated(), ["ann", "follow"]);
  made.identify();
  equal([sockets.length, made.condition], [1, "open"]); // nothing has changed
  const asked = made.request({ type: "move" });
  user.token = "ben";
  made.identify();
  equal([sockets.length, made.condition], [2, "connecting"]);
  equal((await asked.catch((problem) => problem)).status, 0);
  equal(await authenticated(), ["ben", "follow"]);
  sockets.at(-1)?.onclose({ code: 4401 });
  equal(made.condition, "refused");
  user.token = null;
  made.identify();
  sockets.at(-1)?.onopen();
  await turn();
  equal([sockets.length, made.condition, sockets.at(-1)?.sent[0].type], [3, "open", "follow"]);
});

Deno.test("channel: cut between and within requests: what waits fails, and nothing is answered twice", async () => {
  const { made, sockets } = channel();
  made.follow({ subject: "g/1", request: () => ({ type: "follow" }), heard: () => {} });
  sockets[0]?.onopen();
  sockets[0]?.says({ type: "authenticated", id: 1 });
  await turn();
  const answers = [made.request({ type: "move" }), made.request({ type: "move" })];
  const settled = Promise.allSettled(answers);
  sockets[0]?.says({ type: "moved", id: 3 });
  sockets[0]?.onclose({ code: 1006 });
  equal((await settled).map(({ status }) => status), ["fulfilled", "rejected"]);
});

Deno.test("channel: a request without an answer ends the connection; a problem is one", async () => {
  const { made, sockets, later } = channel();
  made.follow({ subject: "g/1", request: () => ({ type: "follow" }), heard: () => {} });
  sockets[0]?.onopen();
  sockets[0]?.says({ type: "authenticated", id: 1 });
  await turn();
  const refused = made.request({ type: "move" }).catch((error) => error);
  sockets[0]?.says({ type: "problem", id: 3, problem: { type: "too-many-requests", status: 429 }, retry_after: 7 });
  equal([(await refused).transient, (await refused).retryAfter], [true, 7]);
  const silent = made.request({ type: "move" }).catch((error) => error);
  later.at(-1)?.action();
  equal([(await silent).status, made.condition, made.socket], [0, "broken", null]);
  equal((await made.request({ type: "move" }).catch((error) => error)).transient, true);
});

Deno.test("channel: an attempt that is never answered is given up", () => {
  const { made, sockets, later } = channel();
  made.follow({ subject: "lobby", request: () => ({}), heard: () => {} });
  later.at(-1)?.action();
  equal([made.condition, made.socket], ["broken", null]);
  pauses(later)[0]?.action();
  equal(sockets.length, 2);
});

Deno.test("channel: without one it is said, and tried again after a minute; a bad token ends it", () => {
  const { made, sockets, later } = channel();
  made.follow({ subject: "lobby", request: () => ({}), heard: () => {} });
  sockets[0]?.onclose({ code: 1006 });
  pauses(later)[0]?.action();
  sockets[1]?.onclose({ code: 1006 });
  equal([made.condition, pauses(later)[1]?.pause], ["unavailable", 60000]);
  const other = channel();
  other.made.follow({ subject: "lobby", request: () => ({}), heard: () => {} });
  other.sockets[0]?.onclose({ code: 4401 });
  equal([other.made.condition, pauses(other.later).length], ["refused", 0]);
});

// --- chain, line ----------------------------------------------------------------------------------------------------

/** @param {string} text */
async function sha(text) {
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("");
}

/** A log of a game whose view is a number. @param {number} length @returns {Promise<any[]>} */
async function chained(length) {
  const items = [];
  for (let version = 1, head = await root("1"); version <= length; version++) {
    const [public_, secret] = [await sha(`0${version}`), await sha(`a${version}`)];
    head = await sha(head + public_ + secret);
    items.push({ ...item(version, `${version}`, [{ op: "replace", path: "", value: version }]) });
    Object.assign(items[version - 1], { public: public_, secret, head });
  }
  return items;
}

Deno.test("chain: as the service links it; nothing can be changed, left out or exchanged", async () => {
  const items = await chained(4), first = await root("1");
  equal(await root("x"), "31c1064a58890145c9b26521134f9f83b71181890f10fcc5cbbf6b4d9f15df00");
  equal([await links(first, items), await links(items[1].head, items.slice(2))], [true, true]);
  equal(await links(first, items.with(2, { ...items[2], secret: items[1].secret })), false);
  equal(await links(first, items.slice(1)), false);
  equal(await links(first, items.toReversed()), false);
});

/** A line to a service that has these logs, one after the other. @param {any[][]} logs @param {any} [parts] */
function lineTo(logs, { game = {}, ...parts } = {}) {
  /** @type {any[]} */
  const failures = [];
  /** @type {any[]} */
  const perspectives = [];
  /** @type {any[]} */
  const asked = [];
  const api = {
    request: (/** @type {string} */ _, /** @type {any} */ { query }) => {
      const log = logs.length > 1 && asked.length ? logs.shift() : logs[0];
      asked.push(log);
      perspectives.push(query.as);
      const body = { id: "1", status: "running", version: log?.length, you: 0, legal_moves: [], result: null, ...game };
      return Promise.resolve({ status: 200, body, etag: null });
    },
    lines: (/** @type {string} */ _, /** @type {any} */ { query }) => {
      perspectives.push(query.as);
      return Promise.resolve(asked.at(-1));
    },
  };
  const all = { channel: null, path: "g/1", invite: null, receipt: null, changed: () => {}, ...parts };
  const made = new Line(
    /** @type {any} */ ({ ...all, api, failed: (/** @type {any} */ error) => failures.push(error) }),
  );
  return { made, failures, asked, perspectives };
}

Deno.test("line: what does not fit is read again, and refused the second time", async () => {
  const good = await chained(5), bad = good.with(3, { ...good[3], head: good[1].head });
  const once = lineTo([bad, good]);
  await once.made.refresh();
  await once.made.checking;
  await once.made.refresh();
  equal([once.made.mended, once.made.film.last, once.made.game?.["version"], once.failures.length], [1, 5, 5, 0]);
  const always = lineTo([bad]);
  for (let round = 0; round < 3; round++) {
    await always.made.refresh();
    await always.made.checking;
  }
  equal([always.made.refused, always.failures[0]?.document.type], [true, "broken-chain"]);
});

Deno.test("line: the log has to contain what this browser has seen", async () => {
  const log = await chained(5);
  for (const [head, refused] of [[log[2].head, false], [log[1].head, true]]) {
    const { made } = lineTo([log], { receipt: { version: 3, head } });
    for (let round = 0; round < 3; round++) {
      await made.refresh();
      await made.checking;
    }
    equal(made.refused, refused);
  }
});

Deno.test("line: asks for a seat's cards only when it knows that the seats do not share a screen", async () => {
  const one = lineTo([await chained(2)]), shared = lineTo([await chained(2)], { game: { you: null } });
  await one.made.refresh();
  await shared.made.refresh();
  equal([one.perspectives, shared.perspectives], [["bystander", "0"], ["bystander", "bystander"]]);
});

Deno.test("line: of a common deal the cards stay hidden until its secret is revealed, also when the game is over", async () => {
  const game = { status: "finished", result: { scores: [1], winners: [0] } };
  const open = lineTo([await chained(2)], { game });
  const hidden = lineTo([await chained(2)], { game: { ...game, deal: { id: "1", until: "" } } });
  await open.made.refresh();
  await hidden.made.refresh();
  equal([open.perspectives.at(-1), open.made.over], ["all", true]);
  equal([hidden.perspectives.at(-1), hidden.made.over], ["0", false]);
});

Deno.test("line: what was on its way for another perspective is not shown to this one", async () => {
  const log = await chained(3), channel = { condition: "open", follow: () => {} };
  const { made } = lineTo([log.slice(0, 2)], { channel });
  await made.refresh();
  const shown = made.show("bystander"); // the channel still follows seat 0
  made.heard({ type: "events", items: log });
  made.heard({ type: "state", version: 3, status: "running", you: 0, legal_moves: ["keep"] });
  equal([made.film.last, made.game?.["legal_moves"]], [0, []]);
  await shown;
  made.heard({ type: "events", items: log.slice(2) });
  equal([made.film.last, made.followed], [3, "bystander"]);
});

Deno.test("line: an answer that is older than what the channel has brought is read again", async () => {
  const log = await chained(4), { made, asked } = lineTo([log.slice(0, 2), log]);
  await made.refresh();
  made.add(log.slice(2), made.film);
  made.update({ type: "state", game: "g/1", version: 4, status: "running", you: 0, legal_moves: [], result: null });
  await made.refresh();
  equal([made.game?.["version"], made.film.last, asked.map(({ length }) => length)], [4, 4, [2, 2, 4]]);
});

Deno.test("line: a reading that failed is repeated, also where the channel is open", async () => {
  const log = await chained(2), channel = { condition: "open", follow: () => {} };
  const { made, asked } = lineTo([log], { channel });
  Object.assign(globalThis, { document: { hidden: false } });
  await made.refresh();
  made.poll();
  equal([await made.busy, asked.length], [undefined, 1]);
  made.unread(new Problem({ type: "no-answer" }, 0));
  equal(made.reachable, false);
  made.poll();
  await made.busy;
  equal([made.reachable, asked.length], [true, 2]);
});
