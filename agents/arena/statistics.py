"""From boards to figures. Every interval is over boards."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import exp, fsum, log, log10, sqrt
from random import Random
from statistics import NormalDist, fmean, median, stdev, variance

from msgspec import UNSET

from agents.arena.boards import Arena, Board, Played
from domain.means import half_width
from domain.messages import Value

RESAMPLES = 10_000
DRAWN_AT_ONCE = 50
"""The same samples as one by one; of few boards in a third of the time."""
RATING_RESAMPLES = 200
FEWEST = 30
"""Boards that an interval by Student's t needs."""
SCALE = 400
"""A bot rated this much higher is ten times as likely to come first of two."""
PRIOR = 0.5
"""Of a game that each bot is assumed to have won and lost against each other: keeps ratings finite."""


class Interval(Value):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


class Standing(Value):
    """The figures of a bot."""

    bot: str
    points: Interval
    """Of a seat, less the mean of the other seats."""
    victories: Interval
    """The share of victories; ties are shared."""
    rating: Interval
    forfeits: int


class Difference(Value):
    """The figures of two bots on the same boards."""

    one: str
    other: str
    points: Interval
    """Of a seat of the first less those of a seat of the second at one table, by Student's t over boards."""
    bootstrap: Interval
    p: float
    """Of the difference being 0, corrected for the number of pairs (Holm)."""
    ahead: Interval
    """The share of pairs of their seats at one table in which the first has more points; ties count half."""
    worth: float | None
    """The variance of as many independent games, divided by that of the boards; None if the bots played alike."""


class Weighed(Value):
    """Two bots compared by what choices explain of their points, so without luck: the mean is the same."""

    one: str
    other: str
    points: Interval
    saves: float | None
    """How many times as many boards would be as precise by points alone; None if the bots choose alike."""


class Lengths(Value):
    """How long the games were, in moves."""

    median: float
    longest: int
    given_up: int
    """Games that had not ended after `boards.MOST` moves."""


def lengths(arena: Arena) -> Lengths:
    games = [game for board in arena.boards for game in board.games]
    moves = [game.choices for game in games]
    return Lengths(median(moves), max(moves), sum([not game.winners for game in games]))


# --- a board ----------------------------------------------------------------------------------------------------------


def points_on(board: Board, bot: int) -> float:
    """The mean of all seats that the bot had. Whole numbers are summed, so that equal games cancel out exactly."""
    seats = [(game, seat) for game in board.games for seat, who in enumerate(game.seating) if who == bot]
    others = len(board.games[0].scores) - 1
    return sum([game.scores[seat] * (others + 1) - sum(game.scores) for game, seat in seats]) / (others * len(seats))


def victories_on(board: Board, bot: int) -> float:
    """The share of victories of a seat of the bot. A forfeit counts as par minus one victory."""
    seats = [(game, seat) for game in board.games for seat, who in enumerate(game.seating) if who == bot]
    return fmean([victory(game, seat) for game, seat in seats])


def difference_on(board: Board, one: int, other: int) -> float:
    """The mean difference in points between a seat of one bot and one of the other at one table. Exact, so that equal
    games cancel out."""
    return float(sum([difference_in(game.scores, game, one, other) for game in board.games]) / len(board.games))


def difference_in(figures: Sequence[float], game: Played, one: int, other: int) -> Fraction:
    """The mean of these figures by seat over the seats of one bot, less that over the seats of the other."""
    ours, theirs = (
        [each for each, who in zip(figures, game.seating, strict=True) if who == bot] for bot in (one, other)
    )
    return mean_of(ours) - mean_of(theirs)


def mean_of(figures: Sequence[float]) -> Fraction:
    return sum([Fraction(each) for each in figures], Fraction()) / len(figures)


def ahead_on(board: Board, one: int, other: int) -> float:
    """The share of pairs of a seat of either bot at one table in which the first has more points; ties count half. A
    forfeit has the fewest."""
    pairs = [
        (stands(game, first), stands(game, second))
        for game in board.games
        for first, second in permutations(range(len(game.seating)), 2)
        if (game.seating[first], game.seating[second]) == (one, other)
    ]
    return fmean([(ours > theirs) + (ours == theirs) / 2 for ours, theirs in pairs])


def stands(game: Played, seat: int) -> tuple[bool, int]:
    return seat not in game.forfeits, game.scores[seat]


def victory(game: Played, seat: int) -> float:
    if seat in game.forfeits:
        return 1 / len(game.scores) - 1
    return 1 / len(game.winners) if seat in game.winners else 0.0


# --- intervals --------------------------------------------------------------------------------------------------------


def share(values: Sequence[float], least: float = 0.0) -> Interval:
    """Of values from `least` to 1, which their interval does not leave."""
    found = by_t(values)
    return Interval(found.mean, max(found.low, least), min(found.high, 1.0))


def by_t(values: Sequence[float]) -> Interval:
    mean, within = fmean(values), half_width(values)
    return Interval(mean, mean - within, mean + within)


def by_bootstrap(values: Sequence[float], seed: int, resamples: int = RESAMPLES) -> Interval:
    """The means of boards drawn with replacement, from the 2.5th to the 97.5th percentile."""
    dice, boards, means = Random(seed), len(values), list[float]()
    for done in range(0, resamples, DRAWN_AT_ONCE):
        drawn = dice.choices(values, k=boards * min(DRAWN_AT_ONCE, resamples - done))
        means += [fsum(drawn[first : first + boards]) / boards for first in range(0, len(drawn), boards)]
    return Interval(fmean(values), *percentiles(sorted(means)))


def percentiles(rising: Sequence[float]) -> tuple[float, float]:
    return rising[round(0.025 * (len(rising) - 1))], rising[round(0.975 * (len(rising) - 1))]


def significance(values: Sequence[float]) -> float:
    """The probability of a mean that far from 0 if the truth is 0, two-sided, by the normal distribution."""
    error = stdev(values) / sqrt(len(values))
    return 1.0 if not error else 2 * NormalDist().cdf(-abs(fmean(values)) / error)


def holm(values: Sequence[float]) -> list[float]:
    """Corrected for several comparisons: the least one times their number, the next one less, never falling."""
    corrected, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, values[place] * (len(values) - rank)))
        corrected[place] = highest
    return corrected


# --- all bots ---------------------------------------------------------------------------------------------------------


def standings(arena: Arena) -> list[Standing]:
    """By bot, the best first."""
    names, boards, par = arena.terms.bots, arena.boards, 1 / arena.terms.seats
    rated = ratings(arena)
    found = [
        Standing(
            name,
            by_t([points_on(board, bot) for board in boards]),
            share([victories_on(board, bot) for board in boards], par - 1),
            rated[bot],
            sum([game.seating[seat] == bot for board in boards for game in board.games for seat in game.forfeits]),
        )
        for bot, name in enumerate(names)
    ]
    return sorted(found, key=lambda standing: -standing.points.mean)


def differences(arena: Arena) -> list[Difference]:
    """All pairs of bots, in the order of the names."""
    names, boards, seed = arena.terms.bots, arena.boards, arena.terms.seed
    pairs = [*combinations(range(len(names)), 2)]
    samples = [paired(boards, *pair) for pair in pairs]
    corrected = holm([significance(sample) if len(sample) > 1 else 1.0 for sample in samples])
    return [
        Difference(
            names[one],
            names[other],
            by_t(sample),
            by_bootstrap(sample, seed),
            p,
            share([ahead_on(board, one, other) for board in boards]),
            worth(boards, one, other, sample),
        )
        for (one, other), sample, p in zip(pairs, samples, corrected, strict=True)
    ]


def weighed(arena: Arena) -> list[Weighed]:
    """All pairs of bots; empty if choices were not weighed, or a game was given up."""
    boards, names = arena.boards, arena.terms.bots
    if any(game.chosen is UNSET for board in boards for game in board.games):
        return []
    found = []
    for one, other in combinations(range(len(names)), 2):
        sample = [chosen_on(board, one, other) for board in boards]
        noise = variance(sample) if len(sample) > 1 else 0.0
        saves = variance(paired(boards, one, other)) / noise if noise else None
        found.append(Weighed(names[one], names[other], by_t(sample), saves))
    return found


def chosen_on(board: Board, one: int, other: int) -> float:
    """As `difference_on`, of what choices explain. A point at one seat puts it `seats / (seats - 1)` points ahead of
    another, for it counts in the mean of the others, too."""
    seats = len(board.games[0].seating)
    found = [difference_in(game.chosen or (), game, one, other) for game in board.games]
    return float(sum(found) / len(found) * Fraction(seats - 1, seats))


def paired(boards: Sequence[Board], one: int, other: int) -> list[float]:
    """By board: the points of one bot less those of the other."""
    return [difference_on(board, one, other) for board in boards]


def worth(boards: Sequence[Board], one: int, other: int, sample: Sequence[float]) -> float | None:
    """How many independent games would be needed for the precision of one game of these boards."""
    games = [float(difference_in(game.scores, game, one, other)) for board in boards for game in board.games]
    if len(sample) < 2 or not (spread := variance(sample)):
        return None
    return variance(games) * len(boards) / len(games) / spread


# --- ratings ----------------------------------------------------------------------------------------------------------

Orders = Counter[tuple[int, ...]]
"""How often the bots came in which order."""


def ratings(arena: Arena) -> list[Interval]:
    """Plackett and Luce by maximum likelihood, on the scale of `SCALE`; `random` is 0, without it the first bot.

    The order of games does not matter. The intervals come from boards drawn with replacement.
    """
    names = arena.terms.bots
    anchor = next((bot for bot, name in enumerate(names) if name.split("/")[0] == "random"), 0)
    by_board = [orders_of(board) for board in arena.boards]
    rated = rating(by_board, len(names), anchor)
    dice, places = Random(arena.terms.seed), range(len(by_board))

    @cache  # two boards: 4 draws instead of 200
    def of_draw(*draw: int) -> list[float]:
        return rating([by_board[place] for place in draw], len(names), anchor)

    drawn = [of_draw(*dice.choices(places, k=len(places))) for _ in range(RATING_RESAMPLES)]
    return [Interval(rated[bot], *percentiles(sorted([each[bot] for each in drawn]))) for bot in range(len(names))]


def orders_of(board: Board) -> Orders:
    """By game; a tie counts half in either direction."""
    orders: Orders = Counter()
    for game in board.games:
        for sign in (1, -1):
            places = sorted(range(len(game.scores)), key=lambda seat: (-game.scores[seat], sign * seat))
            orders[tuple([game.seating[seat] for seat in places])] += 1
    return orders


def rating(boards: Sequence[Orders], bots: int, anchor: int) -> list[float]:
    """By minorisation and maximisation (Hunter 2004)."""
    total: Counter[tuple[int, ...]] = Counter()
    for orders in boards:
        total.update(orders)
    weighed: list[tuple[tuple[int, ...], float]] = [(order, many / 2) for order, many in total.items()]
    weighed += [(pair, PRIOR) for one, other in combinations(range(bots), 2) for pair in ((one, other), (other, one))]
    chosen = [0.0] * bots
    for order, weight in weighed:
        for bot in order[:-1]:
            chosen[bot] += weight
    strength = [1.0] * bots
    for _ in range(100):
        shares = [0.0] * bots
        for order, weight in weighed:
            left = sum([strength[bot] for bot in order])
            for place, bot in enumerate(order[:-1]):
                for other in order[place:]:
                    shares[other] += weight / left
                left -= strength[bot]
        before, strength = strength, [won / share for won, share in zip(chosen, shares, strict=True)]
        mean = exp(fmean([log(each) for each in strength]))
        strength = [each / mean for each in strength]
        if max([abs(log(one / other)) for one, other in zip(strength, before, strict=True)]) < 1e-4:
            break
    return [SCALE * log10(each / strength[anchor]) for each in strength]


# --- when to stop -----------------------------------------------------------------------------------------------------

Stop = Callable[[Arena], bool]
EVERY = 10
"""Boards between two looks at the figures."""
CERTAIN = 2.944
"""log 19: the logarithm of the likelihood ratio at which a sequential test decides, with an error of 5 % either way."""


def narrow_enough(half: float) -> Stop:
    """Stops when the intervals of all differences are at most that wide, to either side."""

    def stop(arena: Arena) -> bool:
        pairs = combinations(range(len(arena.terms.bots)), 2)
        return all(by_t(paired(arena.boards, *pair)).half <= half for pair in pairs)

    return stop


def decided(low: float, high: float) -> Stop:
    """A sequential probability ratio test: is the first bot `low` or `high` points better than the second?"""

    def stop(arena: Arena) -> bool:
        return abs(likelihood(paired(arena.boards, 0, 1), low, high)) >= CERTAIN

    return stop


def likelihood(sample: Sequence[float], low: float, high: float) -> float:
    """The logarithm of how much likelier the sample is with the mean `high` than with the mean `low`."""
    spread = variance(sample)
    return (high - low) * len(sample) * (fmean(sample) - (low + high) / 2) / spread if spread else 0.0
