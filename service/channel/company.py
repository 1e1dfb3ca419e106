"""Who follows games: the port that an extension fills. Without one nobody counts, and nobody says anything."""

from collections.abc import Callable, Collection
from typing import Any, Protocol

from domain.ruleset import Seat


class Follower(Protocol):
    """A follow of a game's events."""

    def hear(self, seat: Seat, message: Callable[[str], Any]) -> None:
        """The player of this seat says something: (name of the game) -> the message that says it. Raises nothing."""


class Company(Protocol):
    """The followers by game. Subscribers of a game are notified when its followers may have changed."""

    def report(self, name: str, game: str) -> Any | None:
        """The message that says who follows the game, as far as this process knows; None: nobody counts."""

    def follow(self, game: str, follower: Follower, seats: Collection[Seat]) -> None:
        """Count a follower with these seats, until `unfollow`. It can be repeated with other seats."""

    def unfollow(self, game: str, follower: Follower) -> None: ...


class Uncounted:
    """No extension counts followers."""

    def report(self, _name: str, _game: str) -> None:
        return None

    def follow(self, game: str, follower: Follower, seats: Collection[Seat]) -> None:
        """Nobody counts."""

    def unfollow(self, game: str, follower: Follower) -> None:
        """Nobody counted."""
