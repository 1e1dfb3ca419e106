"""What follows from the boards of a league. Every interval is over boards: they are independent, tables are not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import median, variance
from typing import Annotated

from msgspec import UNSET, Meta

from agents.arena.boards import Arena, Board, Played
from agents.arena.statistics import Interval, by_t, holm, points_on, ratings, significance
from agents.league.playing import arena_terms
from agents.league.terms import Terms, seed_of
from domain.messages import Value


class Results(Value, kw_only=True):
    """The content of `results.json`. Every figure but the claims follows from it."""

    terms: Terms
    """As published, with the entropies."""
    secret: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """The commitment is its SHA-256."""
    boards: tuple[Board, ...]

    @property
    def counted(self) -> tuple[Board, ...]:
        """The boards that count: those on which every game has a result."""
        return tuple([board for board in self.boards if all(game.scores for game in board.games)])

    @property
    def missed(self) -> Counter[int]:
        """By entrant: the number of boards that do not count because this person was not there."""
        return Counter([entrant for board in self.boards for entrant in absent(board)])

    @property
    def weighed(self) -> bool:
        return all(game.own is not UNSET for board in self.counted for game in board.games)


def absent(board: Board) -> list[int]:
    """The entrants because of whom the board does not count."""
    return [game.seating[seat] for game in board.games if not game.scores for seat in game.forfeits]


class Claims(Value, kw_only=True):
    """What was measured or told, and cannot be computed again. By entrant."""

    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    """Of all choices together."""
    usage: tuple[Mapping[str, float], ...]
    """The sums of what bots say that their choices have cost."""


class Row(Value, kw_only=True):
    """The figures of an entrant."""

    entrant: int
    points: Interval
    """Of a game, ahead of the mean of the others at the table.

    Not compared with the same seat at the other tables: that takes off the luck of the deal, and puts in the luck and
    the play of the others there, which is more.
    """
    own: Interval | None
    """Own play in a game, in points ahead; None if it was not weighed."""
    rating: Interval
    games: int
    replaced: int
    """Choices that were made for it."""
    forfeits: int


class Pair(Value, kw_only=True):
    """Two entrants on the same boards: the figures of the first less those of the second."""

    one: int
    other: int
    points: Interval
    p: float
    """Of the difference being 0, corrected for the number of pairs (Holm)."""
    own: Interval | None
    saves: float | None
    """How many times as many boards the points need for the relative precision of own play; None: not weighed, or they
    play alike."""


def rows(results: Results) -> list[Row]:
    """By points, the best first."""
    boards, terms = results.counted, results.terms
    rated = ratings(Arena(arena_terms(terms, seed_of(terms, results.secret)), boards))
    found = []
    for entrant in range(len(terms.entrant)):
        seats = [place(board, entrant) for board in boards]
        found.append(Row(
            entrant=entrant,
            points=by_t([points_on(board, entrant) for board in boards]),
            own=by_t([own_play(board, entrant) for board in boards]) if results.weighed else None,
            rating=rated[entrant],
            games=len(seats),
            replaced=sum([game.replaced[seat] for game, seat in seats if game.replaced]),
            forfeits=sum([seat in game.forfeits for game, seat in seats]),
        ))  # fmt: skip
    return sorted(found, key=lambda row: -row.points.mean)


def pairs(results: Results) -> list[Pair]:
    """All pairs, in the order of the entrants."""
    entrants, boards = range(len(results.terms.entrant)), results.counted
    ahead = [[points_on(board, each) for board in boards] for each in entrants]
    own = [[own_play(board, each) for board in boards] for each in entrants] if results.weighed else None
    both = [*combinations(entrants, 2)]
    samples = [less(ahead[one], ahead[other]) for one, other in both]
    corrected = holm([significance(sample) for sample in samples])
    found = []
    for (one, other), sample, p in zip(both, samples, corrected, strict=True):
        played = less(own[one], own[other]) if own else None
        found.append(Pair(
            one=one, other=other, points=by_t(sample), p=p, own=by_t(played) if played else None,
            saves=saved(sample, played, len(entrants)) if played else None,
        ))  # fmt: skip
    return found


def saved(points: Sequence[float], own: Sequence[float], entrants: int) -> float | None:
    """What own play brings is taken from the others at the table, in the end from each of the other entrants alike. So
    two entrants that differ by 1 in own play differ by N / (N - 1) in points."""
    noise = variance(own) * (entrants / (entrants - 1)) ** 2
    return variance(points) / noise if noise else None


def typical(found: Sequence[Pair]) -> float | None:
    """The median of what own play saves."""
    known = [each.saves for each in found if each.saves is not None]
    return median(known) if known else None


def less(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [ours - theirs for ours, theirs in zip(one, other, strict=True)]


# --- a board ----------------------------------------------------------------------------------------------------------


def place(board: Board, entrant: int) -> tuple[Played, int]:
    """The game and the seat of the entrant."""
    return next((game, game.seating.index(entrant)) for game in board.games if entrant in game.seating)


def own_play(board: Board, entrant: int) -> float:
    """What the own choices changed beside those of the house player, weighed in imagined worlds: no card is luck."""
    game, seat = place(board, entrant)
    return game.own[seat] if game.own is not UNSET else 0.0
