/** The seats: the others in a row or in lanes, the own one at the bottom. */
import { html, nothing } from "../core/html.js";
import { cards, mini, zone } from "./zone.js";

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

/** @param {Chair} chair @param {Model} m */
function tokens({ seat }, m) {
  return areasOf(m, seat).filter(({ zone: { token } }) => token).map((area) => zone(area, m));
}

/** Name, points and state of a seat. @param {Chair} chair @param {Model} m */
export function plate(chair, m) {
  const { name, seat, player, own, house, total, timed } = chair;
  const initial = player === null ? "·" : [...name][0] ?? "?";
  return html`<header class="plate"><i class="who ${house ? "bot" : ""}" aria-hidden="true">${initial}</i><b>${name}</b>
    ${
    own && m.you === seat && name !== m.say("table.you")
      ? html`<span class="tag">${m.say("table.you")}</span>`
      : nothing
  }
    ${house ? html`<span class="tag">${m.say("table.house")}</span>` : nothing}
    ${
    total === null ? nothing : html`<span class="pts"><span class="vh">${m.say("table.points")}</span> ${total}</span>`
  }
    ${timed ? html`<time class="clock" role="timer" data-seat=${seat}></time>` : nothing}
    ${tokens(chair, m)}</header>`;
}

/** @param {Chair} chair @param {Model} m */
function tally({ seat, note }, m) {
  const points = m.tally?.points?.[seat] ?? undefined;
  const text = [points === undefined ? "" : m.say("table.tally", { points }), note].filter(Boolean).join(" · ");
  return text ? html`<p class="tally">${text}</p>` : nothing;
}

/** @param {Chair} chair @param {Model} m */
const label = ({ name, acting, winner }, m) =>
  [name, acting ? m.say("table.to_act") : "", winner ? m.say("table.winner") : ""].filter(Boolean).join(", ");

/** @param {Chair} chair */
const state = ({ acting, winner }) => `${acting ? "turn" : ""} ${winner ? "won" : ""}`;

/** @param {Area} area */
const isLayout = ({ zone: { rows, end } }) => Boolean(rows || end);

/** @param {Chair} chair @param {Model} m */
function other(chair, m) {
  const shown = areasOf(m, chair.seat), large = m.enlarged === chair.seat;
  // What is no part of a layout lies below it, beside the points.
  const laid = shown.some(isLayout) ? shown.filter(isLayout) : shown,
    rest = shown.filter((area) => !laid.includes(area));
  return html`
    <section class="seat ${state(chair)} ${large ? "large" : ""}" aria-label=${label(chair, m)}>
      <button type="button" class="plate-button" data-thing="seat/${chair.seat}" aria-expanded=${large
        ? "true"
        : "false"}
        @click=${() => m.send({ do: "enlarge", seat: large ? null : chair.seat })}>${plate(chair, m)}</button>
      <div class="belongings">${laid.map((area) => mini(area, m))}</div>
      <div class="below">${rest.map((area) => mini(area, m))}${tally(chair, m)}</div>
    </section>
  `;
}

/** The other seats in a row. @param {Model} m */
export function seats(m) {
  const rest = others(m);
  return html`<div class="others" .style=${`--others:${rest.length}`}>${rest.map((chair) => other(chair, m))}</div>`;
}

/** The own seat: a layout with the plate beside it, or a hand with its piles and the plate below. @param {Model} m */
export function own(m) {
  const chair = m.chairs.find(({ seat }) => seat === m.you);
  if (!chair) return nothing;
  const shown = areasOf(m, chair.seat).filter(({ zone: { token } }) => !token),
    rest = shown.filter((area) => !isLayout(area));
  const drawn = m.table.grid === "grids"
    ? html`${shown.filter(isLayout).map((area) => zone(area, m))}<div class="extra"><div class="beside">${
      rest.map((area) => zone(area, m))
    }</div>${plate(chair, m)}${tally(chair, m)}</div>`
    : html`
      <div class="own">${shown.map((area) => zone(area, m))}</div>
      <div class="extra">${plate(chair, m)}${tally(chair, m)}</div>
    `;
  return html`<section class="seat mine ${state(chair)}" aria-label=${label(chair, m)}>${drawn}</section>`;
}

/** The hand of another seat, where its faces are known: in a replay or a branch. @param {Chair} chair @param {Model} m */
function openHand({ seat }, m) {
  if (seat === m.you) return nothing;
  const known = areasOf(m, seat).filter(({ zone: { hand }, places }) =>
    hand && places.some(({ card }) => card !== null)
  );
  return known.map((area) => cards(area, m, "fan"));
}

/** One row of cards for each seat, the own one last. @param {Model} m */
export function lanes(m) {
  const all = [...others(m), ...m.chairs.filter(({ seat }) => seat === m.you)];
  return html`<div class="rows" .style=${`--lanes:${all.length}`}>${
    all.map((chair) =>
      html`<section class="lane ${state(chair)} ${m.view.passed?.[chair.seat] ? "passed" : ""}" aria-label=${
        label(chair, m)
      }>
        <div class="head">${plate(chair, m)}${score(chair, m)}${openHand(chair, m)}</div>
        ${
        areasOf(m, chair.seat).filter(({ zone: each }) => each.end || each.rows).map((area) => zone(area, m))
      }</section>`
    )
  }</div>`;
}

/** @param {Chair} chair @param {Model} m */
function score({ seat, note }, m) {
  const points = m.tally?.points?.[seat] ?? undefined;
  return html`<p class="total">${points === undefined ? nothing : html`<b>${points}</b>`} ${note}</p>`;
}

/** The own hand below the lanes. @param {Model} m */
export function hand(m) {
  const chair = m.chairs.find(({ seat }) => seat === m.you);
  if (!chair) return nothing;
  const shown = areasOf(m, chair.seat).filter(({ zone: { hand, rows, end, token } }) =>
    hand || !(rows || end || token)
  );
  return html`<section class="seat mine ${state(chair)}" aria-label=${m.say("table.hand")}>${
    shown.map((area) => zone(area, m))
  }</section>`;
}
