/** The rail of a replay: a slider with marks, five keys, speed, and whose eyes. */
import { html, noChange, nothing, styled } from "../core/html.js";
import { sign } from "./card.js";

/**
 * @import { Message, Model, Replay } from "../core/types.js"
 */

/** Its style is here. */
export const ready = styled("replay");

const SPEEDS = [0.5, 1, 2, 4, 8];

/** @param {Model} m @param {Message} message @param {string} glyph @param {string} label @param {string} [cls] */
const key = (m, message, glyph, label, cls = "") =>
  html`<button type="button" class=${cls} aria-label=${m.say(label)} @click=${() => m.send(message)}>${
    sign(glyph)
  }</button>`;

/** @param {Model} m @param {Replay} replay */
function slider(m, { first, last, version, marks, losses, brief }) {
  const share = (/** @type {number} */ at) => last > first ? (at - first) / (last - first) * 100 : 0;
  return html`
    <div class="line" .style=${`--share:${share(version)}%`}>
      <input type="range" min=${first} max=${last} .value=${String(version)} aria-label=${m.say("table.version")}
        aria-valuetext=${m.say("table.version_of", { version, last })}
        @input=${(/** @type {any} */ event) =>
          m.send({ do: "show", version: Number(event.target.value), brief: true })}>
      <ol class="marks" aria-hidden="true">${brief
        ? noChange
        : marks.map(({ version: at, label, own }) =>
          html`<li class=${own ? "own" : ""} .style=${`--at:${share(at)}%`}><span>${own ? "" : label}</span></li>`
        )}</ol>
      ${losses.length
        ? html`<ol class="losses" aria-label=${m.say("table.losses")}>${
          losses.map((loss) =>
            html`<li><a href=${loss.href} class="h${loss.height} ${loss.now ? "now" : ""}" title=${loss.label}
              aria-label=${loss.label} aria-current=${loss.now ? "true" : nothing}
              .style=${`--at:${share(loss.version)}%`} @click=${(/** @type {Event} */ event) => {
              event.preventDefault();
              loss.go();
            }}></a></li>`
          )
        }</ol>`
        : nothing}
    </div>
  `;
}

/** @param {Model} m @param {Replay} replay */
function eyes(m, { perspectives, perspective }) {
  if (perspectives.length < 2) return nothing;
  return html`<label class="eyes-of"><span class="vh">${m.say("table.eyes")}</span><select .value=${perspective}
    @change=${(/** @type {any} */ event) => m.send({ do: "perspective", perspective: event.target.value })}>${
    perspectives.map(({ value, label }) =>
      html`<option value=${value} ?selected=${value === perspective}>${label}</option>`
    )
  }</select></label>`;
}

/** The line of the log that belongs to what is shown is in sight. */
function follow() {
  const line = document.querySelector(".log .now"), frame = line?.closest(".scroll");
  if (!line || !frame) return;
  const [inner, outer] = [line.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    frame.scrollBy(0, inner.bottom - outer.bottom + outer.height / 3);
  }
}

/** @param {Model} m */
export function scrubber(m) {
  const { replay } = m;
  if (!replay) return nothing;
  if (!replay.brief) queueMicrotask(follow); // when it is drawn
  const { playing, speed, live: now } = replay, faster = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
  return html`<footer class="rail scrub"><div class="keys">
      ${key(m, { do: "first" }, "first", "table.first")}${key(m, { do: "back" }, "back", "table.back")}
      ${key(m, { do: "play" }, playing ? "pause" : "play", playing ? "table.pause" : "table.play", "play")}
      ${key(m, { do: "next" }, "play", "table.next")}${key(m, { do: "last" }, "end", "table.last")}</div>
    ${slider(m, replay)}
    <div class="buttons"><button type="button" class="btn quiet small" @click=${() =>
    m.send({ do: "speed", speed: faster })}
      aria-label=${m.say("table.speed", { speed })}>${speed}×</button>${eyes(m, replay)}
      <button type="button" class="btn quiet small" @click=${() => m.send({ do: "branch" })}>${
    m.say("table.branch")
  }</button>
      <button type="button" class="btn quiet small" @click=${() => m.send({ do: "share" })}>${
    m.say("table.share")
  }</button>
      ${
    now
      ? nothing
      : html`<button type="button" class="btn small" @click=${() => m.send({ do: "live" })}>${
        m.say(replay.over ? "table.to_end" : "table.live")
      }</button>`
  }</div></footer>`;
}
