"""The published bots. Worths are in sixteenths of a point."""

from collections.abc import Sequence
from operator import sub

from domain.bots import at_random, best
from domain.cards import known
from domain.fairness.chance import Chance
from domain.ruleset import Budget, Seat
from domain.rulesets.scout.rules import NO_STEP, Keep, Scout, ScoutMove, Show, State, Turn, apart, upper

POINT = 16
SETS = (0, 0, 12, 40)
"""The worth of a set in the hand by its number of cards."""
LONGER = 28
"""Each card more. Less than two points: otherwise scouting always pays, and the round does not end."""
EQUAL = 4
"""A set of one number beats a run."""
SCOUT_AND_SHOW = 20


def careful(state: State, seat: Seat, moves: Sequence[ScoutMove], chance: Chance) -> int:
    """The points of the move, and the sets that the hand then holds."""
    row = upper(state.hands[seat])
    return best([worth(state, seat, row, move) for move in moves], chance)


def worth(state: State, seat: Seat, row: list[int], move: ScoutMove) -> int:
    match move:
        case Keep():
            return sets(row)
        case Turn():
            return sets([known(card)[1] for card in reversed(state.hands[seat])])
        case Show(start, count):
            left = row[:start] + row[start + count :]
            lowest = min(row[start], row[start + count - 1])
            return sets(left) + POINT * (len(state.active) - len(left)) - lowest
        case Scout(end, flip, position, show):
            card, _ = apart(state.active, end)
            more = [*row[:position], card[flip], *row[position:]]
            scouted = sets(more) - POINT * (len(more) + 1)
            return scouted + SCOUT_AND_SHOW if show else scouted


def sets(row: Sequence[int]) -> int:
    """The worth of all sets in the row; a card counts in several."""
    found, count, before = 0, 1, NO_STEP
    for step in (*map(sub, row[1:], row), NO_STEP):
        if step == before and step != NO_STEP:
            count += 1
            continue
        if count > 1:
            found += SETS[count] if count < len(SETS) else SETS[-1] + LONGER * (count + 1 - len(SETS))
            if before == 0:
                found += EQUAL
        count, before = (2, step) if -1 <= step <= 1 else (1, NO_STEP)
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
