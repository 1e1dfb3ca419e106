"""The review of a few choices of a recorded game: `python -m tests.agents.same_review RECORD...` prints
its hash for each record. It needs nothing but msgspec, so that it runs on every version of Python.
"""

import sys
from hashlib import sha256
from pathlib import Path

from agents.review.document import document
from agents.review.moments import moments
from agents.review.played import Played, of_record
from agents.review.values import Valuation
from agents.review.weighing import Plan, Weighing, in_this_process
from domain.codec import canonical
from domain.fairness.record import decode

CHEAP = Plan(moves=2, look=2, sift=2, check=2, refine=3, most=3, account=3)
FEW = 7


def weighed(played: Played) -> Weighing:
    """Some choices, spread over the game."""
    chosen = [*moments(played)]
    chosen = chosen[:: max(1, len(chosen) // FEW)]
    values = Valuation(played.rules, played.head)
    found = Weighing(values, chosen, CHEAP, range(played.seats), in_this_process(values, chosen))
    for phase in (found.first, found.refine, found.accounts):
        for _ in phase():
            pass
    return found


def hash_of(played: Played, found: Weighing) -> str:
    return sha256(canonical(document(played, found, "cheap", final=True))).hexdigest()[:16]


if __name__ == "__main__":
    for file in sys.argv[1:]:
        game = of_record(decode(Path(file).read_bytes()))
        sys.stdout.write(f"{hash_of(game, weighed(game))}\n")
