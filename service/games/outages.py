"""Notices when no process of the service could take a move: after a stop, a crash of all, or without the database.

The process that leads leaves a sign in the table of uptimes every two seconds, each other one every four. The first one
that can do so again after more than five begins another uptime. Games learn of the outage when their clocks are looked
at; none is read for it.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

from domain.game.clock import SECOND
from service.clock import text_of, wall_clock
from service.games.periodic import Periodic
from service.tables import uptimes
from service.tables.mutable import Mutable
from service.tables.uptimes import Uptime

log = logging.getLogger(__name__)

INTERVAL, RARELY = 2.0, 3.0
"""Seconds between two signs of the process that leads, and after which another one leaves one at its next turn."""
FRESH = 3.0
"""Seconds for which a process knows of all outages that have ended: any other would be shorter than `uptimes.GAP`."""


class Outages(Periodic):
    """Leaves signs from `start` to `stop`."""

    def __init__(self, mutable: Mutable, leads: Callable[[], bool] = lambda: True) -> None:
        super().__init__("outages", INTERVAL, log, "outages cannot be noticed")
        self._mutable = mutable
        self._often = leads
        self._uptimes: Sequence[Uptime] = ()
        self._checked_at: float | None = None
        """When this process last left a sign, by a clock that nobody sets."""
        self._checking = asyncio.Lock()

    async def sweep(self) -> None:
        """Leave a sign, and learn of the outages that have ended. Raises `Unavailable`."""
        if not self._often() and self._checked_within(RARELY):
            return
        async with self._checking:
            await self._check()

    async def between(self, since: int, at: int) -> int:
        """The microseconds between these times in which no process could take a move. Raises `Unavailable`."""
        if not self._checked_within(FRESH):
            async with self._checking:
                if not self._checked_within(FRESH):
                    await self._check()
        return outage(self._uptimes, since, at)

    async def _check(self) -> None:
        steady, alive = _steady(), self._checked_within(uptimes.GAP / SECOND)
        begun = await self._mutable.query(uptimes.note, wall_clock(), alive)
        if ended := begun is None:
            begun = await self._mutable.change(uptimes.begin, wall_clock())
        if not self._uptimes or self._uptimes[-1].begun != begun:
            self._uptimes = await self._mutable.query(uptimes.known)
            if ended and len(self._uptimes) > 1:
                before, after = self._uptimes[-2:]
                lost = (after.begun - before.until) / SECOND
                log.info("No process could take a move for %.1f seconds, until %s.", lost, text_of(after.begun))
        self._checked_at = steady

    def _checked_within(self, seconds: float) -> bool:
        return self._checked_at is not None and _steady() - self._checked_at <= seconds


def outage(known: Sequence[Uptime], since: int, at: int) -> int:
    """The microseconds between these times that lie between two uptimes."""
    lost = 0
    for number in range(len(known) - 1, 0, -1):
        begin, end = known[number - 1].until, known[number].begun
        if end <= since:
            break
        lost += max(0, min(end, at) - max(begin, since))
    return lost


def _steady() -> float:
    """Seconds since some moment; a machine that was suspended counts that time where its system can tell."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


async def never_away(_since: int, _at: int) -> int:
    """Processes that know of no outage."""
    return 0
