"""Requests that wait for the outcome of a ping.

Another process makes the attempt, and a database sends no notification. So one task polls the outbox for all waits of
this process, with one query each time, and only while something waits. The number of waits is limited, for each owner
and for the process: a request that would wait beyond that is refused before it writes anything.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from time import monotonic
from typing import TypeAlias

from service.extensions.webhooks.outbox import DeliveryStatus, Progress
from service.log.errors import Unavailable
from service.tasks import background

log = logging.getLogger(__name__)

PING_TIMEOUT = 20.0
"""Seconds that a request waits for the endpoint."""
CLAIM_TIMEOUT = 5.0
"""Of these, seconds that it waits for a process that delivers."""
POLL_INTERVAL = 0.2
"""Seconds between two looks at the outbox, while anything waits."""
MAX_WAITS = 100
"""Waits of the process."""

Look: TypeAlias = Callable[[Collection[str]], Awaitable[Mapping[str, Progress]]]
"""The progress of the deliveries with these ids, without those that do not exist. Raises `Unavailable`."""


class TooManyWaits(Exception):
    """The owner, or the whole process (`everybody`), has as many waits as allowed. In `retry_after` seconds at the
    latest one of them is over."""

    def __init__(self, retry_after: int, *, everybody: bool) -> None:
        super().__init__("Too many requests wait for pings.")
        self.retry_after = retry_after
        self.everybody = everybody


class Wait:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.until = monotonic() + PING_TIMEOUT
        self.claimed_until = monotonic() + CLAIM_TIMEOUT
        self.ping: str | None = None
        self.outcome: asyncio.Future[DeliveryStatus] = asyncio.get_running_loop().create_future()

    def look(self, found: Progress | None, now: float) -> None:
        """End the wait if the outcome is known, or if the time is over."""
        if self.outcome.done():
            return
        if found is None:
            self.outcome.set_result("dead")
        elif found.status != "pending":
            self.outcome.set_result(found.status)
        elif now > self.until or (not found.claimed and now > self.claimed_until):
            self.fail(Unavailable("no process delivers webhooks"))

    def fail(self, error: Unavailable) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)


class Waits:
    def __init__(self, look: Look) -> None:
        self._look = look
        self._waits: list[Wait] = []
        """In the order in which they began."""
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def place(self, owner: str, most: int) -> Iterator[Wait]:
        """A place to wait in, of at most this many of the owner. Raises `TooManyWaits`."""
        own = [each for each in self._waits if each.owner == owner]
        for waits, limit in ((own, most), (self._waits, MAX_WAITS)):
            if len(waits) >= limit:
                left = max(1, ceil(waits[0].until - monotonic()))
                raise TooManyWaits(left, everybody=waits is self._waits)
        wait = Wait(owner)
        self._waits.append(wait)
        try:
            yield wait
        finally:
            self._waits.remove(wait)
            wait.outcome.cancel()

    async def outcome(self, wait: Wait, ping: str) -> DeliveryStatus:
        """Whether the ping was answered, as soon as that is known. Raises `Unavailable` if no process makes the
        attempt."""
        wait.ping = ping
        if self._task is None:
            self._task = background("pings", self._poll)
        return await wait.outcome

    async def stop(self) -> None:
        for wait in self._waits:
            wait.fail(Unavailable("the service is stopping"))
        if self._task is not None:
            await self._task

    async def _poll(self) -> None:
        while waits := [each for each in self._waits if each.ping is not None and not each.outcome.done()]:
            try:
                found = await self._look({each.ping for each in waits if each.ping is not None})
                for wait in waits:
                    wait.look(found.get(wait.ping or ""), monotonic())
            except Exception as error:  # the waits end, and with them this
                if not isinstance(error, Unavailable):
                    log.error("pings cannot be looked up", exc_info=error)
                for wait in waits:
                    wait.fail(error if isinstance(error, Unavailable) else Unavailable(str(error)))
            await asyncio.sleep(POLL_INTERVAL)
        self._task = None
