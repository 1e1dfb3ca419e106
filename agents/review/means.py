"""A player's mean over many games of a ruleset: it measures the choices, not the results. For the player alone."""

from collections.abc import Sequence

from agents.arena.statistics import by_t
from agents.review.document import hundredths
from domain.messages import Value
from domain.review import Mean

FEWEST = 10
"""Games from which on a mean is shown."""


class PlayerMean(Value, kw_only=True):
    """The choices of a player in games of one ruleset. It is no rating: the ruler is the house player."""

    games: int
    """The number of games."""
    choices: int
    """How many choices were weighed in them."""
    loss: float
    """The mean loss of a choice beside the best move, in points."""
    loss_half: float
    """Half the width of its interval of 95 %."""
    own: float
    """What the choices bring in a game beside those of the house player, in points. Players are compared by this."""
    own_half: float
    """Half the width of its interval of 95 %."""


def player_mean(games: Sequence[Mean]) -> PlayerMean | None:
    """Of the player's seat in each game, by final reviews of one plan. None if there are too few games.

    Errors are those of the means of games: choices of one game depend on each other.
    """
    if len(games) < FEWEST:
        return None
    loss, own = by_t([game.loss for game in games]), by_t([game.own for game in games])
    return PlayerMean(
        games=len(games), choices=sum([game.choices for game in games]), loss=hundredths(loss.mean),
        loss_half=hundredths(loss.half), own=hundredths(own.mean), own_half=hundredths(own.half),
    )  # fmt: skip
