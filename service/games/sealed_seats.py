"""Seats in sealed games whose players are not ready: each keeps a table from beginning, ten minutes once it is full.

A seat counts until its player is ready or leaves, for an hour at most. Each process counts for itself.
"""

from collections import Counter, OrderedDict
from time import monotonic

from service.games.errors import TooManyGames
from service.live.network import budget_key

OF_A_PLAYER, OF_A_NETWORK = 20, 200
"""Such seats that one player has at most, and all players of a network together."""

HOUR = 3600.0
"""Seconds."""


class SealedSeats:
    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, str], tuple[float, tuple[str, ...]]] = OrderedDict()
        """By game and player when the seat was taken, and what it counts for; the oldest first."""
        self._counts = Counter[str]()

    def take(self, game: str, player: str, network: str) -> None:
        """Count a seat that the player takes from this network. Raises `TooManyGames`."""
        now = monotonic()
        while self._held and next(iter(self._held.values()))[0] + HOUR < now:
            self.free(*next(iter(self._held)))
        self.free(game, player)
        counted = budget_key(player, network), budget_key(None, network)
        for each, most in zip(counted, (OF_A_PLAYER, OF_A_NETWORK), strict=True):
            if self._counts[each] >= most:
                whose = "You have" if most == OF_A_PLAYER else "Players of your network have"
                raise TooManyGames(f"{whose} {most} seats in sealed games without being ready.")
        self._held[game, player] = now, counted
        self._counts.update(counted)

    def free(self, game: str, player: str) -> None:
        """The seat no longer counts."""
        _, counted = self._held.pop((game, player), (0.0, ()))
        for each in counted:
            self._counts[each] -= 1
            if not self._counts[each]:
                del self._counts[each]
