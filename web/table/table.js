/** The table: a pure function of the model. */

import { html, noChange, nothing } from "../core/html.js";
import { once } from "../core/later.js";
import { label, portrait } from "./card.js";
import { chipped, fold, log, scores } from "./log.js";
import { hand, lanes, others, own, seats } from "./seats.js";
import { piles, row, shelf, token } from "./zone.js";

/** @import { Area, Chip, Message, Model } from "../core/types.js" */

/** Loaded with the first replay. @type {((m: Model) => unknown) | null} */
let scrubber = null;
const scrubbing = once(() => import("./scrubber.js"));

/** The rail, or in a replay the scrubber in its place. @param {Model} m */
function rail(m) {
  if (!m.replay) return actions(m);
  if (scrubber) return scrubber(m);
  const { version } = m.replay;
  scrubbing().then(async (module) => {
    await module.ready;
    scrubber = module.scrubber;
    m.send({ do: "show", version });
  });
  return actions(m);
}

/** Loaded with the first end of a round. @type {typeof import("./sheet.js").paper | null} */
let paper = null;
const scoring = once(() => import("./sheet.js"));

/** The end of a round in place of scores and log. @param {Model} m */
function moment(m) {
  if (!m.sheet || paper) return m.sheet && paper ? paper(m, m.sheet) : nothing;
  const { lowered } = m.sheet;
  scoring().then(async (module) => {
    await module.ready;
    paper = module.paper;
    m.send({ do: "lower", lowered });
  });
  return nothing;
}

/** Where the lamp leans: to the own seat, or to the one of the others whose turn it is. @param {Model} m */
function lamp(m) {
  const rest = others(m), at = rest.findIndex(({ acting }) => acting);
  if (m.chairs.some(({ seat, acting }) => acting && seat === m.you)) return "transform:translateY(24%)";
  return at < 0 ? "" : `transform:translate(${Math.round((at + 0.5) / rest.length * 100) - 50}%,-38%)`;
}

/** The middle, in the order of the description: what is held first, then rows and piles, small zones last. @param {Model} m */
function middle(m) {
  const all = m.table.centre.flatMap((name) => m.areas.filter((area) => area.name === name));
  /** @type {{ kind: string, areas: Area[] }[]} */
  const groups = [];
  for (const area of all) {
    const kind = kindOf(area, m), last = groups.at(-1);
    if (kind !== "shelf" && last?.kind === kind) last.areas.push(area);
    else groups.push({ kind, areas: [area] });
  }
  // What is held has its place also while nothing is held: nothing else moves then.
  if (m.table.grid === "grids" && !groups.some(({ kind }) => kind === "hold")) groups.push({ kind: "hold", areas: [] });
  return html`<section class="centre" aria-label=${m.say("table.centre")}>${
    groups.map(({ kind, areas }) => group(kind, areas, m))
  }</section>`;
}

/** @param {Area} area @param {Model} m */
function kindOf({ zone: { at, token, small, kind } }, { table: { grid } }) {
  if (token) return "trump";
  if (at === "centre") return "hold";
  if (small && grid === "grids") return "market";
  return kind === "pile" ? small ? "heap" : "stock" : "shelf";
}

/** @param {string} kind @param {Area[]} areas @param {Model} m */
function group(kind, areas, m) {
  if (kind === "trump") return areas.map((area) => token(area, m));
  if (kind === "hold") return row(areas, m, "hold");
  if (kind === "market") return html`<figure class="shelf market">${row(areas, m)}</figure>`;
  return kind === "stock" || kind === "heap" ? piles(areas, m, kind) : areas.map((area) => shelf([area], m));
}

/** @param {Model} m */
function cloth(m) {
  if (m.table.grid === "lanes") return html`${hand(m)}${lanes(m)}${middle(m)}`;
  return html`${own(m)}${middle(m)}${seats(m)}`;
}

/** The plan of the table, for the style sheet. @param {Model} m */
function plan(m) {
  const { grid = "plain", zones } = m.table, per = Object.values(zones).filter(({ per }) => per);
  return [
    grid,
    grid === "grids" && per.length > 1 && "act",
    m.aims && "aim",
    m.you === null && "watching",
    m.chairs.length > 4 && "many",
  ].filter(Boolean).join(" ");
}

/** Table, rail and side. @param {Model} m @param {unknown} [proof]  Of a finished game. */
export function table(m, proof = nothing) {
  const brief = m.replay?.brief;
  return html`
    <div class="room ${m.sheet ? "moment" : m.moment ?? ""} ${m.sheet?.lowered
      ? "lowered"
      : ""}" data-cloth=${m.table.cloth ??
      "slate"}>
      <section class="table" aria-label=${m.say("table.table")}><div class="cloth"><i class="lamp" .style=${brief
        ? noChange
        : lamp(m)}></i></div>
          ${rail(m)}<div class="board ${plan(m)}">${cloth(m)}</div>${m.over ?? nothing}${m.curtain
            ? curtain(m)
            : nothing}</section>
      <aside class="side" id="side"
        aria-label=${m.say("table.side")}><button type="button" class="close" aria-label=${m.say(
          "table.close",
        )} @click=${fold}>×</button>
          ${brief ? noChange : m.sheet && !m.sheet.lowered ? moment(m) : m.aside ?? [scores(m), proof, log(m)]}</aside>
    </div>
  `;
}

/** Nothing but the curtain: until a bystander's look has arrived, what is known is a seat's. @param {Model} m */
export const veil = (m) =>
  html`
    <div class="room" data-cloth=${m.table.cloth ?? "slate"}>
      <section class="table">${curtain(m)}</section>
    </div>
  `;

/** @param {Model} m */
function curtain({ curtain: next, say, send }) {
  if (!next) return nothing;
  return html`
    <div class="curtain" role="dialog" aria-modal="true" aria-labelledby="curtain-name">
      <div class="folds" aria-hidden="true"></div>
      <div class="note">
        ${portrait(next.name)}<h2 id="curtain-name">${say("table.curtain", { name: next.name })}</h2>
        <p>${say("table.curtain_hint")}</p></div>
      <div class="sill"><p>${say("table.curtain_only", { name: next.name })}</p><button type="button" class="btn main"
          @click=${() => send({ do: "lift" })}>${say("table.lift", { name: next.name })}</button></div>
    </div>
  `;
}

// --- the rail: what is asked, and the moves that are buttons

/** More buttons than these are not in the rail. */
const MOST = 3;

/** @param {Chip} chip @param {Model} m */
const button = ({ label: text, move, thing, message, main, quiet }, m, cls = "btn") =>
  html`<button type="button" class="${cls} ${main ? "main" : quiet ? "quiet" : ""}" @click=${() =>
    m.send(message ?? (move ? { do: "move", move } : { do: "click", thing: thing ?? "" }))}>${text}</button>`;

/** Fingers cannot point at a card. */
const touch = matchMedia("(hover: none)");

/** What a card does. @param {import("../core/types.js").Place | undefined} place @param {Model} m */
function does(place, m) {
  const key = place && place.card !== null && m.table.face(place.card, m.deck, m.say).caption;
  return key && label(`captions.${key}`, m);
}

/** What the card does that a finger chose, else what is asked, or how a finger learns it; why a move is asked again. @param {Model} m */
export function sentence(m) {
  const { confirm, hint } = m.rail, places = m.areas.flatMap(({ zone, places }) => zone.takes ? [] : places);
  return (confirm && hint) || (m.tapped && does(places.findLast(({ thing }) => thing === m.hover), m)) || hint ||
    (touch.matches && places.some((place) => m.look(place.thing).legal && does(place, m)) ? m.say("ui.hold_card") : "");
}

/** @param {Model} m */
function switches(m) {
  return m.rail.switches.filter(({ values }) => values.length > 1).map(({ field, label: name, value, values }) => {
    if (values.length === 2 && values.every(({ value: each }) => typeof each === "boolean")) {
      return html`
        <button type="button" class="switch" role="switch" aria-checked=${value ? "true" : "false"}
          @click=${() => m.send({ do: "switch", field, value: !value })}><i></i>${name}</button>
      `;
    }
    return html`<select aria-label=${name} @change=${(/** @type {any} */ { target }) =>
      m.send({ do: "switch", field, value: values[target.selectedIndex]?.value })}>${
      values.map((each) => html`<option ?selected=${each.value === value}>${each.label}</option>`)
    }</select>`;
  });
}

/** @param {Model} m @param {Message} message */
const back = (m, message) =>
  html`<button type="button" class="btn quiet" @click=${() => m.send(message)}>${m.say("table.cancel")}</button>`;

/** At most three buttons; more ways to go on are one group of choices, or a list behind a button. @param {Model} m */
function buttons(m) {
  const { chips, cancel, confirm } = m.rail, room = MOST - (cancel ? 1 : 0);
  if (confirm) {
    return html`${back(m, { do: "confirm", yes: false })}<button type="button" class="btn main yes" @click=${() =>
      m.send({ do: "confirm", yes: true })}>${confirm.label}</button>`;
  }
  const ordered = [...chips.filter(({ main }) => !main), ...chips.filter(({ main }) => main)];
  const shown = ordered.length > room ? ordered.slice(0, room - 1) : ordered, more = ordered.slice(shown.length);
  return [
    cancel ? back(m, { do: "cancel" }) : nothing,
    more.length && chips.length <= CHOICE
      ? html`<span class="picks choice" role="group" aria-label=${m.rail.question}>${
        ordered.map((chip) => button(chip, m, ""))
      }</span>`
      : [
        more.length
          ? html`
            <details class="more">
              <summary class="btn quiet">${m.say("table.more", { count: more.length })}</summary>
              <div>${more.map((chip) => button(chip, m))}</div>
            </details>
          `
          : nothing,
        shown.map((chip) => button(chip, m)),
      ],
  ];
}

/** Choices that stand side by side. */
const CHOICE = 4;

/** What is paid of a price. @param {[number, number]} meter @param {Model} m */
const gauge = ([paid, price], { say }) =>
  html`<p class="meter" aria-hidden="true" .style=${`--part:${
    Math.min(100, Math.round(paid / Math.max(price, 1) * 100))
  }%`}>${say("table.paid", { paid, price })}<i></i></p>`;

/** @param {Model} m */
export function actions(m) {
  const { question, deed, busy, meter, mover = null } = m.rail, below = sentence(m);
  const chair = m.chairs.find(({ seat }) => seat === mover);
  return html`
    <footer class="rail ${busy ? "busy" : ""}">${chair ? portrait(chair.name, chair.face) : nothing}
      <p class="ask" tabindex="-1" title=${[question, below].filter(Boolean).join(
        ". ",
      )}><strong>${deed ? chipped(deed) : question}${!deed && chair?.presence === "away"
        ? html`<time data-since=${chair.since}></time>`
        : nothing}</strong>${below ? html`<span>${below}</span>` : nothing}</p>${meter ? gauge(meter, m) : nothing}
      <div class="switches">${switches(m)}</div>
      <div class="buttons">${buttons(m)}</div>
    </footer>
  `;
}
