"""Real positions of random games, as a page gets them: for pictures and tests of what is drawn."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec

from domain.codec import builtins
from domain.fairness.chance import Dealer
from domain.ruleset import Ruleset, Viewer
from domain.rulesets import RULESETS

NAMES = ("Anna", "Ben", "Chiara", "Deniz", "Emil", "Fatou", "Greta", "Hiro")


DULL = {"Pass", "EndTurn", "Discard", "SkipAction", "Stone"}
"""Moves that end something: taken less often, so that more lies on the table."""


class Scene(msgspec.Struct):
    """What a seat knows when it is to act, or a bystander at the same moment."""

    ruleset: str
    seats: int
    you: Viewer
    acting: list[int]
    view: Any
    legal: list[Any]
    deck: Any
    names: list[str]
    labels: Any
    events: list[Any]
    """The last events, as `you` sees them."""
    tally: Any


def moments(
    rules: Ruleset[Any, Any, Any], seats: int, seed: int, moves: int, options: Any = None
) -> Iterator[Callable[[], Scene]]:
    """Before each of that many random moves, a function that makes the scene of the seat to act, at once or later.
    Making it takes much longer than a move."""
    deck = next(iter(rules.decks.values()))
    initial = rules.initial(seats, options or rules.options(), deck)
    data = builtins(deck.data)
    captions = rules.captions(deck)
    labels = {tongue: builtins(rules.labels[tongue]) | {"captions": captions[tongue]} for tongue in ("en", "de")}
    dice, truth, history = Random(seed), initial, list[Any]()

    def settle(state: Any) -> Any:
        steps = 0
        while not rules.to_act(state) and (
            news := rules.deal(state, Dealer(b"key", str(seed), (), "step", len(history) + steps))
        ):
            history.extend(news)
            state = rules.fold(state, news)
            steps += 1
        return state

    def scene(version: int, seat: int, acting: list[int], legal: list[Any]) -> Scene:
        played = history[:version]
        view = rules.view(initial, played, seat)
        return Scene(
            rules.name, seats, seat, acting, builtins(view), [builtins(move) for move in legal], data,
            list(NAMES[:seats]), labels, [builtins(rules.redact(event, seat)) for event in played[-12:]],
            builtins(rules.tally(view)),
        )  # fmt: skip

    truth = settle(truth)
    for _ in range(moves):
        acting = rules.to_act(truth)
        if not acting:
            break
        seat = dice.choice(acting)
        legal = rules.legal(truth, seat)
        yield partial(scene, len(history), seat, list(acting), legal)
        kinds = sorted({type(move).__name__ for move in legal})
        kind = dice.choice([each for each in kinds if each not in DULL or dice.random() < 0.2] or kinds)
        events = rules.decide(truth, seat, dice.choice([move for move in legal if type(move).__name__ == kind]))
        history.extend(events)
        truth = settle(rules.fold(truth, events))


def scenes(rules: Ruleset[Any, Any, Any], seats: int, seed: int, moves: int, options: Any = None) -> Iterator[Scene]:
    """The position of the seat to act before each of that many random moves."""
    return (scene() for scene in moments(rules, seats, seed, moves, options))


def spread(games: int, moves: int, every: int, only: str) -> Iterator[Scene]:
    """Some positions of games with all numbers of seats."""
    for rules in (RULESETS[only],):
        for game in range(games):
            seats = rules.seats[game % len(rules.seats)]
            for number, scene in enumerate(moments(rules, seats, game, moves, variant(rules, game))):
                if number % every == game % every:
                    yield scene()


def variant(rules: Ruleset[Any, Any, Any], game: int) -> Any:
    """In every third game other options than the default, where they change what can be chosen."""
    if game % 3 == 0:
        for field, value in {"mode": "expert", "discarded_action_choice": "any", "two_player": "seed"}.items():
            if hasattr(rules.options(), field):
                return rules.options(**{field: value})
    return None
