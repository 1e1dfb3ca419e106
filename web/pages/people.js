/** The people at a table: what they say, whom one hears, and since when somebody is away. Loaded when there is somebody. */

import { html } from "../core/html.js";
import { identity } from "../core/identity.js";
import { sign } from "../table/card.js";
import { dialog, dismiss } from "./forms.js";
import { explained, memory, more } from "./page.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Channel } from "../core/channel.js"
 * @import { Say } from "../core/types.js"
 */

/** What can be said, with a sign. */
const PHRASES = Object.entries({
  hello: "hand",
  well_played: "star",
  clever: "crown",
  what_luck: "dice",
  let_me_think: "hourglass",
  sorry: "undo",
  good_game: "laurel",
  back_soon: "clock",
});

/** People and tables that are not heard, the latest last. Bounded: the oldest are forgotten. */
const MOST = 200;

/** @param {string} who  A player, or a table as RULESET/ID. */
export const isMuted = (who) => (memory.get("muted") ?? []).includes(who);

/** @param {string} who @param {boolean} muted */
function mute(who, muted) {
  const others = (memory.get("muted") ?? []).filter((/** @type {string} */ each) => each !== who);
  memory.set("muted", [...others, ...(muted ? [who] : [])].slice(-MOST));
}

/** The people at the table besides the user. @param {State} state */
const others = ({ game }) =>
  game.seats.filter((/** @type {any} */ { player, gone }) => player && !gone && player.id !== identity(memory)?.id);

/** Says a phrase, or stops hearing somebody. @param {State} state @param {string} path @param {Channel | null} channel @param {Say} say */
export async function talk(state, path, channel, say) {
  await more();
  const toggle = (/** @type {string} */ who, /** @type {string} */ text) =>
    html`<label><input type="checkbox" ?checked=${!isMuted(who)} @change=${(/** @type {any} */ { target }) =>
      mute(who, !target.checked)}>${text}</label>`;
  await dialog(
    say("people.say"),
    html`
      <div class="phrases">${PHRASES.map(([phrase, glyph]) =>
        html`<button class="tool" value=${phrase}>${sign(glyph)}${say(`phrase.${phrase}`)}</button>`
      )}</div>
      <fieldset class="checks listed"><legend class="vh">${say("people.hear")}</legend>${others(state).map((
        /** @type {any} */ { player },
      ) =>
        html`<span class="hear">${toggle(player.id, say("people.hear_one", { name: player.name ?? "" }))}
          <a href=${`player?id=${encodeURIComponent(player.id)}`}>${say("people.profile")}</a></span>`
      )}${toggle(path, say("people.hear_table"))}</fieldset>
      <div class="ends"><button type="button" class="btn quiet" @click=${dismiss}>${say("table.close")}</button></div>
    `,
    async (_, phrase) => {
      if (!phrase || !channel) return;
      try {
        await channel.request({ type: "say", game: path, phrase });
      } catch (error) {
        return explained(error, say);
      }
    },
  );
}
