/**
 * What a player is asked: the prompt of the ruleset for the state (labels.prompts), filled from the view by path. While
 * a move is composed, the table description names the prompt and what has been chosen (`Table.asked`). A ruleset without
 * prompts is asked by its phases. `domain/telling.py` asks by the same rule.
 */

import * as talk from "./talk.js";

/**
 * @import { Composition } from "./compose.js"
 * @import { State } from "./model.js"
 * @import { Asked, Asking, Move, View } from "./types.js"
 * @typedef {{ key: string, ask: string, say: string, hint: string, verb: (move: Move) => string,
 *   switched: (field: string) => string | undefined, meter?: Asked["meter"] }} Prompt
 *   `key`: in the labels. `hint`: what `say` has after its first sentence, to be read below the question.
 *   `verb`: of the button for a move, `switched`: of the switch for a field; "" where the prompt has none.
 */

/** The prompt for what has been chosen so far; null: the ruleset has none. @param {State} state @param {Composition} composition @param {View} view @param {talk.Tongue} tongue @returns {Prompt | null} */
export function prompt(state, { left }, view, tongue) {
  const { choice, confirm, film, shown, game, deck } = state;
  if (!left.length) return null;
  return promptOf({
    view,
    you: game.you ?? 0,
    deck,
    clicked: choice.clicked,
    left,
    legal: game.legal_moves,
    confirm,
    events: film.move(shown).map(({ event }) => event),
    tally: film.tally(shown),
  }, tongue);
}

/** @param {Asking} asking @param {talk.Tongue} tongue @returns {Prompt | null} */
export function promptOf(asking, tongue) {
  const { view, you, legal, clicked, confirm } = asking, { labels: { prompts }, table } = tongue;
  if (!prompts || (!table.asked && (clicked.length || confirm))) return null;
  const { key, fields, of, meter } = table.asked?.(asking) ?? {}, scope = { ...view, you, legal, ...fields };
  const name = key ?? keyOf(prompts, scope, tongue), found = prompts[name];
  if (!found) return null;
  /** @param {string} text @param {Record<string, unknown>} [more] */
  const fill = (text, more = {}) => filled(text, { ...scope, ...more }, tongue);
  const spoken = found.say ?? found.ask;
  return {
    key: name,
    meter,
    ask: upper(fill(found.ask)),
    say: talk.sentence(spoken, scope, tongue),
    hint: fill(further(found.say ?? "", scope, tongue)),
    switched: (field) => found.do?.[field],
    verb: (move) => {
      const detail = Object.entries(move).map(([, value]) => found.do?.[`${move.type}.${value}`]).find(Boolean);
      return upper(fill(detail ?? found.do?.[move.type] ?? "", of?.(move)));
    },
  };
}

/**
 * The prompt of the state: of those whose conditions hold the one with the most. The state is the kind of the pending
 * decision, otherwise the phase; `*` is every state, and goes first.
 * @param {Record<string, { when?: string[] }>} prompts @param {any} scope @param {talk.Tongue} tongue
 */
function keyOf(prompts, scope, tongue) {
  const state = scope.pending?.kind ?? scope.phase;
  let best = "", most = -1;
  for (const [key, { when = [] }] of Object.entries(prompts)) {
    const [of = ""] = key.split(" ("), isOf = key === state || (when.length > 0 && [state, "*"].includes(of));
    const rank = when.length + (of === "*" ? ANY : 0);
    if (isOf && rank > most && when.every((each) => talk.holds(each, scope, tongue))) [best, most] = [key, rank];
  }
  return best;
}

/** More conditions than a prompt has. */
const ANY = 100;

/** @param {string} text */
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What follows the first sentence, which is not that it is one's turn. @param {string} template @param {any} scope @param {talk.Tongue} tongue */
const further = (template, scope, tongue) =>
  /[.?!] (.+)/.exec(talk.chosen(template, scope, tongue).replace(`${tongue.say("ui.your_turn")}. `, ""))?.[1] ?? "";

/** For the eyes: a card is its number, or its name. @param {string} template @param {any} scope @param {talk.Tongue} tongue */
export const filled = (template, scope, tongue) => talk.sentence(template, scope, tongue, short);

/** @param {any} card @param {talk.Tongue} tongue @returns {string} */
function short(card, tongue) {
  if (card === null || card === undefined) return tongue.labels.cards?.hidden ?? "";
  const { number } = tongue.table.face(card, tongue.deck, tongue.say);
  return number?.replace("-", "−") ?? tongue.table.name(card, tongue.say, tongue.deck);
}
