// Parts of the client that need no service.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  Client,
  GameRecord,
  InvalidPatch,
  InvalidSignature,
  InvalidUrl,
  NoAnswer,
  Problem,
  problems,
  UnknownHost,
  verifyWebhook,
} from "../dist/index.js";
import { Backoff, Contact } from "../dist/backoff.js";
import { patched } from "../dist/patch.js";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"type":"game.over","timestamp":"2026-11-22T20:00:00Z","data":{"version":31}}';

function headers(body = BODY, given = {}) {
  const key = Buffer.from(SECRET.slice(6), "base64");
  const signature = createHmac("sha256", key).update(`msg_1.1000.${body}`).digest("base64");
  return { "webhook-id": "msg_1", "webhook-timestamp": "1000", "webhook-signature": `v1,${signature}`, ...given };
}

test("the signature is that of the specification's reference implementations", async () => {
  const body = '{"test": 2432232314}';
  const signed = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  // The signature is right, so what is refused is the body, which is no event of this service.
  await assert.rejects(verifyWebhook(SECRET, signed, body, { now: 1614265330 }), /The body is no event/);
});

test("a webhook is believed if it is signed and new", async () => {
  const event = await verifyWebhook(SECRET, headers(), BODY, { now: 1299 });
  assert.deepEqual([event.id, event.type, event.data], ["msg_1", "game.over", { version: 31 }]);
  const several = { "webhook-signature": `v1,b3RoZXI= v2,x ${headers()["webhook-signature"]}` };
  assert.deepEqual(await verifyWebhook(SECRET, new Headers(headers(BODY, several)), BODY, { now: 701 }), event);
});

test("other webhooks are not", async () => {
  const cases = [
    [headers(), `${BODY} `, 1000], [headers(), BODY, 1301], [headers(), BODY, 699],
    [headers(BODY, { "webhook-id": "msg_2" }), BODY, 1000], [headers(BODY, { "webhook-timestamp": "1001" }), BODY, 1000],
    [headers(BODY, { "webhook-timestamp": "x" }), BODY, 1000], [headers(BODY, { "webhook-signature": "v1" }), BODY, 1000],
    [headers(BODY, { "webhook-signature": "v1,?" }), BODY, 1000], [headers(BODY, { "webhook-id": undefined }), BODY, 1000],
    [headers("[1]"), "[1]", 1000], [headers("x"), "x", 1000],
  ];
  for (const [given, body, now] of cases) await assert.rejects(verifyWebhook(SECRET, given, body, { now }), InvalidSignature);
  await assert.rejects(verifyWebhook("whsec_?", headers(), BODY, { now: 1000 }), InvalidSignature);
});

test("a patch makes a new view", () => {
  const before = { a: [1, 2], b: { c: null } };
  assert.equal(patched(before, []), before);
  assert.equal(patched(before, [{ op: "replace", path: "", value: null }]), null);
  assert.deepEqual(patched(before, [{ op: "add", path: "/a/2", value: 3 }]).a, [1, 2, 3]);
  assert.deepEqual(patched(before, [{ op: "remove", path: "/a/0" }]).a, [2]);
  const after = patched(before, [{ op: "replace", path: "/b/c", value: 3 }]);
  assert.deepEqual([after.b.c, before.b.c], [3, null]);
  assert.equal(after.a, before.a);
});

test("a patch that does not fit is refused, and changes nothing", () => {
  const { document, patches } = JSON.parse(readFileSync(new URL("bad_patches.json", import.meta.url), "utf8"));
  const before = JSON.stringify(document);
  for (const patch of patches) assert.throws(() => patched(document, patch), InvalidPatch, JSON.stringify(patch));
  assert.equal(JSON.stringify(document), before);
});

test("a request is repeated with its key until it is answered", async () => {
  const keys = [];
  const answers = [
    () => Promise.reject(new TypeError("cut off")),
    () => Response.json({ type: "unavailable", status: 503, title: "t" }, { status: 503, headers: { "Retry-After": "0" } }),
    () => Response.json({ type: "too-many-requests", status: 429, title: "t" }, { status: 429 }),
    () => Response.json({ id: "g-1" }, { status: 201 }),
  ];
  const send = async (_, { headers }) => {
    keys.push(headers["Idempotency-Key"]);
    return await answers[keys.length - 1]();
  };
  const client = new Client("http://test", { fetch: send, pauses: [1] });
  assert.equal((await client.open("skyjo", { seats: 2 })).name, "skyjo/g-1");
  assert.equal(keys.length, 4);
  assert.ok(keys[0] && new Set(keys).size === 1);
});

test("lists are read page by page to their end", async () => {
  const asked = [];
  const send = async (url) => {
    asked.push(url.pathname + url.search);
    assert.ok(asked.length < 9);
    return Response.json({ items: [asked.length], next: asked.length === 1 ? "/v1/games?bots=false&limit=100&cursor=2" : null });
  };
  const items = [];
  for await (const item of new Client("http://test", { fetch: send }).games({ bots: false })) items.push(item);
  assert.deepEqual(items, [1, 2]);
  assert.deepEqual(asked, ["/v1/games?bots=false&limit=100", "/v1/games?bots=false&limit=100&cursor=2"]);
});

test("patience ends", async () => {
  const cases = [
    [() => Response.json({ type: "unavailable", status: 503, title: "t" }, { status: 503 }), problems.Unavailable],
    [() => new Response("<html>", { status: 502 }), Problem],
    [() => Response.json({ type: "of the future", status: 404, title: "t" }, { status: 404 }), Problem],
    [() => Promise.reject(new TypeError("refused")), NoAnswer],
  ];
  for (const [answer, Expected] of cases) {
    const client = new Client("http://test", { fetch: answer, patience: 0 });
    await assert.rejects(client.me(), (error) => error.constructor === Expected);
  }
});

test("patience counts from the first failure since the last success", async (context) => {
  let now = 0;
  context.mock.method(Date, "now", () => now);
  const backoff = new Backoff(new Contact("http://test", 300, () => {}), [0]);
  backoff.reset();
  for (let round = 0; round < 2; round++) {
    now += 10_000_000;
    await backoff.pause("cut off");
    now += 299_000;
    await backoff.pause("cut off");
    backoff.reset();
  }
  await backoff.pause("cut off");
  now += 301_000;
  await assert.rejects(backoff.pause(new NoAnswer("cut off")), NoAnswer);
});

test("a URL at which no service can be is refused at once", () => {
  for (const url of ["", "localhost:8000", "cards.example", "ftp://cards.example", "http://", "/api"]) {
    assert.throws(() => new Client(url), InvalidUrl);
  }
});

/** A service that does not answer, and a clock that only the pauses of a client move. */
function away(context, ...answers) {
  const found = { now: 0, attempts: 0, warnings: [] };
  context.mock.method(Date, "now", () => found.now);
  context.mock.method(globalThis, "setTimeout", (done, pause) => {
    found.now += pause;
    queueMicrotask(done);
  });
  const send = async () => {
    const answer = answers[Math.min(found.attempts++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  const warn = (text) => found.warnings.push(text);
  found.client = (patience = 300) => new Client("http://cards.example", { fetch: send, warn, patience });
  return found;
}

const failed = (code) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
const REFUSED = failed("ECONNREFUSED");
const FOUND = Response.json({ items: [], next: null });
const OVERLOADED = Response.json({ type: "unavailable", status: 503, title: "t" }, { status: 503 });

for (const failure of [REFUSED, new Response("<html>", { status: 502 }), failed("EAI_AGAIN")]) {
  test("a service that has never answered is asked for seconds", async (context) => {
    const service = away(context, failure);
    await assert.rejects(service.client().rulesets());
    assert.ok(service.now < 10_000 && service.attempts > 3);
    assert.equal(service.warnings.length, 1);
    assert.match(service.warnings[0], /^http:\/\/cards.example does not answer \(.+\); trying again$/);
  });
}

test("a service that has answered is asked for minutes", async (context) => {
  const service = away(context, FOUND, failed("ENOTFOUND"), ...Array(6).fill(REFUSED), FOUND);
  const client = service.client();
  await client.rulesets();
  await client.rulesets();
  assert.ok(service.now > 15_000);
  assert.equal(service.warnings.length, 1);
});

test("a service that is overloaded from the first request on is asked for minutes", async (context) => {
  const service = away(context, OVERLOADED);
  await assert.rejects(service.client().rulesets(), problems.Unavailable);
  assert.ok(service.now > 280_000 && service.now < 300_000);
});

test("there is a warning after the second attempt, and one only", async (context) => {
  const service = away(context, REFUSED, FOUND);
  await service.client().rulesets();
  assert.deepEqual(service.warnings, []);
});

test("with endless patience a service is waited for", async (context) => {
  const service = away(context, ...Array(50).fill(REFUSED), FOUND);
  await service.client(Infinity).rulesets();
  assert.equal(service.warnings.length, 1);
  assert.ok(service.now > 300_000);
});

test("a host that does not exist is asked for once", async (context) => {
  for (const patience of [300, Infinity]) {
    const service = away(context, failed("ENOTFOUND"));
    await assert.rejects(service.client(patience).rulesets(), UnknownHost);
    assert.deepEqual([service.attempts, service.now], [1, 0]);
    context.mock.restoreAll();
  }
});

test("a client that registers while it follows goes on as that player", async () => {
  const connections = [];
  class Fake {
    sent = [];
    constructor() {
      connections.push(this);
      queueMicrotask(() => this.onopen());
    }
    send(text) {
      const { id, type, after, token } = JSON.parse(text);
      this.sent.push([type, after ?? token]);
      if (type === "authenticate") return this.onmessage({ data: JSON.stringify({ type: "authenticated", id }) });
      this.onmessage({ data: JSON.stringify({ type: "following", id, game: "skyjo/g", version: after }) });
      this.onmessage({ data: JSON.stringify({ type: "events", game: "skyjo/g", items: [{ version: after + 1 }] }) });
    }
    close() {}
  }
  const send = async () => Response.json({ id: "p", name: "Ann", token: "t" }, { status: 201 });
  const client = new Client("http://test", { fetch: send, WebSocket: Fake, pauses: [0] });
  const events = client.table("skyjo", "g").events();
  assert.equal((await events.next()).value.version, 1);
  await client.register("Ann");
  assert.equal((await events.next()).value.version, 2);
  assert.deepEqual(connections.map(({ sent }) => sent), [[["follow", 0]], [["authenticate", "t"], ["follow", 1]]]);
});

test("a record that was changed is not believed", async () => {
  const { verdict, checks } = await new GameRecord('{"format":"stammtisch-record/1"}').verify();
  assert.deepEqual([verdict, checks[0].name], ["wrong", "shape"]);
});
