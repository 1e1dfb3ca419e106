"""Zones of cards as tuples. A card hidden from the viewer is None; the last card of a pile is its top."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Meta

CARD = Meta(extra_json_schema={"x-card": True})
"""Marks the type of a card in JSON Schemas, for clients that do not know the ruleset."""

EMPTY = Meta(extra_json_schema={"x-empty": True})
"""Marks what can lie at a place whose null is an empty place, not a hidden card."""

C = TypeVar("C")


def hide(cards: Sequence[C | None]) -> tuple[C | None, ...]:
    """As many hidden cards (None)."""
    return (None,) * len(cards)


def known(card: C | None) -> C:
    """The card, which must not be hidden. Decisions are made from the full state only."""
    assert card is not None, "decided from a view, not from the truth"
    return card


def put(items: tuple[C, ...], index: int, item: C) -> tuple[C, ...]:
    """The items with `item` at `index`."""
    changed = [*items]
    changed[index] = item
    return tuple(changed)


def without(cards: tuple[C | None, ...], gone: Sequence[C]) -> tuple[C | None, ...]:
    """The cards without those that left visibly. A card that is not among the known ones was a hidden one."""
    if len(gone) == len(cards) or (cards[0] is None and cards.count(None) == len(cards)):
        return cards[len(gone) :]
    left = [*cards]
    for card in gone:
        left.remove(card if card in left else None)
    return tuple(left)


def without_one(cards: tuple[C | None, ...], gone: C) -> tuple[C | None, ...]:
    """Like `without`, for a single card."""
    if cards[0] is None and cards.count(None) == len(cards):  # most hands are all hidden, or none is
        return cards[1:]
    left = [*cards]
    left.remove(gone if gone in cards else None)
    return tuple(left)
