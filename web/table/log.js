/** What happened, and the scores: what lies beside the table on paper. */
import { html, nothing } from "../core/html.js";
import { minus } from "../core/talk.js";
import { sign } from "./card.js";

/**
 * @import { Line, Model } from "../core/types.js"
 */

/** A sentence with its cards as small cards. @param {Line["parts"]} parts */
export const chipped = (parts) =>
  parts.map((part) =>
    typeof part === "string"
      ? part
      : html`<i class="chip ${part.tint ?? ""}">${part.name}${part.pips.map((pip) => sign(pip))}</i>`
  );

/** Arrows lead from line to line; Tab leads to one of them. @param {KeyboardEvent} event */
function walked(event) {
  const line = event.target instanceof Element ? event.target.closest("li") : null;
  const next = event.key === "ArrowDown"
    ? line?.nextElementSibling
    : event.key === "ArrowUp"
    ? line?.previousElementSibling
    : null;
  if (!next) return;
  event.preventDefault();
  next.querySelector("button")?.focus();
}

/** @param {Line} line @param {number} shown @param {number} last @param {number | undefined} stop  Where Tab leads. @param {Model} m */
function entry({ version, who, text, parts, mark }, shown, last, stop, m) {
  const state = version > shown ? "future" : version === last ? "now" : "";
  const sentence = html`${
    who
      ? html`
        <b>${who}</b>
      `
      : nothing
  }${chipped(parts)}`;
  return html`<li class="${state} ${mark ? "mark" : ""}" aria-current=${state === "now" ? "true" : nothing}>
    <button type="button" tabindex=${version === stop ? "0" : "-1"} aria-label=${`${who} ${text}`.trim()} @click=${() =>
    m.send({ do: "show", version })}>${sentence}</button></li>`;
}

/**
 * The number of lines that are drawn before and after the current line: a long log costs more than the table. The first
 * line changes in steps, so that most moves leave the lines where they are.
 */
const BEFORE = 40, AFTER = 20, STEP = 20;

/** @param {Model} m */
export function log(m) {
  const shown = m.replay?.version ?? Infinity, at = m.log.findLastIndex(({ version }) => version <= shown);
  const begin = Math.max(0, Math.floor((at - BEFORE) / STEP) * STEP), first = begin ? m.log[begin] : undefined;
  const last = m.log[at]?.version ?? -1, lines = m.log.slice(begin, at + AFTER);
  const stop = at < 0 ? lines[0]?.version : last;
  return html`
    <section class="panel log-panel">
      <h2>${m.say("table.log")}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label=${m.say("table.log")}>
        ${first
          ? html`
            <button type="button" class="earlier" @click=${() => m.send({ do: "show", version: first.version })}>${m
              .say("table.earlier")}</button>
          `
          : nothing}
        <ol class="log" @keydown=${walked}>${lines.map((line) => entry(line, shown, last, stop, m))}</ol>
      </div>
    </section>
  `;
}

/** The side is a sheet on small screens. */
export function unfold() {
  const side = document.getElementById("side");
  side?.setAttribute("data-open", "");
  /** @type {HTMLElement | null | undefined} */ (side?.querySelector(".close"))?.focus();
}

export function fold() {
  document.getElementById("side")?.removeAttribute("data-open");
  /** @type {HTMLElement | null} */ (document.querySelector("[aria-controls=side]"))?.focus();
}

/** @param {Model} m */
export function scores(m) {
  const { heads, rows, note } = m.scores;
  if (!rows.length) return nothing;
  return html`
    <section class="panel">
      <h2>${m.say("table.scores")} <small>${note}</small></h2>
      <div class="wide-table">
        <table class="scores">
          <thead>
            <tr><th scope="col">${m.say("table.seat")}</th>${heads.map((head) =>
              html`<th scope="col">${head}</th>`
            )}<th scope="col">${m.say("table.sum")}</th></tr>
          </thead>
          <tbody>${rows.map(({ name, cells, parts, sum, best }) =>
            html`<tr class=${best ? "lead" : ""}><th scope="row">${name}</th>${
              [...cells, ...parts].map((cell) => html`<td>${minus(cell)}</td>`)
            }<td>${minus(sum)}</td></tr>`
          )}</tbody>
        </table>
      </div>
    </section>
  `;
}
