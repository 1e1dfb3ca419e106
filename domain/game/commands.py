"""Commands: what a player, or the service, asks of a game. Who asks is an argument of `decide`.

Where a request has a body, the fields of its command are that body, so the docstrings here are those of the documents.
"""

from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from msgspec import UNSET, Meta, UnsetType

from domain.game.clock import MAX_BANK
from domain.game.events import Cause, Entropy, Matter, Seal
from domain.messages import Value
from domain.ruleset import Seat

M = TypeVar("M")

SeatNumber = Annotated[int, Meta(ge=0, le=1000, description="The number of a seat, from 0.")]


class Cancel(Value, forbid_unknown_fields=True):
    """Abort the game before it begins, as its opener."""


class Join(Value, forbid_unknown_fields=True):
    """The seat to take. Default: the seat that is kept for the caller or that the caller has left, else the first free
    one."""

    seat: SeatNumber | None = None
    """The seat to take. Null or absent: the service chooses."""
    entropy: Entropy = ""
    seal: Seal | UnsetType = UNSET


class Ready(Value, forbid_unknown_fields=True):
    """The entropy that the caller sealed when they took their seat."""

    entropy: Entropy


class Leave(Value, forbid_unknown_fields=True):
    """Leave the seat before the game begins, or decline the seat that is kept; with `running` also afterwards."""

    seat: SeatNumber
    running: bool = False


class GiveTime(Value, forbid_unknown_fields=True):
    """The seat to give time to, and how much."""

    seat: SeatNumber
    seconds: Annotated[int, Meta(ge=1, le=MAX_BANK)]
    """Seconds for the reserve of the seat: at most the `bank` of the clock, and four banks in all."""


class TakeBack(Value, forbid_unknown_fields=True):
    """Take back the move that ended with this version; or ask the others, if the terms allow that and the move told
    somebody something."""

    version: Annotated[int, Meta(ge=0, lt=10**15, description="A version of the game.")]


class Vote(Value, forbid_unknown_fields=True):
    """A vote on a question to all players. The first `yes` asks it."""

    on: Matter
    """The question: `abort` the game, or `undo` the latest move of the player who asks, with everything since."""
    yes: bool
    """Agree. `false` ends the question."""
    asked_by: SeatNumber | None = None
    """The seat whose question this answers: the `seat` of the game's `vote`. If that question has ended, the vote does
    not count. Null or absent: the question that is open; without one, `yes` asks."""


class AskForHint(Value, forbid_unknown_fields=True):
    """Ask for a hint about the choice that the caller has now, in a game against bots whose terms have hints."""


class Branch(Value, forbid_unknown_fields=True):
    """The version of a finished game from which a branch continues."""

    at: Annotated[int, Meta(ge=1)]
    """A version of the finished game. If it lies within a move, the branch starts after that move."""


class Rematch(Value, forbid_unknown_fields=True):
    """The caller's contribution to the shuffles of the rematch. Empty in a sealed game: there the seat is kept, and
    taken with a seal in a second request."""

    entropy: Entropy = ""


class Choose(Value, Generic[M]):
    """The move that the bot at the seat chose on this version of the game: a bot that searches. A command of the
    service."""

    seat: Seat
    decided_on: int
    move: M


class Move(Value, Generic[M]):
    """Make a move. Without a seat it is for the player's seat that has the choice. `decided_on` is the version on which
    the client decided, if the request names it."""

    move: M
    seat: Seat | None = None
    decided_on: int | None = None


class TimeOut(Value):
    """Remove the players of these seats, who have run out of time in this order; in a running game with a clock."""

    seats: tuple[Seat, ...]


class Resume(Value):
    """Give the players whose time ran in a running game with a clock the time in which nobody could move."""

    milliseconds: int


class Abort(Value):
    """Abort the game, as the service decides: `expired` or `cancelled` while it waits for players, `operator` until it
    is over."""

    cause: Cause


class Reveal(Value):
    """Reveal the secret of a game that is over and whose cards others still played."""


Making: TypeAlias = Branch | Rematch
"""What makes a game of another one."""

Command: TypeAlias = (
    Cancel
    | Join
    | Ready
    | Leave
    | GiveTime
    | TakeBack
    | Vote
    | AskForHint
    | Move[Any]
    | Choose[Any]
    | TimeOut
    | Resume
    | Abort
    | Reveal
)
