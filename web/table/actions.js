/** The rail: what is asked, and the moves that are buttons. */
import { html, nothing } from "../core/html.js";
import { label } from "./card.js";

/**
 * @import { Chip, Model } from "../core/types.js"
 */

/** More chips than these are under "more". */
const MOST = 8;

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
