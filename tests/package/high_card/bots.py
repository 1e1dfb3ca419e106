"""The published bots."""

from collections.abc import Sequence

from domain.bots import at_random, best
from domain.cards import known
from domain.fairness.chance import Chance
from domain.ruleset import Seat
from domain.rulesets.high_card.rules import Play, State


def careful(state: State, seat: Seat, moves: Sequence[Play], chance: Chance) -> int:
    """The highest card."""
    return best([known(state.hands[seat][move.slot]) for move in moves], chance)


def easy(_state: State, _seat: Seat, _moves: Sequence[Play], _chance: Chance) -> int:
    """The leftmost card."""
    return 0


BOTS = {"random/1": at_random, "easy/1": easy, "careful/1": careful}
