"""The puzzle of a day, and the answer to a move."""

from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta

from domain.messages import Value
from domain.ruleset import Seat
from service.reviews.puzzles import KeptPuzzle

O = TypeVar("O")
V = TypeVar("V")
M = TypeVar("M")


class DailyPuzzle(Value, Generic[O, V, M], kw_only=True):
    """A position of a finished game whose players agreed, with one move that is clearly the best. It names neither the
    game nor the players."""

    day: Annotated[str, Meta(description="The day of the puzzle in UTC, `2026-01-31`. Moves are posted to it.")]
    ruleset: str
    """The name of the ruleset."""
    rules: str
    """The ruleset and the version of its rules."""
    options: O
    """The options of the game."""
    deck: str
    """The name of the deck."""
    seats: int
    """The number of seats."""
    seat: Seat
    """The seat that is to choose."""
    view: V
    """The table as that seat saw it. Hidden cards are null."""
    legal_moves: Annotated[list[M], Meta(description="All legal moves. Each can be posted unchanged.")]


class PuzzleAnswer(Value, Generic[M], kw_only=True):
    """Whether the move was the best one, and by how much that exceeds the others."""

    right: bool
    """Whether the move was the solution."""
    solution: M
    """The best move."""
    gap: Annotated[float, Meta(description="By how much it exceeds the next best move, in points, on average.")]
    error: Annotated[float, Meta(description="The standard error of `gap`.")]


def shown(kept: KeptPuzzle, day: str) -> DailyPuzzle[Any, Any, Any]:
    fields = {name: getattr(kept, name) for name in DailyPuzzle.__struct_fields__ if name != "day"}
    return DailyPuzzle(day=day, **fields)


def answered(kept: KeptPuzzle, move: dict[str, Any]) -> PuzzleAnswer[Any]:
    return PuzzleAnswer(right=move == kept.solution, solution=kept.solution, gap=kept.gap, error=kept.error)
