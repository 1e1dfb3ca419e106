"""Where a result comes from: own choices, those of others, and luck. The parts add up to the result exactly.

Choices are compared with those of the house player. If all seats played as it does, nothing but luck would be left, so
luck has the mean 0 for all players (the performance difference lemma; it assumes that worlds are as likely as they are
imagined). Compared with the best move this would not hold: a chance that the house player never takes would count
again at every choice.

All figures are fractions, so nothing is lost by rounding.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import fsum, sqrt
from typing import NamedTuple

from agents.review.moments import Leads
from agents.review.values import mean_and_error
from agents.review.weighing import Weighed
from domain.ruleset import Seat

NONE = Fraction(0)


class Account(NamedTuple):
    """Of a seat, in a round or in the game, in points ahead of the mean of the others."""

    result: Fraction
    luck: Fraction
    """Deals and draws: what is left."""
    errors: Fraction
    """Own choices that are worse than those of the house player."""
    finds: Fraction
    """Own choices that are better."""
    others: Fraction
    """The choices of others."""
    error: float
    """The standard error of `luck`, and of the three others together."""


class Point(NamedTuple):
    """A point of the curve of a seat, in points ahead."""

    version: int
    """Of the choice before which it stands; 0: at the end."""
    expected: Fraction
    luck: Fraction
    """Since the point before: what rose or fell without a choice that differs from the house player's."""


def account(outcome: Leads, weighed: Sequence[Weighed], seat: Seat, *, shrunk: bool = True) -> Account:
    """Of the round with this outcome, or of the game if both are of all rounds.

    Without `shrunk` the sums are unbiased, and noisier: for means over many games.
    """
    scale = len(outcome) - 1
    shares = [kept(each) if shrunk else Fraction(1) for each in weighed]
    effects = [effect(each, seat) * share / scale for each, share in zip(weighed, shares, strict=True)]
    own = [effect for each, effect in zip(weighed, effects, strict=True) if each.moment.seat == seat]
    errors, finds = total(each for each in own if each < 0), total(each for each in own if each > 0)
    others = total(effects) - errors - finds
    result = Fraction(outcome[seat], scale)
    noise = [error(each, seat) * float(share) for each, share in zip(weighed, shares, strict=True)]
    spread = sqrt(fsum([each * each for each in noise]))
    return Account(result, result - errors - finds - others, errors, finds, others, spread / scale)


def curve(outcome: Leads, weighed: Sequence[Weighed], seat: Seat) -> list[Point]:
    """What the seat could expect at each of its choices of a round. The luck of all steps and the effects of all
    choices, as the account counts them, add up to the outcome.
    """
    scale, points, before = len(outcome) - 1, list[Point](), NONE
    for each in weighed:
        if each.moment.seat == seat:
            expected = each.expected()
            points.append(Point(each.moment.version, expected / scale, (expected - before) / scale))
            before = expected
        before += effect(each, seat) * kept(each)
    points.append(Point(0, Fraction(outcome[seat], scale), (outcome[seat] - before) / scale))
    return points


def gaps(weighed: Weighed, seat: Seat) -> list[int]:
    """What the choice changed for the seat in each world of the check, beside the house player's; [] if it is that.

    Of the check only: which moments are refined depends on its figures, so a sum of refined ones would be too low.
    """
    if weighed.house == weighed.moment.made or weighed.checked is None:
        return []
    return weighed.checked.gaps(weighed.moment.made, weighed.house, seat)


def effect(weighed: Weighed, seat: Seat) -> Fraction:
    """What the choice changed for the seat, in leads."""
    found = gaps(weighed, seat)
    return Fraction(sum(found), len(found)) if found else NONE


def error(weighed: Weighed, seat: Seat) -> float:
    """The standard error of the effect."""
    found = gaps(weighed, seat)
    return mean_and_error(found)[1] if found else 0.0


def kept(weighed: Weighed) -> Fraction:
    """The share of an effect that is counted: 1 if it is certain, 0 if it is not larger than its standard error.

    Otherwise the sum over a hundred choices would be the sum of their noise. The share is a fraction, too.
    """
    found = gaps(weighed, weighed.moment.seat)
    sum_, squares, many = sum(found), sum([gap * gap for gap in found]), len(found)
    if not sum_ or many < 2:
        return NONE
    return max(NONE, 1 - Fraction(many * squares - sum_ * sum_, (many - 1) * sum_ * sum_))


def total(parts: Iterable[Fraction]) -> Fraction:
    return sum(parts, NONE)
