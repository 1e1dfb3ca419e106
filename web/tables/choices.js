/** The words of a move with its cards: its key in `labels.choices`, and their fields. Loaded when it is needed first. */

/** @typedef {import("../core/types.js").Choice} Choice */

/** By ruleset. @type {Record<string, Choice>} */
export const CHOICES = {
  skyjo: ({ type, slot }, { held, discard, layouts }, you) => {
    const there = layouts[you][slot], up = there?.up;
    const card = type === "take" ? discard.at(-1) : held;
    return {
      key: type === "swap" && !up ? "swap (hidden)" : type,
      fields: { card: { card }, there: up ? { card: there.card } : null, place: { place: ["slot", slot] } },
    };
  },
  skyjo_action: ({ type, slot, seat, source, card: named }, { held, discard, layouts, open }, you) => {
    const owner = seat ?? you, there = layouts[owner]?.[slot];
    const card = named ??
      (type === "take_action" ? open[source]?.card ?? open[source] : type === "take" ? discard.at(-1) : held);
    const hidden = (type === "swap" || type === "pick") && !there?.up,
      pile = type === "take_action" && source === "pile";
    return {
      key: hidden ? `${type} (hidden)` : pile ? `${type} (pile)` : type,
      fields: {
        card: pile ? null : { card },
        there: there?.up ? { card: there.card } : null,
        owner: { seat: owner },
        place: { place: ["slot", slot] },
      },
    };
  },
  scout: ({ type, start, count, end, flip, position, show }, { hands, active }, you) => {
    const hand = hands[you], [left, right] = [hand[position - 1], hand[position]];
    const card = active.at(end === "left" ? 0 : -1), turned = flip && card ? card.toReversed() : card;
    const one = (/** @type {any} */ each) => each ? { card: each } : null;
    return {
      key: type,
      fields: type === "show"
        ? count === 1 ? { one: one(hand[start]) } : { cards: { cards: hand.slice(start, start + count) } }
        : {
          card: one(turned),
          left: left && right ? one(left) : null,
          right: left && right ? one(right) : null,
          first: left ? null : one(right),
          last: right ? null : one(left),
          showing: show ? { word: ["show", "true"] } : null,
        },
    };
  },
  scopinion: ({ type, card, pay, by }) => ({
    key: type,
    fields: { card: { named: card }, pay: { cards: pay ?? [] }, by: { card: by } },
  }),
  scandaroon: ({ type, card, row, position }, { rows }, you) => {
    const there = rows[row ?? you]?.[position];
    return {
      key: type,
      fields: { card: { named: card ?? there?.card ?? there }, row: { seat: row ?? you } },
    };
  },
};
