"""Puzzles: moments of finished games with one clearly best move, which the house player does not find."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Generic, Literal, TypeVar

from agents.review.document import hundredths
from agents.review.moments import Moment, moments
from agents.review.played import Played
from agents.review.values import Sample, Valuation, mean_and_error
from agents.review.weighing import PLANS, Plan, sift, thresholds
from domain.imagining import NothingImagined
from domain.messages import Value
from domain.ruleset import Seat

S = TypeVar("S")
M = TypeVar("M")

RIVALS = 3
"""How many other moves a solution must beat in fresh worlds: the best of the sift."""
WORLDS = 64
CERTAIN = 2.0
"""Standard errors by which a solution must exceed every rival."""
WORTH = 1
"""By this category, a mistake, it must exceed them then."""


class Puzzle(Value, Generic[S, M], kw_only=True):
    """A position with one clearly best move. It does not name the game or its players."""

    format: Literal["stammtisch-puzzle/1"] = "stammtisch-puzzle/1"
    id: str
    """It follows from the record and the version."""
    rules: str
    """The ruleset and the version of its rules."""
    seat: Seat
    """The seat that is to choose."""
    view: S
    """The table as that seat saw it."""
    moves: tuple[M, ...]
    """All legal moves."""
    solution: M
    gap: float
    """By how much the solution is better than the next best move, in points."""
    error: float
    """The standard error of `gap`."""


def puzzles(played: Played, plan: Plan = PLANS["standard"]) -> Iterator[tuple[int, Puzzle[Any, Any]]]:
    """The puzzles of a game, each with the version of the choice that was made there."""
    values, limits = Valuation(played.rules, played.head), thresholds(played.rules, played.seats)
    for moment in moments(played) if limits else ():
        try:
            found = sift(values, moment, plan)
            seat = moment.seat
            ranked = sorted(found.sample.moves, key=lambda move: -found.sample.mean(move, seat))[: RIVALS + 1]
            if ranked[0] == found.house or len(ranked) < 3:
                continue
            gap, error = nearest(values, moment, ranked)
        except NothingImagined:
            continue
        if gap - CERTAIN * error >= limits[WORTH]:
            yield moment.version, puzzle(played, moment, ranked[0], gap, error)


def puzzle(played: Played, moment: Moment, solution: int, gap: float, error: float) -> Puzzle[Any, Any]:
    others = played.seats - 1
    return Puzzle(
        id=sha256(b"puzzle:%d:" % moment.version + played.head).hexdigest()[:16], rules=played.rules.rules,
        seat=moment.seat, view=moment.view, moves=tuple(moment.legal), solution=moment.legal[solution],
        gap=hundredths(gap / others), error=hundredths(error / others),
    )  # fmt: skip


def nearest(values: Valuation, moment: Moment, ranked: Sequence[int]) -> tuple[float, float]:
    """The least certain lead of the first move over one of the others, in leads, with its standard error."""
    sample = Sample(ranked)
    for number in range(WORLDS):
        sample.add(ranked, values.tried(moment, ranked, "puzzle", number))
    rivals = [mean_and_error(sample.gaps(ranked[0], other, moment.seat)) for other in ranked[1:]]
    return min(rivals, key=lambda rival: rival[0] - CERTAIN * rival[1])
