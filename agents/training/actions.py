"""Actions as numbers, derived from the types of the moves.

A type of move whose fields have few combinations is a block with a number for each; of any other the j-th legal move
has the j-th number of its block.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, get_args

from msgspec import NODEFAULT, UNSET
from msgspec import inspect as kinds

from agents.table import Rules

MOST = 2_048
"""The most combinations of fields that are numbered one by one."""
LISTED = 128
"""The size of the other blocks."""


class Innumerable(Exception):
    """A field has too many values."""


class Actions:
    """The numbers of the actions of a ruleset with a deck."""

    def __init__(self, rules: Rules, cards: int) -> None:
        """`cards` is the number of cards in the deck: places and numbers of cards without a limit are below it."""
        self.numbers: dict[Any, int] = {}
        self.moves: list[Any] = []
        """By number the move; None in blocks by order."""
        self.blocks: dict[type[Any], int] = {}
        """Types of move that are numbered by order: where their block begins."""
        for kind in get_args(rules.move) or (rules.move,):
            try:
                self._number(kind, [*combinations(kind, cards)])
            except Innumerable:
                self.blocks[kind] = len(self.moves)
                self.moves += [None] * LISTED

    def _number(self, kind: type[Any], fields: Sequence[tuple[Any, ...]]) -> None:
        for values in fields:
            move = kind(*values)
            self.numbers[move] = len(self.moves)
            self.moves.append(move)

    def __len__(self) -> int:
        return len(self.moves)

    def of(self, legal: Sequence[Any]) -> list[int]:
        """The number of each legal move."""
        numbers = self.numbers
        if not self.blocks:
            return [numbers[move] for move in legal]
        blocks, found = dict(self.blocks), list[int]()
        for move in legal:
            number = numbers.get(move)
            if number is None:
                number = blocks[type(move)]
                blocks[type(move)] = number + 1
                if number >= self.blocks[type(move)] + LISTED:
                    raise OverflowError(f"more than {LISTED} legal moves of type {type(move).__name__}")
            found.append(number)
        return found


def combinations(kind: type[Any], cards: int) -> Iterator[tuple[Any, ...]]:
    """The values of all fields. Raises `Innumerable`."""
    described: Any = kinds.type_info(kind)
    fields = [values(field.type, cards) + [UNSET] * absent(field) for field in described.fields]
    count = 1
    for each in fields:
        count *= len(each)
    if count > MOST:
        raise Innumerable
    return product(*fields)


def absent(field: kinds.Field) -> bool:
    """The field can be left out, and has no value then."""
    return not field.required and field.default is NODEFAULT and field.default_factory is NODEFAULT


def values(kind: Any, cards: int) -> list[Any]:
    """All values of a field. Raises `Innumerable`."""
    match kind:
        case kinds.Metadata(type=inner):
            return values(inner, cards)
        case kinds.BoolType():
            return [False, True]
        case kinds.NoneType():
            return [None]
        case kinds.LiteralType(values=listed):
            return [*listed]
        case kinds.IntType(ge=low, lt=high) if low is not None:
            return [*range(low, low + cards if high is None else high)]
        case kinds.UnionType(types=types):
            return [value for each in types for value in values(each, cards)]
        case _:
            raise Innumerable
