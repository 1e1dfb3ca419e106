"""A player's mean over many games of a ruleset: it measures the choices, not the results. For the player alone."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev

from domain.messages import Value
from domain.review import Mean

FEWEST = 10
"""Games from which on a mean is shown."""


class PlayerMean(Value, kw_only=True):
    """The choices of a player in games of one ruleset. It is no rating: the ruler is the house player."""

    games: int
    """The number of games."""
    choices: int
    """The number of choices that were weighed in them."""
    loss: float
    """The mean loss of a choice beside the best move, in points."""
    loss_half: float
    """Half the width of its interval of 95 %."""
    own: float
    """The points that the choices bring in a game beside those of the house player. Players are compared by this."""
    own_half: float
    """Half the width of its interval of 95 %."""


def player_mean(games: Sequence[Mean]) -> PlayerMean | None:
    """Of the player's seat in each game, by final reviews of one plan. None if there are too few games.

    Errors are those of the means of games: choices of one game depend on each other.
    """
    if len(games) < FEWEST:
        return None
    losses, gains = [game.loss for game in games], [game.own for game in games]
    return PlayerMean(
        games=len(games), choices=sum([game.choices for game in games]),
        loss=round(fmean(losses), 2), loss_half=round(half_width(losses), 2),
        own=round(fmean(gains), 2), own_half=round(half_width(gains), 2),
    )  # fmt: skip


def half_width(values: Sequence[float]) -> float:
    """Half the width of the interval of 95 % for the mean, by Student's t."""
    return t_quantile(0.975, len(values) - 1) * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def t_quantile(p: float, free: int) -> float:
    """Student's t, by the expansion of Cornish and Fisher: exact to 0.001 from 10 degrees of freedom on."""
    z = NormalDist().inv_cdf(p)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return float(z + (z**3 + z) / 4 / free + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / free**2 + third / free**3)
