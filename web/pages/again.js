/**
 * Shows that another player asks to play once more: a toast in the lobby and at other tables. At the end of the game
 * itself the table shows it (finale.js). The page requests this only in the ten minutes in which a player may ask.
 */

import { html, render, styled } from "../core/html.js";
import { identity } from "../core/identity.js";
import { isolated } from "../core/words.js";
import { sign } from "../table/card.js";
import { announce, api, entitle, memory, more } from "./page.js";

/** @import { Say } from "../core/types.js" */

/** Milliseconds for which a rematch is asked for. */
export const LASTS = 600_000;
/** Milliseconds between two looks. */
const POLL = 10_000;

/** Names as a list. @param {string[]} names @param {Say} say */
export const listed = (names, say) =>
  names.length < 2
    ? names.join("")
    : say("ui.and", { first: names.slice(0, -1).map(isolated).join(", "), last: names.at(-1) });

/** The user sits at a game that runs, or that is over now: somebody may ask soon. */
export const played = () => memory.set("played", Date.now());

/** The user has said no. @param {string} path  RULESET/ID of the game that is over. */
export const isDeclined = (path) => Boolean(memory.get(`declined.${path}`));

/** The rematches in which a seat is kept for the user. @param {string} [ruleset] @returns {Promise<any[]>} */
export async function kept(ruleset) {
  const { body } = await api.request("games", {
    query: { invited: "me", status: "waiting", limit: 12, ...ruleset ? { ruleset } : {} },
  });
  const all = await Promise.all(
    body.items.map((/** @type {any} */ each) =>
      api.request(`games/${each.ruleset}/${each.id}`).then((answer) => answer.body)
    ),
  );
  return all.filter((again) => again.rematch_of && again.you === null);
}

/** The user does not want to play once more: their seat is open. @param {any} again  The rematch. */
export async function decline(again) {
  memory.set(`declined.${again.ruleset}/${again.rematch_of}`, true);
  const seat = again.seats.find((/** @type {any} */ { reserved }) => reserved?.id === identity(memory)?.id)?.seat;
  if (seat === undefined) return;
  await api.request(`games/${again.ruleset}/${again.id}/seats/${seat}`, {
    method: "DELETE",
    headers: { Invite: again.invite ?? null },
  }).catch(() => {});
}

/**
 * Looks now and then whether somebody asks, and says it.
 * @param {Say} say @param {string} [here]  RULESET/ID of the table that is open: at its end it asks itself.
 */
export function lookOut(say, here = "") {
  let shown = "";
  const look = async () => {
    const due = identity(memory) && Date.now() < Number(memory.get("played")) + LASTS;
    const found = due ? await kept().catch(() => null) : [];
    const again = found?.find((each) =>
      `${each.ruleset}/${each.rematch_of}` !== here && `${each.ruleset}/${each.id}` !== here &&
      !isDeclined(`${each.ruleset}/${each.rematch_of}`)
    );
    if (found && (again?.id ?? "") !== shown) {
      shown = again?.id ?? "";
      await toast(again ?? null, say);
    }
    setTimeout(look, POLL);
  };
  look();
}

/** @param {any} again  The rematch; null: nobody asks. @param {Say} say */
async function toast(again, say) {
  document.getElementById("toast")?.remove();
  if (!again) return;
  await Promise.all([more(), styled("toast")]);
  // Who has asked and who has only sat down, a page that comes later cannot know.
  const names = again.seats.flatMap((/** @type {any} */ { player }) => player?.name ?? []);
  const text = `${say("finale.asked_title")} ${say("finale.are_in", { names: listed(names, say), n: names.length })}`;
  const place = Object.assign(document.createElement("aside"), { id: "toast" });
  place.setAttribute("aria-label", text);
  render(
    html`
      <p>${sign("people")}${text}</p><a class="btn small main" href=${`table?g=${again.ruleset}/${again.id}`}>${say(
        "ui.look",
      )}</a><button type="button"
        class="btn small quiet" @click=${() => {
          place.remove();
          decline(again);
        }}>${say("finale.no")}</button>
    `,
    place,
  );
  document.body.append(place);
  announce(text);
  entitle(`● ${text} · Stammtisch`, true);
}
