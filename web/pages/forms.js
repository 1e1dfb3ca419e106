/** Dialogs, and asking for a name. */

import { Problem } from "../core/api.js";
import { html, render } from "../core/html.js";
import { identity, register } from "../core/identity.js";
import { api, byId, explained, memory } from "./page.js";

/** @import { Say } from "../core/types.js" */

/** How many there were: one can open above another, and each names its own title. */
let dialogs = 0;

/**
 * A dialog. Resolves with the value of the button that closed it, "" if it was dismissed.
 * @param {string} title
 * @param {unknown} content
 * @param {(form: HTMLFormElement, button: string) => Promise<string | void> | string | void} [submit]
 *   Returns what is wrong; then the dialog stays open.
 * @returns {Promise<string>}
 */
export function dialog(title, content, submit = () => {}) {
  const element = document.createElement("dialog"), id = `dialog-${++dialogs}`;
  element.className = "dialog";
  byId("dialogs").append(element);
  /** @param {string} wrong */
  const show = (wrong) =>
    render(
      html`<form method="dialog" @submit=${close}><h2 id=${id}>${title}</h2>${content}
        <p class="wrong" role="alert">${wrong}</p></form>`,
      element,
    );
  /** @param {SubmitEvent} event */
  const close = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const value = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value ?? "";
    const wrong = await submit(form, value);
    if (wrong) show(wrong);
    else element.close(value);
  };
  element.setAttribute("aria-labelledby", id);
  show("");
  element.showModal();
  return new Promise((done) => {
    element.addEventListener("close", () => {
      element.remove();
      done(element.returnValue);
    });
  });
}

/** @param {Say} say @param {string} [chosen] */
export const ends = (say, chosen = say("ui.ok")) =>
  html`<div class="ends"><button type="button" class="btn quiet" @click=${dismiss}>${say("ui.cancel")}</button>
    <button class="btn main" value="ok">${chosen}</button></div>`;

/** @param {Event} event */
export function dismiss(event) {
  /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close("");
}

/** The user, who is asked for a name if there is none yet; null if they do not want to say it. @param {Say} say */
export async function someone(say) {
  const known = identity(memory);
  if (known) return known;
  await dialog(
    say("ui.who_are_you"),
    html`<p>${say("ui.name_hint")}</p><label class="field"><span>${say("ui.name")}</span>
      <input name="name" required maxlength="40" autocomplete="nickname" autofocus></label>${ends(say)}`,
    (form) => named(form, say, register),
  );
  return identity(memory);
}

/** Gives the user the name in the form. @param {HTMLFormElement} form @param {Say} say @param {typeof register} act */
export async function named(form, say, act) {
  const name = String(new FormData(form).get("name") ?? "").trim();
  try {
    await act(api, memory, name);
  } catch (error) {
    return error instanceof Problem ? error.document.errors?.[0]?.message ?? explained(error, say) : String(error);
  }
}
