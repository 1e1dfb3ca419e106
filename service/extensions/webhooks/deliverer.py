"""The parts that deliver: the follower of the log and the sender, started and stopped together."""

import asyncio
import logging
from collections.abc import Callable

import httpx
from sqlalchemy import Engine

from domain.game.clock import SECOND
from service.clock import wall_clock
from service.extensions.webhooks import outbox
from service.extensions.webhooks.follower import Follower, Hooks
from service.extensions.webhooks.sender import Sender
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.tables.mutable import Mutable
from service.tasks import background, wait_for

log = logging.getLogger(__name__)

POLL_INTERVAL = 0.2
"""Seconds between two looks at the log and the outbox."""
MIN_INTERVAL = 0.02
"""Seconds between them at least, however many attempts end: each look costs something for each webhook."""
BACK_OFF = 1.0, 30.0
"""Seconds to wait after the first failure, and at most. The time doubles with each failure."""
CLEAN_INTERVAL = 600.0
"""Seconds between two clean-ups of the outbox."""
DELIVERED_KEPT = 3 * 86_400 * SECOND
"""Microseconds for which delivered rows are kept."""
DEAD_KEPT = 30 * 86_400 * SECOND
"""Microseconds for which dead rows are kept, to be sent again by hand."""


class Deliverer:
    def __init__(
        self, store: GameLog, engine: Engine, mutable: Mutable, http: httpx.AsyncClient, keys: list[str], url: str,
        sender: Callable[..., Sender] = Sender,
    ) -> None:  # fmt: skip
        self._engine = engine
        self.hooks = Hooks(mutable)
        self.follower = Follower(store, engine, self.hooks, url)
        self.sender = sender(engine, mutable, self.hooks, http, keys)
        self.failures = 0
        """Rounds that a failure has ended."""
        self.caught_up = wall_clock()
        """Up to this time everything in the log is in the outbox."""
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Raises `Unavailable`, and the error of the outbox's database."""
        await self.hooks.refresh()
        await self.follower.start()
        self._task = background("deliverer", self._run)

    async def stop(self) -> None:
        """Returns when the attempts in progress are over."""
        self._stopping.set()
        self.follower.stopping = True
        self.sender.finished.set()
        if self._task is not None:
            await self._task
        await self.sender.stop()

    async def _run(self) -> None:
        wait, failing, cleaned = BACK_OFF[0], False, 0.0
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            try:
                now = wall_clock()
                await self.follower.catch_up()
                await self.follower.take_notices()
                self.caught_up = now
                # A choice that ended by now is known to have ended.
                await self.sender.send_due(now)
                if loop.time() - cleaned > CLEAN_INTERVAL:
                    await asyncio.to_thread(outbox.clean, self._engine, now - DELIVERED_KEPT, now - DEAD_KEPT)
                    cleaned = loop.time()
                wait, failing = BACK_OFF[0], False
                await wait_for(self.sender.finished, POLL_INTERVAL)
                self.sender.finished.clear()
                await asyncio.sleep(MIN_INTERVAL)
            except Exception as error:  # one of the databases is unavailable: nothing is lost
                if not failing:
                    expected = isinstance(error, Unavailable)
                    log.warning("webhooks are not delivered: %s", error, exc_info=None if expected else error)
                failing = True
                self.failures += 1
                await wait_for(self._stopping, wait)
                wait = min(2 * wait, BACK_OFF[1])
