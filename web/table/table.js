/** The table: a pure function of the model. */

import { html, noChange, nothing } from "../core/html.js";
import { label } from "./card.js";
import { fold, log, scores, ticker } from "./log.js";
import { hand, lanes, others, own, seats } from "./seats.js";
import { zone } from "./zone.js";

/** @import { Area, Chip, Model } from "../core/types.js" */

/** Loaded with the first replay. @type {((m: Model) => unknown) | null} */
let scrubber = null;

/** The rail, or in a replay the scrubber in its place. @param {Model} m */
function rail(m) {
  if (!m.replay) return actions(m);
  if (scrubber) return scrubber(m);
  const { version } = m.replay;
  import("./scrubber.js").then(async (module) => {
    await module.ready;
    scrubber = module.scrubber;
    m.send({ do: "show", version });
  });
  return actions(m);
}

/** Where the lamp leans: to the own seat, or to the one of the others whose turn it is. @param {Model} m */
function lamp(m) {
  const rest = others(m), at = rest.findIndex(({ acting }) => acting);
  if (m.chairs.some(({ seat, acting }) => acting && seat === m.you)) return "transform:translateY(24%)";
  return at < 0 ? "" : `transform:translate(${Math.round((at + 0.5) / rest.length * 100) - 50}%,-38%)`;
}

/** The zones of the middle in their order. @param {Model} m @returns {Area[]} */
const centre = (m) => m.table.centre.flatMap((name) => m.areas.filter((area) => area.name === name));

/** The middle; beside a layout small zones lie on the other side of it. @param {Model} m */
function middle(m) {
  const all = centre(m), aside = m.table.grid === "grids" ? all.filter(({ zone: { small } }) => small) : [];
  /** @param {Area[]} shown @param {string} cls */
  const section = (shown, cls) =>
    html`<section class=${cls} aria-label=${m.say(cls === "market" ? "table.market" : "table.centre")}>${
      shown.map((area) => zone(area, m))
    }</section>`;
  const main = section(all.filter((area) => !aside.includes(area)), m.table.grid === "lanes" ? "stack" : "centre");
  return aside.length ? [main, section(aside, "market")] : main;
}

/** @param {Model} m */
function cloth(m) {
  if (m.table.grid === "lanes") return html`<div class="lanes">${middle(m)}${lanes(m)}</div>${hand(m)}`;
  return html`${seats(m)}${middle(m)}${own(m)}`;
}

/** Table, rail and side. @param {Model} m @param {unknown} [proof]  Of a finished game. */
export function table(m, proof = nothing) {
  const plan = m.table.grid === "lanes" ? "in-lanes" : m.table.grid ?? "hands",
    watching = m.you === null ? "watching" : "",
    brief = m.replay?.brief;
  return html`<div class="room" data-cloth=${m.table.cloth ?? "slate"}>${brief ? noChange : ticker(m)}
    <section class="table ${plan} ${watching}" aria-label=${
    m.say("table.table")
  }><div class="cloth"><i class="lamp" .style=${brief ? noChange : lamp(m)}></i></div>
      ${cloth(m)}${rail(m)}${m.curtain ? curtain(m) : nothing}</section>
    <aside class="side" id="side" aria-label=${m.say("table.side")}><button type="button" class="close" aria-label=${
    m.say("table.close")
  } @click=${fold}>×</button>
      ${brief ? noChange : [scores(m), proof, log(m)]}</aside></div>`;
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
        <h2 id="curtain-name">${say("table.curtain", { name: next.name })}</h2><p>${say("table.curtain_hint")}</p>
        <button type="button" class="btn main" @click=${() => send({ do: "lift" })}>${say("table.lift", {
          name: next.name,
        })}</button></div>
    </div>
  `;
}

// --- the rail: what is asked, and the moves that are buttons

/** More chips than these are under "more". */
const MOST = 3;

/** @param {Chip} chip @param {Model} m */
const button = ({ label: text, move, thing, message, main }, m) =>
  html`<button type="button" class="btn ${main ? "main" : ""}" @click=${() =>
    m.send(message ?? (move ? { do: "move", move } : { do: "click", thing: thing ?? "" }))}>${text}</button>`;

/** What the card under the pointer does, else what is asked. @param {Model} m */
export function sentence(m) {
  const place = m.hover
    ? m.areas.flatMap(({ places }) => places).findLast(({ thing }) => thing === m.hover)
    : undefined;
  const key = place && place.card !== null ? m.table.face(place.card, m.deck, m.say).caption : undefined;
  return (key && label(`captions.${key}`, m)) || m.rail.hint;
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
    return html`<span class="picks" role="group" aria-label=${name}>${
      values.map((each) =>
        html`
          <button type="button" aria-pressed=${each.value === value ? "true" : "false"}
            @click=${() => m.send({ do: "switch", field, value: each.value })}>${each.label}</button>
        `
      )
    }</span>`;
  });
}

/** @param {Model} m */
function confirming({ rail, send, say }) {
  return html`<div class="buttons"><button type="button" class="btn quiet" @click=${() =>
    send({ do: "confirm", yes: false })}>${say("table.no")}</button>
    <button type="button" class="btn main" @click=${() =>
    send({ do: "confirm", yes: true })}>${rail.confirm?.label}</button></div>`;
}

/** @param {Model} m */
function buttons(m) {
  const { chips, cancel } = m.rail,
    ordered = [...chips.filter(({ main }) => !main), ...chips.filter(({ main }) => main)];
  const shown = ordered.length > MOST ? ordered.slice(0, MOST - 1) : ordered, more = ordered.slice(shown.length);
  if (!shown.length && !cancel) return nothing;
  return html`<div class="buttons">
    ${
    cancel
      ? html`<button type="button" class="btn quiet" @click=${() => m.send({ do: "cancel" })}>${
        m.say("table.cancel")
      }</button>`
      : nothing
  }
    ${
    more.length
      ? html`
        <details class="more">
          <summary class="btn quiet">${m.say("table.more", { count: more.length })}</summary>
          <div>${more.map((chip) => button(chip, m))}</div>
        </details>
      `
      : nothing
  }
    ${shown.map((chip) => button(chip, m))}</div>`;
}

/** @param {Model} m */
export function actions(m) {
  const { question, confirm, busy } = m.rail, below = sentence(m);
  return html`<footer class="rail ${busy ? "busy" : ""}"><p><strong>${question}</strong>${
    below ? html`<span>${below}</span>` : nothing
  }</p>
    ${confirm ? confirming(m) : html`${switches(m)}${buttons(m)}`}</footer>`;
}
