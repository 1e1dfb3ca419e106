"""The row of the advice in the table of operations."""

from typing import Any, Generic, TypeVar

from domain.game import Rules
from domain.messages import Value
from domain.ruleset import Seat
from service.api import problems
from service.api.contract import Answer
from service.api.operations import GAME, Operation

M = TypeVar("M")


class Advice(Value, Generic[M], kw_only=True):
    """The choice of a house player for a seat, from what that seat sees."""

    version: int
    """The number of events so far."""
    seat: Seat
    """The seat that is to choose."""
    move: M | None
    """The move, which can be posted unchanged; null if the seat has no choice now."""


def advice_type(rules: Rules) -> Any:
    return Advice[rules.move]  # type: ignore[name-defined]


ADVISE = Operation(
    id="advise",
    path=f"{GAME}/advice",
    answers=lambda rules: (Answer(200, advice_type(rules), headers=("Cache-Control",)),),
    refuses=(problems.NotSeated, problems.Forbidden),
    summary="Ask how the house would play a seat",
    text="""
    Returns the move that the ruleset's reference house player would make for a seat of a hotseat game, whose player
    has all seats. It knows what the seat sees and no more. Nothing is recorded, and the same question can have another
    answer.""",
)
