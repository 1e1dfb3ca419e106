"""Ratings: an estimate of the players' skill from the results of their games.

The model is by Weng and Lin, from the library `openskill`, and allows any number of players: it treats a game as one
game between each pair of players, and a tie as half a victory. Only this module imports the library.
"""

from collections.abc import Collection, Sequence

from msgspec import UnsetType
from openskill.models import BradleyTerryFull

from domain.ruleset import Result, Seat
from projections.results import Rating

_MODEL = BradleyTerryFull()
_DECIMALS = 4  # further decimals may differ between machines


def newcomer() -> Rating:
    return _rating(_MODEL.mu, _MODEL.sigma)


def rated(ratings: Sequence[Rating], result: Result) -> list[Rating]:
    """The ratings after a game with this result. `ratings` are those before it; both by seat."""
    return ranked(ratings, places(result), teams(result, len(ratings)))


def ranked(
    ratings: Sequence[Rating], ranks: Sequence[int], by_team: Sequence[Sequence[Seat]] | None = None
) -> list[Rating]:
    """The ratings after a game with these ranks by seat, the lowest first; equal ranks are a tie.

    The seats of a team have one rank: it wins and loses together. A single team has no opponent: nothing changes.
    """
    together = [(seat,) for seat in range(len(ratings))] if by_team is None else by_team
    if len(together) < 2:
        return [*ratings]
    before = [[_MODEL.create_rating([ratings[seat].mu, ratings[seat].sigma]) for seat in team] for team in together]
    after = _MODEL.rate(before, ranks=[float(ranks[team[0]]) for team in together])
    found = [*ratings]
    for team, of_team in zip(together, after, strict=True):
        for seat, player in zip(team, of_team, strict=True):
            found[seat] = _rating(player.mu, player.sigma)
    return found


def teams(result: Result | None, seats: int, alone: Collection[Seat] = ()) -> list[tuple[Seat, ...]]:
    """The seats by team, each of those that are `alone` as a team of its own."""
    if result is None or isinstance(result.teams, UnsetType):
        return [(seat,) for seat in range(seats)]
    together = [tuple([seat for seat in team if seat not in alone]) for team in result.teams]
    return [team for team in together if team] + [(seat,) for seat in alone]


def places(result: Result) -> list[int]:
    """By seat the rank. Without `ranks` it is the distance to the winners: 0 for the winners, otherwise 1 + the
    difference in points. Equal distances are a tie.

    Whether the most or the fewest points win, the winners have the best ones. So a seat did worse the further its
    points are from theirs. A law tests this for every ruleset.
    """
    if not isinstance(result.ranks, UnsetType):
        return [*result.ranks]
    if not result.winners:
        return [0] * len(result.scores)
    best = result.scores[result.winners[0]]
    return [0 if seat in result.winners else 1 + abs(points - best) for seat, points in enumerate(result.scores)]


def _rating(mu: float, sigma: float) -> Rating:
    mu, sigma = round(mu, _DECIMALS), round(sigma, _DECIMALS)
    return Rating(mu, sigma, round(mu - 3 * sigma, _DECIMALS))
