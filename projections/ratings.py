"""Ratings: how good the players of a ruleset are, as far as the results of their games tell.

The model is one of Weng and Lin's for games of any number of players, by the library `openskill`: each game is taken as
one between every two who sat at it, and a tie as half a victory. Everything else of the house only knows `Rating`.
"""

from collections.abc import Sequence

from openskill.models import BradleyTerryFull

from domain.messages import Value
from domain.ruleset import Result

_MODEL = BradleyTerryFull()
_DECIMALS = 4  # what comes behind them may differ from one machine to another


class Rating(Value):
    """A player is about as good as `mu`, give or take `sigma`, and almost surely no worse than `ordinal`, which is
    mu - 3 sigma. Whoever has the higher ordinal stands before the others."""

    mu: float
    sigma: float
    ordinal: float


def newcomer() -> Rating:
    """The rating of who has not played yet."""
    return _rating(_MODEL.mu, _MODEL.sigma)


def rated(ratings: Sequence[Rating], result: Result) -> list[Rating]:
    """The ratings after a game with this result, by seat like those before it."""
    before = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in ratings]
    after = _MODEL.rate(before, ranks=[float(behind) for behind in places(result)])
    return [_rating(player.mu, player.sigma) for (player,) in after]


def places(result: Result) -> list[int]:
    """By seat how far behind it came in: 0 for the winners. Equal numbers: the result does not say who was better.

    Whether the most or the fewest points win, the winners have the best ones; so the others were the worse, the further
    their points are from those. A law holds every ruleset to that.
    """
    best = result.scores[result.winners[0]]
    return [0 if seat in result.winners else 1 + abs(points - best) for seat, points in enumerate(result.scores)]


def _rating(mu: float, sigma: float) -> Rating:
    mu, sigma = round(mu, _DECIMALS), round(sigma, _DECIMALS)
    return Rating(mu, sigma, round(mu - 3 * sigma, _DECIMALS))
