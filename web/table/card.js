/** A card of a place, in all its states: only what can be clicked is a button. And portraits. */

import { DOTS } from "../core/house.js";
import { Directive, directive, html, noChange, nothing } from "../core/html.js";
import { back, front } from "../faces/card.js";
import { icon } from "../faces/glyphs.js";
import { face as housed } from "../faces/house.js";

/**
 * @import { Area, Face, Look, Model, Place } from "../core/types.js"
 */

/** Faces with the same key look the same. @param {Face} face */
const keyOf = (face) => `${face.draw?.name} ${JSON.stringify(face)}`;

/** The front of a card as a new element. @param {Face} face */
export const drawFace = (face) => drawing(keyOf(face), () => front(face));

/** The back of a card as a new element. @param {string} weave */
export const drawBack = (weave) => drawing(`back ${weave}`, () => back(weave));

/**
 * A drawing in a template. Its element stays when another one is wanted in its place: only what is in it is styled and
 * laid out again, and nothing if it is the same.
 */
const lasting = directive(
  class extends Directive {
    key = "";
    /** @type {Element | null} */
    element = null;

    /** @param {string} key @param {() => Shape} draw */
    render(key, draw) {
      if (key === this.key) return noChange;
      this.key = key;
      const found = drawing(key, draw);
      if (!this.element) return this.element = found;
      for (const name of ["viewBox", "class"]) {
        const value = found.getAttribute(name) ?? "";
        if (this.element.getAttribute(name) !== value) this.element.setAttribute(name, value);
      }
      this.element.replaceChildren(...found.childNodes);
      return noChange;
    }
  },
);

/** The face of one of the house; undefined: nobody has that name. @param {string} name */
export const face = (name) => housed(name) && lasting(`house ${name}`, () => /** @type {any} */ (housed(name)));

/** @param {string} name */
export const sign = (name) => lasting(`icon ${name}`, () => icon(name));

/** @param {Place} place @param {Area} area @param {Model} m */
function drawn(place, area, m) {
  if (place.state === "face") {
    const face = m.table.face(place.card, m.deck, m.say);
    return lasting(keyOf(face), () => front(face));
  }
  const weave = area.zone.weave ?? m.table.weave ?? "rings";
  return place.state === "back" ? lasting(`back ${weave}`, () => back(weave)) : nothing;
}

/** What, and where. @param {Place} place @param {Area} area @param {Model} m */
export function nameOf(place, area, m) {
  const { table, say } = m, known = place.card !== null && place.state !== "empty";
  const what = known
    ? table.name(place.card, say, m.deck)
    : say(place.state === "empty" ? "cards.empty" : "cards.back");
  const hidden = known && place.state === "back" ? say("cards.only_you", { card: what }) : what;
  if (area.zone.kind === "pile" || area.places.length < 2) return `${hidden}, ${zoneName(area.name, m)}`;
  const where = table.place?.(area.name, place.index, say) ?? say("cards.place", { place: place.index + 1 });
  return `${hidden}, ${where}`;
}

/** @param {string} zone @param {Model} m */
export const zoneName = (zone, m) =>
  label(`zones.${zone}`, m) ?? label(`facts.${zone}`, m) ?? zone.replaceAll("_", " ");

/** A label of the ruleset, if there is one. @param {string} key @param {Model} m */
export function label(key, m) {
  const text = m.say(`labels.${key}`);
  return text === `labels.${key}` ? undefined : text;
}

/** @param {Place} place @param {Model} m */
function badges(place, m) {
  const value = m.tally?.values?.[place.thing] ?? null;
  return (m.table.badges?.(place, value, m.deck) ?? []).map(({ text, glyph, kind = "" }) =>
    html`<b class="badge ${kind}">${glyph ? sign(glyph) : text}</b>`
  );
}

/** A card that only the viewer knows shows a small number on its back. @param {Place} place @param {Model} m */
function peek(place, m) {
  if (place.state !== "back" || place.card === null) return nothing;
  const { number, glyph } = m.table.face(place.card, m.deck, m.say);
  return html`<b class="peek">${number ?? (glyph ? sign(glyph) : "?")}</b>`;
}

/** @param {Place} place @param {Look} look @param {Model} m */
function classes(place, look, m) {
  return [
    "card",
    place.state === "back" && "is-back",
    place.state === "empty" && "empty",
    look.legal && "legal",
    look.chosen && "chosen",
    look.pending && "pending",
    look.last && "last",
    look.hint && "hint",
    look.mark,
    place.badges["fresh"] && "dim",
    look.legal && m.hover === place.thing && !m.tapped && "hover",
  ].filter(Boolean).join(" ");
}

/** What lies on a card. @param {Place} place @param {Look} look @param {Model} m */
function upon(place, look, m) {
  const found = [...badges(place, m), peek(place, m), look.last ? html`<i class="corners"></i>` : nothing];
  if (look.tags) found.push(/** @type {any} */ (look.tags));
  return found.some((each) => each !== nothing) ? found : nothing;
}

/** A place with its card as it will lie: turned, while the switch for that is on. @param {Place} place @param {Look} look @param {Model} m @returns {Place} */
function lying(place, look, { table: { turns }, rail: { switches } }) {
  const isTurned = look.chosen && turns && switches.some(({ field, value }) => field === turns.by && value === true);
  return isTurned ? { ...place, card: turns.card(place.card) } : place;
}

/** @param {Place} found @param {Area} area @param {Model} m @param {number} [count]  For how many it stands: those of a pile in a row. */
export function card(found, area, m, count = 0) {
  const look = m.look(found.thing), place = lying(found, look, m);
  const label = (look.label ?? nameOf(place, area, m)) + (look.said ?? "");
  const cls = classes(place, look, m), face = drawn(place, area, m);
  const above = [upon(place, look, m), count > 1 ? html`<b class="badge many">${count}</b>` : nothing];
  if (look.legal || look.chosen || look.pending) {
    return html`
      <button type="button" class=${cls} data-thing=${place.thing} aria-label=${label}
        aria-pressed=${look.chosen ? "true" : "false"} aria-busy=${look.pending
          ? "true"
          : nothing}>${face}${above}</button>
    `;
  }
  return html`<span class=${cls} data-thing=${place.thing} role="img" aria-label=${label}>${face}${above}</span>`;
}

/** A disc with a letter is a person, a square with a face one of the house, a dashed ring a free seat. Tints of discs are the same for a name wherever it is. */
const TINTS = 5;

/** The faces that people choose from, each a view of this picture; one that it does not have leaves the letter below. */
const PEOPLE = new URL("../faces/people.svg", import.meta.url).href;

/**
 * @param {string | null} name  null: the seat is free.
 * @param {boolean | string} [drawn]  true: one of the house; a text: the face that a person has chosen.
 * @param {unknown} [state]  Drawn at its edge.
 */
export function portrait(name, drawn = false, state = "") {
  if (name === null) {
    return html`<i class="who free" aria-hidden="true">${sign("plus")}</i>`;
  }
  const initial = [...name][0] ?? "?", known = name.split(" ")[0]?.toLowerCase().replace("ä", "a") ?? "";
  if (drawn === true) {
    return html`<i class="who bot p-${known}" aria-hidden="true">${face(known) ?? initial}${state}</i>`;
  }
  const tint = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS;
  const picture = drawn ? html`<img src=${`${PEOPLE}#${drawn}`} alt="">` : nothing;
  return html`<i class="who h${tint}" aria-hidden="true">${initial}${picture}${state}</i>`;
}

/** How strong one of the house is, in dots and words. @param {string} strength @param {import("../core/types.js").Say} say */
export const strength = (strength, say) =>
  html`<span class="pips" role="img" aria-label=${say("house.strength", { strength: say(`house.${strength}`) })}>${
    [1, 2, 3].map((dot) => html`<i class=${dot <= (DOTS[strength] ?? 0) ? "on" : ""}></i>`)
  }</span>`;

/** @typedef {import("../faces/glyphs.js").Shape} Shape */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Shape} shape @returns {SVGElement} */
function build({ tag, attrs, children, text }) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  element.append(...children.map(build));
  return element;
}

/** @type {Map<string, SVGElement>} */
const built = new Map();
const MOST = 500;

/**
 * A new element of this drawing.
 * @param {string} key  Drawings with the same key are equal.
 * @param {() => Shape} draw
 * @returns {Element}
 */
export function drawing(key, draw) {
  let element = built.get(key);
  if (!element) {
    if (built.size >= MOST) built.clear();
    built.set(key, element = build(draw()));
  }
  return /** @type {Element} */ (element.cloneNode(true));
}
