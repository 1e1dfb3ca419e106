/** The seats: the others in a row or in lanes, the own one at the bottom. */
import { sorts } from "../core/areas.js";
import { html, nothing } from "../core/html.js";
import { minus } from "../core/talk.js";
import { portrait, sign, strength, zoneName } from "./card.js";
import { chipped } from "./log.js";
import { layout, piles, row, shelf, token } from "./zone.js";

/**
 * @import { Area, Chair, Model } from "../core/types.js"
 */

/** What lies at a seat, in the order of the description. @param {Model} m @param {number} seat */
function areasOf({ areas, table }, seat) {
  const order = Object.keys(table.zones);
  return areas
    .filter(({ seat: of, zone: { at, kind, mini } }) =>
      of === seat && at !== "centre" && !(kind === "count" && mini === "hidden")
    )
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

/** The seats clockwise, beginning behind the own one. @param {Model} m @returns {Chair[]} */
export function others({ chairs, you }) {
  const first = you ?? -1;
  return chairs.filter(({ seat }) => seat !== you).toSorted((a, b) =>
    (a.seat - first + chairs.length) % chairs.length - (b.seat - first + chairs.length) % chairs.length
  );
}

/** @param {Area} area */
const isLayout = ({ zone: { rows } }) => Boolean(rows);

/** The numbers of a seat, each with a sign. @param {Chair} chair @param {Model} m */
function numbers({ seat, counts, total }, m) {
  const points = m.tally?.points?.[seat] ?? null, lane = m.table.grid === "lanes";
  const now = points === null ? [] : [{ glyph: "sum", count: points, text: m.say("table.tally", { points }) }];
  const sum = total === null ? [] : [{ glyph: "laurel", count: total, text: `${m.say("table.points")} ${total}` }];
  // What lies in a lane counts more than what is won.
  // So does what is laid down in a game that sums up nothing before its end.
  const [large] = lane || total === null ? now : sum, all = [...lane ? sum : total === null ? [] : now, ...counts];
  return { large, small: listed(all) };
}

/** @param {import("../core/types.js").Count[]} all */
function listed(all) {
  if (!all.length) return nothing;
  return html`<span class="counts">${
    all.map(({ glyph, count, text }) =>
      html`<span class=${glyph} title=${text}>${sign(glyph)}${
        count === undefined ? nothing : html`<b aria-hidden="true">${minus(count)}</b>`
      }<span class="vh">${text}</span></span>`
    )
  }</span>`;
}

/** Name, points and state of a seat. @param {Chair} chair @param {Model} m */
export function plate(chair, m) {
  const { name, seat, player, own, face, strength: how, left, timed, winner, presence, since, says } = chair,
    { large, small } = numbers(chair, m);
  const tag = left ? "table.house" : own && m.you === seat && name !== m.say("table.you") ? "table.you" : null;
  const state = presence
    ? html`<b class="dot ${presence}">${presence === "gone" ? sign("plug") : nothing}</b>`
    : nothing;
  return html`<header class="plate">${portrait(player === null ? null : name, face, state)}
    <span class="lines"><span class="first"><b class="name">${name}${winner ? " ★" : ""}</b>${
    how ? strength(how, m.say) : tag ? html`<span class="tag" title=${left || nothing}>${m.say(tag)}</span>` : nothing
  }${
    presence === "away"
      ? html`<span class="tag away"><span class="vh">${
        m.say("people.away")
      }</span><time data-since=${since}></time></span>`
      : presence === "gone"
      ? html`<span class="vh">${m.say("people.gone")}</span>`
      : nothing
  }${timed ? html`<time class="clock" role="timer" data-seat=${seat}></time>` : nothing}</span>${small}</span>
    ${
    large
      ? html`<b class="pts" title=${large.text}><span aria-hidden="true">${
        minus(large.count)
      }</span><span class="vh">${large.text}</span></b>`
      : nothing
  }${m.areas.some((area) => area.seat === seat && sorts(area, m.you)) ? sorter(m) : nothing}${
    says ? html`<p class="bubble" aria-hidden="true">${says}</p>` : nothing
  }</header>`;
}

/** Puts the own cards into the order of the deck, and back. @param {Model} m */
const sorter = (m) =>
  html`
    <button type="button" class="sort" title=${m.say("table.sort")} aria-label=${m.say("table.sort")}
      aria-pressed=${m.sorted ? "true" : "false"} @click=${() => m.send({ do: "sort" })}>${sign("list")}</button>
  `;

/** @param {Chair} chair @param {Model} m */
const label = ({ name, acting, winner }, m) =>
  [name, acting ? m.say("table.to_act") : "", winner ? m.say("table.winner") : ""].filter(Boolean).join(", ");

/** @param {Chair} chair */
const state = ({ acting, winner }) => `${acting ? "turn" : ""} ${winner ? "won" : ""}`;

/** How much of a card of others must be seen: of backs only that they are there. @param {Area[]} areas */
const seen = (areas) => areas.some(({ places }) => places.some(({ state }) => state === "face")) ? 0.45 : 0.25;

/** @param {Chair} chair @param {Model} m */
function other(chair, m) {
  const shown = areasOf(m, chair.seat).filter(({ zone }) => zone.mini !== "hidden" && !zone.token);
  const laid = shown.filter(isLayout), held = shown.filter((area) => !isLayout(area) && area.places.length);
  const belongings = laid.length
    ? [laid.map((area) => layout(area, m)), shown.length > 1 ? row(held, m, "strip") : nothing]
    : row(held.length ? held : shown, m, "fan", seen(held));
  return html`
    <section class="seat ${state(chair)} ${laid.length && shown.length > 1 ? "two" : ""}" data-seat=${chair.seat}
      aria-label=${label(chair, m)}>${plate(chair, m)}${belongings}<p class="deed">${chair.deed
        ? html`<span title=${chair.deed.text}>${chipped(chair.deed.parts)}</span>`
        : nothing}</p></section>
  `;
}

/** The other seats in a row; many of them are the one strip that scrolls on a phone. @param {Model} m */
export function seats(m) {
  const rest = others(m), crowd = rest.length > 3;
  return html`<div class="others ${crowd ? "crowd" : ""}" role="group" tabindex=${crowd ? "0" : nothing} aria-label=${
    m.say("table.others")
  }>${rest.map((chair) => other(chair, m))}</div>`;
}

/** The own seat: a layout with the plate and what is kept beside it, or a hand with what lies left and right of it. @param {Model} m */
export function own(m) {
  const chair = m.chairs.find(({ seat }) => seat === m.you);
  if (!chair) return nothing;
  const shown = areasOf(m, chair.seat).filter(({ zone: { token } }) => !token);
  const cls = state(chair), name = label(chair, m);
  if (m.table.grid === "grids") {
    const kept = shown.filter((area) => !isLayout(area));
    return html`
      <section class="mine ${cls}" aria-label=${name}>${shown.filter(isLayout).map((area) => layout(area, m))}</section>
      <section class="extra ${cls}" aria-label=${m.say("table.yours")}>${plate(chair, m)}${kept.length
        ? row(kept, m, "tray")
        : nothing}</section>
    `;
  }
  /** @param {"left" | "right"} side */
  const beside = (side) => {
    const there = shown.filter(({ zone: { at } }) => at === side),
      isPile = (/** @type {Area} */ { zone: { kind } }) => kind === "pile";
    const rows = there.filter((area) => !isPile(area) && area.places.length);
    return there.length
      ? html`<section class=${side} aria-label=${there.map(({ name }) => zoneName(name, m)).join(", ")}>${
        rows.length ? html`<div class="shelves">${rows.map((area) => shelf([area], m))}</div>` : nothing
      }${piles(there.filter(isPile), m)}</section>`
      : nothing;
  };
  const middle = shown.filter(({ zone: { at } }) => !at);
  return html`<section class="mine ${cls}" aria-label=${name}>${
    middle.map((area) => area.zone.hand ? row([area], m, "hand") : shelf([area], m))
  }${plate(chair, m)}</section>${beside("left")}${beside("right")}`;
}

/** One row of cards for each seat: the own one comes first for keys, and lies last. @param {Model} m */
export function lanes(m) {
  const all = [...m.chairs.filter(({ seat }) => seat === m.you), ...others(m)];
  return html`<div class="rows">${
    all.map((chair) => {
      const shown = areasOf(m, chair.seat), tokens = shown.filter(({ zone }) => zone.token);
      const open = chair.seat === m.you
        ? []
        : shown.filter(({ zone: { hand }, places }) => hand && places.some(({ card }) => card !== null));
      return html`
        <section class="lane ${chair.seat === m.you ? "own" : ""} ${state(chair)} ${m.view.passed?.[chair.seat]
          ? "passed"
          : ""}"
          aria-label=${label(chair, m)}><div class="head">${plate(chair, m)}<p class="deed">${chair.deed
            ? html`<span title=${chair.deed.text}>${chipped(chair.deed.parts)}</span><b>${chair.deed.title}</b>`
            : nothing}</p>${tokens.map((area) => token(area, m))}</div>${shown.filter(({ zone }) => zone.end).map((
              area,
            ) => row([area], m, "laid"))}${open.length ? row(open, m, "fan", 0.45) : nothing}</section>
      `;
    })
  }</div>`;
}

/** The own hand below the lanes. @param {Model} m */
export function hand(m) {
  const chair = m.chairs.find(({ seat }) => seat === m.you);
  if (!chair) return nothing;
  return html`<section class="mine ${state(chair)}" aria-label=${m.say("table.hand")}>${
    areasOf(m, chair.seat).filter(({ zone }) => zone.hand).map((area) => row([area], m, "hand"))
  }</section>`;
}
