"""Hears of what other processes append, for those who follow a game here: by looking into the log every second, and
sooner from the board, if there is one. Messages of the board may get lost; what is in the log does not."""

import asyncio
import logging

from service.cluster.redis_client import end
from service.cluster.version_cache import VersionCache
from service.games.games import Games
from service.live.subscriptions import Subscriptions
from service.store.errors import Unavailable
from service.store.event_store import Store

log = logging.getLogger(__name__)

BATCH = 500
PULL = 1.0
"""Seconds between two looks."""


class LogTailer:
    """Reads where the log has grown while anybody follows anything."""

    def __init__(
        self, store: Store, games: Games, subscriptions: Subscriptions, version_cache: VersionCache | None = None
    ) -> None:
        self._store = store
        self._games = games
        self._hub = subscriptions
        self._board = version_cache
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks.append(asyncio.create_task(self._run(), name="log_tailer"))
        if self._board is not None:
            self._tasks.append(asyncio.create_task(self._hear(self._board), name="version_cache"))

    async def stop(self) -> None:
        for task in self._tasks:
            await end(task)

    async def _hear(self, version_cache: VersionCache) -> None:
        async for news in version_cache.listen():
            try:
                if news is not None:
                    await self._heard(*news)
                    continue
                for game_id in tuple(self._hub.followed):
                    await self._heard(game_id)
            except Unavailable as error:
                log.warning("nothing is heard of other processes: %s", error)

    async def _run(self) -> None:
        while True:
            await self._hub.busy.wait()
            try:
                await self._listen()
            except Unavailable as error:
                log.warning("nothing is heard of other processes: %s", error)
            await asyncio.sleep(PULL)

    async def _listen(self) -> None:
        """As long as anything is followed. Raises `Unavailable`."""
        position = await self._store.position()
        for game_id in tuple(self._hub.followed):  # what they have missed since they last looked
            await self._heard(game_id)
        while self._hub.busy.is_set():
            heard = await self._store.headlines(position, BATCH)
            for game_id, version in {stream: version for _, stream, version in heard}.items():
                await self._heard(game_id, version)
            position = heard[-1].position if heard else position
            if len(heard) < BATCH:
                await asyncio.sleep(PULL)

    async def _heard(self, game_id: str, version: int | None = None) -> None:
        """Raises `Unavailable`."""
        try:
            await self._games.heard(game_id, version)
        except Unavailable:
            raise
        except Exception as error:  # of this game alone: another release may have written what cannot be read here
            log.warning("the log of %s cannot be followed: %s", game_id, error)
