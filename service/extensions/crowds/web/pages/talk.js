/** What people say to each other at a table, and whom one hears. */

import { html } from "../core/html.js";
import { identity } from "../core/identity.js";
import { sign } from "../table/card.js";
import { dialog, dismiss } from "./forms.js";
import { explained, memory, more } from "./page.js";
import { isMuted, mute } from "./people.js";

/** @import { State } from "../core/model.js" */

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

/** The people at the table besides the user. @param {State} state */
const others = ({ game }) =>
  game.seats.filter((/** @type {any} */ { player, gone }) => player && !gone && player.id !== identity(memory)?.id);

/** Says a phrase, or stops hearing somebody. @param {import("./acts.js").Asked} asked @param {State} state */
export async function act({ page, path, say }, state) {
  await more();
  const { channel } = page.line;
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
