"""The table as numbers, for programs that learn."""

from typing import get_args

from domain.features import Places, code, kinds_in, padded, relative, turned
from domain.ruleset import Seat
from domain.rulesets.scandaroon.deck import SYMBOLS
from domain.rulesets.scandaroon.table import ROUNDS, SEATS, Pending, Phase, State, StonePlace

PHASES: tuple[str, ...] = get_args(Phase)
STONES: tuple[str, ...] = get_args(StonePlace)
PENDING = (None, "ability", "may_play", "exchange", "protect", "steal")
TRUMPS = (*SYMBOLS, "none")
HAND, DRAWN, DISCARD, ROWS, PILES = 1, 2, 3, 4, 8


def features(state: State, seat: Seat) -> list[int]:
    """Of every card zone, place, boost and whose stone lies on it, then what is counted by seat, then the turn."""
    seats = len(state.hands)
    places = Places(kinds_in(state.deck), 4)
    places.put(state.discard, DISCARD)
    places.put(state.hands[seat], HAND)
    pending = state.pending or Pending("ability")
    places.put(pending.drawn, DRAWN)
    for number, (row, pile) in enumerate(zip(turned(state.rows, seat), turned(state.score_piles, seat), strict=True)):
        places.put([slot and slot.card for slot in row], ROWS + number)
        places.put(pile, PILES + number)
        for slot in row:
            if slot is not None and (slot.boost or slot.protected_by is not None):
                places.note(slot.card, slot.boost, relative(slot.protected_by, seat, seats))
    numbers = places.numbers
    order = turned(range(seats), seat)
    for zone in (state.passed, state.rank_points):
        numbers += [int(zone[each]) for each in order]
    for cards in (state.hands, state.rows):
        numbers += [len(cards[each]) for each in order]
    numbers += [code(STONES, state.stones[each]) for each in order]
    for holders in (state.no_trump, state.pile_first, state.pile_second):
        numbers += [int(each in holders) for each in order] if holders else [0] * seats
    first = pending.first
    return numbers + [
        code(PHASES, state.phase), relative(state.turn, seat, seats), relative(state.starter, seat, seats), state.round,
        code(PENDING, state.pending and state.pending.kind), pending.left, pending.out, pending.most,
        0 if pending.position is None else pending.position + 1,
        *((0, 0) if first is None else (relative(first.row, seat, seats), first.position)),
        *[code(TRUMPS, trump) for trump in (state.trump, state.trump_at_start)],
        state.flipped, len(state.draw), 0 if state.record is None else state.record.score,
        *padded([points for each in state.rounds for points in turned(each.scores, seat)], ROUNDS * SEATS.stop),
    ]  # fmt: skip
