/** The words of moves with their cards, for hints, reviews and the list of moves. */

import { clicksOf } from "../core/compose.js";
import { filled } from "../core/prompts.js";
import { nameOf } from "../core/talk.js";
import { choices } from "../tables/index.js";

const { CHOICES } = await choices();

/**
 * @import { Tongue } from "../core/talk.js"
 * @import { Move, Thing, View } from "../core/types.js"
 */

/** "Put the 4 on the 5"; null: the ruleset has no words for it. @param {Move} move @param {View | null} view @param {number} you @param {Tongue & { ruleset: string }} tongue */
export function wordsOf(move, view, you, tongue) {
  const found = view && CHOICES[tongue.ruleset]?.(move, view, you, tongue.deck);
  const text = tongue.labels.choices?.[found?.key ?? ""];
  return found && text ? filled(text, found.fields ?? {}, tongue) : null;
}

/** Where a thing is, if its zone has places. @param {Thing} thing @param {Tongue} tongue */
function whereOf(thing, { table, say }) {
  const [zone = "", ...path] = thing.split("/"), index = Number(path.at(-1));
  if (!path.length || Number.isNaN(index)) return [];
  return [table.place?.(zone, index, say) ?? say("cards.place", { place: index + 1 })];
}

/**
 * The words of the moves of one choice. Moves that read alike, as with equal cards, also say where these lie; a ruleset
 * without words for a move has its name and fields.
 * @param {Move[]} moves @param {View | null} view @param {number} you @param {Tongue & { ruleset: string }} tongue
 */
export function choicesOf(moves, view, you, tongue) {
  const all = moves.map((move) => {
    const text = wordsOf(move, view, you, tongue);
    return { move, text, clicks: view && text !== null ? clicksOf(tongue.table, move, you, view) : [] };
  });
  const alike = Map.groupBy(all, ({ text }) => text);
  return all.map(({ move, text, clicks }) => {
    if (text === null) return nameOf(move, moves, tongue);
    const apart = clicks.filter((thing, at) => alike.get(text)?.some((other) => other.clicks[at] !== thing));
    const where = new Set(apart.flatMap((thing) => whereOf(thing, tongue)));
    return where.size ? `${text} (${[...where].join(", ")})` : text;
  });
}
