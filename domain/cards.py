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
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def without(cards: tuple[C | None, ...], card: C | None) -> tuple[C | None, ...]:
    """One card fewer. If we did not see which one left, any card that we knew may be gone."""
    if card is None:
        return hide(cards[1:])
    index = cards.index(card if card in cards else None)
    return cards[:index] + cards[index + 1 :]
