"""What the features of rulesets have in common: the table as numbers, the viewing seat first, always as many."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from domain.ruleset import Seat

T = TypeVar("T")


def turned(items: Sequence[T], seat: Seat) -> tuple[T, ...]:
    """What is by seat, beginning with this one."""
    return (*items[seat:], *items[:seat])


def relative(other: Seat | None, seat: Seat, seats: int) -> int:
    """1 for the seat itself, 2 for the next one clockwise; 0 for none."""
    return 0 if other is None else (other - seat) % seats + 1


def code(values: Sequence[Any], value: Any) -> int:
    """The place of the value among all that are possible."""
    return values.index(value)


Kinds: TypeAlias = Mapping[Any, int]
"""The kinds of cards, each with its number from 0 on."""


def kinds(cards: Iterable[Any]) -> Kinds:
    """In the order in which they come first. It takes longer than to use them: keep them for a deck."""
    return {kind: number for number, kind in enumerate(dict.fromkeys(cards))}


@lru_cache(maxsize=64)
def kinds_in(deck: Any) -> Kinds:
    return kinds(deck.cards)


def counts(cards: Iterable[Any], kinds: Kinds) -> list[int]:
    """How many there are of each kind."""
    numbers = [0] * len(kinds)
    for card in cards:
        numbers[kinds[card]] += 1
    return numbers


def counts_of_few(cards: Sequence[Any], kinds: Sequence[Any]) -> list[int]:
    """The same, for a few cards."""
    return [cards.count(kind) for kind in kinds]


def padded(numbers: Sequence[int], length: int) -> list[int]:
    """As many numbers, zeros at the end."""
    return [*numbers, *[0] * (length - len(numbers))]


class Places:
    """Where the cards of a deck are in which each card exists once: for every card two or more numbers."""

    __slots__ = ("_kinds", "_width", "numbers")

    def __init__(self, kinds: Kinds, width: int = 2) -> None:
        self._kinds, self._width = kinds, width
        self.numbers = [0] * (width * len(kinds))

    def put(self, cards: Iterable[Any], zone: int) -> None:
        """The cards lie in this zone, in this order. Hidden ones are passed over."""
        numbers, kinds, width = self.numbers, self._kinds, self._width
        for position, card in enumerate(cards):
            if card is not None:
                at = kinds[card] * width
                numbers[at] = zone
                numbers[at + 1] = position

    def note(self, card: Any, *more: int) -> None:
        """More numbers of a card that was put."""
        at = self._kinds[card] * self._width + 2
        self.numbers[at : at + len(more)] = more
