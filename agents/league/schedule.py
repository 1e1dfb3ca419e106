"""Who plays whom: on each board every entrant has one seat, and over all boards seats and meetings are even."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

from domain.searching import Lots

Seating: TypeAlias = tuple[int, ...]
"""By seat of a table: the number of the entrant."""
Tables: TypeAlias = tuple[Seating, ...]
"""Of a board."""
Meetings: TypeAlias = Counter[tuple[int, int]]
"""By pair of entrants: on how many groupings they shared a table."""

TRIES = 30
"""Random groupings from which the most even one is looked for."""


def schedule(owners: Sequence[str], seats: int, boards: int, seed: bytes) -> list[Tables]:
    """By board. `owners`: by entrant; those of one owner never share a table, "" is nobody.

    A grouping is played on as many boards as there are seats, and everybody moves one seat on. So after each of these
    blocks all have had every seat equally often.
    """
    lots, met = Lots(int.from_bytes(seed[:8])), Meetings()
    found: list[Tables] = []
    while len(found) < boards:
        grouping = most_even(owners, seats, met, lots)
        met.update(pair for table in grouping for pair in pairs(table))
        found += [tuple([(*table[turn:], *table[:turn]) for table in grouping]) for turn in range(seats)]
    return found[:boards]


def most_even(owners: Sequence[str], seats: int, met: Meetings, lots: Lots) -> list[Seating]:
    """The grouping after which the numbers of meetings differ least, among some that exchanges cannot improve."""
    found = [improved(drawn(len(owners), seats, lots), owners, met) for _ in range(TRIES)]
    return min(found, key=lambda grouping: cost(grouping, owners, met))


def drawn(entrants: int, seats: int, lots: Lots) -> list[Seating]:
    order = lots.shuffled(range(entrants))
    return [order[first : first + seats] for first in range(0, entrants, seats)]


def improved(grouping: list[Seating], owners: Sequence[str], met: Meetings) -> list[Seating]:
    """Two entrants of different tables change places as long as that makes the meetings more even."""
    changed = True
    while changed:
        changed = False
        for here, there in combinations(range(len(grouping)), 2):
            before = grouping[here], grouping[there]
            best = min(exchanges(*before), key=lambda two: cost(two, owners, met))
            if cost(best, owners, met) < cost(before, owners, met):
                grouping[here], grouping[there] = best
                changed = True
    return grouping


def exchanges(one: Seating, other: Seating) -> Iterator[tuple[Seating, Seating]]:
    for own, theirs in product(range(len(one)), range(len(other))):
        yield (*one[:own], other[theirs], *one[own + 1 :]), (*other[:theirs], one[own], *other[theirs + 1 :])


def cost(grouping: Sequence[Seating], owners: Sequence[str], met: Meetings) -> tuple[int, int]:
    """First the pairs of one owner at a table, then how much more often the pairs meet that have met before."""
    together = [pair for table in grouping for pair in pairs(table)]
    same = sum([owners[one] != "" and owners[one] == owners[other] for one, other in together])
    return same, sum([2 * met[pair] + 1 for pair in together])


def pairs(table: Seating) -> Iterator[tuple[int, int]]:
    return combinations(sorted(table), 2)
