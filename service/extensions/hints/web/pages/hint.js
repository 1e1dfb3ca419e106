/** A hint about the choice of a player who is alone with the house: what it says, and where it is on the table. */

import { clicksOf, same } from "../core/compose.js";
import { html, nothing } from "../core/html.js";
import { announce, api, explained } from "./page.js";
import { HALF, number, quoted } from "./weighed.js";

/**
 * @import { Move } from "../core/types.js"
 * @import { State } from "../core/model.js"
 *
 * @typedef {object} Hint
 * @property {number} version  Of the table that it is about.
 * @property {Move[]} moves  The best first.
 * @property {Move} [against]
 * @property {number} ahead @property {number} error
 */

/** A second click does not ask again. */
let waits = false;

/**
 * Asks for a hint, and shows it until something happens at the table.
 * @param {import("./acts.js").Asked} asked @returns {Promise<string>} What is wrong.
 */
export async function act({ page, path, invite }) {
  const before = page.state();
  if (waits || !before) return "";
  waits = true;
  page.change({ thinking: true });
  page.draw(0);
  try {
    const headers = { Invite: invite };
    /** @type {{ body: Hint }} */
    const { body: found } = await api.request(`games/${path}/hints`, { method: "POST", headers });
    const { text, why } = sentence(found, before), [best] = found.moves;
    const open = () => {
      const state = page.state();
      return state && best && isAbout(found, state) ? state : null;
    };
    page.change({
      weighed: {
        marks: [],
        note: () => open() ? note(text, why, before.say) : nothing,
        look: (thing, { table, game }, view) =>
          open() && best && clicksOf(table, best, game.you ?? 0, view).includes(thing)
            ? {
              mark: "better",
              tags: [html`<b class="tag best">${before.say("ui.hint")}</b>`],
              said: `. ${before.say("ui.hint")}`,
            }
            : {},
      },
    });
    announce(text);
    return "";
  } catch (error) {
    announce(explained(error, before.say), "assertive");
    return explained(error, before.say);
  } finally {
    waits = false;
    page.change({ thinking: false });
  }
}

/** Nothing has happened at the table since. @param {Hint} found @param {State} state */
const isAbout = ({ version }, { film, replaying, pending }) =>
  !replaying && pending === null && film.last >= version &&
  film.items.every((item) => !item || item.version <= version || item.event.type === "hinted");

/** The words over the table; figures are behind *why*. @param {string} text @param {string} why @param {State["say"]} say */
const note = (text, why, say) =>
  html`
    <div class="moment-line hint"><span>${text}</span>${why
      ? html`
        <details>
          <summary class="btn small">${say("hint.why")}</summary>
          <p>${why}</p>
        </details>
      `
      : nothing}</div>
  `;

/** What the figures support, and no more. @param {Hint} found @param {State} state @returns {{ text: string, why: string }} */
function sentence({ moves, against, ahead, error }, state) {
  const { say, game } = state, [best] = moves;
  if (!best) return { text: "", why: "" };
  if (!against) {
    const key = game.legal_moves.length > 1 ? "hint.house" : "hint.only";
    return { text: say(key, { best: quoted(best, game.legal_moves, state, say) }), why: "" };
  }
  const fields = {
    best: quoted(best, game.legal_moves, state, say),
    other: quoted(against, game.legal_moves, state, say),
    ahead: number(ahead),
    half: number(HALF * error),
    low: number(ahead - HALF * error),
    high: number(ahead + HALF * error),
  };
  const close = moves.some((move) => same(move, against)) ? "close" : "better";
  return { text: say(`hint.${close}`, fields), why: say(`hint.${close}_why`, fields) };
}
