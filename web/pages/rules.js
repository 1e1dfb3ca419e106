/** The rules of a game: for people, what its cards do, and the numbered rules. Loaded when they are opened. */

import { html, nothing, styled } from "../core/html.js";
import { file, later } from "../core/later.js";
import { drawBack, drawFace } from "../table/card.js";
import { rulesOf } from "../tables/index.js";
import { dialog } from "./forms.js";
import { more, tongue } from "./page.js";

await more();

/**
 * @import { State } from "../core/model.js"
 * @typedef {Pick<State, "ruleset" | "table" | "deck" | "labels" | "say">} Known  What the rules are drawn with.
 *
 * @typedef {Record<string, string>} Text  By language.
 * @typedef {{ cards?: any[], lay?: "column", marked?: number[], number?: string, sign?: "then" | "or", label?: Text }} Part
 *   Of a picture: cards (null: a back, "": an empty place), a number, or what stands between them.
 * @typedef {{ title: Text, text: Text, rules: string[], picture: Part[] }} Box
 * @typedef {string | [string, any] | [string, string, any]} Span
 * @typedef {Record<string, any>} Block  A paragraph, a list, a table or text as it is (tests/docs/rulebooks.py).
 */

/** @param {Span[]} all @returns {unknown} */
const spans = (all) => all.map(span);

/** @param {Span} found */
function span(found) {
  if (typeof found === "string") return found;
  const [kind, text, inside] = found;
  switch (kind) {
    case "a":
      return html`<a href="#${text}" @click=${follow}>${spans(inside)}</a>`;
    case "b":
      return html`<b>${spans(text)}</b>`;
    case "i":
      return html`<i>${spans(text)}</i>`;
    default:
      return html`<code>${text}</code>`;
  }
}

/** @param {Block[][]} items */
const items = (items) => items.map((each) => html`<li>${each.map(block)}</li>`);

/** @param {Block} found @returns {unknown} */
function block({ p, id, h, ul, ol, head, rows, pre }) {
  if (p) return html`<p id=${id ?? nothing} tabindex=${id ? "-1" : nothing}>${spans(p)}</p>`;
  if (h) return html`<h4>${spans(h)}</h4>`;
  if (ul) return html`<ul>${items(ul)}</ul>`;
  if (ol) return html`<ol>${items(ol)}</ol>`;
  if (pre) return html`<pre tabindex="0">${pre}</pre>`;
  return html`
    <div class="wide-table" tabindex="0" role="region" aria-label=${head.flat(3).join(" ")}>
      <table>
        <thead>
          <tr>${head.map((/** @type {Span[]} */ cell) => html`<th scope="col">${spans(cell)}</th>`)}</tr>
        </thead>
        <tbody>${rows.map((/** @type {Span[][]} */ row) =>
          html`<tr>${row.map((cell) => html`<td>${spans(cell)}</td>`)}</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

/** Opens the section of a rule that another one names, and leads there. @param {Event} event */
function follow(event) {
  event.preventDefault();
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  const rule = document.getElementById(link.hash.slice(1));
  for (let at = rule?.closest("details"); at; at = at.parentElement?.closest("details")) at.open = true;
  rule?.scrollIntoView({ block: "start" });
  rule?.focus();
}

/** Shows the rules with all these words; without any, the sections. @param {Event} event */
function filter({ currentTarget }) {
  const field = /** @type {HTMLInputElement} */ (currentTarget), words = field.value.toLowerCase().split(/\s+/);
  const sections = [...field.closest(".rulebook")?.querySelectorAll("details") ?? []];
  for (const section of sections.reverse()) { // those within another one first
    let any = false;
    for (const part of section.querySelectorAll(":scope > :not(summary, ul.deck), .deck > li")) {
      const text = part.textContent?.toLowerCase() ?? "", holds = part.querySelector("details") !== null;
      const found = holds
        ? part.querySelector("details:not([hidden])") !== null
        : words.every((word) => text.includes(word));
      part.toggleAttribute("hidden", !found);
      any ||= found;
    }
    section.toggleAttribute("hidden", !any);
    section.open = any && field.value !== "";
  }
}

/** A text in the user's language. @param {Text | undefined} text */
const told = (text) => text?.[tongue] ?? text?.["en"] ?? "";

/** @param {any} card @param {boolean} marked @param {Known} known */
function cardOf(card, marked, { table, deck, say }) {
  const name = say(card === null ? "cards.back" : "cards.empty"),
    mark = marked ? html`<i class="corners"></i>` : nothing;
  if (card === "") return html`<span class="card empty" role="img" aria-label=${name}></span>`;
  return html`<span class="card ${marked ? "last" : ""} ${card === null ? "is-back" : ""}" role="img" aria-label=${
    card === null ? name : table.name(card, say, deck)
  }>${card === null ? drawBack(table.weave ?? "rings") : drawFace(table.face(card, deck, say))}${mark}</span>`;
}

/** @param {Part} part @param {Known} known */
function partOf({ cards = [], lay, marked = [], number, sign, label }, known) {
  if (sign) return html`<em class=${sign}>${known.say(`rules.${sign}`)}</em>`;
  return html`<span class="part ${lay ?? ""}">${number === undefined ? nothing : html`<b>${number}</b>`}<span>${
    cards.map((card, index) => cardOf(card, marked.includes(index), known))
  }</span>${label ? html`<small>${told(label)}</small>` : nothing}</span>`;
}

/** The rules for people. @param {Box[]} boxes @param {Known} known */
const people = (boxes, known) =>
  html`<ol class="boxes">${
    boxes.map(({ title, text, rules, picture }, index) =>
      html`
        <li>
          <h3><i>${index + 1}</i>${told(title)}</h3>
          <div class="drawn felted" data-cloth=${known.table.cloth ?? "slate"}>${picture.map((part) =>
            partOf(part, known)
          )}</div>
          <p>${told(text)}</p>
          <p class="soft">${rules.map((id) =>
            html`
              <a href="#${id}" @click=${follow}>${id.toUpperCase()}</a>
            `
          )}</p>
        </li>
      `
    )
  }</ol>`;

/** What cards do, in the user's language: one of each kind. @param {Known} known */
function deckOf({ table, deck, labels, say }) {
  const captions = Object.entries(labels.captions ?? {});
  const different = captions.filter(([, text], index) => captions.findIndex(([, each]) => each === text) === index);
  if (!different.length) return nothing;
  return html`
    <details>
      <summary>${say("ui.cards")}</summary>
      <ul class="deck">${different.map(([id, text]) =>
        html`<li><span class="card" role="img" aria-label=${table.name(id, say, deck)}>${
          drawFace(table.face(id, deck, say))
        }</span><p>${text}</p></li>`
      )}</ul>
    </details>
  `;
}

const ready = styled("rules");

/** Sections that say how the service keeps a game, not how it is played. */
const INSIDE = /^\d+ (Sources and terms|State|Chance|Invariants)$/;

/** @param {{ title: string, blocks: Block[] }} section */
const sectionOf = ({ title, blocks }) => html`<details><summary>${title}</summary>${blocks.map(block)}</details>`;

/** All that is known of the rules. @param {Known} known @returns {Promise<unknown>} */
export async function rulebook(known) {
  const { ruleset, say } = known, url = rulesOf(ruleset);
  const book = url ? await later(() => file(url).then((found) => found.json())) : null;
  await ready;
  const [lead, ...sections] = book?.sections ?? [];
  const [inside, outside] = [true, false].map((is) =>
    sections.filter((/** @type {{ title: string }} */ { title }) => INSIDE.test(title) === is).map(sectionOf)
  );
  return html`
    <div class="rulebook">${book?.boxes.length ? people(book.boxes, known) : nothing}${book
      ? html`
        <label
          class="field"><span class="vh">${say("ui.find_rule")}</span><input type="search" placeholder=${say(
            "ui.find_rule",
          )} @input=${filter}></label>
      `
      : html`<p class="soft">${say("ui.no_rules")}</p>`}
    ${deckOf(known)}${book && tongue !== "en" ? html`<p class="soft">${say("ui.rules_in_english")}</p>` : nothing}
    <div lang="en">${lead ? sectionOf({ ...lead, title: book.title }) : nothing}${outside}</div>
    ${inside?.length
      ? html`
        <details>
          <summary>${say("ui.rules_inside")}</summary>
          <div lang="en">${inside}</div>
        </details>
      `
      : nothing}</div>
  `;
}

/** The rules of the game that is shown. @param {State} state */
export async function rules(state) {
  const { say, labels } = state, book = await rulebook(state);
  await dialog(
    say("ui.rules_of", { title: labels.title }),
    html`<p>${labels.summary}</p>${book}
      <div class="ends"><button class="btn main" value="ok">${say("ui.ok")}</button></div>`,
  );
}
