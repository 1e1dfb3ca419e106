"""Random play in the engine on one core: decide and fold, without HTTP, store and hashes."""

import gc
import random
from collections.abc import Sequence
from time import process_time
from typing import Any, TypeVar

import msgspec

from domain.game import Rules

C = TypeVar("C")


class Play(msgspec.Struct):
    """The result of several random games."""

    moves: int
    rounds: int
    seconds: float
    """CPU time of this process."""
    events: list[Any]

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds


def play(rules: Rules, seats: int, games: int, seed: int) -> Play:
    """Play whole games. A move takes the mover's view, its legal moves, the decision and the fold of the state."""
    dice = Dice(seed)
    deck = next(iter(rules.decks.values()))
    starts = [rules.initial(seats, rules.options(), deck) for _ in range(games)]
    events: list[Any] = []
    moves = 0
    gc.collect()  # do not collect earlier garbage within the measurement
    begun = process_time()
    for start in starts:
        happened, chosen = one_game(rules, seats, start, dice)
        events += happened
        moves += chosen
    seconds = process_time() - begun
    return Play(moves, sum("round_scored" in tag(event) for event in events), seconds, events)


def one_game(rules: Rules, seats: int, start: Any, dice: "Dice") -> tuple[list[Any], int]:
    """The events of a random game and the number of its moves."""
    state, events, acting, _ = rules.settle(start, dice.at, {})
    views, seen, moves = [start] * seats, [0] * seats, 0
    while acting:
        mover = acting[0] if len(acting) == 1 else dice.one_of(acting)
        view = rules.view(views[mover], events[seen[mover] :], mover)
        views[mover], seen[mover] = view, len(events)
        happened = rules.decide(state, mover, dice.one_of(rules.legal(view, mover)))
        state, dealt, acting, _ = rules.settle(rules.fold(state, happened), dice.at, {})
        events += happened
        events += dealt
        moves += 1
    return events, moves


class Dice:
    """Plays and deals at random: a verifiable deal would cost as much as many moves."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def at(self, *_: Any) -> "Dice":
        """Prepare the next step of the dealer."""
        return self

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def one_of(self, items: Sequence[C]) -> C:
        return items[int(self._random() * len(items))]

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        return tuple(sorted(items, key=lambda _: self._random()))


def tag(event: Any) -> str:
    return str(event.__struct_config__.tag)
