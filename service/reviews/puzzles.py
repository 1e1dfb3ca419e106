"""The puzzles of days, as they are stored."""

from collections.abc import Callable, Container
from typing import Any

import msgspec

from domain.messages import Value
from domain.ruleset import Seat
from projections import puzzles
from service import clock


class KeptPuzzle(Value, kw_only=True):
    """A puzzle as it is stored, without the game and its players. Views and moves are JSON values."""

    ruleset: str
    rules: str
    options: dict[str, Any]
    deck: str
    seats: int
    seat: Seat
    view: dict[str, Any]
    legal_moves: list[dict[str, Any]]
    solution: dict[str, Any]
    gap: float
    error: float


_kept = msgspec.json.Decoder(KeptPuzzle)


def today() -> str:
    """The day in UTC."""
    return clock.now()[:10]


async def puzzle_of(day: str, rulesets: Container[str], ask: Callable[..., Any]) -> KeptPuzzle | None:
    """The puzzle of a day that is not to come, if it is of one of these rulesets. Raises `Unavailable`."""
    text = await ask(puzzles.of_day, day) if day <= today() else None
    kept = None if text is None else _kept.decode(text)
    return kept if kept is not None and kept.ruleset in rulesets else None
