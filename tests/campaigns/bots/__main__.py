"""Measures the published bots: `python -m tests.campaigns.bots`. Prints the tables of `docs/bots.md`.

The same arguments give the same games; only the times differ. Exits with 1 when a figure misses its bound.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from domain.rulesets import RULESETS
from tests.campaigns.bots.measuring import Alone, Match, alone, match
from tests.campaigns.bots.plain import LASTING, PLAIN

SEATS = 3
BOARDS, GAMES = 500, 1000

LONGEST = 3
"""How many times the median round of the reference, random play, a round of `careful` alone may take."""
SLOWEST = 2000
"""Microseconds of the 99th percentile of all choices."""

VARIANTS: dict[str, list[dict[str, Any]]] = {"scopinion": [{}, {"mode": "expert"}]}


def main(asked: Namespace) -> int:
    missed = list(strength(asked)) + list(ending(asked))
    for line in missed:
        tell(f"missed: {line}")
    return 1 if missed else 0


def strength(asked: Namespace) -> Iterator[str]:
    """Print the matches; yield those that miss a bound."""
    tell("| Game | Against two | Games | Victories | 95 % | Points ahead | Choice, p50 | p99 |")
    tell("|---|---|---|---|---|---|---|---|")
    for name in asked.rulesets:
        rules, (plain, *bounds) = RULESETS[name], PLAIN[name]
        for options in VARIANTS.get(name, [{}]):
            opponents = ("random/1", rules.bots["random/1"], bounds[1]), ("plain", plain, bounds[0])
            for opponent, choose, bound in opponents:
                found = match(rules, options, rules.bots["careful/1"], choose, SEATS, asked.boards, asked.seed)
                tell(f"| {titled(name, options)} | `{opponent}` | {told(found)} |")
                if found.victories.low < bound or found.p99 > SLOWEST:
                    yield f"{name} {options} against {opponent}"


def ending(asked: Namespace) -> Iterator[str]:
    """Print the tables of `careful` alone; yield those where a game does not end, or a round takes too long."""
    tell("\n| Game | Seats | Games | Moves in a round: median | longest | reference | Longest game | Choice, p99 |")
    tell("|---|---|---|---|---|---|---|---|")
    for name in asked.rulesets:
        rules = RULESETS[name]
        reference = LASTING.get(name, rules.bots["random/1"])
        for options in VARIANTS.get(name, [{}]):
            for seats in rules.seats:
                found = alone(rules, options, reference, seats, asked.games, asked.seed)
                tell(f"| {titled(name, options)} | {seats} | {told_alone(found)} |")
                if found.endless or found.longest > LONGEST * found.reference or found.p99 > SLOWEST:
                    yield f"{name} {options} for {seats}"


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def titled(name: str, options: dict[str, Any]) -> str:
    return " ".join([name, *map(str, options.values())])


def told(found: Match) -> str:
    wins = found.victories
    share = f"{wins.mean:.1%} | {wins.low:.1%} to {wins.high:.1%}".replace("%", " %")
    return f"{found.games:,} | {share} | {found.ahead:+.1f} ± {found.within:.1f} | {found.p50} µs | {found.p99} µs"


def told_alone(found: Alone) -> str:
    games = f"{found.games:,}, {found.endless} endless" if found.endless else f"{found.games:,}"
    rounds = f"{found.median:g} | {found.longest} | {found.reference:g}"
    return f"{games} | {rounds} | {found.longest_game:,} | {found.p99} µs"


def arguments() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m tests.campaigns.bots")
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="RULESET")
    parser.add_argument("--boards", type=int, default=BOARDS, help="deals of a match, each played in all rotations")
    parser.add_argument("--games", type=int, default=GAMES, help="games of careful/1 alone, for each number of seats")
    parser.add_argument("--seed", type=int, default=0)
    return parser


if __name__ == "__main__":
    sys.exit(main(arguments().parse_args()))
