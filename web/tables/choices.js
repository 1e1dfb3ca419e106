/** The words of a move with its cards: its key in `labels.choices`, and their fields. Loaded when it is needed first. */

/** @typedef {import("../core/types.js").Choice} Choice */

/** By ruleset. @type {Record<string, Choice>} */
export const CHOICES = {
  skyjo: ({ type, slot }, { held, discard, layouts }, you) => {
    const there = layouts[you][slot], up = there?.up;
    const card = type === "take" ? discard.at(-1) : held;
    return {
      key: type === "swap" && !up ? "swap (hidden)" : type,
      fields: { card, there: up ? there.card : null, slot },
    };
  },
  skyjo_action: (move, view, you) => {
    const { type, slot, seat, source, place, line } = move, { held, discard, layouts, open, three } = view;
    const owner = seat ?? you, there = layouts[owner]?.[slot], pile = source === "pile";
    const card = move.card ?? three[place]?.card ??
      (type === "take_action" ? open[source]?.card ?? open[source] : type === "take" ? discard.at(-1) : held);
    const hidden = (type === "swap" || type === "pick") && !there?.up;
    return {
      key: hidden ? `${type} (hidden)` : pile ? `${type} (pile)` : type,
      fields: {
        card: pile ? null : card,
        there: there?.up ? there.card : null,
        owner,
        slot,
        line,
      },
    };
  },
  scout: ({ type, start, count, end, flip, position, show }, { hands, active }, you) => {
    const hand = hands[you], [left, right] = [hand[position - 1], hand[position]];
    const card = active.at(end === "left" ? 0 : -1), turned = flip && card ? card.toReversed() : card;
    return {
      key: type,
      fields: type === "show" ? count === 1 ? { one: hand[start] } : { cards: hand.slice(start, start + count) } : {
        card: turned,
        left: right && left,
        right: left && right,
        first: left ? null : right,
        last: right ? null : left,
        show,
      },
    };
  },
  scopinion: ({ type, card, pay, by, to, other, keep, hold, reshuffle }, { drawn }) => ({
    key: type === "keep_drawn" ? `keep_drawn (${keep})` : reshuffle ? `${type} (shuffled)` : type,
    fields: {
      card: card ?? drawn,
      pay: pay ?? [],
      by,
      other,
      hold,
      to,
    },
  }),
  scandaroon: ({ type, card, row, position, trump, symbol }, { rows, pending }, you, deck) => {
    const first = pending?.first, owner = row ?? (type === "place" ? first?.row : null) ?? you;
    const there = rows[owner]?.[position]?.card, moved = first && rows[first.row][first.position]?.card;
    return {
      key: type === "place" ? `place (${there ? "card" : "row"})` : type,
      fields: {
        card: type === "place" ? moved : card ?? there,
        there,
        row: owner,
        trump,
        symbol,
        stone: symbol && deck?.stone[symbol],
      },
    };
  },
};
