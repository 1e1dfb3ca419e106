/** Dialogs of a table, loaded when they are opened. */

import { html, nothing } from "../core/html.js";
import { random } from "../core/identity.js";
import { placed } from "../core/later.js";
import { legalNow, tongueOf } from "../core/model.js";
import { choicesOf } from "./choices.js";
import { isAlone } from "./ending.js";
import { sign } from "../table/card.js";
import { dialog, dismiss, ends, someone, worded } from "./forms.js";
import { announce, api, explained, memory, more } from "./page.js";
import { sit } from "./sitting.js";

await more();

/**
 * @import { State } from "../core/model.js"
 * @import { Move, Say } from "../core/types.js"
 */

/** All legal moves as a list of text. @param {State} state @returns {Promise<Move | null>} */
export async function allMoves(state) {
  const { say } = state;
  const legal = legalNow(state),
    tongue = tongueOf(state),
    view = state.film.view(state.shown),
    you = state.game.you ?? 0;
  const answer = await dialog(
    say("ui.moves"),
    html`
      <label
        class="field"><span class="vh">${say("ui.filter")}</span><input type="search" placeholder=${say(
          "ui.filter",
        )} @input=${filter} @keydown=${walked}></label>
      <ol class="moves" @keydown=${walked}>${choicesOf(legal, view, you, tongue).map((text, index) =>
        html`<li><button value=${index}>${text}</button></li>`
      )}</ol>
      <div class="ends"><button type="button" class="btn quiet" @click=${dismiss}>${say("ui.cancel")}</button></div>
    `,
  );
  return answer === "" ? null : legal[Number(answer)] ?? null;
}

/** Arrows lead through the list, and Enter in the filter makes no move. @param {KeyboardEvent} event */
function walked(event) {
  const { key, target } = event, field = /** @type {HTMLElement} */ (target), { form } = /** @type {any} */ (field);
  if (key === "Enter" && field instanceof HTMLInputElement) return event.preventDefault();
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step) return;
  event.preventDefault();
  const all = [form.querySelector("input"), ...form.querySelectorAll(".moves li:not([hidden]) button")];
  all[Math.max(0, Math.min(all.indexOf(field) + step, all.length - 1))]?.focus();
}

/** Shows the moves whose names have all these words. @param {Event} event */
function filter({ currentTarget }) {
  const field = /** @type {HTMLInputElement} */ (currentTarget), words = field.value.toLowerCase().split(/\s+/);
  for (const item of field.form?.querySelectorAll(".moves li") ?? []) {
    const text = item.textContent?.toLowerCase() ?? "";
    item.toggleAttribute("hidden", !words.every((word) => text.includes(word)));
  }
}

/** What the keys do. @param {Say} say */
export function keys(say) {
  const known = [
    "arrows",
    "enter",
    "digits",
    "escape",
    "t",
    "f",
    "m",
    "n",
    "z",
    ...placed("tools").flatMap(({ key }) => key ?? []),
    "l",
    "r",
    "e",
    "pace",
    "past",
    "replay",
  ];
  return dialog(
    say("ui.keys"),
    html`
      <dl class="facts keys">${known.map((key) =>
        html`
          <dt><kbd>${say(`key.${key}`)}</kbd></dt>
          <dd>${say(`keys.${key}`)}</dd>
        `
      )}</dl>
      <div class="ends"><button class="btn main" value="ok">${say("ui.ok")}</button></div>
    `,
  );
}

/**
 * Deck, rules, options and the commitment; on a small screen also what the bar has no room for.
 * @param {State} state
 * @returns {Promise<string>} The button that was pressed.
 */
export function about({ game, labels, say, me }) {
  const bots = [...new Set(game.seats.flatMap((/** @type {any} */ { bot }) => bot ?? []))].map((bot) =>
    html`
      <dt>${labels.bots[bot]?.title ?? bot} <small>${bot}</small></dt>
      <dd>${labels.bots[bot]?.about}</dd>
    `
  );
  const given = game.clock && game.status === "running" && game.you !== null
    ? game.seats.filter((/** @type {any} */ { seat, player, gone }) => player && !gone && seat !== game.you)
    : [];
  const gift = Math.min(60, game.clock?.bank ?? 0);
  const ending = game.status === "running" && game.you !== null, leaves = ending && !game.hotseat;
  const alone = isAlone({ game, me });
  const options = Object.entries(game.options).map(([field, value]) =>
    html`
      <dt>${labels.options[field] ?? field}</dt>
      <dd>${worded(field, value, labels, say)}</dd>
    `
  );
  return dialog(
    labels.title,
    html`
      <p
        class="about-acts"><button class="btn small" value="share">${say(
          "table.share",
        )}</button>${game.you !== null && !game.hotseat
          ? placed("tools").map(({ term, text, module }) =>
            term ? nothing : html`<button class="btn small" value=${`tool ${module}`}>${say(text)}</button>`
          )
          : nothing}<button class="btn small narrow" value="rules">${say(
            "ui.rules",
          )}</button>${game.status === "running"
          ? html`
            <button class="btn small narrow" value="replay">${say("ui.replay")}</button>
            <button class="btn small narrow" value="moves">${say("ui.moves")}</button>
          `
          : nothing}</p>
            <p>${labels.summary}</p><dl class="facts">${bots}${options}</dl>
            <details class="fold">
        <summary>${sign("chevron")}<b>${say("open.fairness")}</b></summary>
        <dl class="facts">
          <dt>${say("ui.rules")}</dt>
          <dd>${game.rules}</dd>
          <dt>${say("ui.deck")}</dt>
          <dd>${game.deck.name}<br><small>${game.deck.provenance}</small></dd>
          <dt>${say("ui.commitment")}</dt>
          <dd><code>${game.commitment}</code></dd>
        </dl>
      </details>
            ${given.map((/** @type {any} */ { seat, player }) =>
              html`<p><button class="btn small" value=${`give ${seat} ${gift}`}>${
                say("ui.give_time", { name: player.name, count: gift })
              }</button></p>`
            )}
            ${ending && !game.vote
              ? html`<p><button class="linky" value="end">${say(alone ? "ui.end_game" : "ui.abort_ask")}</button></p>`
              : nothing}
            ${leaves ? html`<p><button class="linky" value="leave">${say("ui.leave_running")}</button></p>` : nothing}
            <div class="ends"><button class="btn main" value="ok">${say("ui.ok")}</button></div>
    `,
  );
}

/**
 * Leaves the running game, after asking.
 * @param {State} state @param {string} path @param {string | null} invite @returns {Promise<string>} What is wrong.
 */
export async function leave({ game, say }, path, invite) {
  const aborts = game.absent === "abort";
  const hint = html`<p>${say(aborts ? "ui.leave_aborts" : "ui.leave_hint")}</p>`;
  const sure = await dialog(say("ui.leave_running"), html`${hint}${ends(say, say("ui.leave"))}`);
  if (sure !== "ok") return "";
  return await attempted(say, () =>
    api.request(`games/${path}/seats/${game.you}`, {
      method: "DELETE",
      query: { running: true },
      headers: { Invite: invite },
    }));
}

/** Gives time to another player. @param {string} path @param {string | null} invite @param {Say} say @param {string} given  `give SEAT SECONDS` */
export function give(path, invite, say, given) {
  const [, seat, seconds] = given.split(" ").map(Number);
  return attempted(
    say,
    () => api.request(`games/${path}/time`, { method: "POST", body: { seat, seconds }, headers: { Invite: invite } }),
  );
}

/** Takes back the user's latest move. @param {State} state @param {string} path @param {string | null} invite */
export function undo({ game, say }, path, invite) {
  const headers = { Invite: invite };
  if (typeof game.undo !== "number") return vote(path, invite, say, "undo", true);
  return attempted(say, () => api.request(`games/${path}/moves/${game.undo}`, { method: "DELETE", headers }));
}

/**
 * Asks all players, or answers their question.
 * @param {string} path @param {string | null} invite @param {Say} say @param {"abort" | "undo"} on @param {boolean} yes
 * @param {number} [askedBy] the seat whose question this answers
 */
export function vote(path, invite, say, on, yes, askedBy) {
  const body = { on, yes, asked_by: askedBy }, headers = { Invite: invite };
  return attempted(say, () => api.request(`games/${path}/votes`, { method: "POST", body, headers }));
}

/** The game that repeats this one. @param {State} state @param {string} path @param {string | null} invite */
export function rematch({ game, say }, path, invite) {
  const body = game.sealed ? {} : { entropy: random() }, headers = { Invite: invite };
  return attempted(say, async () => {
    const { body: again } = await api.request(`games/${path}/rematch`, { method: "POST", body, headers });
    if (game.sealed && again.you === null) await sit(`${again.ruleset}/${again.id}`, again.invite ?? null);
    // The seats are rotated by one.
    const [first, ...rest] = memory.get(`house.${path}`) ?? [];
    if (rest.length) memory.set(`house.${again.ruleset}/${again.id}`, [...rest, first]);
    location.href = `table?g=${again.ruleset}/${again.id}`;
  });
}

/** Takes the seat again that the user has left. @param {string} path @param {string | null} invite @param {Say} say */
export const comeBack = (path, invite, say) => attempted(say, () => sit(path, invite));

/** @param {Say} say @param {() => Promise<unknown>} act @returns {Promise<string>} What is wrong. */
async function attempted(say, act) {
  try {
    await act();
    return "";
  } catch (error) {
    announce(explained(error, say), "assertive");
    return explained(error, say);
  }
}

/** A game of one's own that goes on from here. @param {State} state @param {string} path @returns {Promise<string>} What is wrong. */
export function branch({ say, shown }, path) {
  return attempted(say, async () => {
    if (!(await someone(say))) return;
    const { body } = await api.request(`games/${path}/branches`, { method: "POST", body: { at: shown } });
    const url = new URL(location.href); // this page: a table may be in a page of another site
    url.searchParams.set("g", `${body.ruleset}/${body.id}`);
    if (!document.body.classList.contains("embedded")) url.hash = "";
    location.href = url.href;
  });
}
