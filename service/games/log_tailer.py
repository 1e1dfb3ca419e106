"""Tails the log for appends of other processes, and refreshes the games that have subscribers in this process.

It polls the log every second while there are subscribers. With Redis it also receives notifications, which arrive
sooner. Notifications may get lost; entries in the log do not.
"""

import asyncio
import logging

from service.cluster.tasks import end
from service.cluster.version_cache import VersionCache
from service.games.games import Games
from service.live.subscriptions import Subscriptions
from service.log.errors import Unavailable
from service.log.game_log import GameLog, Notification

log = logging.getLogger(__name__)

BATCH_SIZE = 500
"""Log positions that one query returns at most."""
POLL_INTERVAL = 1.0
"""Seconds between two queries."""


class LogTailer:
    """Tails the log from `start` to `stop`. Polls only while there are subscribers."""

    def __init__(
        self, store: GameLog, games: Games, subscriptions: Subscriptions, version_cache: VersionCache | None = None
    ) -> None:
        self._store = store
        self._games = games
        self._subscriptions = subscriptions
        self._version_cache = version_cache
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks.append(asyncio.create_task(self._run(), name="log_tailer"))
        if self._version_cache is not None:
            self._tasks.append(asyncio.create_task(self._receive(self._version_cache), name="version_cache"))

    async def stop(self) -> None:
        for task in self._tasks:
            await end(task)

    async def _receive(self, version_cache: VersionCache) -> None:
        async for notification in version_cache.listen():
            try:
                if notification is not None:
                    await self._refresh(*notification)
                    continue
                for game_id in tuple(self._subscriptions.subjects):
                    await self._refresh(game_id)
            except Unavailable as error:
                log.warning("appends of other processes cannot be read: %s", error)

    async def _run(self) -> None:
        while True:
            await self._subscriptions.active.wait()
            try:
                await self._poll()
            except Unavailable as error:
                log.warning("appends of other processes cannot be read: %s", error)
            await asyncio.sleep(POLL_INTERVAL)

    async def _poll(self) -> None:
        """Poll the log until there are no subscribers. Raises `Unavailable`."""
        position, promotions = await self._store.position(), self._store.promotions
        for game_id in tuple(self._subscriptions.subjects):  # appends since they were last read
            await self._refresh(game_id)
        while self._subscriptions.active.is_set() and promotions == self._store.promotions:
            found = await self._store.scan(_headline, position, BATCH_SIZE)
            for game_id, version in {stream: version for _, stream, version in found}.items():
                await self._refresh(game_id, version)
            position = found[-1][0] if found else position
            if len(found) < BATCH_SIZE:
                await asyncio.sleep(POLL_INTERVAL)

    async def _refresh(self, game_id: str, version: int | None = None) -> None:
        """Raises `Unavailable`."""
        try:
            await self._games.refresh(game_id, version)
        except Unavailable:
            raise
        except Exception as error:  # affects this game only: a newer release may write events that this one cannot read
            log.warning("the log of %s cannot be read: %s", game_id, error)


def _headline(row: Notification) -> tuple[int, str, int]:
    """The position, stream and version of a row, which is not decoded."""
    return row.id, str(row.originator_id), row.originator_version
