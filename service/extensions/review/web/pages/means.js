/** What the own choices were worth over many games: for the player alone, from reviews that they ask for. */

import { html, nothing, render } from "../core/html.js";
import { announce, api, explained, more, tongue } from "./page.js";

await more();

/** @import { Say } from "../core/types.js" */

/** Seconds between two questions. */
const AGAIN = 5;

/** @param {number} figure */
const number = (figure) =>
  (Math.round(figure * 10) / 10 || 0).toLocaleString(tongue, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  }).replace("-", "−");

/** The section of the own page, with a line for each ruleset of finished games. @param {HTMLElement} place @param {import("./player.js").About} about */
export async function section(place, { own, known, finished, say }) {
  const played = own ? known.filter(({ name }) => finished.has(name)) : [];
  if (!played.length) return;
  /** @type {Map<string, any>} */
  const found = new Map();
  let wrong = "", asking = "";
  const draw = () =>
    render(
      html`
        <h2>${say("review.own")}</h2>
        <p class="soft">${say("review.own_is")}</p>
        <ul class="list">${played.map(line)}</ul>
        <p class="wrong" role="alert">${wrong}</p>
      `,
      place,
    );
  /** @param {import("./player.js").Known} ruleset */
  const line = ({ name, labels, cloth }) => {
    const { finished = 0, reviewed = 0, mean } = found.get(name) ?? {};
    const how = { own: number(mean?.own ?? 0), half: number(mean?.own_half ?? 0).replace("+", "") };
    const text = mean
      ? say("review.own_mean", { ...how, games: mean.games })
      : say("review.own_few", { reviewed, count: 10 });
    return html`
      <li
        data-cloth=${cloth}><i class="cloth-dot"></i><span><b>${labels
          .title}</b><small role="status">${text}</small></span>${reviewed <
            finished
          ? html`<button type="button" class="btn small" ?disabled=${asking !== ""} @click=${() => ask(name)}>${
            asking === name ? `${reviewed} / ${finished}` : say("review.own_ask")
          }</button>`
          : nothing}</li>
    `;
  };
  /** Reviews one game after another, as long as the page is open. @param {string} name */
  const ask = async (name) => {
    asking = name;
    wrong = "";
    draw();
    try {
      for (let pending = 1; pending;) {
        const { body } = await api.request(`players/me/reviews/${name}`, { method: "POST" });
        found.set(name, body);
        pending = body.pending;
        draw();
        if (pending) await new Promise((done) => setTimeout(done, AGAIN * 1000));
      }
      announce(say("review.ready"));
    } catch (error) {
      wrong = explained(error, say);
    }
    asking = "";
    draw();
  };
  for (const { name } of played) found.set(name, (await api.request(`players/me/reviews/${name}`)).body);
  draw();
}
