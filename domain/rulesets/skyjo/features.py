"""The table as numbers, for programs that learn."""

from typing import get_args

from domain.features import code, counts, kinds_in, relative, turned
from domain.ruleset import Seat
from domain.rulesets.skyjo.rules import Phase, State

PHASES: tuple[str, ...] = get_args(Phase)
NOTHING = (None,) * 12


def features(state: State, seat: Seat) -> list[int]:
    """By seat, the own one first: of every place whether there is a card, whether it lies open, and its number."""
    numbers: list[int] = []
    for layout, total in zip(turned(state.layouts, seat), turned(state.totals, seat), strict=True):
        for slot in layout or NOTHING:
            numbers += (0, 0, 0) if slot is None else (1, slot.up, slot.card or 0)
        numbers.append(total)
    seats = len(state.totals)
    numbers += (
        code(PHASES, state.phase), relative(state.turn, seat, seats), relative(state.finisher, seat, seats),
        code((None, "draw", "discard"), state.held_from), state.held or 0, len(state.draw), len(state.discard),
        state.discard[-1] if state.discard else 0,
    )  # fmt: skip
    return numbers + counts(state.discard, kinds_in(state.deck))
