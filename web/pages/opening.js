/** Opens a table: with whom, which game, who sits where. Loaded when somebody wants to play. */

import { html, nothing, styled } from "../core/html.js";
import { EVERYBODY, houseNames, offeredBots, strengthOf, usualBot } from "../core/house.js";
import { identity, random } from "../core/identity.js";
import { placed } from "../core/later.js";
import { repeat } from "../core/keyed.js";
import { portrait, sign, strength } from "../table/card.js";
import { dialog, dismiss, optionFields, optionsFrom, properties, someone, worded } from "./forms.js";
import { api, explained, memory, more, ruleset } from "./page.js";
import { sit } from "./sitting.js";

const ready = Promise.all([styled("opening"), more()]);

/**
 * @import { Say } from "../core/types.js"
 * @typedef {"friends" | "anybody" | "house" | "here"} Company
 */

/** Time controls. @type {Record<string, object>} */
const CLOCKS = {
  none: {},
  fast: { clock: { bank: 180, increment: 10 } },
  ten: { clock: { bank: 600 } },
  days: { clock: { bank: 259_200, increment: 259_200 } },
};

/** @type {Record<Company, string>} */
const SIGNS = { friends: "people", anybody: "globe", house: "house", here: "device" };
const COMPANY = /** @type {Company[]} */ (Object.keys(SIGNS));
/** Seats of a new table, as far as the game has as many. */
const SEATS = 3;

/**
 * Opens a game and goes to it.
 * @param {string} name  The ruleset. @param {Record<string, unknown>} terms @param {Say} say
 * @param {(game: any) => unknown} [then]  Before the page is left. @returns {Promise<string>} What is wrong.
 */
async function open(name, terms, say, then = () => {}) {
  if (memory.fleeting) return say("ui.needs_storage");
  if (!(await someone(say))) return "";
  try {
    const { body } = await api.request(`games/${name}`, {
      method: "POST",
      body: terms["hotseat"] ? { ...terms, entropy: random() } : terms,
      headers: { "Idempotency-Key": random() },
    });
    if (!terms["hotseat"]) await sit(`${name}/${body.id}`, body.invite ?? null);
    await then(body);
    location.href = `table?g=${name}/${body.id}`;
    return "";
  } catch (error) {
    return explained(error, say);
  }
}

/**
 * A game at which these sit beside the user: bots, or "open". The own seat is kept, and taken with entropy when the
 * shuffles are committed to: so the proof that nobody knew a card counts.
 * @param {any} rules @param {(string | { player: string })[]} others @param {Say} say
 * @param {Record<string, unknown>} [terms] @param {(game: any) => unknown} [then] @param {(string | undefined)[]} [called]  By seat, the names of the house.
 */
export async function against(rules, others, say, terms = {}, then = () => {}, called) {
  if (memory.fleeting) return say("ui.needs_storage");
  const user = await someone(say);
  if (!user) return "";
  const seats = [{ player: user.id }, ...others];
  const sealed = others.some((each) => each === "open" || typeof each !== "string");
  return await open(rules.name, { ...terms, seats, sealed }, say, async (game) => {
    if (called) memory.set(`house.${rules.name}/${game.id}`, called);
    await then(game);
  });
}

/** A game against two house players, with its usual options; nobody else sees it. @param {any} rules @param {Say} say @returns {Promise<string>} What is wrong. */
export function playNow(rules, say) {
  const { least, most } = rules.seats,
    others = Array(Math.min(Math.max(least, 3), most) - 1).fill(usualBot(rules.bots));
  return against(rules, others, say, { private: true });
}

/** A table for anybody, with as few seats as the game has; the house comes if nobody does (waiting.js). @param {any} rules @param {Say} say @returns {Promise<string>} What is wrong. */
export const quickSeat = (rules, say) =>
  against(
    rules,
    Array(Math.max(rules.seats.least, 2) - 1).fill("open"),
    say,
    {},
    ({ id }) => memory.set(`quick.${rules.name}/${id}`, Date.now()),
  );

/** The guided first game; one that was begun goes on. @param {string} name  The ruleset. @param {Say} say @returns {Promise<string>} What is wrong. */
export async function learn(name, say) {
  await ready;
  if (memory.fleeting) return say("ui.needs_storage");
  if (!(await someone(say))) return "";
  try {
    const known = memory.get(`lesson.${name}`);
    const goesOn = known &&
      await api.request(`games/${name}/${known}`).then(({ body }) => body.status === "running", () => false);
    const headers = { "Idempotency-Key": random() };
    const id = goesOn ? known : (await api.request(`games/${name}/lesson`, { method: "POST", headers })).body.id;
    memory.set(`lesson.${name}`, id);
    location.href = `table?g=${name}/${id}`;
    return "";
  } catch (error) {
    return explained(error, say);
  }
}

/**
 * The form. What was chosen last time is chosen again.
 * @param {any[]} listed  The rulesets in the list. @param {string} chosen @param {Record<string, any>} tables @param {Say} say
 */
export async function openTable(listed, chosen, tables, say) {
  await ready;
  const last = memory.get("opened") ?? {};
  const state = {
    company: /** @type {Company} */ (COMPANY.includes(last.company) ? last.company : "friends"),
    name: chosen,
    /** With its schemas and all labels. @type {any} */ rules: await ruleset(chosen),
    seats: last.seats ?? SEATS,
    clock: last.clock in CLOCKS ? last.clock : "none",
    /** The terms of extensions that are wanted. @type {Record<string, boolean>} */ terms: { ...last.terms },
    /** Whether moves are taken back if all agree; undefined: as is usual in this company. @type {boolean | undefined} */
    agreed: last.agreed,
    /** Who sits beside the user: a bot, or "". @type {string[]} */ others: Array(9).fill(""),
    /** The values of the form that are not in this state. */ data: new FormData(),
  };
  let wanted = chosen;
  /** @param {Partial<typeof state>} parts @param {() => void} again */
  const set = async (parts, again) => {
    if (parts.name) {
      wanted = parts.name;
      const rules = await ruleset(wanted);
      if (wanted !== rules.name) return; // another one was chosen meanwhile
      state.rules = rules;
      state.others = state.others.map((bot) => rules.bots.includes(bot) ? bot : "");
      state.data = new FormData();
    }
    Object.assign(state, parts);
    again();
  };
  await dialog(say("ui.open_table"), (/** @type {() => void} */ again) => {
    const { least, most } = state.rules.seats;
    state.seats = Math.min(Math.max(state.seats, least), most);
    return html`<div class="opening" @input=${(/** @type {any} */ { currentTarget }) => {
      state.data = new FormData(currentTarget.closest("form"));
      again();
    }}>${
      choices(
        say("open.with_whom"),
        "company",
        COMPANY,
        state.company,
        (company) => set({ company }, again),
        (each) =>
          html`${sign(SIGNS[each])}<b>${say(`open.with_${each}`)}</b><small>${say(`open.with_${each}_how`)}</small>`,
        "four",
      )
    }
      ${
      choices(
        say("open.game"),
        "game",
        listed.map(({ name }) => name),
        state.name,
        (name) => set({ name }, again),
        (each) =>
          html`<i class="cloth-dot" data-cloth=${tables[each]?.cloth ?? "slate"}></i>${
            listed.find(({ name }) => name === each)?.own.title
          }`,
        "five",
      )
    }
      <div class="pair">${
      choices(
        say("open.seats"),
        "seats",
        Array.from({ length: most - least + 1 }, (_, index) => least + index),
        state.seats,
        (seats) => set({ seats }, again),
        (each) => each,
        "seg",
      )
    }${
      state.company === "here" ? nothing : choices(
        say("open.clock"),
        "clock",
        Object.keys(CLOCKS),
        state.clock,
        (clock) => set({ clock }, again),
        (each) => say(`open.clock_${each}`),
        "seg",
      )
    }</div>
      ${sits(state, say, again)}
      ${
      withPeople(state)
        ? html`
          <label
            class="check"><input type="checkbox" .checked=${takesBack(state)} @change=${(
              /** @type {any} */ { target },
            ) => {
              state.agreed = target.checked;
            }}><span><b>${say("open.undo")}</b> <small>${say("open.undo_how")}</small></span></label>
        `
        : nothing
    }${
      offered(state, beside(state)).map(({ term, ask, how }) =>
        html`
          <label
            class="check"><input type="checkbox" name=${term} .checked=${Boolean(state.terms[term])} @change=${(
              /** @type {any} */ { target },
            ) => {
              state.terms[term] = target.checked;
            }}><span><b>${say(ask)}</b> <small>${how ? say(how) : ""}</small></span></label>
        `
      )
    }
      <details class="fold"><summary>${sign("chevron")}<b>${say("open.variants")}</b><small>${
      variants(state, say)
    }</small></summary>
        <div class="fields">${
      repeat([state.rules], ({ name }) => name, (rules) => html`${optionFields(rules, say)}`)
    }</div></details>
      <details class="fold"><summary>${sign("chevron")}<b>${say("open.fairness")}</b><small>${
      say("open.fairness_short")
    }</small></summary>
        <p>${say("ui.fair_how")}</p>
        <label class="field"><span>${say("ui.deck")}</span><select name="deck">${
      state.rules.decks.map((/** @type {any} */ { name }) => html`<option>${name}</option>`)
    }</select><small>${state.rules.decks[0].provenance}</small></label></details>
      <footer><button type="button" class="btn quiet" @click=${dismiss}>${say("ui.cancel")}</button>
        <button class="btn main" value="ok">${sign(state.company === "friends" ? "link" : SIGNS[state.company])}${
      say(`open.${state.company}`)
    }</button></footer></div>`;
  }, (form) => submitted(state, new FormData(form), say));
}

/**
 * A group of radio buttons.
 * @template T @param {string} legend @param {string} name @param {T[]} all @param {T} chosen @param {(value: T) => void} set
 * @param {(value: T) => unknown} inside @param {string} cls
 */
const choices = (legend, name, all, chosen, set, inside, cls) =>
  html`
    <fieldset class=${cls}>
      <legend>${legend}</legend>
      <div>${all.map((each) =>
        html`<label><input type="radio" name=${name} .value=${String(each)} .checked=${each === chosen}
        @change=${() => set(each)}>${inside(each)}</label>`
      )}</div>
    </fieldset>
  `;

/** The names of a strength. @param {string} bot */
const namesOfBot = (bot) => EVERYBODY.flatMap(({ name, strength: how }) => how === strengthOf(bot) ? [name] : []);

/** The bot that has this name, among these. @param {string} name @param {string[]} bots */
const botOf = (name, bots) => bots.find((bot) => namesOfBot(bot).includes(name));

/** The names of these bots: those that were chosen, each once, and others for the rest. @param {string[]} bots @param {string[]} chosen */
function namesFor(bots, chosen) {
  const taken = new Set(chosen);
  return bots.map((bot, index) => {
    const own = chosen[index] ?? "", all = namesOfBot(bot);
    if (all.includes(own) && chosen.indexOf(own) === index) return own;
    const name = all.find((each) => !taken.has(each)) ?? all[0] ?? bot;
    taken.add(name);
    return name;
  });
}

/** Who sits at another seat: a bot, or "". @param {Company} company @param {string[]} bots  That can. @param {string} [chosen] */
const occupant = (company, bots, chosen = "") =>
  bots.includes(chosen) ? chosen : company === "house" ? botOf(chosen, bots) ?? usualBot(bots) : "";

/** Who sits beside the user: a bot, or "". @param {any} state @returns {string[]} */
function beside({ company, seats, rules, others, clock }) {
  const bots = offeredBots(rules.bots, clock !== "none");
  return Array.from({ length: seats - 1 }, (_, index) => occupant(company, bots, others[index]));
}

/** The terms of extensions for such a table. @param {any} state @param {string[]} chosen  Who sits beside the user. */
const offered = ({ company }, chosen) =>
  placed("terms").filter(({ when }) =>
    when === "alone" ? company !== "here" && chosen.every(Boolean) : when === company
  );

/** Others than the user and the house sit there. @param {any} state */
const withPeople = ({ company }) => company === "friends" || company === "anybody";

/** Whether moves are taken back if all agree: among friends, unless they say otherwise. @param {any} state */
const takesBack = ({ company, agreed = company === "friends" }) => agreed;

/** Who sits where. @param {any} state @param {Say} say @param {() => void} again */
function sits(state, say, again) {
  const { company, seats, rules, others, clock } = state;
  const { name: me, face } = identity(memory) ?? { name: say("table.you") },
    bots = offeredBots(rules.bots, clock !== "none");
  const chosen = beside(state);
  const names = company === "house" ? namesFor(chosen, others) : houseNames(chosen);
  /** The name that a bot would have there, beside those before. @param {number} index @param {string} bot */
  const title = (index, bot) =>
    names[index] && chosen[index] === bot ? names[index] : houseNames([...chosen.slice(0, index), bot]).at(-1) ?? bot;
  /** @param {number} index */
  const other = (index) => {
    const number = index + 2;
    if (company === "here") {
      return html`<label>${portrait(String(number))}<input name="player" maxlength="20" aria-label=${
        say("open.player_n", { n: number })
      } placeholder=${say("open.player_n", { n: number })}></label>`;
    }
    const bot = chosen[index] ?? "";
    return html`
      <label
        class=${bot ? "" : "free"}>${bot ? portrait(title(index, bot), true) : portrait(null)}<select aria-label=${say(
          "open.seat_n",
          { n: number },
        )} @change=${(/** @type {any} */ { target }) => {
          others[index] = target.value;
          again();
        }}>${company === "house"
          ? nothing
          : html`<option value="" ?selected=${!bot}>${say(`open.free_${company}`)}</option>`}${bots.map((each) =>
            html`
              <optgroup label=${say(`house.${strengthOf(each)}`)}>
                ${company === "house"
                  ? namesOfBot(each).map((name) =>
                    html`<option value=${name} ?selected=${name === names[index]}>${name}</option>`
                  )
                  : html`<option value=${each} ?selected=${each === bot}>${title(index, each)}</option>`}
              </optgroup>
            `
          )}</select>${bot ? strength(strengthOf(bot), say) : nothing}</label>
    `;
  };
  return html`
    <fieldset class="sits">
      <legend>${say("open.who_sits")}</legend>
      <div><span>${portrait(me, company !== "here" && face)}${company === "here"
        ? html`
          <input name="player" maxlength="20" aria-label=${say("open.player_n", { n: 1 })}
            placeholder=${me}>
        `
        : html`<b>${say("table.you")}</b>`}</span>${Array.from({
          length: seats - 1,
        }, (_, index) => other(index))}</div>
      ${company !== "here" && chosen.some(Boolean) ? html`<p class="soft">${say("house.sees")}</p>` : nothing}
      ${company === "here" ? nothing : html`<p class="soft">${say(`open.watch_${company}`)}</p>`}
    </fieldset>
  `;
}

/** The options that are not the usual ones. @param {any} state @param {Say} say */
function variants({ rules, data }, say) {
  const known = properties(rules.schemas.options);
  if (!Object.keys(known).some((name) => data.has(name))) {
    return say("open.as_usual");
  }
  const options = optionsFrom(rules.schemas.options, data);
  const other = Object.keys(known).filter((name) =>
    JSON.stringify(options[name]) !==
      JSON.stringify(rules.default_options[name])
  );
  return other.map((name) => `${rules.own.options[name] ?? name}: ${worded(name, options[name], rules.own, say)}`)
    .join(", ") || say("open.as_usual");
}

/** @param {any} state @param {FormData} data @param {Say} say */
async function submitted(state, data, say) {
  const { company, rules, seats, clock, others, agreed } = state, chosen = beside(state);
  memory.set("opened", { company, seats, clock, terms: state.terms, agreed });
  memory.set("ruleset", rules.name);
  const terms = { options: optionsFrom(rules.schemas.options, data), deck: data.get("deck") };
  if (company === "here") {
    const names = data.getAll("player").map(String);
    return await open(
      rules.name,
      { ...terms, seats, hotseat: true },
      say,
      ({ id }) => {
        memory.set(`names.${rules.name}/${id}`, [names[0] || identity(memory)?.name, ...names.slice(1)]);
      },
    );
  }
  const rest = chosen.map((bot) => bot || "open");
  const open_ = {
    ...terms,
    ...CLOCKS[clock],
    private: company !== "anybody",
    ...Object.fromEntries(offered(state, chosen).map(({ term }) => [term, state.terms[term] === true])),
    ...(withPeople(state) && takesBack(state) ? { undo: "agreed" } : {}),
  };
  const called = company === "house" ? [undefined, ...namesFor(rest, others)] : undefined;
  const then = (/** @type {any} */ game) => company === "friends" ? copied(rules.name, game) : null;
  return await against(rules, rest, say, open_, then, called);
}

/** Copies the link of a game, as far as the browser allows it. @param {string} name @param {any} game */
function copied(name, { id, invite }) {
  const link = new URL(`table?g=${name}/${id}`, document.baseURI);
  if (invite) link.hash = new URLSearchParams({ invite }).toString();
  return navigator.clipboard?.writeText(link.href).catch(() => {});
}
