"""The types of a ruleset, and JSON as a value of them."""

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from . import models

G = TypeVar("G")
V = TypeVar("V")
M = TypeVar("M")
I = TypeVar("I")
O = TypeVar("O")

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Ruleset(Generic[G, V, M, I, O]):
    """The name of a ruleset with the types of its games, views, moves, events (as items with their versions) and
    options."""

    name: str
    game: type[G]
    view: Any
    move: Any
    item: type[I]

    def as_game(self, value: Json) -> G:
        return msgspec.convert(value, self.game)

    def as_view(self, value: Json) -> V:
        found: V = msgspec.convert(value, self.view)
        return found

    def as_moves(self, values: list[Json]) -> list[M]:
        found: list[M] = msgspec.convert(values, list[self.move])  # type: ignore[name-defined]
        return found

    def as_item(self, value: Json) -> I:
        return msgspec.convert(value, self.item)


Untyped: TypeAlias = Ruleset[models.Game, Json, Json, models.EventItem, Json]
"""A ruleset whose views, moves and events are plain JSON."""


def untyped(name: str) -> Untyped:
    """A ruleset by name, also one that this version of the client does not know."""
    return Ruleset(name, models.Game, dict[str, Any], dict[str, Any], models.EventItem)
