"""A published bot that has learned what positions are worth, from rounds of `careful/1` and of itself.

It asks `careful/1` for its best moves. Of these it takes the one after which a small net expects the most points ahead
of the others. The net sees numbers that follow from the view; `agents.training.values` trains it.
"""

from collections.abc import Sequence
from functools import cache
from operator import sub
from typing import NamedTuple, TypeAlias, cast

from domain.bots import best, lead
from domain.cards import known, put
from domain.fairness.chance import Chance
from domain.nets import Net, trained_net
from domain.ruleset import Choose, Seat
from domain.rulesets.scout import bots
from domain.rulesets.scout.rules import (
    NO_STEP,
    Card,
    Keep,
    Scout,
    ScoutMove,
    Show,
    State,
    Strength,
    Turn,
    apart,
    for_two,
    strength,
    tally,
    upper,
)

CANDIDATES = 10
"""Moves that the net values, the best of `careful/1`."""

Block: TypeAlias = tuple[int, int, int]
"""A set in a row that no other set contains: its start, its number of cards, its step."""


class After(NamedTuple):
    """The table after a move, as its seat sees it."""

    lead: int
    """By how much the seat is ahead of the others, all others together, with the cards as they lie."""
    numbers: list[int] | None
    """What the net sees; None: the round is over, and `lead` is the result."""


class Position(NamedTuple):
    """What changes with a move."""

    row: list[int]
    active: tuple[Card, ...]
    owner: Seat | None
    points: list[int]
    """By seat, if the round ended now and no hand were exempt."""
    sizes: list[int]
    """By seat, the number of cards in the hand."""
    combo: tuple[bool, ...]
    scouts: int
    again: bool
    """The seat has the next move, too."""


def trained(state: State, seat: Seat, moves: Sequence[ScoutMove], chance: Chance) -> int:
    return published()(state, seat, moves, chance)


@cache
def published() -> Choose[State, ScoutMove]:
    return player(published_net())


def published_net() -> Net:
    return trained_net(__name__.rpartition(".")[0])


def player(net: Net) -> Choose[State, ScoutMove]:
    """The bot that follows this net."""

    def choose(state: State, seat: Seat, moves: Sequence[ScoutMove], chance: Chance) -> int:
        others, places = len(state.hands) - 1, candidates(state, seat, moves)
        afters = [after(state, seat, moves[place]) for place in places]
        values = [
            each.lead * net.unit + (0 if each.numbers is None else others * net.value(each.numbers)) for each in afters
        ]
        return places[best(values, chance)]

    return choose


def candidates(state: State, seat: Seat, moves: Sequence[ScoutMove]) -> Sequence[int]:
    """Of the moves, by what they are worth to `careful/1`."""
    if len(moves) <= CANDIDATES:
        return range(len(moves))
    row = upper(state.hands[seat])
    worths = [bots.worth(state, seat, row, move) for move in moves]
    return sorted(range(len(moves)), key=lambda index: -worths[index])[:CANDIDATES]


def after(state: State, seat: Seat, move: ScoutMove) -> After:
    seats, two = len(state.hands), for_two(state)
    now = Position(
        upper(state.hands[seat]), state.active, state.owner, [*cast("tuple[int, ...]", tally(state).points)],
        [*map(len, state.hands)], state.combo, state.scouts, again=False,
    )  # fmt: skip
    match move:
        case Keep():
            return seen(now, seat)
        case Turn():
            return seen(now._replace(row=[known(card)[1] for card in reversed(state.hands[seat])]), seat)
        case Show(start, count):
            left = now.row[:start] + now.row[start + count :]
            now.points[seat] += len(state.active) + count
            now.sizes[seat] -= count
            shown = cast("tuple[Card, ...]", state.hands[seat][start : start + count])
            position = now._replace(row=left, active=shown, owner=seat, scouts=0)
            return seen(position, seat) if left else After(lead(position.points, seat), None)
        case Scout(end, flip, place, show):
            card, rest = apart(state.active, end)
            owner = known(state.owner)
            now.points[seat] -= 1
            now.points[seat if two else owner] += -1 if two else 1
            now.sizes[seat] += 1
            scouts = state.scouts + (not show)
            if scouts == seats - 1 and not show and not two:  # the owner's hand costs nothing
                now.points[owner] += now.sizes[owner]
                return After(lead(now.points, seat), None)
            row = [*now.row[:place], known(card)[flip], *now.row[place:]]
            combo = put(state.combo, seat, False) if show else state.combo
            return seen(now._replace(row=row, active=rest, combo=combo, scouts=scouts, again=show or two), seat)


# --- what the net sees --------------------------------------------------------------------------------------------


def seen(position: Position, seat: Seat) -> After:
    """The same numbers at the same places, whatever the number of seats."""
    seats, row, sizes = len(position.sizes), position.row, position.sizes
    count, alike, lowest = beaten = strength(position.active)
    others = [(seat + turn) % seats for turn in range(1, seats)]
    fewest = min([sizes[other] for other in others])
    own, to_scout = position.owner == seat, seats - 1 - position.scouts
    ahead = lead(position.points, seat)
    numbers = [
        *of_row(row, beaten),
        *one_of(count, 6), count > 0 and alike, lowest, *[lowest if count == size else 0 for size in (1, 2, 3)],
        own, *[position.owner is not None and (position.owner - seat) % seats == turn for turn in range(1, 5)],
        *padded([sizes[other] for other in others], 4),
        *[fewest <= few for few in (1, 2, 3, 5)], fewest, *[len(row) <= few for few in (1, 2, 3, 5)],
        position.combo[seat], *padded([position.combo[other] for other in others], 4),
        *one_of(to_scout, 5), *one_of(seats - 2, 4), position.again, min(position.scouts, 4),
        *([position.scouts, count, fewest, len(row), count >= 3, max(0, 4 - to_scout)] if own else [0] * 6),
        ahead,
    ]  # fmt: skip
    return After(ahead, [*map(int, numbers)])


def of_row(row: Sequence[int], beaten: Strength) -> list[int]:
    """How well the row can be shown, and what of it beats the active set."""
    steps = [*map(sub, row[1:], row), NO_STEP]
    near = sum([abs(step) == 2 for step in steps[:-1]])
    found = blocks(steps)
    single = [row[start] for start, count, _ in found if count == 1]
    sizes = [(min(count, 5), step == 0) for _, count, step in found]
    strengths = sorted([strength_of(row, block) for block in found], reverse=True)
    first, second, *_ = [*strengths, (0, False, 0), (0, False, 0)]
    return [
        len(row), fewest_shows(steps), len(single), sum([card <= 3 for card in single]),
        sum([card >= 8 for card in single]),
        *[sizes.count((size, alike)) for alike in (True, False) for size in (2, 3, 4, 5)],
        *joined(row, steps, found), near,
        min(first[0], 6), first[1], first[2], min(second[0], 6), second[1], second[2],
        first > beaten, min(sum([each > beaten for each in strengths]), 4),
    ]  # fmt: skip


def blocks(steps: Sequence[int]) -> list[Block]:
    """The sets of the row, from left to right; a card at the end of one can begin the next."""
    found: list[Block] = []
    start = 0
    while start < len(steps):
        step, end = steps[start], start
        if -1 <= step <= 1:
            while steps[end] == step:
                end += 1
            found.append((start, end - start + 1, step))
            start = end if -1 <= steps[end] <= 1 else end + 1
        else:
            found.append((start, 1, 0))
            start += 1
    return found


def strength_of(row: Sequence[int], block: Block) -> Strength:
    start, count, step = block
    return count, step == 0, min(row[start], row[start + count - 1])


def fewest_shows(steps: Sequence[int]) -> int:
    """The least number of sets that the row falls into, if cards that come together are not counted."""
    fewest = [0]
    for end in range(1, len(steps) + 1):
        least, start = fewest[end - 1] + 1, end - 2
        if start >= 0 and -1 <= (step := steps[start]) <= 1:
            while start >= 0 and steps[start] == step:
                least = min(least, fewest[start] + 1)
                start -= 1
        fewest.append(least)
    return fewest[-1]


def joined(row: Sequence[int], steps: Sequence[int], found: Sequence[Block]) -> tuple[int, int]:
    """The number of sets without which their neighbours make a set, and of those that then make a longer one."""
    sets, longer = 0, 0
    for start, count, _ in found:
        end = start + count
        if start > 0 and end < len(row) and -1 <= (step := row[end] - row[start - 1]) <= 1:
            sets += 1
            longer += (start > 1 and steps[start - 2] == step) or (end + 1 < len(row) and steps[end] == step)
    return sets, longer


def one_of(value: int, values: int) -> list[bool]:
    return [min(value, values - 1) == each for each in range(values)]


def padded(items: Sequence[int], count: int) -> list[int]:
    return [*items, *[0] * (count - len(items))]
