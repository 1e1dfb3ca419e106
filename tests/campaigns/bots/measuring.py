"""Figures: a match over duplicate deals, and tables of one bot alone.

A board is a secret: all its games have the same deals. Boards are independent, games of a board are not, so every
interval is over boards.
"""

from hashlib import sha256
from math import sqrt
from statistics import fmean, median, stdev
from typing import Any, NamedTuple

from domain.game import Rules
from domain.ruleset import Choose
from tests.campaigns.bots.playing import Played, play

Z = 1.96
"""Of a 95 % interval."""
FEWER = 5
"""The reference has one game for this many games of the bots; their median is compared."""


class Share(NamedTuple):
    """A share and its 95 % interval."""

    mean: float
    low: float
    high: float


class Match(NamedTuple):
    """One bot against others of one kind. `ahead` is in points of the game, more is better."""

    games: int
    victories: Share
    ahead: float
    within: float
    p50: int
    p99: int


class Alone(NamedTuple):
    """One bot at all seats. `reference` is the median round of another bot at all seats."""

    games: int
    endless: int
    median: float
    longest: int
    reference: float
    longest_game: int
    p99: int


def secret(seed: int, board: int) -> bytes:
    return sha256(f"{seed}:{board}".encode()).digest()


def wilson(mean: float, n: int) -> Share:
    """The interval of a share of n. A board's share of victories varies at most as a single game's does."""
    centre, spread = mean + Z * Z / (2 * n), Z * sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return Share(mean, (centre - spread) / (1 + Z * Z / n), (centre + spread) / (1 + Z * Z / n))


def match(
    rules: Rules, options: dict[str, Any], bot: Choose[Any, Any], other: Choose[Any, Any], seats: int, boards: int,
    seed: int,
) -> Match:  # fmt: skip
    """Each board is played once with the bot at each seat."""
    won, ahead, times = [], [], list[int]()
    for board in range(boards):
        games = []
        for seat in range(seats):
            chosen: list[list[int]] = [[] for _ in range(seats)]
            at_table = [bot if each == seat else other for each in range(seats)]
            games.append(play(rules, rules.options(**options), at_table, secret(seed, board), chosen))
            times += chosen[seat]
        won.append(fmean([victory(game, seat) for seat, game in enumerate(games)]))
        ahead.append(fmean([lead(game, seat) for seat, game in enumerate(games)]))
    within = Z * stdev(ahead) / sqrt(boards)
    victories = wilson(fmean(won), boards)
    return Match(boards * seats, victories, fmean(ahead), within, percentile(times, 50), percentile(times, 99))


def victory(game: Played, seat: int) -> float:
    """The seat's share of the victory."""
    if game.result is None:
        return 0.0
    winners = game.result.winners
    return 1 / len(winners) if seat in winners else 0.0


def lead(game: Played, seat: int) -> float:
    """The seat's points against the mean of the others, in the direction in which the ruleset counts."""
    assert game.result is not None
    scores, winners = game.result.scores, game.result.winners
    others = fmean([points for each, points in enumerate(scores) if each != seat])
    lowest_wins = scores[winners[0]] == min(scores)
    return others - scores[seat] if lowest_wins else scores[seat] - others


def alone(
    rules: Rules, options: dict[str, Any], reference: Choose[Any, Any], seats: int, games: int, seed: int
) -> Alone:
    """The rounds of the bot `careful/1` at all seats, and of the reference."""
    times: list[list[int]] = [[] for _ in range(seats)]
    careful = rules.bots["careful/1"]
    played = [table(rules, options, careful, seats, secret(seed, board), times) for board in range(games)]
    compared = [table(rules, options, reference, seats, secret(seed, board)) for board in range(games // FEWER + 1)]
    rounds = [moves for game in played for moves in game.rounds]
    return Alone(
        games,
        sum([game.result is None for game in played]),
        median(rounds),
        max(rounds),
        median([moves for game in compared for moves in game.rounds]),
        max([game.moves for game in played]),
        percentile([time for each in times for time in each], 99),
    )


def table(
    rules: Rules, options: dict[str, Any], bot: Choose[Any, Any], seats: int, drawn: bytes,
    times: list[list[int]] | None = None,
) -> Played:  # fmt: skip
    return play(rules, rules.options(**options), [bot] * seats, drawn, times)


def percentile(nanoseconds: list[int], percent: int) -> int:
    """In microseconds."""
    return sorted(nanoseconds)[len(nanoseconds) * percent // 100] // 1000
