"""A player's results at a ruleset, as profiles show them. An extension counts them; without one there are none."""

from domain.messages import Value


class Rating(Value):
    """An estimate of a player's skill with mean `mu` and standard deviation `sigma`. `ordinal` is mu - 3 sigma, a lower
    bound of the skill; the standings are ordered by it."""

    mu: float
    """The estimated skill; players begin with 25."""
    sigma: float
    """The uncertainty of the estimate; players begin with 25/3."""
    ordinal: float
    """mu - 3 sigma. Negative for players with few games."""


class Points(Value):
    """Points as the ruleset counts them: the total of the games that the player did not leave, and the lowest and
    highest of one of them."""

    total: int
    """The sum over the games."""
    lowest: int
    """The points of the game with the fewest."""
    highest: int
    """The points of the game with the most."""


class Results(Value):
    """A player's results at a ruleset. A shared victory is a win for each winner.

    `points` is null if the player has left all games."""

    ruleset: str
    """The name of the ruleset."""
    games: int
    """The number of games that count, those included that the player left."""
    wins: int
    """The number of games that the player won, alone or with others."""
    points: Points | None
    """Null if the player has left all games."""
    rating: Rating
