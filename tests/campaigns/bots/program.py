"""Plays the arenas of `docs/bots.md`, prints the tables of that page and checks their bounds.

The same arguments give the same games; only the times differ.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from agents.arena.boards import Arena, Field, Terms, named_apart
from agents.arena.report import Report
from agents.arena.statistics import Standing, lengths
from domain.game import Rules
from domain.ruleset import Choose
from domain.rulesets import RULESETS
from tests.campaigns.bots.bounds import BOUNDS, LASTING

SEATS = 3
BOARDS, GAMES = 200, 200
FEWER = 5
"""The reference for the length of games has one board for this many of `careful`."""

LONGEST = 3
"""How many times the median game of the reference, random play, a game of `careful` alone may take."""
SLOWEST = 2.0
"""Milliseconds of the 99th percentile of all choices."""

VARIANTS: dict[str, list[dict[str, Any]]] = {"scopinion": [{}, {"mode": "expert"}]}


def main(asked: Namespace) -> int:
    missed = [*strength(asked), *ending(asked)]
    for line in missed:
        tell(f"missed: {line}")
    return 1 if missed else 0


def strength(asked: Namespace) -> Iterator[str]:
    """Print the matches of one `careful` with two others, in whole games; yield those that miss a bound."""
    tell("| Game | Against two | Boards | Victories | 95 % | Points ahead | Choice, mean | p99 |")
    tell("|---|---|---|---|---|---|---|---|")
    for name, options in variants(asked):
        least = BOUNDS[name]
        for opponent, bound in (("random/1", least.against_random), ("easy/1", least.against_easy)):
            report = played(name, options, ("careful", opponent, opponent), SEATS, asked.boards, asked.seed)
            careful = next(each for each in report.standings if each.bot == "careful")
            mean, late = report.milliseconds("careful")
            figures = f"{told(careful, asked.boards)} | {mean:.3f} ms | {late:.2f} ms"
            tell(f"| {titled(name, options)} | `{opponent}` | {figures} |")
            if careful.victories.low < bound or late > SLOWEST:
                yield f"{titled(name, options)} against `{opponent}`"


def ending(asked: Namespace) -> Iterator[str]:
    """Print how long games of `careful` alone are, of one round where the rules allow it; yield those that take too
    long, or do not end.
    """
    tell("\n| Game | Seats | Boards | Moves in a game: median | longest | reference | Choice, p99 |")
    tell("|---|---|---|---|---|---|---|")
    for name, options in variants(asked):
        rules = RULESETS[name]
        reference = function_name(LASTING[name]) if name in LASTING else "random"
        for seats in rules.seats:
            short = {**rules.board, **options}
            report = played(name, short, ("careful", "careful"), seats, asked.games, asked.seed)
            other = played(name, short, (reference, reference), seats, asked.games // FEWER + 1, asked.seed)
            found, compared = lengths(report.arena), lengths(other.arena)
            late = max([report.milliseconds(each.bot)[1] for each in report.standings])
            many = f"{asked.games:,}" + (f", {found.given_up} games given up" if found.given_up else "")
            figures = f"{found.median:g} | {found.longest} | {compared.median:g} | {late:.2f} ms"
            tell(f"| {titled(name, options)} | {seats} | {many} | {figures} |")
            if found.given_up or found.longest > LONGEST * compared.median or late > SLOWEST:
                yield f"{titled(name, options)} for {seats}"


def played(name: str, options: dict[str, Any], bots: Sequence[str], seats: int, boards: int, seed: int) -> Report:
    """An arena, as `stammtisch arena` plays it."""
    rules: Rules = RULESETS[name]
    terms = Terms(rules=rules.rules, options=options, seats=seats, bots=named_apart(bots), seed=seed)
    field = Field(rules, terms)
    times: list[Counter[int]] = [Counter() for _ in bots]
    found = []
    for number in range(boards):
        outcome = field.play(number)
        found.append(outcome.board)
        for total, more in zip(times, outcome.times, strict=True):
            total.update(more)
    return Report(Arena(terms, tuple(found)), times)


def function_name(choose: Choose[Any, Any]) -> str:
    """`MODULE:FUNCTION`, as the arena finds it."""
    return f"{choose.__module__}:{choose.__name__}"


def variants(asked: Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in asked.rulesets:
        yield from ((name, options) for options in VARIANTS.get(name, [{}]))


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def titled(name: str, options: dict[str, Any]) -> str:
    return " ".join([name, *map(str, options.values())])


def told(found: Standing, boards: int) -> str:
    wins, points = found.victories, found.points
    share = f"{wins.mean:.1%} | {wins.low:.1%} to {min(wins.high, 1):.1%}".replace("%", " %")
    return f"{boards} | {share} | {points.mean:+.1f} ± {points.half:.1f}"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="RULESET")
    parser.add_argument("--boards", type=int, default=BOARDS, help="deals of a match")
    parser.add_argument("--games", type=int, default=GAMES, help="deals of careful alone, for each number of seats")
    parser.add_argument("--seed", type=int, default=0)
