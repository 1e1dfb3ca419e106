"""The table as numbers, for programs that learn."""

from typing import get_args

from domain.features import Places, code, relative, turned
from domain.ruleset import Seat
from domain.rulesets.scout.rules import Phase, State, upside_down

PHASES: tuple[str, ...] = get_args(Phase)
HAND, ACTIVE = 1, 2


def features(state: State, seat: Seat) -> list[int]:
    """Of every card whether it is in the hand or the active set, its place there, and which end is up."""
    seats = len(state.hands)
    places = Places(state.deck.in_play(seats), 3)
    for cards, zone in ((state.hands[seat], HAND), (state.active, ACTIVE)):
        lying = [card and min(card, upside_down(card)) for card in cards]
        places.put(lying, zone)
        for card, printed in zip(cards, lying, strict=True):
            if card is not None:
                places.note(printed, 1 + (card != printed))
    numbers = places.numbers()
    for by_seat in (state.collected, state.chips, state.combo, state.oriented, state.totals):
        numbers += turned(by_seat, seat)
    numbers += map(len, turned(state.hands, seat))
    return numbers + [
        code(PHASES, state.phase), state.round, state.scouts, 0 if state.inserted is None else state.inserted + 1,
        *[relative(each, seat, seats) for each in (state.turn, state.owner, state.starter)],
    ]  # fmt: skip
