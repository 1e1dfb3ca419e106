"""The published bots. Worths are in sixteenths of a point."""

from collections.abc import Sequence
from operator import sub

from domain.bots import at_random, best
from domain.cards import known
from domain.fairness.chance import Chance
from domain.ruleset import Budget, Seat
from domain.rulesets.scout.rules import NO_STEP, Keep, Scout, ScoutMove, Show, State, Turn, apart, upper

POINT = 16
PAIRS = {0: 16, 1: 12, -1: 12}
"""The worth of two cards in a row by the step between them. A set of one number beats a run."""
LONGER = 28
"""Each card more. Less than two points: otherwise scouting always pays, and the round does not end."""
SCOUT_AND_SHOW = 20


def careful(state: State, seat: Seat, moves: Sequence[ScoutMove], chance: Chance) -> int:
    """The points of the move, and the sets that the hand then holds."""
    row = upper(state.hands[seat])
    return best([worth(state, seat, row, move) for move in moves], chance)


def worth(state: State, seat: Seat, row: list[int], move: ScoutMove) -> int:
    match move:
        case Scout(end, flip, position, show):  # first: most moves scout
            card, _ = apart(state.active, end)
            more = [*row[:position], card[flip], *row[position:]]
            scouted = sets(more) - POINT * (len(more) + 1)
            return scouted + SCOUT_AND_SHOW if show else scouted
        case Show(start, count):
            left = row[:start] + row[start + count :]
            lowest = min(row[start], row[start + count - 1])
            return sets(left) + POINT * (len(state.active) - len(left)) - lowest
        case Keep():
            return sets(row)
        case Turn():
            return sets([known(card)[1] for card in reversed(state.hands[seat])])


def sets(row: Sequence[int]) -> int:
    """The worth of all sets in the row; a card counts in several."""
    found, before = 0, NO_STEP
    for step in map(sub, row[1:], row):
        if -1 <= step <= 1:
            found += LONGER if step == before else PAIRS[step]
        before = step
    return found


# --- easy ---------------------------------------------------------------------------------------------------------

LONG = 8
"""What `easy` thinks each card of a set is worth: more than anything that it can scout."""
SAME = 3
"""A card beside one with its number; beside a neighbouring number it is worth 1."""


def easy(state: State, seat: Seat, moves: Sequence[ScoutMove], chance: Chance) -> int:
    """Show as many cards as possible, else scout a card beside one that it fits. It does not ask what is left."""
    row = upper(state.hands[seat])

    def worth(move: ScoutMove) -> int:
        match move:
            case Show(_, count):
                return LONG * count
            case Scout(end, flip, position, show):
                card, _ = apart(state.active, end)
                fits = [abs(card[flip] - other) for other in row[max(position - 1, 0) : position + 1]]
                return -LONG if show else SAME * fits.count(0) + fits.count(1)
            case _:
                return 0

    return best(map(worth, moves), chance)


BOTS = {"random/1": at_random, "easy/1": easy, "careful/1": careful}


SEARCHES = {"deep/1": Budget(worlds=8, moves=4, policy="careful/1")}
