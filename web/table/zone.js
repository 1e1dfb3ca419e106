/** The zones of a seat or of the middle: slots, lists, piles, counts and tokens. */
import { html, nothing } from "../core/html.js";
import { card, nameOf, sign, zoneName } from "./card.js";

/**
 * @import { Area, Model, Place } from "../core/types.js"
 */

/** Whether things between or behind cards can be clicked now. @param {string} thing @param {Model} m */
const open = (thing, m) => Boolean(m.look(thing).legal || m.look(thing).chosen);

/** A thing that is no card. @param {string} thing @param {string} cls @param {unknown} inside @param {string} label @param {Model} m */
function handle(thing, cls, inside, label, m) {
  const look = m.look(thing);
  return html`
    <button type="button" class="${cls} ${look.chosen ? "chosen" : ""} ${look.hint ? "hint" : ""} ${m.hover === thing
      ? "hover"
      : ""}"
      data-thing=${thing} aria-label=${look.label ?? label} aria-pressed=${look.chosen
        ? "true"
        : "false"}>${inside}</button>
  `;
}

/** @param {Area} area @param {number} index @param {Model} m */
function gap(area, index, m) {
  const thing = `${area.id}/gap/${index}`;
  return open(thing, m)
    ? html`<li class="gap">${handle(thing, "pin", nothing, m.say("table.gap", { place: index + 1 }), m)}</li>`
    : nothing;
}

/** @param {Area} area @param {Model} m */
function ghost(area, m) {
  const thing = `${area.id}/end`;
  return area.zone.end && open(thing, m)
    ? html`<li>${handle(thing, "card ghost legal", html`<span>+</span>`, m.say("table.row_end"), m)}</li>`
    : nothing;
}

/** @param {Area} area @param {Model} m */
function lines(area, m) {
  return (area.zone.lines ?? []).filter((line) => open(`${area.id}/line/${line}`, m)).map((line) => {
    const number = Number(line.slice(1)), kind = line.startsWith("c") ? "column" : "row";
    return html`<span class="line-handle ${kind}" .style=${`--i:${number}`}>${
      handle(`${area.id}/line/${line}`, "handle", nothing, m.say(`table.${kind}`, { number: number + 1 }), m)
    }</span>`;
  });
}

/** The cards of a zone in their order. @param {Area} area @param {Model} m @param {string} [cls] */
export function cards(area, m, cls = "") {
  const { zone, places, id } = area, count = places.length;
  // Gaps open once something is chosen, unless nothing else can be clicked here.
  const between = zone.gaps && (m.rail.cancel || !places.some(({ thing }) => open(thing, m)));
  const gaps = between &&
    Array.from({ length: count + 1 }, (_, index) => `${id}/gap/${index}`).some((gap) => open(gap, m));
  const flow = zone.rows ? `by-${zone.flow ?? "row"}` : "";
  const shown = zone.nulls === "empty" && zone.kind === "slots" && zone.end
    ? places.filter(({ state }) => state !== "empty")
    : places;
  return html`<ol class="cards ${cls} ${flow} ${gaps ? "parted" : ""} ${
    cls === "fan" && places.some(({ state }) => state === "face") ? "open" : ""
  }" aria-label=${zoneName(area.name, m)} .style=${`--n:${shown.length};--rows:${zone.rows ?? 1}`}>
    ${shown.map((place) => html`${gaps ? gap(area, place.index, m) : nothing}<li>${card(place, area, m)}</li>`)}
    ${gaps ? gap(area, count, m) : nothing}${ghost(area, m)}</ol>`;
}

/** What a pile without cards looks like. @param {Area} area @returns {Place} */
const hole = (area) => ({ thing: area.id, index: 0, state: "empty", card: null, badges: {} });

/** @param {Area} area @param {Model} m */
function pile(area, m) {
  const top = area.places.at(-1) ?? hole(area), count = area.places.length;
  return html`
    <figure class="pile ${area.name} ${count > 1 ? "deep" : ""} ${area.zone.small ? "small" : ""}">
      <div class="cards">${card(top, area, m)}</div>
      <figcaption><span class="name">${zoneName(area.name, m)}</span> <span>${count}</span></figcaption>
    </figure>
  `;
}

/** A sign on the table, such as a stone or the trump. @param {Area} area @param {Model} m */
function token(area, m) {
  const [place] = area.places;
  if (!place || place.state === "empty") return nothing;
  const { glyph = "none" } = m.table.face(place.card, m.deck, m.say), label = nameOf(place, area, m), { thing } = place;
  const look = m.look(thing), state = `${look.last ? "last" : ""} ${m.hover === thing ? "hover" : ""}`;
  const inside = look.legal || look.chosen
    ? html`
      <button type="button" class="token legal ${look.chosen ? "chosen" : ""} ${state}" data-thing=${thing}
        aria-label=${look.label ?? label}>${sign(glyph)}</button>
    `
    : html`<span class="token ${state}" data-thing=${thing} role="img" aria-label=${label}>${sign(glyph)}</span>`;
  return area.zone.per
    ? inside
    : html`<figure class="pile ${area.name}">${inside}<figcaption>${
      m.table.name(place.card, m.say, m.deck)
    }</figcaption></figure>`;
}

/** A zone of the middle or of the own seat. @param {Area} area @param {Model} m */
export function zone(area, m) {
  if (area.zone.token) return token(area, m);
  if (area.zone.kind === "pile") return pile(area, m);
  if (area.zone.hand) return cards(area, m, "hand");
  if (area.zone.rows || area.zone.end) return html`<div class="lined">${cards(area, m)}${lines(area, m)}</div>`;
  if (!area.places.length) return nothing;
  const caption = area.zone.caption?.(m.view, m.chairs, m.say) ?? zoneName(area.name, m);
  return html`<figure class="pile row ${area.name} ${area.zone.small ? "small" : ""}">${
    cards(area, m)
  }<figcaption>${caption}</figcaption></figure>`;
}

/** The same zone at another seat, where it is smaller. @param {Area} area @param {Model} m */
export function mini(area, m) {
  if (area.zone.mini === "hidden" || area.zone.token) return nothing;
  if (area.zone.kind === "pile") return area.places.length ? pile(area, m) : nothing;
  if (area.zone.rows || area.zone.end) return html`<div class="lined">${cards(area, m)}${lines(area, m)}</div>`;
  return area.places.length ? cards(area, m, area.zone.mini === "fan" ? "fan" : area.name) : nothing;
}
