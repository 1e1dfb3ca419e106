/**
 * What a player is asked: the prompt of the ruleset for the state (labels.prompts), filled from the view. A table
 * description names the state and its fields (`Table.asked`); a ruleset without prompts is asked by its phases.
 */

import * as talk from "./talk.js";

/**
 * @import { Composition } from "./compose.js"
 * @import { State } from "./model.js"
 * @import { Asked, Card, Move, View } from "./types.js"
 * @typedef {{ ask: string, say: string, hint: string, verb: (move: Move) => string,
 *   switched: (field: string) => string | undefined, meter?: Asked["meter"] }} Prompt
 *   `hint`: what `say` has after its first sentence, to be read below the question.
 *   `verb`: of the button for a move, `switched`: of the switch for a field; "" where the prompt has none.
 */

/** The prompt for what has been chosen so far; null: the ruleset has none. @param {State} state @param {Composition} composition @param {View} view @param {talk.Tongue} tongue @returns {Prompt | null} */
export function prompt(state, { left }, view, tongue) {
  const { table, labels, choice, confirm, film, shown, game, deck } = state;
  if (!table.asked || !labels.prompts || !left.length) return null;
  const asked = table.asked({
    view,
    you: game.you ?? 0,
    deck,
    clicked: choice.clicked,
    left,
    legal: game.legal_moves,
    confirm,
    events: film.move(shown).map(({ event }) => event),
    tally: film.tally(shown),
  });
  return promptOf(asked, tongue);
}

/** @param {Asked} asked @param {talk.Tongue} tongue @returns {Prompt | null} */
export function promptOf({ key, fields = {}, of, meter }, tongue) {
  const found = tongue.labels.prompts?.[key];
  if (!found) return null;
  /** @param {string} text @param {boolean} spoken @param {Record<string, unknown>} [more] */
  const fill = (text, spoken, more = {}) => filled(text, { ...fields, ...more }, spoken, tongue);
  return {
    meter,
    ask: upper(fill(found.ask, false)),
    say: fill(found.say ?? found.ask, true),
    hint: fill(further(found.say ?? "", fields, tongue), false),
    switched: (field) => found.do?.[field],
    verb: (move) => {
      const detail = Object.entries(move).map(([, value]) => found.do?.[`${move.type}.${value}`]).find(Boolean);
      const text = detail ?? found.do?.[move.type] ?? "";
      return upper(fill(text, false, of?.(move)));
    },
  };
}

/** @param {string} text */
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const PLACEHOLDER = /{(\w+)(\.of)?}/g;
const OPTIONAL = /\[([^[\]]*)\]/g;

/** @param {unknown} value */
const missing = (value) => value === undefined || value === null || value === "";

/** Without the parts whose content does not apply. @param {string} template @param {Record<string, unknown>} fields */
const chosen = (template, fields) =>
  template.replace(
    OPTIONAL,
    (_, part) => [...part.matchAll(PLACEHOLDER)].some(([, name]) => missing(fields[name])) ? "" : part,
  );

/** What follows the first sentence, which is not that it is one's turn. @param {string} template @param {Record<string, unknown>} fields @param {talk.Tongue} tongue */
const further = (template, fields, { say }) =>
  /[.?!] (.+)/.exec(chosen(template, fields).replace(`${say("ui.your_turn")}. `, ""))?.[1] ?? "";

/** @param {string} template @param {Record<string, unknown>} fields @param {boolean} spoken @param {talk.Tongue} tongue */
export function filled(template, fields, spoken, tongue) {
  return chosen(template, fields)
    .replace(PLACEHOLDER, (whole, name, of) => {
      if (missing(fields[name])) return whole;
      const text = shown(fields[name], spoken, tongue);
      return of ? tongue.say(/[sßxz]$/.test(text) ? "ui.possessive_s" : "ui.possessive", { name: text }) : text;
    });
}

/** Cards, seats and words are marked by their field: `{ card }`, `{ named }` (a card that its number does not tell apart), `{ cards }` (`sum`: they are added), `{ seat }`, `{ word: [field, value] }`, `{ words: [field, values] }`, `{ place: [field, index] }`. @param {any} value @param {boolean} spoken @param {talk.Tongue} tongue */
function shown(value, spoken, tongue) {
  if (typeof value !== "object") return String(value);
  if ("named" in value) return tongue.table.name(value.named, tongue.say, tongue.deck);
  if ("place" in value) return talk.placeOf(tongue.labels.places?.[value.place[0]], value.place[1]);
  if ("seat" in value) return tongue.names[value.seat] ?? "";
  if ("words" in value) {
    return value.words[1].map((/** @type {string} */ each) => tongue.labels.values?.[value.words[0]]?.[each]).join(
      ", ",
    );
  }
  if ("word" in value) return tongue.labels.values?.[value.word[0]]?.[value.word[1]] ?? talk.plain(value.word[1]);
  /** @param {Card} card */
  const one = (card) => spoken ? tongue.table.name(card, tongue.say, tongue.deck) : short(card, tongue);
  return "card" in value ? one(value.card) : value.cards.map(one).join(spoken ? ", " : value.sum ? " + " : " ");
}

/** A card in a question: its number, or its name. @param {Card} card @param {talk.Tongue} tongue */
function short(card, { table, say, deck }) {
  const { number } = table.face(card, deck, say);
  return number?.replace("-", "−") ?? table.name(card, say, deck);
}
