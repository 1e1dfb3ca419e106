"""What the features of rulesets have in common: the table as numbers, the viewing seat first, always as many."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

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


def counts(cards: Iterable[Any], deck: Sequence[Any]) -> list[int]:
    """How many there are of each kind of card in the deck."""
    found = Counter(cards)
    return [found[kind] for kind in dict.fromkeys(deck)]


def padded(numbers: Sequence[int], length: int) -> list[int]:
    """As many numbers, zeros at the end."""
    return [*numbers, *[0] * (length - len(numbers))]


class Places:
    """Where the cards of a deck are in which each card exists once: for every card two or more numbers."""

    def __init__(self, cards: Sequence[Any], numbers: int = 2) -> None:
        self._rows = {card: [0] * numbers for card in cards}

    def put(self, cards: Iterable[Any], zone: int) -> None:
        """The cards lie in this zone, in this order. Hidden ones are passed over."""
        rows = self._rows
        for position, card in enumerate(cards):
            if card is not None:
                row = rows[card]
                row[0], row[1] = zone, position

    def note(self, card: Any, *more: int) -> None:
        """More numbers of a card that was put."""
        self._rows[card][2:] = more

    def numbers(self) -> list[int]:
        return [number for row in self._rows.values() for number in row]
