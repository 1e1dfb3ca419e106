"""The limits of a player: unfinished games, and storage. They hold for concurrent requests, too.

The projections count what a player has, and lag slightly behind the log. So the requests of one player are admitted one
after another, and what was admitted here is counted in addition until the projections include it. Only a request that
would be rejected waits for the projections. The limits are exact within a process. Several processes do not see what
the others have admitted within the last cycle of the projection runner.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

from service.games.errors import StorageExhausted, TooManyGames
from service.log.errors import Unavailable


class Cycles(Protocol):
    """The cycles in which the projections follow the log."""

    cycles_started: int
    cycles_completed: int

    async def caught_up(self) -> None: ...


@dataclass
class Admission:
    """An admitted request. The use case sets `bytes` to the size of the game that it opened."""

    bytes: int = 0


class Admit(Protocol):
    """Admits a request by which a player opens or joins a game. The request runs inside the context.

    Raises `TooManyGames`, and `StorageExhausted` for a request that opens a game.
    """

    def __call__(self, player: str, *, opens: bool) -> AbstractAsyncContextManager[Admission, bool | None]: ...


@asynccontextmanager
async def admit_all(player: str, *, opens: bool) -> AsyncIterator[Admission]:  # noqa: ARG001
    """Admits every request."""
    yield Admission()


class Usage(NamedTuple):
    """A player's unfinished games, and the bytes of all games that the player opened."""

    games: int
    bytes: int


class _Recent(NamedTuple):
    """An admitted request. The projections include it after the cycle with this number."""

    cycle: int
    player: str
    bytes: int


class Admissions:
    """`usage` reads a player's usage from the projections; `games` and `storage` (bytes) are the limits."""

    def __init__(self, runner: Cycles, usage: Callable[[str], Awaitable[Usage]], *, games: int, storage: int) -> None:
        self._runner = runner
        self._usage = usage
        self._games = games
        self._storage = storage
        self._locks = WeakValueDictionary[str, asyncio.Lock]()
        self._recent = deque[_Recent]()
        self._recent_games = Counter[str]()
        self._recent_bytes = Counter[str]()

    @asynccontextmanager
    async def admit(self, player: str, *, opens: bool) -> AsyncIterator[Admission]:
        """Admit a request by which the player opens or joins a game. The request runs inside the context.

        Raises `TooManyGames`, `StorageExhausted` for a request that opens a game, `Unavailable`.
        """
        lock = self._locks.setdefault(player, asyncio.Lock())
        async with lock:
            if not await self._is_within(player, opens):
                await self._runner.caught_up()
                await self._check(player, opens)
            admission = Admission()
            try:
                yield admission
            except (Unavailable, asyncio.CancelledError):  # the append may have been committed nevertheless
                self._remember(player, admission)
                raise
            self._remember(player, admission)

    async def _is_within(self, player: str, opens: bool) -> bool:
        try:
            await self._check(player, opens)
        except (TooManyGames, StorageExhausted):
            return False
        return True

    async def _check(self, player: str, opens: bool) -> None:
        self._settle()  # before reading the usage, which includes everything that is settled
        games, used = await self._usage(player)
        if games + self._recent_games[player] >= self._games:
            raise TooManyGames(f"You have {self._games} games that are not over.")
        if opens and (used := used + self._recent_bytes[player]) >= self._storage:
            raise StorageExhausted(used, self._storage)

    def _remember(self, player: str, admission: Admission) -> None:
        self._recent.append(_Recent(self._runner.cycles_started + 1, player, admission.bytes))
        self._recent_games[player] += 1
        self._recent_bytes[player] += admission.bytes

    def _settle(self) -> None:
        """Drop the requests that the projections include by now."""
        while self._recent and self._recent[0].cycle <= self._runner.cycles_completed:
            _, player, size = self._recent.popleft()
            self._recent_games[player] -= 1
            self._recent_bytes[player] -= size
            if not self._recent_games[player]:
                del self._recent_games[player], self._recent_bytes[player]
