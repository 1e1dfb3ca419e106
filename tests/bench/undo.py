"""Undo: how long it takes to find out whether a move told nobody anything.

`python -m tests.bench.undo` prints these figures alone.
"""

import sys
from collections.abc import Iterator
from random import Random
from statistics import median, quantiles
from time import perf_counter

from domain.rulesets import RULESETS
from tests.kit.laws import Rules, at_random
from tests.kit.undoing import Undoing, undoing

GAMES = 20
MOST_MOVES = 200
ATTEMPTS = 5


def answered(rules: Rules, games: int) -> list[float]:
    """Seconds for each answer after a move, in random games of three players: the least of several attempts, so that
    the tail is that of the moves, not of the machine."""
    found = []
    for seed in range(games):
        choose, sitting = at_random(Random(seed)), undoing(rules, None, None, None, mode="free")
        for _ in range(MOST_MOVES):
            if (choice := choose(rules, sitting.game)) is None:
                break
            seat, move = choice
            sitting.move(seat, move)
            if sitting.game.status != "running":
                break
            found.append(min(seconds(sitting, seat) for _ in range(ATTEMPTS)))
    return found


def seconds(sitting: Undoing, seat: int) -> float:
    began = perf_counter()
    sitting.free(seat)
    return perf_counter() - began


def rows(quick: bool) -> Iterator[tuple[str, str, str, str]]:
    for name, rules in RULESETS.items():
        times = sorted(each * 1e6 for each in answered(rules, 2 if quick else GAMES))
        p99 = quantiles(times, n=100)[98]
        yield (f"whether a move can be taken back, p50: {name}", f"{median(times):.1f} µs", "-", "-")
        yield (f"whether a move can be taken back, p99: {name}", f"{p99:.0f} µs", "-", "-")


if __name__ == "__main__":
    for row in rows(quick="--quick" in sys.argv):
        sys.stdout.write(f"{row[0]}: {row[1]}\n")
