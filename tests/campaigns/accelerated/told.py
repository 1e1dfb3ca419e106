"""Everything that the rules tell about random games, as one digest for each game.

`python -m tests.campaigns.accelerated.told RULESET GAMES [FIRST]` prints a line for each game. Compiled and pure rules
must print the same lines.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any, get_args

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import record
from domain.fairness.chance import Dealer
from domain.fairness.verification import verify
from domain.game import Game, Rules
from domain.imagining import NothingImagined
from domain.ruleset import Illegal
from domain.rulesets import RULESETS
from tests import golden
from tests.golden import Golden, classes, soon_over

OFTEN = 7
"""Every seventh append, bots are asked. Every fiftieth, a world is imagined, which takes longer."""
SELDOM = 50


def digest(rules: Rules, number: int) -> str:
    told = sha256()
    for part in whole(rules, played(rules, number), Random(number)):
        told.update(encode(part))
    return told.hexdigest()


def played(rules: Rules, number: int) -> Golden:
    """The game with this number, to its end: random seats and options, mostly those of short games."""
    dice = Random(f"{rules.rules} {number}")
    while True:
        options = {
            name: dice.choice(values) if number % 10 == 0 else soon_over(values) or dice.choice(values)
            for name, values in classes(rules).items()
        }
        found = golden.play(rules, str(number), dice.choice(rules.seats), options)
        if found is not None:
            return found


def whole(rules: Rules, played: Golden, dice: Random) -> Iterator[Any]:
    """The log, everybody's views after each event, legal moves and figures after each append, the verification."""
    yield played.log
    seats = range(played.log[0].event.seats)
    truth, views = Game(played.id), {viewer: Game(played.id) for viewer in (None, *seats)}
    seen: dict[Any, list[Any]] = {viewer: [] for viewer in views}
    for number, entry in enumerate(played.log):
        truth = aggregate.evolve(rules, truth, entry.event)
        for viewer, view in views.items():
            shown = aggregate.redact(rules, entry.event, viewer)
            seen[viewer].append(shown)
            views[viewer] = aggregate.evolve(rules, view, shown)
            yield views[viewer].state
        if not entry.more and truth.state is not None:
            yield from figures(rules, truth, views)
            if dice.random() * OFTEN < 1:
                yield from choices(rules, truth, views)
                yield refusals(rules, truth)
            if dice.random() * SELDOM < 1:
                yield imagined(rules, truth, seen, number)
    yield verify(record.of(played.id, played.log))


def figures(rules: Rules, truth: Game, views: dict[Any, Game]) -> Iterator[Any]:
    yield [aggregate.to_act(rules, truth), rules.tally(truth.state), rules.standing(truth.state), truth.result]
    for seat, view in views.items():
        if seat is not None:
            yield [aggregate.legal(rules, view, seat), rules.features(view.state, seat), rules.tally(view.state)]


def choices(rules: Rules, truth: Game, views: dict[Any, Game]) -> Iterator[Any]:
    """What every published bot would do for the seats that are to act."""
    for seat in aggregate.to_act(rules, truth):
        legal = aggregate.legal(rules, truth, seat)
        chance = Dealer(b"bots", truth.id, (), "choice", truth.version)
        yield [choose(views[seat].state, seat, legal, chance) for choose in rules.bots.values()]


def refusals(rules: Rules, truth: Game) -> list[str]:
    """What each seat gets for the moves that another one has now."""
    found = []
    for seat in range(len(truth.players)):
        for move in [move for other in aggregate.to_act(rules, truth) for move in rules.legal(truth.state, other)[:5]]:
            try:
                found.append(repr(rules.decide(truth.state, seat, move)))
            except Illegal as refusal:
                found.append(repr(refusal))
    return found


def imagined(rules: Rules, truth: Game, seen: dict[Any, list[Any]], number: int) -> Any:
    """A world that fits what a seat has seen."""
    seat = number % len(truth.players)
    events = [event for event in seen[seat] if isinstance(event, get_args(rules.event))]
    try:
        return rules.imagine(
            aggregate.initial(rules, truth), events, seat, Dealer(b"worlds", truth.id, (), "world", number)
        )
    except NothingImagined as nothing:
        return repr(nothing)


def main(ruleset: str, games: int, first: int = 0) -> None:
    for number in range(first, first + games):
        sys.stdout.write(f"{ruleset} {number} {digest(RULESETS[ruleset], number)}\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
