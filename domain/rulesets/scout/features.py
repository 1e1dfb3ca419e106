"""The table as numbers, for programs that learn."""

from functools import lru_cache
from typing import get_args

from domain.features import Kinds, Places, code, kinds, relative, turned
from domain.ruleset import Seat
from domain.rulesets.scout.rules import Phase, ScoutDeck, State, lying

PHASES: tuple[str, ...] = get_args(Phase)
HAND, ACTIVE = 1, 2


@lru_cache(maxsize=16)
def cards_in(deck: ScoutDeck, seats: int) -> Kinds:
    return kinds(deck.in_play(seats))


def features(state: State, seat: Seat) -> list[int]:
    """Of every card whether it is in the hand or the active set, its place there, and which end is up."""
    seats = len(state.hands)
    places = Places(cards_in(state.deck, seats), 3)
    for cards, zone in ((state.hands[seat], HAND), (state.active, ACTIVE)):
        lower_up = [card if card is None else lying(card) for card in cards]
        places.put(lower_up, zone)
        for card, printed in zip(cards, lower_up, strict=True):
            if card is not None:
                places.note(printed, 1 if card is printed else 2)
    numbers = places.numbers
    for by_seat in (state.collected, state.chips, state.combo, state.oriented, state.totals):
        numbers += turned(by_seat, seat)
    numbers += map(len, turned(state.hands, seat))
    return numbers + [
        code(PHASES, state.phase), state.round, state.scouts, 0 if state.inserted is None else state.inserted + 1,
        *[relative(each, seat, seats) for each in (state.turn, state.owner, state.starter)],
    ]  # fmt: skip
