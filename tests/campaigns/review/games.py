"""Games with planted errors, and the truth about them: long computations in worlds of their own."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import NamedTuple

from agents.bots import bot_named
from agents.review.moments import Moment
from agents.review.played import Played, played_by
from agents.review.values import SameLots, Sample, Valuation
from agents.review.weighing import still_leading
from agents.search import best_moves, ruler
from agents.table import Bot, Question, Table
from domain.game import Rules

SEATS = 3
ERRS = 20
"""Of a hundred choices of the erring player this many are planted: half of them at random, half the second worst."""
FEW = 14
"""With more legal moves the second worst is not looked for."""

TRIED = 6
"""Moves among which the truth looks for the best one."""
SIFTED = 72
"""Worlds in which it does."""
LOOK = 12


class Trial(NamedTuple):
    played: Played
    planted: frozenset[int]
    """The numbers of the moves that were planted."""


def trial(rules: Rules, names: Sequence[str], number: int, *, short: bool = True) -> Trial:
    """A game of these bots; `erring` plants errors."""
    planted, secret = set[int](), sha256(f"trial:{number}".encode()).digest()
    bots = [
        erring(rules, planted, Random(f"{number}:{seat}")) if name == "erring" else bot_named(rules, name)
        for seat, name in enumerate(names)
    ]
    played = played_by(Table(rules, rules.options(**rules.board if short else {}), bots, secret))
    return Trial(played, frozenset(place for place, made in enumerate(played.moves) if made.after in planted))


def erring(rules: Rules, planted: set[int], lots: Random) -> Bot:
    """The house player with planted errors, which it notes by the number of events before them."""
    policy = ruler(rules)

    def choose(question: Question) -> int:
        if lots.random() * 100 >= ERRS or len(question.legal) < 2:
            return policy(question.view, question.seat, question.legal, question.dice)
        planted.add(len(question.seen))
        if lots.random() < 0.5 and len(question.legal) <= FEW:
            return best_moves(policy, question, len(question.legal))[-2]
        return lots.randrange(len(question.legal))

    return Bot(choose, looks_back=True)


class Truth(NamedTuple):
    """In leads."""

    loss: float
    """Of the made move, beside the best of all."""
    error: float
    gap: float
    """Of the made move, beside the one that the review held for the best."""


def truth(values: Valuation, moment: Moment, best: int, worlds: int) -> Truth:
    """In worlds of its own, every playout to the end."""
    question = Question(values.rules, moment.view, moment.seat, moment.legal, moment.start, moment.seen, SameLots(5))
    tried = list(dict.fromkeys([*best_moves(values.policy, question, TRIED), moment.made, best]))
    sample = Sample(tried)
    for number in range(SIFTED):
        sample.add(tried, values.tried(moment, tried, "truth sift", number))
        if number % LOOK == LOOK - 1:
            tried = still_leading(sample, tried, moment.seat)
    leader = max(tried, key=lambda move: sample.mean(move, moment.seat))
    measured = Sample(list(dict.fromkeys([moment.made, leader, best])))
    for number in range(worlds):
        measured.add(measured.moves, values.tried(moment, measured.moves, "truth", number))
    loss, error = measured.gap(leader, moment.made, moment.seat)
    return Truth(loss, error, measured.gap(best, moment.made, moment.seat)[0])
