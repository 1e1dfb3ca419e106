/**
 * A deal that many play: that of the day (`day`), or of a link from a friend (`same?id=ID`). `same?from=RULESET/ID` offers
 * a new deal with the seats of a game that is over, `same?ruleset=NAME` one with the usual seats of the house.
 */

import { html, nothing, render } from "../core/html.js";
import { houseNames, offeredBots, strengthOf, usualBot } from "../core/house.js";
import { identity, random } from "../core/identity.js";
import { later } from "../core/later.js";
import { portrait, strength } from "../table/card.js";
import { tableOf } from "../tables/index.js";
import { announce, api, bar, begin, byId, emptied, entitle, explained, memory, ruleset, tongue } from "./page.js";

/**
 * @import { Schemas } from "../core/types.js"
 * @typedef {Schemas["PairingResource"]} Pairing
 * @typedef {Pairing["tables"][number]} Table
 */

const say = await begin("same.");
const query = new URLSearchParams(location.search);
const daily = /\/day$/.test(location.pathname);
const code = location.hash.slice(1);
const PAGE = 50;
/** A list of at most `FEW` tables is shown whole; of a longer one the first `FIRST`, the own one with its neighbours, and the last. */
const FEW = 12, FIRST = 5;
/** The number of results from which they are drawn as bars, and the largest number of bars. */
const FEWEST = 3, BARS = 12;

/** @type {Pairing | null} */
let deal = null;
/** The games that can be chosen: that have a deal of the day, or that a friend can be challenged to. @type {{ id?: string, ruleset: string }[]} */
let days = [];
/** Titles and cloths of their games, and the labels of their bots. @type {Map<string, { title: string, cloth: string, bots: any }>} */
const games = new Map();
/** Whether no game has a deal of the day. */
let none = false;
/** The list and its part that are shown; null: those around the user. @type {{ standing: string, start: number } | null} */
let part = null;
/** Whether all tables of the list are shown, also of a long one. */
let all = false;
let link = "";
let wrong = "";
/** The game whose seats a new deal has, or what one of the usual seats has of it. @type {any} */
let from = null;
/** By seat, for a new deal: `me` and the house. @type {string[]} */
let seats = [];
/** The seats at a table that no game came before, where the rules allow it. */
const SEATS = 3;
/** Where the own table and another one differ first. @type {import("./parting.js").Parting | null} */
let parting = null;
/** @type {typeof import("./parting.js") | null} */
let partings = null;
/** What this browser has checked. @type {import("./dealt.js").Verdict | null} */
let verdict = null;
/** @type {typeof import("./dealt.js") | null} */
let proofs = null;

/** Access by the code of the link: it is never in a URL that is logged. */
const headers = { Invite: code || null };

/** @param {string} name @param {any} [labels]  Of the ruleset in the language of the user, if they are known. */
async function known(name, labels) {
  const [own, table] = await Promise.all([labels ?? ruleset(name).then(({ own }) => own), tableOf(name)]);
  games.set(name, { title: own.title, cloth: table?.cloth ?? "slate", bots: own.bots });
}

async function start() {
  if (daily) {
    const day = new Date(Date.now() + api.skew).toISOString().slice(0, 10);
    days = (await api.request("pairings", { query: { day: query.get("day") ?? day } })).body.items;
    await Promise.all(days.map(({ ruleset: name }) => known(name)));
  }
  if (!daily && !query.get("id")) return await offering();
  const chosen = days.find(({ ruleset: name }) => name === query.get("ruleset")) ?? days[0];
  await load(daily ? chosen?.id : query.get("id") ?? "");
  if (deal && !daily && deal.state === "open") await follow(deal.id);
}

/** Offers a new deal, with the seats of a game or the usual ones. */
async function offering() {
  const path = query.get("from");
  if (path) {
    from = (await api.request(`games/${path}`)).body;
    await known(from.ruleset);
  } else {
    const all = /** @type {Schemas["RulesetListed"][]} */ ((await api.request("rulesets")).body.items);
    days = all.map(({ name }) => ({ ruleset: name }));
    await Promise.all(all.map(({ name, labels }) => known(name, labels[tongue] ?? labels["en"])));
    const chosen = all.find(({ name }) => name === query.get("ruleset")) ?? all[0];
    if (!chosen) return draw();
    const { least, most } = chosen.seats;
    from = { ruleset: chosen.name, seats: Array(Math.min(Math.max(least, SEATS), most)).fill({}) };
  }
  seats = await places();
  draw();
}

/** Shows results when they are there. @param {string} id */
async function follow(id) {
  const { channelOf } = await later(() => import("../core/channel.js"));
  channelOf(api, memory).follow({
    subject: "pairing",
    request: () => ({ type: "follow_pairing", pairing: id, invite: code || null }),
    heard: ({ type }) => {
      if (type === "pairing") load();
    },
  });
}

/** @param {string | undefined} id */
async function load(id = deal?.id) {
  if (!id) {
    none = true;
    return void draw();
  }
  try {
    deal = /** @type {Pairing} */ ((await api.request(`pairings/${id}`, { headers, query: part ?? {} })).body);
    if (!games.has(deal.ruleset)) await known(deal.ruleset);
    wrong = "";
  } catch (error) {
    wrong = explained(error, say);
  }
  draw();
  if (deal?.deal?.secret && !parting) await compare(deal);
}

/** Where the own table, or the best one, and the best of the others differ. @param {Pairing} deal */
async function compare(deal) {
  const tables = deal.tables.filter(({ invite, points }) => invite && points);
  const own = tables.find(({ game }) => deal.you && game === deal.you.game) ?? tables[0];
  const other = tables.find((each) => each !== own);
  if (!own || !other) return;
  try {
    partings = await later(() => import("./parting.js"));
    parting = await partings.parted(deal, [own, other], code || null, say);
    draw();
  } catch {
    // The page says everything else.
  }
}

/** Checks the records of the tables. */
async function check() {
  if (!deal) return;
  try {
    proofs = await later(() => import("./dealt.js"));
    verdict = await proofs.checked(deal);
  } catch (error) {
    wrong = explained(error, say);
  }
  draw();
}

/** Takes the user to their table. */
async function play() {
  try {
    if (!deal || !(await (await later(() => import("./forms.js"))).someone(say))) return;
    const { body } = await api.request(`pairings/${deal.id}/tables`, { method: "POST", headers });
    location.href = tableAt(body.game);
  } catch (error) {
    wrong = explained(error, say);
    announce(wrong, "assertive");
    draw();
  }
}

/** By seat, for a new deal: `me` and the house. It chooses at once, and takes the seats of other people. */
async function places() {
  const { ruleset: name, seats } = from ?? deal, quick = offeredBots((await ruleset(name)).bots, true);
  const all = from ? from.seats : deal?.tables[0]?.seats ?? deal?.places.map((bot) => ({ bot }));
  const bots = (all ?? Array(seats).fill({})).map((/** @type {any} */ { bot }) =>
    quick.includes(bot) ? bot : usualBot(quick)
  );
  const own = from ? from.you ?? 0 : Math.max(0, deal?.places.indexOf("me") ?? 0);
  return bots.with(own, "me");
}

/** A new deal for the user and a friend, against the same seats of the house. */
async function challenge() {
  try {
    if (!(await (await later(() => import("./forms.js"))).someone(say))) return;
    const { ruleset: name } = from ?? deal, deck = from ? from.deck?.name : deal?.deck;
    const { body } = await api.request("pairings", {
      method: "POST",
      headers: { "Idempotency-Key": random() },
      body: { ruleset: name, deck, deal: "same", seats: from ? seats : await places(), most: 2 },
    });
    location.href = `same?id=${body.id}#${body.code}`;
  } catch (error) {
    wrong = explained(error, say);
    announce(wrong, "assertive");
    draw();
  }
}

async function copy() {
  if (!deal) return;
  link = new URL(`same?id=${deal.id}#${deal.code ?? code}`, document.baseURI).href;
  await navigator.clipboard?.writeText(link).then(() => announce(say("same.copied")), () => {});
  draw();
}

/** The page of a game. @param {string} path @param {string} [invite] */
const tableAt = (path, invite = "") => `table?g=${path.replace("/v1/games/", "")}${invite && `#invite=${invite}`}`;

/** @param {number | null | undefined} value */
const signed = (value) =>
  value == null
    ? "–"
    : new Intl.NumberFormat(tongue, { signDisplay: "exceptZero", maximumFractionDigits: 1 }).format(value)
      .replace("-", "−");

/** @param {number | null | undefined} value */
const share = (value) => value == null ? "–" : new Intl.NumberFormat(tongue, { style: "percent" }).format(value);

function draw() {
  const found = games.get((deal ?? from)?.ruleset), title = found?.title ?? "";
  const name = deal
    ? say(deal.day ? "same.day" : "same.challenge_title", { title })
    : from
    ? say("same.challenge")
    : "";
  entitle(name ? `${name} · Stammtisch` : "Stammtisch");
  bar(say, { here: daily ? "day" : "same" });
  render(
    html`<div class="deal" data-cloth=${found?.cloth ?? "slate"}>
      ${wrong ? html`<p class="wrong panel" role="alert">${wrong}</p>` : nothing}
      ${
      deal ? whole(deal, name) : from ? offer(title) : none ? html`<p class="panel">${say("same.none")}</p>` : nothing
    }</div>`,
    emptied(byId("main")),
  );
}

/** A new deal with the seats of a game, or the usual ones. @param {string} title */
const offer = (title) =>
  html`
    ${days.length > 1 ? choice(from) : nothing}
    <section class="lead">
      <div>
        <p>${title}</p>
        <h1>${say("same.challenge")}</h1>
        <p>${say(from.id ? "same.new_cards" : "same.both")}</p>
        <div class="cta"><button type="button" class="btn main" @click=${challenge}>${say(
          "same.challenge_new",
        )}</button></div>
      </div>
      ${house({ ruleset: from.ruleset, places: seats })}
    </section>
  `;

/** @param {Pairing} deal @param {string} name */
function whole(deal, name) {
  const isOver = deal.state === "over";
  return html`
    ${days.length > 1 ? choice(deal) : nothing}
    <section class="lead">
      <div>
        <p>${[deal.day ? date(deal.day) : deal.name, isOver && say("same.over")].filter(Boolean).join(" · ")}</p>
        <h1>${name}</h1>
        ${isOver ? nothing : html`<p>${say(deal.day ? "same.day_how" : "same.invited")}</p>`}
        <div class="cta">${act(deal)}</div>
      </div>
      ${house(deal)}
    </section>
    <div class="cols">
      <section class="panel"><h2>${say("same.everybody")}</h2>${results(deal)}</section>
      <div class="side">${groups(deal)}${after(deal)}</div>
    </div>
    ${parting && partings ? partings.shown(parting, say) : nothing}
    ${proof(deal)}
  `;
}

/** @param {{ ruleset: string }} deal */
const choice = (deal) =>
  html`<nav class="tabs" aria-label=${say("same.games")}>${
    days.map(({ ruleset: name }) =>
      html`<a class="btn small quiet" href=${`${daily ? "day" : "same"}?ruleset=${name}`} aria-current=${
        name === deal.ruleset ? "page" : nothing
      }>${games.get(name)?.title}</a>`
    )
  }</nav>`;

/** @param {string} day */
const date = (day) =>
  new Intl.DateTimeFormat(tongue, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
    .format(new Date(`${day}T12:00:00Z`));

/** @param {Pairing} deal */
const isOpen = ({ state }) => state === "open" || state === "planned";

/** Milliseconds. From then on a weekday alone can be today's. */
const DAY = 24 * 60 * 60 * 1000;

/** What the user can do: play, go on, or see how it went. @param {Pairing} deal */
function act(deal) {
  const { you } = deal, own = deal.tables.find(({ game }) => you && game === you.game);
  const compared = you?.seat == null ? null : own?.compared?.[you.seat];
  if (you && (you.status === "running" || you.status === "waiting")) {
    return html`<a class="btn main" href=${tableAt(you.game)}>${say("same.go_on")}</a>`;
  }
  if (you) {
    const { place, field: count, points } = compared ?? {};
    const streak = (you.streak ?? 0) > 1 ? say("same.streak", { count: you.streak }) : "";
    return html`
      ${points == null
        ? nothing
        : html`<b>${
          say((count ?? 0) > 1 ? "same.headline" : "same.headline_alone", { points: signed(points), place, count })
        }</b>`}
      <a class="btn" href=${tableAt(you.game)}>${say("same.your_game")}</a>
      ${streak ? html`<span>${streak}</span>` : nothing}
    `;
  }
  const far = Date.parse(deal.closes_at) - Date.now() > DAY;
  const time = new Intl.DateTimeFormat(tongue, {
    hour: "numeric",
    minute: "numeric",
    weekday: "short",
    ...(far ? { day: "numeric", month: "short" } : {}),
  });
  return isOpen(deal)
    ? html`<button type="button" class="btn main" @click=${play}>${say("same.play")}</button><span>${
      say("same.ends", { time: time.format(new Date(deal.closes_at)) })
    }</span>`
    : html`<span>${say("same.closed")}</span>`;
}

/** The seats of the house. @param {{ ruleset: string, places: string[] }} deal */
function house(deal) {
  const bots = deal.places.map((each) => each === "me" ? null : each),
    names = houseNames(bots, games.get(deal.ruleset)?.bots);
  const found = bots.flatMap((bot, seat) => bot ? [{ name: names[seat] ?? "", how: strengthOf(bot) }] : []);
  return found.length
    ? html`<ul class="house">${
      found.map(({ name, how }) => html`<li>${portrait(name, true)}${name}${how ? strength(how, say) : nothing}</li>`)
    }</ul>`
    : nothing;
}

/** @param {Pairing} deal */
function results(deal) {
  const lists = deal.day
    ? html`<nav class="tabs" aria-label=${say("same.list")}>${
      ["people", "guests", "bots"].map((each) =>
        html`<button type="button" aria-pressed=${each === deal.standing} @click=${() => {
          part = { standing: each, start: 0 };
          load();
        }}>${say(`same.${each}`)}</button>`
      )
    }</nav>`
    : nothing;
  if (deal.results === null) {
    return html`<p>${say("same.hidden")}</p>${deal.day || !deal.tables.length ? nothing : table(deal)}`;
  }
  const shown = (part?.start ?? 0) + deal.tables.length, more = deal.listed !== null && shown < (deal.listed ?? 0);
  return html`
    ${lists}${table(deal)}${isAlone(deal) ? html`<p>${say("same.waiting")}</p>` : nothing}${more && part
      ? html`<p><button type="button" class="btn small" @click=${() => {
        part = { standing: deal.standing ?? "people", start: (part?.start ?? 0) + PAGE };
        load();
      }}>${say("same.more")}</button></p>`
      : nothing}<details>
      <summary>${say("same.how")}</summary>
      <p class="soft">${say("same.explained")}</p>
    </details>
        <p class="soft">${say("same.little")}</p>${deal.you?.week?.days
          ? html`<p>${say("same.week", { count: deal.you.week.days, share: share(deal.you.week.ahead_of) })}</p>`
          : nothing}
  `;
}

/** Whether the user waits for the result of somebody else. @param {Pairing} deal */
const isAlone = (deal) => !deal.day && isOpen(deal) && deal.results === 1;

/** @param {Pairing} deal */
const table = (deal) =>
  html`
    <div class="wide-table" tabindex="0" role="region" aria-label=${say("same.everybody")}>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col"><span class="vh">${say("same.place")}</span></th>
            <th scope="col">${say("same.player")}</th>
            <th scope="col">${say("same.points")}</th>
            <th scope="col" class="wide">${say("same.field")}</th>
            <th scope="col">${say("same.ahead")}</th>
            <th scope="col"><span class="vh">${say("same.watch")}</span></th>
          </tr>
        </thead>
        <tbody>${some(ordered(deal), deal)}</tbody>
      </table>
    </div>
  `;

/** The tables by their best place; those without a result come last. The deal of the day is sent so. @param {Pairing} deal */
function ordered({ day, tables }) {
  /** @param {Table} table */
  const place = ({ compared }) =>
    Math.min(...(compared ?? []).map((each) => each?.points == null ? Infinity : each.place), Number.MAX_VALUE);
  return day ? tables : tables.toSorted((one, other) => place(one) - place(other));
}

/** The rows of the tables; a long list has buttons where it leaves out some. @param {Table[]} tables @param {Pairing} deal */
function some(tables, { you }) {
  if (all || tables.length <= FEW) return tables.flatMap(rows);
  const own = tables.findIndex(({ game }) => you && game === you.game);
  const shown = tables.map((_, at) => at < FIRST || at === tables.length - 1 || own >= 0 && Math.abs(at - own) <= 1);
  return tables.flatMap((each, at) => shown[at] ? rows(each) : shown[at - 1] ? [gap()] : []);
}

const gap = () =>
  html`
    <tr>
      <td colspan="6"
        class="gap"><button type="button" aria-label=${say("same.all")} @click=${() => {
          all = true;
          draw();
        }}>…</button></td>
    </tr>
  `;

/** A row for each player at a table. @param {Table} table */
function rows(table) {
  const me = identity(memory)?.id;
  return table.seats.filter(({ bot }) => !bot).map(({ seat, player }) => {
    const compared = table.compared?.[seat], points = table.points?.[seat];
    const state = table.status === undefined
      ? nothing
      : table.status === "running"
      ? say("same.running")
      : points === undefined || points === null
      ? say("same.left")
      : nothing;
    const name = player?.id === me ? say("same.you") : player?.name ?? "–";
    return html`
      <tr class=${player?.id === me ? "me" : ""}>
        <td>${compared?.points == null ? "" : compared.place}</td>
        <th scope="row">${player?.name
          ? portrait(player.name, player.face ?? false)
          : nothing} ${name} ${state === nothing ? nothing : html`<small>${state}</small>`}</th>
        <td>${points == null ? "–" : signed(points)}</td>
        <td class="wide">${signed(compared?.gained)}</td>
        <td>${share(compared?.ahead_of)}</td>
        <td>${table.invite && table.game
          ? html`<a href=${tableAt(table.game, table.invite)} aria-label=${`${say("same.watch")}: ${name}`}>${
            say("same.watch")
          }</a>`
          : nothing}</td>
      </tr>
    `;
  });
}

/** How many had how many points, in parts of equal width. @param {Pairing} deal */
function groups({ groups: found = [], you, tables }) {
  if (found.reduce((sum, { tables: n }) => sum + n, 0) < FEWEST) return nothing;
  const values = found.map(({ points }) => points), least = Math.min(...values), most = Math.max(...values);
  const width = Math.ceil((most - least + 1) / BARS), bars = Array(Math.ceil((most - least + 1) / width)).fill(0);
  /** @param {number} points */
  const at = (points) => Math.floor((points - least) / width);
  for (const { points, tables: n } of found) bars[at(points)] += n;
  const own = tables.find(({ game }) => you && game === you.game), highest = Math.max(...bars);
  const mine = you?.seat == null ? null : own?.points?.[you.seat];
  return html`
    <section class="panel">
      <h2>${say("same.groups")}</h2>
      <ul class="bars" aria-hidden="true">${bars.map((n, index) =>
        html`<li class=${mine != null && at(mine) === index ? "me" : ""} .style=${`--v: ${
          Math.round((100 * n) / highest)
        }%`}></li>`
      )}</ul>
      <p class="axis"><span>${signed(least)}</span>${mine == null
        ? nothing
        : html`<b>${say("same.you")}: ${signed(mine)}</b>`}<span>${signed(most)}</span></p>
    </section>
  `;
}

/** The link for a friend, while there is a place for one; or a new challenge. @param {Pairing} deal */
function after(deal) {
  const open = isOpen(deal) && !deal.day, room = deal.count + (deal.you ? 0 : 1) < (deal.most ?? 0);
  const ready = open && room && Boolean(deal.code || code);
  return open && !ready ? nothing : html`<section class="panel"><h2>${say("same.challenge")}</h2>
    <p class="soft">${say(ready ? "same.send_how" : "same.challenge_how")}</p>
    ${
    ready
      ? html`<button type="button" class="btn main" @click=${copy}>${say("same.copy")}</button>${
        link ? html`<code>${link}</code>` : nothing
      }`
      : html`<button type="button" class="btn main" @click=${challenge}>${say("same.challenge_new")}</button>`
  }</section>`;
}

/** @param {Pairing} deal */
const proof = ({ deal, next, day }) =>
  deal
    ? html`<section class="panel"><h2>${say("same.proof")}</h2>
      <p>${
      deal.secret ? say("same.opened", { secret: deal.secret }) : say("same.fixed", { hash: deal.commitment })
    }</p>${next ? html`<p>${say("same.next", { hash: next.commitment })}</p>` : nothing}
      ${
      deal.secret
        ? html`<p><button type="button" class="btn small" @click=${check}>${say("same.check")}</button></p>${
          verdict && proofs ? proofs.shown(verdict, say) : nothing
        }`
        : nothing
    }
      ${day ? html`<p class="soft">${say("same.no_prizes")}</p>` : nothing}</section>`
    : nothing;

draw();
start().catch((error) => {
  wrong = explained(error, say);
  draw();
});
