/** The words of a move with its cards, for hints, reviews and the list of moves. */

import { filled } from "../core/prompts.js";
import { choices } from "../tables/index.js";

const { CHOICES } = await choices();

/**
 * @import { Tongue } from "../core/talk.js"
 * @import { Move, View } from "../core/types.js"
 */

/** "Put the 4 on the 5"; null: the ruleset has no words for it. @param {Move} move @param {View | null} view @param {number} you @param {Tongue & { ruleset: string }} tongue */
export function choiceOf(move, view, you, tongue) {
  const found = view && CHOICES[tongue.ruleset]?.(move, view, you, tongue.deck);
  const text = tongue.labels.choices?.[found?.key ?? ""];
  return found && text ? filled(text, found.fields ?? {}, false, tongue) : null;
}
