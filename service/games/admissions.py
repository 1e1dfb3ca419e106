"""Who may open or join another game: the limits of a player, held against requests that come at once.

What counts is known to the projections, which are a moment behind the log. So requests of one player are admitted one
after the other, and what was admitted here counts twice until the projections are sure to know of it. Only a request
that would be refused waits for them. Within a process a limit is exact. Several processes do not see what the others
have admitted within the last round of the projections.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple
from weakref import WeakValueDictionary

from domain.game import Player
from service.games.games import Admission, StorageExhausted, TooManyGames
from service.live.projection_runner import ProjectionRunner
from service.store.errors import Unavailable


class Taken(NamedTuple):
    """What a player has: games that are not over, and bytes of the games that they opened."""

    games: int
    bytes: int


class _Recent(NamedTuple):
    """What was admitted here; the projections know of it when the round of that number is done."""

    round: int
    player: str
    bytes: int


class Admissions:
    """`taken` asks the projections, `games` and `storage` (in bytes) are the limits."""

    def __init__(
        self, feed: ProjectionRunner, taken: Callable[[str], Awaitable[Taken]], *, games: int, storage: int
    ) -> None:
        self._feed = feed
        self._taken = taken
        self._most = games
        self._storage = storage
        self._locks = WeakValueDictionary[str, asyncio.Lock]()
        self._recent = deque[_Recent]()
        self._recent_games = Counter[str]()
        self._recent_bytes = Counter[str]()

    @asynccontextmanager
    async def admitted(self, player: Player, *, opens: bool) -> AsyncIterator[Admission]:
        """Within it the player comes to another game, which they open or join.

        Raises `TooManyGames`, `StorageExhausted` where a game is opened, `Unavailable`.
        """
        lock = self._locks.setdefault(player.id, asyncio.Lock())
        async with lock:
            if not await self._is_within(player.id, opens):
                await self._feed.caught_up()
                await self._check(player.id, opens)
            admission = Admission()
            try:
                yield admission
            except (Unavailable, asyncio.CancelledError):  # it may have been appended all the same
                self._remember(player.id, admission)
                raise
            self._remember(player.id, admission)

    async def _is_within(self, player: str, opens: bool) -> bool:
        try:
            await self._check(player, opens)
        except (TooManyGames, StorageExhausted):
            return False
        return True

    async def _check(self, player: str, opens: bool) -> None:
        self._settle()  # before the projections are asked: what is settled stands in their answer
        games, used = await self._taken(player)
        if games + self._recent_games[player] >= self._most:
            raise TooManyGames(f"You have {self._most} games that are not over.")
        if opens and (used := used + self._recent_bytes[player]) >= self._storage:
            raise StorageExhausted(used, self._storage)

    def _remember(self, player: str, admission: Admission) -> None:
        begun, _ = self._feed.rounds
        self._recent.append(_Recent(begun + 1, player, admission.bytes))
        self._recent_games[player] += 1
        self._recent_bytes[player] += admission.bytes

    def _settle(self) -> None:
        """Forget what the projections know by now."""
        _, done = self._feed.rounds
        while self._recent and self._recent[0].round <= done:
            _, player, size = self._recent.popleft()
            self._recent_games[player] -= 1
            self._recent_bytes[player] -= size
            if not self._recent_games[player]:
                del self._recent_games[player], self._recent_bytes[player]
