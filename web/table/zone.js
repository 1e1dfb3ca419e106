/** The zones of a seat or of the middle, each in a box that its cards fill: layouts, rows and piles; and tokens. */
import { html, nothing } from "../core/html.js";
import { card, nameOf, sign, zoneName } from "./card.js";

/**
 * @import { Area, Model, Place } from "../core/types.js"
 * @typedef {{ place: Place, area: Area, count: number }} Item  A card that is drawn. `count`: how many it stands for; 0: it is one of a row.
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

/** @param {Area} area @param {number} index @param {Model} m @param {string} [cls] */
const pin = (area, index, m, cls = "") =>
  handle(`${area.id}/gap/${index}`, `pin ${cls}`, nothing, gapName(area.places[index - 1], area.places[index], m), m);

/** Between which cards a gap is. @param {Place | undefined} left @param {Place | undefined} right @param {Model} m */
function gapName(left, right, { table, deck, say }) {
  const name = (/** @type {Place | undefined} */ place) => place ? table.name(place.card, say, deck) : "";
  const key = left && right ? "table.gap" : left ? "table.gap_last" : right ? "table.gap_first" : "table.gap_only";
  return say(key, { left: name(left), right: name(right) });
}

/** @param {Area} area @param {Model} m */
const ghost = (area, m) =>
  html`<li>${handle(`${area.id}/end`, "card ghost legal", html`<span>+</span>`, m.say("table.row_end"), m)}</li>`;

/** What a pile without cards looks like. @param {Area} area @returns {Place} */
const hole = (area) => ({ thing: area.id, index: 0, state: "empty", card: null, badges: {} });

/** The cards of a zone that are drawn. @param {Area} area @returns {Item[]} */
export function items(area) {
  const { zone, places } = area;
  if (zone.kind === "pile") return [{ place: places.at(-1) ?? hole(area), area, count: places.length }];
  if (zone.grouped) return grouped(area);
  const shown = zone.nulls === "empty" && zone.end ? places.filter(({ state }) => state !== "empty") : places;
  return shown.map((place) => ({ place, area, count: 0 }));
}

/** Equal cards once, the first of them with their number. @param {Area} area @returns {Item[]} */
function grouped(area) {
  /** @type {Map<string, Item>} */
  const found = new Map();
  for (const place of area.places) {
    const key = JSON.stringify([place.card, place.state, place.badges]), first = found.get(key);
    if (first) first.count = Math.max(first.count, 1) + 1;
    else found.set(key, { place, area, count: 0 });
  }
  return [...found.values()];
}

/** Cards side by side; several zones can share a box, which stays while it is empty. @param {Area[]} areas @param {Model} m @param {string} [cls] @param {number} [seen] */
export function row(areas, m, cls = "", seen) {
  const [first] = areas;
  const all = areas.flatMap(items).filter(({ place, area: { zone, id } }) =>
    zone.kind !== "pile" || place.state !== "empty" || areas.length < 2 || open(id, m)
  );
  const { zone, id = "", places = [] } = /** @type {Partial<Area>} */ (first ?? {}), { length } = places;
  // Gaps open once something is chosen, unless nothing else can be clicked here.
  const between = zone?.gaps && (m.rail.cancel || !places.some(({ thing }) => open(thing, m)));
  const gaps = between && Array.from({ length: length + 1 }, (_, at) => `${id}/gap/${at}`).some((at) => open(at, m));
  const behind = zone?.end && open(`${id}/end`, m);
  return html`
    <div class="box row ${cls} ${gaps ? "parted" : ""}" data-fit="row" ?data-chain=${zone?.gaps} data-n=${all.length +
      (behind ? 1 : 0)}
      data-seen=${seen ?? zone?.seen ?? nothing}>${first
        ? html`<ol class="cards" aria-label=${zoneName(first.name, m)}>${
          all.map(({ place, area, count }, at) =>
            html`<li>${gaps ? pin(area, at, m) : nothing}${card(place, area, m, count)}${
              gaps && at === length - 1 ? pin(area, length, m, "after") : nothing
            }</li>`
          )
        }${behind ? ghost(first, m) : nothing}</ol>`
        : nothing}</div>
  `;
}

/** Cards in columns and rows. @param {Area} area @param {Model} m */
export const layout = (area, m) =>
  html`
    <div class="box grid by-${area.zone.flow ?? "row"}" data-fit="grid" data-n=${area.places
      .length} data-rows=${area.zone.rows ?? 1} .style=${`--rows:${area.zone.rows ?? 1}`}>
      <ol class="cards" aria-label=${zoneName(area.name, m)}>${area.places.map((place) =>
        html`<li>${card(place, area, m)}</li>`
      )}</ol>
    </div>
  `;

/** Piles and single cards with their names below. @param {Area[]} areas @param {Model} m @param {string} [cls] */
export function piles(areas, m, cls = "") {
  if (!areas.length) return nothing;
  const letters = Math.max(...areas.map(({ name }) => zoneName(name, m).length));
  return html`<div class="box piles ${cls}" data-fit="piles" data-n=${areas.length} data-letters=${letters}>${
    areas.map((area) => {
      const [item = { place: hole(area), area, count: 0 }] = items(area), name = zoneName(area.name, m);
      return html`
        <figure
          class="pile ${area.name} ${item.count > 1 ? "deep" : ""}">${card(
            item.place,
            area,
            m,
          )}<figcaption title=${name}><em>${name}</em> ${area.zone.kind === "pile"
            ? html`<span>${item.count}</span>`
            : nothing}</figcaption></figure>
      `;
    })
  }</div>`;
}

/** A row with its name below. @param {Area[]} areas @param {Model} m @param {string} [cls] */
export function shelf(areas, m, cls = "") {
  const [area] = areas;
  if (!area) return nothing;
  const caption = area.zone.caption?.(m.view, m.chairs, m.say) ?? zoneName(area.name, m);
  return html`
    <figure class="shelf ${area.name} ${cls}"
      .style=${`--n:${area.places.length}`}>${row(areas, m)}<figcaption><em>${area.places.length
        ? caption
        : nothing}</em></figcaption></figure>
  `;
}

/** A sign on the table, such as a stone or the trump. @param {Area} area @param {Model} m */
export function token(area, m) {
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
    : html`<figure class="pile ${area.name}">${inside}<figcaption><em>${
      m.table.name(place.card, m.say, m.deck)
    }</em></figcaption></figure>`;
}
