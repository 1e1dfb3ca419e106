/** The table: a pure function of the model. */
import { html, nothing } from "../core/html.js";
import { actions } from "./actions.js";
import { curtain } from "./curtain.js";
import { fold, log, scores, ticker } from "./log.js";
import { hand, lanes, others, own, seats } from "./seats.js";
import { zone } from "./zone.js";

/** @import { Area, Model } from "../core/types.js" */

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
  if (m.chairs.some(({ seat, acting }) => acting && seat === m.you)) return "--lx:50%;--ly:74%";
  return at < 0 ? "" : `--lx:${Math.round((at + 0.5) / rest.length * 100)}%;--ly:12%`;
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

/** Table, rail and side. @param {Model} m */
export function table(m) {
  const plan = m.table.grid === "lanes" ? "in-lanes" : m.table.grid ?? "hands",
    watching = m.you === null ? "watching" : "";
  return html`<div class="room" data-cloth=${m.table.cloth ?? "slate"}>${ticker(m)}
    <section class="table ${plan} ${watching}" aria-label=${m.say("table.table")} .style=${lamp(m)}>
      ${cloth(m)}${rail(m)}${m.curtain ? curtain(m) : nothing}</section>
    <aside class="side" id="side" aria-label=${m.say("table.side")}><button type="button" class="close" aria-label=${
    m.say("table.close")
  } @click=${fold}>×</button>
      ${scores(m)}${log(m)}</aside></div>`;
}
