"""Zones of cards as tuples. A card that the viewer may not see is None, its back; a pile's last card is its top."""

from collections.abc import Sequence
from typing import TypeVar

C = TypeVar("C")


def hide(cards: Sequence[C | None]) -> tuple[C | None, ...]:
    """The same number of backs."""
    return (None,) * len(cards)


def known(card: C | None) -> C:
    """The face of the card. Decisions are taken where no card is hidden."""
    assert card is not None, "decided from a view, not from the truth"
    return card


def put(items: tuple[C, ...], index: int, item: C) -> tuple[C, ...]:
    """The items with another one at `index`."""
    changed = [*items]
    changed[index] = item
    return tuple(changed)


def without(cards: tuple[C | None, ...], gone: Sequence[C]) -> tuple[C | None, ...]:
    """The cards without these, which left before our eyes: what we did not know to be there was one of the backs."""
    if len(gone) == len(cards) or cards.count(None) == len(cards):
        return cards[len(gone) :]
    left = list(cards)
    for card in gone:
        left.remove(card if card in left else None)
    return tuple(left)


def without_one(cards: tuple[C | None, ...], gone: C) -> tuple[C | None, ...]:
    """What `without` does, of a single card."""
    left = list(cards)
    left.remove(gone if gone in cards else None)
    return tuple(left)
