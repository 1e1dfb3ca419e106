"""Random play in the engine: what one core decides and folds, without HTTP, store and hashes."""

import random
from time import perf_counter
from typing import Any

import msgspec

from domain import wire
from domain.chance import Dealer
from domain.game import Rules


class Play(msgspec.Struct):
    """What a number of random games has come to."""

    moves: int
    rounds: int
    seconds: float
    events: list[Any]

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds


def play(rules: Rules, seats: int, games: int, seed: int) -> Play:
    """Whole games. For each move: the mover's view, its legal list, the decision, and the truth after it."""
    dice = random.Random(seed)
    deck = next(iter(rules.decks.values()))
    starts = [rules.initial(seats, rules.options(), deck) for _ in range(games)]
    events: list[Any] = []
    moves = 0
    begun = perf_counter()
    for number, start in enumerate(starts):
        happened, chosen = one_game(rules, seats, start, dice, f"game {seed} {number}")
        events += happened
        moves += chosen
    seconds = perf_counter() - begun
    return Play(moves, sum("round_scored" in tag(event) for event in events), seconds, events)


def one_game(rules: Rules, seats: int, start: Any, dice: random.Random, name: str) -> tuple[list[Any], int]:
    """The events of a random game, and how many moves it took."""
    dealer = Dealers(name)
    state, events = rules.settle(start, dealer.at, 0)
    views, seen, moves = [start] * seats, [0] * seats, 0
    while acting := rules.to_act(state):
        mover = acting[0] if len(acting) == 1 else dice.choice(acting)
        view = rules.view(views[mover], events[seen[mover] :], mover)
        views[mover], seen[mover] = view, len(events)
        legal = rules.legal(view, mover)
        happened = rules.decide(state, mover, legal[int(dice.random() * len(legal))])
        state, dealt = rules.settle(rules.fold(state, happened), dealer.at, 0)
        events += happened
        events += dealt
        moves += 1
    return events, moves


class Dealers:
    """A new step of the dealer whenever one is asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.steps = 0

    def at(self, _: int) -> Dealer:
        self.steps += 1
        return Dealer(self.name.encode(), self.name, (), self.steps)


def tag(event: Any) -> str:
    return str(event.__struct_config__.tag)


def json_of(rules: Rules, events: list[Any]) -> float:
    """The floor: seconds for writing the same events as JSON and reading them again, one by one."""
    decoder = msgspec.json.Decoder(rules.event)
    begun = perf_counter()
    for event in events:
        decoder.decode(wire.encode(event))
    return perf_counter() - begun
