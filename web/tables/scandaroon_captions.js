/** What a card of Scandaroon does, in a sentence or two, from the data of its deck: so for any deck. */

/** @typedef {import("../core/types.js").Say} Say */

/** @param {number} amount */
const signed = (amount) => amount > 0 ? `+${amount}` : `−${-amount}`;

/** @param {string[]} symbols @param {Say} say */
const named = (symbols, say) => symbols.map((symbol) => say(`labels.cards.${symbol}`)).join(say("cards.or"));

/** A bound of a filter. @param {"min" | "max"} bound @param {any} filter @param {Say} say */
function limit(bound, filter, say) {
  const value = filter[bound];
  if (value === undefined) return "";
  const kind = filter.compare === "current" ? "current" : "printed";
  const number = typeof value === "number" ? value : say(`cards.${value}`);
  return say(`cards.${kind}_${bound}`, { number });
}

/** "a card in your row (turban)". @param {any} filter @param {Say} say @param {number} [count] */
function target(filter, say, count = 1) {
  const { rows = "any", place = "any", symbols, end } = filter;
  const closer = [
    place === "any" ? "" : say(`cards.target_${place}`),
    symbols ? named(symbols, say) : "",
    end === undefined ? "" : say(end ? "cards.target_end" : "cards.target_no_end"),
    limit("min", filter, say),
    limit("max", filter, say),
  ].filter(Boolean);
  return say(`cards.target_${rows}`, { count }) + (closer.length ? ` (${closer.join(", ")})` : "");
}

/** "the card on its left". @param {any} area @param {Say} say */
function area({ direction, reach, symbols }, say) {
  const many = direction === "table" || direction === "elsewhere" ? "" : reach === "all" ? "_all" : "_some";
  const where = say(`cards.area_${direction}${many}`, { count: reach });
  return where + (symbols ? ` (${named(symbols, say)})` : "");
}

/** @type {Record<string, (ability: any, say: Say) => string>} */
const ABILITIES = {
  remove: ({ target: chosen, count }, say) => say("cards.do_remove", { target: target(chosen, say, count) }),
  boost: ({ amount, target: chosen, area: reached, count }, say) =>
    say("cards.do_boost", { target: chosen ? target(chosen, say, count) : area(reached, say), amount: signed(amount) }),
  swap: ({ first, second, max_difference: most }, say) =>
    say("cards.do_swap", { first: target(first, say), second: target(second, say) }) +
    (most === null || most === undefined ? "" : say("cards.do_swap_most", { most })),
  move: ({ target: chosen, to }, say) => say(`cards.do_move_${to}`, { target: target(chosen, say) }),
  set_trump: ({ values }, say) => say("cards.do_set_trump", { values: named(values, say) }),
  draw: ({ count, may_play: may }, say) => say("cards.do_draw", { count }) + (may ? say("cards.do_draw_play") : ""),
  return: ({ target: chosen, to, count }, say) => say(`cards.do_return_${to}`, { target: target(chosen, say, count) }),
};

/** @param {any} card  A card of the deck. @param {Say} say */
export function caption({ effect, ability, end, play_anywhere: anywhere }, say) {
  const does = ability ? ABILITIES[ability.kind]?.(ability, say) : undefined;
  return [
    ...(effect ?? []).map((/** @type {any} */ part) =>
      say("cards.effect", { area: area(part, say), amount: signed(part.amount) })
    ),
    ...(does ? [say("cards.once", { does })] : []),
    ...(anywhere ? [say("cards.anywhere")] : []),
    ...(end ? [say("cards.nothing_follows")] : []),
  ].join(" ");
}
