/** Own mistakes, in a section of the own page: they come back as puzzles. */

import { exercises } from "../core/exercises.js";
import { html, render } from "../core/html.js";
import { memory } from "./page.js";

/** The latest first. @param {HTMLElement} element @param {import("./player.js").About} about */
export function section(element, { own, known, say }) {
  const all = own ? exercises(memory).slice(-3).toReversed() : [];
  if (!all.length) return;
  render(
    html`
      <h2>${say("mine.practice")}</h2>
      <p class="soft">${say("mine.practice_how")}</p>
      <ul class="list">${all.map(({ path, version }) => {
        const of = known.find(({ name }) => name === path.split("/")[0]);
        return html`
          <li
            data-cloth=${of?.cloth ??
              "slate"}><i class="cloth-dot" aria-hidden="true"></i><span><b>${of?.labels.title ??
              path.split("/")[0]}</b></span><a class="btn small" href=${`puzzle?g=${path}&v=${version}`}>${say(
                "mine.practise",
              )}</a></li>
        `;
      })}</ul>
    `,
    element,
  );
}
