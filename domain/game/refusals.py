"""Why a command has no effect. No refusal tells more than its player may know."""

from domain.ruleset import Illegal, Seat


class NotWaiting(Exception):
    """The game has begun, or is over."""


class NotOpener(Exception):
    """The player did not open the game."""


class TooRestless(Exception):
    """The player, or all players together, left this game too often to join again."""


class WrongSeal(Exception):
    """The player gave entropy where a seal is needed, or a seal where entropy is. The message says which."""


class CannotReady(Exception):
    """The player cannot open their entropy now, or it is not the one that they sealed. The message says why."""


class SeatsFixed(Exception):
    """A player has opened their entropy, so nobody leaves before the game begins."""


class NotRunning(Exception):
    """The game has not begun, or is over."""


class NotSeated(Exception):
    """The player does not have this seat."""


class SeatTaken(Exception):
    """The seat is taken, or no seat is free."""


class Reserved(Exception):
    """The seat is kept for another player; or all free seats are."""


class CannotRejoin(Exception):
    """The player has not left this seat, or has left it too often."""


class CannotGrant(Exception):
    """The seat cannot be given this time. The message says why. `most` is what it can be given, in seconds."""

    def __init__(self, why: str, most: int = 0) -> None:
        super().__init__(why)
        self.most = most


class NoHint(Exception):
    """The seat cannot ask for a hint now. The message says why."""


class AlreadyHinted(Exception):
    """The hint about this choice has been asked for. It can be given again; there is nothing to record."""


class AlreadySeated(Exception):
    """The player already has a seat in this game."""


class NotFinished(Exception):
    """The game is not over, so its hidden information stays hidden."""


class NothingToContinue(Exception):
    """No branch can begin at that version. The message says why."""


class IllegalMove(Illegal):
    """The rules do not allow the seat this move now, or the game does not run.

    It carries no reason: a reason can reveal a hidden card.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat


class StaleChoice(Exception):
    """The choice of the seat that the player decided on no longer exists."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat


class OutOfTime(Exception):
    """The player of this seat has run out of time, and has not come back. `can_return`: they still can."""

    def __init__(self, seat: Seat, *, can_return: bool) -> None:
        self.seat = seat
        self.can_return = can_return


class NotUndoable(Exception):
    """The move cannot be taken back. `undo` is the version of the move of the player that can be, if there is one.

    It carries no reason: a reason can reveal a hidden card.
    """

    def __init__(self, undo: int | None = None) -> None:
        self.undo = undo
