"""What `careful/1` must reach over two weaker bots of its ruleset, and what its games are compared with."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from domain.bots import at_random
from domain.fairness.chance import Chance
from domain.ruleset import Choose, Seat
from domain.rulesets.scandaroon import table as scandaroon


class Bounds(NamedTuple):
    """The least share of victories of one `careful/1`."""

    against_easy: float
    against_random: float = 0.97


BOUNDS: Mapping[str, Bounds] = {
    "skyjo": Bounds(0.60),
    "skyjo_action": Bounds(0.80),
    "scout": Bounds(0.80),
    "scopinion": Bounds(0.90),
    "scandaroon": Bounds(0.80),
}
"""By ruleset."""


def lasting_scandaroon(
    state: scandaroon.State, seat: Seat, moves: Sequence[scandaroon.ScandaroonMove], chance: Chance
) -> int:  # fmt: skip
    """Random play that passes only if nothing else is legal. `random/1` passes so early that its rounds are short."""
    goes_on = [place for place, move in enumerate(moves) if not isinstance(move, scandaroon.Pass)]
    if not goes_on:
        return 0
    return goes_on[at_random(state, seat, [moves[place] for place in goes_on], chance)]


LASTING: Mapping[str, Choose[Any, Any]] = {"scandaroon": lasting_scandaroon}
"""By ruleset, random play whose rounds are as long as the rules allow, where those of `random/1` are not."""
