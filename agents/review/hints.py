"""Hints: the moves that nothing speaks against, from what a seat has seen and nothing else."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from agents.review.moments import Moment, Side
from agents.review.values import Valuation
from agents.review.weighing import PLANS, Plan, sift, still_leading
from agents.table import Rules
from domain.ruleset import Seat


class Hint(NamedTuple):
    """The moves that nothing speaks against, the best first."""

    moves: tuple[Any, ...]


def hint(
    rules: Rules, initial: Any, seen: Sequence[Any], seat: Seat, head: bytes, plan: Plan = PLANS["standard"]
) -> Hint:
    """For a seat that is to act in a running game.

    `initial` is the ruleset's state before the first event, which follows from the terms of the game. `seen` are all
    events of the ruleset since then that stand, as the seat sees them. All random numbers follow from `head`, the
    public head of the game at this version. Raises `NothingImagined`.
    """
    side = Side(rules, initial, seat)
    for event in seen:
        side.tell(event)
    legal = rules.legal(side.view, seat)
    if len(legal) == 1:
        return Hint((legal[0],))
    moment = Moment(0, 0, 0, seat, side.start, tuple(side.seen), side.view, legal, 0)
    sample = sift(Valuation(rules, head), moment, plan).sample
    most = max(len(values) for values in sample.by_move.values())
    tried = [move for move in sample.moves if len(sample.by_move[move]) == most]
    good = sorted(still_leading(sample, tried, seat), key=lambda move: -sample.mean(move, seat))
    return Hint(tuple([legal[move] for move in good]))
