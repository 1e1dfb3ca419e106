/** Dialogs, asking for a name, and a form for the options of a ruleset, made from their JSON Schema. */

import { Problem } from "../core/api.js";
import { html, nothing, render, styled } from "../core/html.js";
import { become, identity } from "../core/identity.js";
import { portrait } from "../table/card.js";
import { api, byId, explained, memory, more } from "./page.js";

/**
 * @import { Say } from "../core/types.js"
 * @typedef {Record<string, any>} Schema
 */

const ready = styled("dialogs");
await more();

/** How many there were: one can open above another, and each names its own title. */
let dialogs = 0;

/**
 * A dialog. Resolves with the value of the button that closed it, "" if it was dismissed.
 * @param {string} title
 * @param {unknown} content  Or a function that makes it, and is given what shows it again.
 * @param {(form: HTMLFormElement, button: string) => Promise<string | void> | string | void} [submit]
 *   Returns what is wrong; then the dialog stays open.
 * @returns {Promise<string>}
 */
export async function dialog(title, content, submit = () => {}) {
  await ready;
  const element = document.createElement("dialog"), id = `dialog-${++dialogs}`;
  element.className = "dialog";
  byId("dialogs").append(element);
  /** @param {string} wrong */
  const show = (wrong) =>
    render(
      html`<form method="dialog" @submit=${close}><h2 id=${id} tabindex="-1">${title}</h2>${
        typeof content === "function" ? content(() => show("")) : content
      }
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
  // What has to be read before the first field is in sight.
  if (element.scrollTop) element.querySelector("h2")?.focus();
  return await new Promise((done) => {
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

/** Faces to choose from; "": the first letter of the name. */
const FACES = "badger bear blackbird cat fox frog hare hedgehog mouse owl pig stag".split(" ");

/**
 * A radio group whose options are drawn.
 * @param {Say} say @param {string} name @param {string[]} all @param {string} now @param {(each: string) => unknown} look
 * @param {(each: string) => unknown} [beside]
 */
export const picks = (say, name, all, now, look, beside = () => nothing) =>
  html`
    <fieldset class="looks of-${name}">
      <legend>${say(`ui.${name}`)}</legend>
      <div>${all.map((each) =>
        html`<span><label title=${name === "face" ? say(`ui.face_${each}`) : nothing}><input type="radio" name=${name}
          value=${each} ?checked=${each === now}>${look(each)}<span class=${name === "face" ? "vh" : ""}>${
          say(`ui.${name}_${each}`)
        }</span></label>${beside(each)}</span>`
      )}</div>
    </fieldset>
  `;

/** @param {Say} say @param {string} name  Of the user. @param {string} now  The face that is chosen. */
export const faces = (say, name, now) => picks(say, "face", ["", ...FACES], now, (each) => portrait(name, each));

/** The user, who is asked for a name if there is none yet, and may choose a face; null if they do not want to. @param {Say} say */
export async function someone(say) {
  const known = identity(memory);
  if (known) return known;
  let name = "";
  await dialog(
    say("ui.who_are_you"),
    (/** @type {() => void} */ again) =>
      html`
        <p>${say("ui.name_hint")}</p><label class="field"><span>${say("ui.name")}</span>
              <input name="name" required maxlength="40" autocomplete="nickname" autofocus @input=${(
                /** @type {any} */ { target },
              ) => {
                name = target.value.trim();
                again();
              }}></label><div
          class="in-a-row">${faces(say, name, "")}</div>${ends(say)}
      `,
    (form) => {
      const face = new FormData(form).get("face");
      return named({ name: nameIn(form), ...face && { face: String(face) } }, say);
    },
  );
  return identity(memory);
}

/** The name in a form. @param {HTMLFormElement} form */
export const nameIn = (form) => String(new FormData(form).get("name") ?? "").trim();

/** Changes the user; a new user, if there is none yet. Returns what is wrong. @param {{ name?: string, face?: string | null }} shown @param {Say} say */
export async function named(shown, say) {
  try {
    const known = identity(memory);
    const { body } = await api.request(known ? "players/me" : "players", {
      method: known ? "PATCH" : "POST",
      body: shown,
    });
    become(memory, known ? { ...body, token: known.token } : body);
  } catch (error) {
    return error instanceof Problem ? error.document.errors?.[0]?.message ?? explained(error, say) : String(error);
  }
}

// --- options of a ruleset ---------------------------------------------------------------------------------------------

/** @param {Schema} schema @returns {Record<string, Schema>} */
export function properties(schema) {
  const name = schema.$ref?.split("/").at(-1);
  return (name ? schema.$defs[name] : schema).properties ?? {};
}

/**
 * @param {any} rules  The ruleset, `own` are its labels.
 * @param {Say} say
 */
export function optionFields({ schemas, own }, say) {
  return Object.entries(properties(schemas.options)).map(([name, property]) => {
    const label = own.options?.[name] ?? name.replaceAll("_", " ");
    return html`<label class="field option"><span>${label}</span>${control(name, property, own, say)}
      <small>${own.options_explained?.[name] ?? property.description ?? ""}</small></label>`;
  });
}

/** @param {string} name @param {Schema} property @param {any} labels @param {Say} say */
function control(name, property, labels, say) {
  const { type, minimum, maximum } = property;
  if (type === "integer") {
    return html`<input type="number" name=${name} required min=${minimum} max=${maximum} step="1" .value=${
      String(property.default)
    }>`;
  }
  if (type === "array") {
    const seats = Array.from({ length: property.items.exclusiveMaximum ?? property.maxItems ?? 0 }, (_, seat) => seat);
    return html`<span class="checks">${
      seats.map((seat) => html`<label><input type="checkbox" name=${name} value=${seat}>${seat + 1}</label>`)
    }</span>`;
  }
  return html`<select name=${name}>${
    choices(property).map((value) =>
      html`<option value=${JSON.stringify(value)} ?selected=${value === property.default}>${
        worded(name, value, labels, say)
      }</option>`
    )
  }</select>`;
}

/** @param {Schema} property @returns {unknown[]} */
function choices({ type, enum: values, anyOf = [] }) {
  if (type === "boolean") return [true, false];
  return values ?? anyOf.flatMap((/** @type {Schema} */ each) => each.type === "null" ? [null] : each.enum ?? []);
}

/** @param {string} name @param {unknown} value @param {any} labels @param {Say} say */
export function worded(name, value, labels, say) {
  const listed = labels.values?.[name]?.[String(value)];
  if (listed !== undefined) return listed;
  if (value === true || value === false) return say(value ? "ui.yes" : "ui.no");
  if (value === null) return say("ui.none");
  return String(value).replaceAll("_", " ");
}

/**
 * What the form says, as the body of a request.
 * @param {Schema} schema
 * @param {FormData} data
 */
export function optionsFrom(schema, data) {
  return Object.fromEntries(
    Object.entries(properties(schema)).map(([name, property]) => {
      if (property.type === "array") return [name, data.getAll(name).map(Number)];
      const text = String(data.get(name));
      return [name, property.type === "integer" ? Number(text) : JSON.parse(text)];
    }),
  );
}
