"""Ratings: an estimate of the players' skill from the results of their games.

The model is by Weng and Lin, from the library `openskill`, and allows any number of players: it treats a game as one
game between each pair of players, and a tie as half a victory. Only this module imports the library.
"""

from collections.abc import Sequence

from openskill.models import BradleyTerryFull

from domain.messages import Value
from domain.ruleset import Result

_MODEL = BradleyTerryFull()
_DECIMALS = 4  # further decimals may differ between machines


class Rating(Value):
    """An estimate of a player's skill with mean `mu` and standard deviation `sigma`. `ordinal` is mu - 3 sigma, a lower
    bound of the skill; the standings are ordered by it."""

    mu: float
    """The estimated skill; players begin with 25."""
    sigma: float
    """How uncertain the estimate is; players begin with 25/3."""
    ordinal: float
    """mu - 3 sigma. Negative for players with few games."""


def newcomer() -> Rating:
    return _rating(_MODEL.mu, _MODEL.sigma)


def rated(ratings: Sequence[Rating], result: Result) -> list[Rating]:
    """The ratings after a game with this result. `ratings` are those before it; both by seat."""
    return ranked(ratings, places(result))


def ranked(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game with these ranks, the lowest first; equal ranks are a tie."""
    before = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in ratings]
    after = _MODEL.rate(before, ranks=[float(rank) for rank in ranks])
    return [_rating(player.mu, player.sigma) for (player,) in after]


def places(result: Result) -> list[int]:
    """By seat the distance to the winners: 0 for the winners, otherwise 1 + the difference in points. Equal distances
    are a tie.

    Whether the most or the fewest points win, the winners have the best ones. So a seat did worse the further its
    points are from theirs. A law tests this for every ruleset.
    """
    best = result.scores[result.winners[0]]
    return [0 if seat in result.winners else 1 + abs(points - best) for seat, points in enumerate(result.scores)]


def _rating(mu: float, sigma: float) -> Rating:
    mu, sigma = round(mu, _DECIMALS), round(sigma, _DECIMALS)
    return Rating(mu, sigma, round(mu - 3 * sigma, _DECIMALS))
