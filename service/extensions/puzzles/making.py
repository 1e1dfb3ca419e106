"""Makes puzzles from games of the house, for the file that the extension ships: `python -m` this module prints them.

Players see at most one position of a game. Everything follows from the numbers of the games, so a line can be made
again.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from hashlib import sha256
from random import Random
from typing import Any

from agents.bots import bot_named
from agents.review.moments import Moment, moments
from agents.review.played import Played, played_by
from agents.review.values import Valuation
from agents.review.weighing import PLANS, sift, thresholds
from agents.table import Table
from domain.codec import encode
from domain.game import Rules
from domain.imagining import NothingImagined
from domain.registry import RULESETS
from service.extensions.puzzles.finding import WORTH, puzzle, solved
from service.extensions.puzzles.kept import KeptPuzzle, kept

LOOKED_AT = 120
"""Choices of a game that are looked at, in an order by lot."""
SEATS = (3, 4, 2, 3)
BOTS = ("careful", "erring:10", "careful", "erring:20")
"""Errors lead to positions that careful players never meet."""


def made(rules: Rules, numbers: Iterable[int]) -> Iterator[KeptPuzzle]:
    """The puzzles in the games of the house with these numbers, at most one of each game."""
    for number in numbers:
        lots = Random(f"puzzle:{rules.name}:{number}")
        seats = next(each for each in (SEATS[number % len(SEATS)], 3, 2) if each in rules.seats)
        bots = [bot_named(rules, lots.choice(BOTS)) for _ in range(seats)]
        options = rules.options()
        table = Table(rules, options, bots, sha256(f"puzzle:{number}".encode()).digest())
        if (found := one_of(played_by(table), lots)) is not None:
            yield kept(found, options, next(iter(rules.decks)), seats)


def one_of(played: Played, lots: Random) -> Any:
    """A puzzle of the game, or None."""
    limits = thresholds(played.rules, played.seats)
    chosen = [each for each in moments(played) if len(each.legal) > 2] if limits else []
    values = Valuation(played.rules, played.head)
    for moment in lots.sample(chosen, min(LOOKED_AT, len(chosen))):
        try:
            if not promising(values, moment, limits[WORTH]):
                continue
            found = solved(values, moment, PLANS["standard"], limits[WORTH])
        except NothingImagined:
            continue
        if found is not None:
            return puzzle(played, moment, *found)
    return None


def promising(values: Valuation, moment: Moment, worth: float) -> bool:
    """Whether a quick sift sees that much between the best move and that of the house player. Four in five choices need
    no more than that, a tenth of the time."""
    found = sift(values, moment, PLANS["quick"])
    best = max(found.sample.by_move, key=lambda move: found.sample.mean(move, moment.seat))
    return best != found.house and found.sample.gap(best, found.house, moment.seat)[0] >= worth


def main() -> None:
    import domain.rulesets  # noqa: F401 - registers the games

    parser = ArgumentParser(description="Print puzzles from games of the house, one JSON object per line.")
    parser.add_argument("ruleset")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--games", type=int, default=100)
    arguments = parser.parse_args()
    for each in made(RULESETS[arguments.ruleset], range(arguments.first, arguments.first + arguments.games)):
        sys.stdout.write(encode(each).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
