"""What bots have in common: a choice at random, the choice of the move that is worth most, and what they are after."""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.fairness.chance import Chance
from domain.ruleset import Seat


def at_random(_state: Any, _seat: Seat, moves: Sequence[Any], chance: Chance) -> int:
    """Every type of move is equally likely, then every move of the type.

    Otherwise types with many variants would dominate.
    """
    types = [type(move) for move in moves]
    several = list(dict.fromkeys(types))
    chosen = several[chance.below(len(several))]
    places = [place for place, kind in enumerate(types) if kind is chosen]
    return places[chance.below(len(places))]


def best(worths: Iterable[int], chance: Chance) -> int:
    """The place of the highest number; the dice decide between equal ones."""
    each = [*worths]
    highest = max(each)
    places = [place for place, worth in enumerate(each) if worth == highest]
    return places[0] if len(places) == 1 else places[chance.below(len(places))]


def lead(points: Sequence[int], seat: Seat) -> int:
    """By how much the seat is ahead of the others, all others together."""
    return points[seat] * len(points) - sum(points)
