"""Aborts games as the operator ordered with `stammtisch game abort`.

The command only writes the order into a table, so it needs no access to the log that a service is using. Every process
reads the table; if two abort the same game at once, one append conflicts and that process finds the game aborted.
"""

import asyncio
import logging
from contextlib import suppress

from domain.game import NotRunning, Opened
from domain.log import Stored
from domain.rulesets import RULESETS
from service.cluster.redis_client import end
from service.games.errors import NoSuchGame
from service.games.games import Games
from service.store import moderation
from service.store.errors import Unavailable
from service.store.event_store import Store
from service.store.mutable import Mutable

log = logging.getLogger(__name__)

POLL_INTERVAL = 0.5
"""Seconds between two readings of the table."""


class Orders:
    """Carries out orders from `start` to `stop`."""

    def __init__(self, games: Games, store: Store, mutable: Mutable) -> None:
        self._games = games
        self._store = store
        self._mutable = mutable
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="orders")

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)

    async def carry_out(self) -> None:
        """Abort the games of all open orders. Raises `Unavailable`."""
        for number, game_id in await self._mutable.query(moderation.waiting):
            try:
                await self._abort(game_id)
                log.info("The operator has aborted the game %s.", game_id)
            except (NoSuchGame, NotRunning):
                log.info("The game %s is over already, or does not exist.", game_id)
            await self._mutable.query(moderation.done, number)

    async def _abort(self, game_id: str) -> None:
        first = await self._store.read(game_id, 0, 1)
        if not first or not isinstance(first[0], Stored) or not isinstance(first[0].event, Opened):
            raise NoSuchGame
        cached = await self._games.find(RULESETS[first[0].event.ruleset], game_id)
        await self._games.stop(cached)

    async def _run(self) -> None:
        while True:
            with suppress(Unavailable):  # tried again
                try:
                    await self.carry_out()
                except Unavailable:
                    raise
                except Exception as error:
                    log.error("an order of the operator failed", exc_info=error)
            await asyncio.sleep(POLL_INTERVAL)
