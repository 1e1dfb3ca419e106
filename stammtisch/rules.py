"""What rules are made of."""

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.messages import Dealing, Dispatch, Drawing, Event, Move, Open, Redact, Value, by_type, seen_by_all, snake
from domain.ruleset import (
    BySeat,
    Illegal,
    InvalidSetup,
    Result,
    Ruleset,
    Seat,
    SeatEvent,
    Tally,
    Viewer,
    Words,
    Yardstick,
    check_enough,
    clockwise,
    highest,
    lowest,
)

__all__ = [
    "UNSET", "BySeat", "Chance", "Dealing", "Dispatch", "Drawing", "Event", "Illegal", "InvalidSetup", "Meta", "Move",
    "Open", "Redact", "Result", "Ruleset", "Seat", "SeatEvent", "Tally", "UnsetType", "Value", "Viewer",
    "Words", "Yardstick", "by_type", "check_enough", "clockwise", "highest", "lowest", "replace",
    "seen_by_all", "snake",
]  # fmt: skip
