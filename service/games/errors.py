"""The errors of the use cases. The API turns each into a problem document."""

from collections.abc import Sequence
from typing import Any

from domain.game.log import Hashed
from domain.ruleset import Seat


class NoSuchGame(Exception):
    """No game of this ruleset has this id."""


class RulesMissing(Exception):
    """The rules of the game are not loaded. `package`: the distribution that has them; None if nobody knows."""

    def __init__(self, rules: str, package: str | None) -> None:
        self.rules = rules
        self.package = package


class NoSuchVersion(Exception):
    """The game has no such version."""


class TooManyGames(Exception):
    """The player has reached the limit of unfinished games."""


class StorageExhausted(Exception):
    """The games that the player opened have reached the storage limit. `used` and `allowed` are bytes."""

    def __init__(self, used: int, allowed: int) -> None:
        self.used = used
        self.allowed = allowed


class KeyReused(Exception):
    """The player has used this idempotency key in this game for a different request."""


class StaleDecision(Exception):
    """The choice that the client decided on no longer exists.

    `version` is the game's current version, `seat` the seat that the move is for now, and `missed` the first entries
    since the client's version, redacted for that seat.
    """

    def __init__(self, version: int, seat: Seat, missed: Sequence[Hashed[Any, Any]] = ()) -> None:
        self.version = version
        self.seat = seat
        self.missed = missed


class Blocked(Exception):
    """A player at the table has blocked the one who wants to join."""


class NoRematch(Exception):
    """The game cannot be repeated. The message says why."""


class ViewsMissing(Exception):
    """The answer needs views that are not in memory."""


class MoveRejected(Exception):
    """The move is illegal. Carries the game's version, and the seat's choice version and legal moves in it."""

    def __init__(self, version: int, choice_version: int | None, legal_moves: list[Any]) -> None:
        self.version = version
        self.choice_version = choice_version
        self.legal_moves = legal_moves
