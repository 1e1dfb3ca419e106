"""One process leads: it follows the log for the projections, removes players who have run out of time, and looks after
orders and games that wait too long.

A lock says which one. When the leader ends, another process takes over within `INTERVAL` seconds. For a moment two
processes may lead, and nothing goes wrong: checkpoints decide what is applied, and an append that another process has
made conflicts.
"""

import asyncio
import logging
from functools import partial
from typing import Protocol

from service.tasks import background, end

log = logging.getLogger(__name__)

INTERVAL = 5.0
"""Seconds between two attempts to hold the lock. Each costs a statement."""


class Lock(Protocol):
    def hold(self) -> bool:
        """Acquires or confirms it. Blocks, raises nothing but `OSError`."""

    def close(self) -> None: ...


class Leader:
    """Holds the lock between `start` and `stop` if it can. Without a lock this process leads, because it is alone."""

    def __init__(self, lock: Lock | None = None) -> None:
        self._lock = lock
        self.leads = lock is None
        """Whether this process leads."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns after the first attempt."""
        if self._lock is not None:
            await self._try(self._lock)
            self._task = background("leader", partial(self._run, self._lock))

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
        if self._lock is not None:
            self.leads = False
            await asyncio.to_thread(self._lock.close)

    async def _run(self, lock: Lock) -> None:
        while True:
            await asyncio.sleep(INTERVAL)
            await self._try(lock)

    async def _try(self, lock: Lock) -> None:
        try:
            leads = await asyncio.to_thread(lock.hold)
        except OSError as error:
            log.warning("this process cannot lead: %s", error)
            leads = False
        if leads != self.leads:
            log.info("This process leads." if leads else "This process no longer leads.")
        self.leads = leads
