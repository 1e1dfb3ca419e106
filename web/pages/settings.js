/** The settings of this browser: name, language, appearance. Loaded when they are asked for. */

import { html, nothing, styled } from "../core/html.js";
import { forget, identity } from "../core/identity.js";
import { later } from "../core/later.js";
import { LANGUAGES } from "../core/words.js";
import { drawBack, sign } from "../table/card.js";
import { knock, maySay, SOUNDS, VOLUME } from "./bell.js";
import { dialog, ends, faces, named, nameIn, picks } from "./forms.js";
import { explained, memory, more, tongue } from "./page.js";

await more();
styled("account");

/** @import { Say } from "../core/types.js" */

/** Backs of cards, and cloths, to choose from; "": those of the game. */
const BACKS = ["rings", "zigzag", "lattice", "crosses", "stars"];
const FELTS = ["petrol", "plum", "indigo", "slate", "bottle", "kilim"];

/** A sound, as loudly as it would be: the one that is chosen, or another one before it is. @param {Event} event @param {string} [sound] */
function hear({ currentTarget }, sound) {
  const data = new FormData(/** @type {any} */ (currentTarget).form), volume = Number(data.get("volume"));
  if (volume || sound) knock((volume || VOLUME) / 100, sound ?? String(data.get("sound")));
}

/** @param {Say} say */
export async function settings(say) {
  const user = identity(memory);
  /** @param {string} name @param {boolean} on */
  const check = (name, on) =>
    html`<label><input type="checkbox" name=${name} ?checked=${on}>${say(`ui.by_choice_${name}`)}</label>`;
  /** @param {string} name @param {(string | number)[]} all @param {string | number} usual */
  const chosen = (name, all, usual) =>
    html`<label class="field"><span>${say(`ui.${name}`)}</span><select name=${name}>${
      all.map((each) =>
        html`<option value=${each} ?selected=${each === (memory.get(name) ?? usual)}>${
          say(`ui.${name}_${each}`)
        }</option>`
      )
    }</select></label>`;
  /** @param {string} sound */
  const listen = (sound) =>
    html`<button type="button" class="tool" aria-label=${`${say("ui.listen")}: ${say(`ui.sound_${sound}`)}`} @click=${(
      /** @type {Event} */ event,
    ) => hear(event, sound)}>${sign("play")}${say("ui.listen")}</button>`;
  const face = user?.face ?? "";
  const names = new Intl.DisplayNames([tongue], { type: "language" });
  const answer = await dialog(
    say("ui.settings"),
    html`${
      user
        ? html`
          <p><a class="btn small" href="player">${say("mine.page")}</a></p>
          <label class="field"><span>${say("ui.name")}</span><input name="name" required maxlength="40" .value=${user
            .name}></label>
          ${faces(say, user.name, face)}
        `
        : nothing
    }
      <label class="field"><span>${say("ui.language")}</span><select name="language">${
      LANGUAGES.map((each) => html`<option value=${each} ?selected=${each === tongue}>${names.of(each)}</option>`)
    }</select></label>
      <label class="field"><span>${say("ui.theme")}</span><select name="theme">${
      ["", "light", "dark"].map((each) =>
        html`<option value=${each} ?selected=${each === (memory.get("theme") ?? "")}>${
          say(`ui.theme_${each || "system"}`)
        }</option>`
      )
    }</select></label>
      ${chosen("pace", [1600, 900, 400, 0], 900)}${chosen("confirm", ["never", "counts", "always"], "counts")}
      ${
      picks(say, "back", ["", ...BACKS], memory.get("back") ?? "", (each) =>
        each ? html`<i class="card is-back" aria-hidden="true">${drawBack(each)}</i>` : nothing)
    }${
      picks(say, "felt", ["", ...FELTS], memory.get("felt") ?? "", (each) =>
        each ? html`<i class="cloth-dot" data-cloth=${each} aria-hidden="true"></i>` : nothing)
    }${picks(say, "sound", Object.keys(SOUNDS), memory.get("sound") ?? "knock", () => nothing, listen)}
      <label class="field"><span>${say("ui.volume")}</span><input type="range" name="volume" min="0" max="100" step="10"
        .value=${String(memory.get("volume") ?? VOLUME)} @change=${hear}></label>
      <fieldset class="checks listed"><legend class="vh">${say("ui.by_choice")}</legend>
        ${check("auto", memory.get("auto") === true)}${check("captions", memory.get("captions") !== false)}
        ${check("letters", memory.get("letters") !== false)}${check("speaks", memory.get("speaks") !== false)}${
      check("notify", memory.get("notify") === true)
    }</fieldset>
      ${memory.lasting ? nothing : html`<p class="warn">${say("ui.no_storage")}</p>`}
      ${user ? account(user, say) : nothing}${ends(say)}`,
    async (form, button) => {
      if (button === "forget") return forget(memory);
      if (button in ACCOUNT) return await ACCOUNT[button]?.(say);
      const data = new FormData(form);
      const name = nameIn(form), picked = String(data.get("face") ?? "");
      const shown = { ...name !== user?.name && { name }, ...picked !== face && { face: picked || null } };
      if (user && Object.keys(shown).length) {
        const wrong = await named(shown, say);
        if (wrong) return wrong;
      }
      memory.set("language", data.get("language"));
      memory.set("pace", Number(data.get("pace")));
      memory.set("theme", data.get("theme") || null);
      memory.set("confirm", data.get("confirm"));
      memory.set("volume", Number(data.get("volume")));
      memory.set("sound", data.get("sound"));
      for (const name of ["back", "felt"]) memory.set(name, data.get(name) || null);
      for (const name of ["auto", "captions", "letters", "speaks"]) memory.set(name, data.has(name));
      const wanted = data.has("notify"), allowed = wanted && await maySay();
      memory.set("notify", allowed);
      if (wanted && !allowed) return say("ui.not_allowed");
    },
  );
  if (answer && answer !== "export" && answer !== "hand_over") location.reload();
}

/** What can be done with the user's account: what is wrong is returned. @type {Record<string, (say: Say) => Promise<string>>} */
const ACCOUNT = {
  hand_over: async (say) => {
    const devices = await later(() => import("./devices.js"));
    return await devices.handOver(say).then(() => "", (error) => explained(error, say));
  },
  sign_out: async (say) => (await later(() => import("./devices.js"))).signOutEverywhere(say),
  export: async (say) =>
    await (await later(() => import("./devices.js"))).exportAll().then(() => "", (error) => explained(error, say)),
  forget_ever: async (say) => (await later(() => import("./devices.js"))).forgetForEver(say),
};

/** @param {import("../core/identity.js").Identity} user @param {Say} say */
const account = ({ id }, say) =>
  html`<details class="account"><summary>${say("ui.account")}</summary>
    <p><a href=${`player?id=${encodeURIComponent(id)}`}>${say("ui.profile")}</a></p>
    ${
    ["hand_over", "export", "sign_out", "forget", "forget_ever"].map((each) =>
      html`<p><button class=${each.startsWith("forget") ? "linky" : "btn small"} value=${each} formnovalidate>${
        say(`ui.${each}`)
      }</button></p>`
    )
  }</details>`;
