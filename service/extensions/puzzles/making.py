"""Makes puzzles from games of the house, for the files that the extension ships: `python -m` this module prints them.

They are found by the rule of the command, but for one thing: the player who misses the solution is the easy house
player, who takes the move that looks good at once. Where the careful one is wrong by a mistake is too rare: one choice
in some hundreds. Everything follows from the numbers of the games, so a line can be made again.
"""

import sys
from argparse import ArgumentParser
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any

from agents.bots import bot_named
from agents.review.moments import Moment, moments
from agents.review.played import Played, played_by
from agents.review.values import SameLots, Valuation
from agents.review.weighing import DICE, PLANS, Plan, house_move, sift, thresholds
from agents.table import Table
from domain.codec import encode
from domain.game import Rules
from domain.imagining import NothingImagined
from domain.registry import RULESETS
from service.extensions.puzzles.finding import WORTH, Puzzle, puzzle, solved
from service.extensions.puzzles.kept import KeptPuzzle, kept

LATE = 30
"""Choices of a round that are looked at: the last ones. Their playouts are short, and chance decides less of what comes
of them."""
LOOKED_AT = 80
"""Choices of a game that are looked at, in an order by lot."""
FIRST = 2
"""The number of worlds sampled first: in each, the careful player's choice must exceed the easy player's choices by the
worth."""
MOST = 2
"""Puzzles of one game, which have different solutions."""
SEATS = (3, 4, 2, 3)
BOTS = ("careful", "erring:10", "careful", "erring:20")
"""Errors lead to positions that careful players never meet."""


def made(rules: Rules, numbers: Iterable[int]) -> Iterator[KeptPuzzle]:
    """The puzzles in the games of the house with these numbers."""
    for number in numbers:
        lots = Random(f"puzzle:{rules.name}:{number}")
        seats = next(each for each in (SEATS[number % len(SEATS)], 3, 2) if each in rules.seats)
        bots = [bot_named(rules, lots.choice(BOTS)) for _ in range(seats)]
        options = rules.options()
        played = played_by(Table(rules, options, bots, sha256(f"puzzle:{number}".encode()).digest()))
        for found in islice(some_of(played, lots), MOST):
            yield kept(found, options, next(iter(rules.decks)), seats)


def some_of(played: Played, lots: Random) -> Iterator[Puzzle[Any, Any]]:
    """Puzzles of the game, in an order by lot."""
    limits = thresholds(played.rules, played.seats)
    chosen = late(played) if limits else []
    values, solutions = Valuation(played.rules, played.head), list[Any]()
    for moment in lots.sample(chosen, min(LOOKED_AT, len(chosen))):
        naive = choices_of_easy(values, moment)
        naive |= {move for move, each in enumerate(moment.legal) if each in solutions}
        try:
            if not promising(values, moment, limits[WORTH], naive):
                continue
            found = solved(values, moment, PLANS["standard"], limits[WORTH], naive)
        except NothingImagined:
            continue
        if found is not None:
            solutions.append(moment.legal[found[0]])
            yield puzzle(played, moment, *found)


def late(played: Played) -> list[Moment]:
    """The late choices of each round between more than two moves."""
    rounds: defaultdict[int, deque[Moment]] = defaultdict(lambda: deque(maxlen=LATE))
    for each in moments(played):
        rounds[each.round].append(each)
    return [each for round_ in rounds.values() for each in round_ if len(each.legal) > 2]


def choices_of_easy(values: Valuation, moment: Moment) -> set[int]:
    easy = next(bot for name, bot in values.rules.bots.items() if name.startswith("easy/"))
    seeds = [values.seed(moment, "easy", number) for number in range(DICE)]
    return {easy(moment.view, moment.seat, moment.legal, SameLots(seed)) for seed in seeds}


def promising(values: Valuation, moment: Moment, worth: float, naive: Collection[int]) -> bool:
    """Whether the careful player chooses otherwise, and few worlds see that much between both choices, then between the
    best move and the next. Each step costs more than the one before, and most choices need the first only."""
    house, seat = house_move(values, moment), moment.seat
    if house in naive:
        return False
    for number in range(FIRST):
        own, *missed = values.tried(moment, [house, *naive], "glance", number, whole=False)
        if any(own[seat] - each[seat] < worth for each in missed):
            return False
    of = sift(values, moment, Plan(moves=4, look=4, sift=4)).sample
    best, *others = sorted(of.by_move, key=lambda move: -of.mean(move, seat))
    return best not in naive and bool(others) and of.gap(best, others[0], seat)[0] >= worth


def main() -> None:
    from domain import rulesets as rulesets  # registers the games

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
