"""`deep`: flat Monte Carlo search over imagined worlds.

The strongest published bot names its best moves. Each of them is tried in the same imagined worlds, and the rest of the
round is played out by that bot. The move with the most points ahead of the other seats is chosen. The budget is a
number of worlds and moves, never a time, so the same game can be played again.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any, TypeVar

from agents.table import Bot, Question, Rules
from domain.ruleset import Choose, Seat

C = TypeVar("C")

DOUBT = 1.0
"""By how many standard errors a move must be better than the bot's own choice."""

LONGEST = 600
"""Choices after which a playout is given up; what counts then is the standing."""


class Lots:
    """Random numbers for playouts, cheaper than those of a game, which are derived from a secret."""

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, n: int) -> int:
        return int(self._random.random() * n)

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        cards = [*items]
        self._random.shuffle(cards)
        return tuple(cards)


def deep(worlds: int, moves: int) -> Bot:
    """The bot that tries `moves` moves in `worlds` worlds."""

    def choose(question: Question) -> int:
        rules, seat, legal = question.rules, question.seat, question.legal
        policy = strongest(rules)
        candidates = best_moves(policy, question, moves)
        if len(candidates) == 1:
            return candidates[0]
        tried: list[list[float]] = [[] for _ in candidates]
        for _ in range(worlds):
            seed = question.dice.below(2**32)
            history = rules.imagine(question.initial, question.seen, seat, Lots(seed))
            world = rules.fold(question.initial, history)
            for candidate, gains in zip(candidates, tried, strict=True):
                gains.append(gained(rules, policy, world, seat, legal[candidate], Lots(seed)))
        return candidates[better_than_first(tried)]

    return Bot(choose, looks_back=True)


def better_than_first(tried: Sequence[Sequence[float]]) -> int:
    """The place of the sample with the highest mean among those that exceed the first by `DOUBT` standard errors.

    All samples are of the same worlds, so the differences are what counts. With few worlds the highest mean alone is
    often luck, and the first move is that of a bot that plays well.
    """
    first, best, place_of_best = tried[0], 0.0, 0
    for place, sample in enumerate(tried[1:], 1):
        differences = [one - other for one, other in zip(sample, first, strict=True)]
        mean = fmean(differences)
        error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
        if mean > max(best, DOUBT * error):
            best, place_of_best = mean, place
    return place_of_best


def strongest(rules: Rules) -> Choose[Any, Any]:
    """The last of the published bots."""
    return [*rules.bots.values()][-1]


def best_moves(policy: Choose[Any, Any], question: Question, most: int) -> list[int]:
    """The indices of the moves that the bot chooses when those it chose before are not there; the best first."""
    left, best = [*range(len(question.legal))], list[int]()
    while left and len(best) < most:
        chosen = policy(question.view, question.seat, [question.legal[index] for index in left], question.dice)
        best.append(left.pop(chosen))
    return best


def gained(rules: Rules, policy: Choose[Any, Any], world: Any, seat: Seat, move: Any, lots: Lots) -> float:
    """The points that the seat gains on the mean of the others until the round ends, if it makes the move now.

    In a playout every seat sees the whole imagined world: to fold a view for each would multiply the time.
    """
    before = rules.standing(world)
    state = rules.fold(world, rules.decide(world, seat, move))
    for _ in range(LONGEST):
        if rules.standing(state) != before:
            break
        if acting := rules.to_act(state):
            legal = rules.legal(state, acting[0])
            chosen = legal[policy(state, acting[0], legal, lots)]
            state = rules.fold(state, rules.decide(state, acting[0], chosen))
        elif events := rules.deal(state, lots):
            state = rules.fold(state, events)
        else:
            break
    gains = [after - earlier for after, earlier in zip(rules.standing(state), before, strict=True)]
    return ahead(gains, seat)


def ahead(points: Sequence[float], seat: Seat) -> float:
    """The seat's points less the mean of the others."""
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)
