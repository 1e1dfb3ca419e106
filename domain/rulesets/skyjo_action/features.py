"""The table as numbers, for programs that learn."""

from collections.abc import Sequence
from functools import lru_cache
from typing import get_args

from domain.features import Kinds, code, counts, counts_of_few, kinds, padded, relative, turned
from domain.ruleset import Seat
from domain.rulesets.skyjo_action import table
from domain.rulesets.skyjo_action.table import STAR
from domain.rulesets.skyjo_grid import SLOTS

PHASES: tuple[str, ...] = get_args(table.Phase)
KINDS: tuple[str, ...] = get_args(table.Kind)
FROM = (None, "draw", "discard", "three")
OWED = ("held", "three", "layout", "hand", "open")
SOME = (None, *table.ACTIONS)
NOTHING = (None,) * SLOTS


@lru_cache(maxsize=16)
def cards_in(deck: table.SkyjoActionDeck) -> Kinds:
    """A discard can be one that the viewer has never seen."""
    return kinds((None, *deck.playing))


def features(state: table.State, seat: Seat) -> list[int]:
    """By seat, the own one first: of every place whether there is a card, whether it lies open, a star, its number."""
    numbers: list[int] = []
    seats = len(state.totals)
    for each in turned(range(seats), seat):
        for slot in state.layouts[each] or NOTHING:
            if slot is None:
                numbers += (0, 0, 0, 0)
            else:  # not by `card`: a call for each of up to 96 places takes a third of the time
                numbers += (1, slot.up, 1, 0) if slot.card == STAR else (1, slot.up, 0, slot.card or 0)
        numbers += (state.totals[each], state.star_bonus[each])
        numbers += in_hand(state.hands[each])
    for aside in (*state.three, *(None,) * (table.THREE - len(state.three))):
        numbers += (0, 0, 0) if aside is None else (1, *card(aside.card))
    numbers += [code(SOME, action) for action in state.open + (None,) * (table.OPEN - len(state.open))]
    numbers += counts_of_few(state.action_discard, table.ACTIONS)
    numbers += padded([relative(each, seat, seats) for each in state.stars], table.SEATS.stop)
    numbers += (
        code(PHASES, state.phase), state.round, state.moves,
        *[relative(each, seat, seats) for each in (state.turn, state.finisher, state.starter)],
        code(FROM, state.held_from), *card(state.held),
        len(state.three), len(state.draw), len(state.discard), *card(state.discard[-1] if state.discard else None),
        code(SOME, state.action_discard[-1] if state.action_discard else None), len(state.action_pile),
    )  # fmt: skip
    numbers += waiting(state.pending, seat, seats)
    return numbers + owed(state.owed, seat, seats) + counts(state.discard, cards_in(state.deck))


def in_hand(hand: Sequence[table.ActionCard]) -> list[int]:
    """How many there are of each kind of action card, first of those that can be played."""
    if not hand:
        return [0] * (2 * len(table.ACTIONS))
    ready, fresh = ([held.card for held in hand if held.fresh == each] for each in (False, True))
    return counts_of_few(ready, table.ACTIONS) + counts_of_few(fresh, table.ACTIONS)


def card(face: object) -> tuple[int, int]:
    """Whether it is a star, and the number of another card."""
    return (1, 0) if face == STAR else (0, face if isinstance(face, int) else 0)


def waiting(pending: table.Pending | None, seat: Seat, seats: int) -> list[int]:
    if pending is None:
        return [0] * (6 + table.SEATS.stop)
    picked = pending.picked
    return [
        relative(pending.seat, seat, seats), 1 + code(KINDS, pending.kind), code(SOME, pending.card), pending.kept,
        *((0, 0) if picked is None else (relative(picked.seat, seat, seats), picked.slot)),
        *padded([relative(each, seat, seats) for each in pending.victims], table.SEATS.stop),
    ]  # fmt: skip


def owed(card: table.Owed | None, seat: Seat, seats: int) -> list[int]:
    return [0, 0, 0] if card is None else [1 + code(OWED, card.to), relative(card.seat, seat, seats), card.place]
