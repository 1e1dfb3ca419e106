"""The table as numbers, for programs that learn."""

from typing import get_args

from domain.features import Places, code, counts_of_few, kinds_in, relative, turned
from domain.ruleset import Seat
from domain.rulesets.scopinion.table import Phase, State

PHASES: tuple[str, ...] = get_args(Phase)
ALL_FUNCTIONS = ("take", "draw_one", "draw_two", "triple", "trash")
HAND, VAULT, DRAWN, STAGE, DISPLAY, GRAVEYARD, TARGETS, DISCARDS, SHOWCASES = 1, 2, 3, 4, 5, 6, 7, 8, 12


def features(state: State, seat: Seat) -> list[int]:
    """Of every card in which zone it is and at which place, then what is counted by seat, then the turn."""
    seats = len(state.hands)
    places = Places(kinds_in(state.deck))
    places.put(state.graveyard, GRAVEYARD)
    for number, (discard, showcase) in enumerate(
        zip(turned(state.discards, seat), turned(state.showcases, seat), strict=True)
    ):
        places.put(discard, DISCARDS + number)
        places.put(showcase, SHOWCASES + number)
    places.put(state.vaults[seat], VAULT)
    places.put(state.stage, STAGE)
    places.put(state.display, DISPLAY)
    places.put(state.targets if state.top_open else state.targets[:-1], TARGETS)
    places.put(state.hands[seat], HAND)
    places.put((state.drawn,), DRAWN)
    numbers = places.numbers
    for zone in (state.hands, state.decks, state.vaults):
        numbers += map(len, turned(zone, seat))
    return numbers + counts_of_few(state.used, ALL_FUNCTIONS) + [
        code(PHASES, state.phase), relative(state.turn, seat, seats), relative(state.starter, seat, seats),
        state.owed, state.shuffle, state.bought, state.mix, state.pik_off, len(state.supply), len(state.targets),
        0 if state.final is None else state.final + 1,
    ]  # fmt: skip
