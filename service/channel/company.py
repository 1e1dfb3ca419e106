"""Who follows a game: the port that an extension fills. Without one nobody counts, and nobody says anything."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from domain.ruleset import Seat


class Follower(Protocol):
    """A follow of a game's events."""

    def hear(self, seat: Seat, phrase: Any) -> None:
        """The player of this seat says this phrase. Raises nothing."""


class There(NamedTuple):
    """The followers of a game: how many have no seat, and the seats of the others."""

    watchers: int = 0
    seats: frozenset[Seat] = frozenset()


NOBODY = There()


class Company(Protocol):
    """The followers by game. Subscribers of a game are notified when its followers may have changed."""

    def there(self, game: str) -> There:
        """Who follows the game, as far as this process knows."""

    def away(self, game: str) -> Mapping[Seat, int]:
        """The seats that had a follower and have none now, with the microseconds from 1970 at which they lost it."""

    def follow(self, game: str, follower: Follower, seats: Collection[Seat]) -> None:
        """Count a follower with these seats, until `unfollow`. It can be repeated with other seats."""

    def unfollow(self, game: str, follower: Follower) -> None: ...


class Uncounted:
    """No extension counts followers."""

    def there(self, _: str) -> There:
        return NOBODY

    def away(self, _: str) -> Mapping[Seat, int]:
        return MappingProxyType({})

    def follow(self, game: str, follower: Follower, seats: Collection[Seat]) -> None:
        """Nobody counts."""

    def unfollow(self, game: str, follower: Follower) -> None:
        """Nobody counted."""
