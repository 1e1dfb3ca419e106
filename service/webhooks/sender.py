"""Makes the attempts to deliver what the outbox contains, concurrently, so that no slow receiver delays the others.

A process claims a delivery before an attempt; when it dies the claim ends by itself. A receiver may therefore get a
delivery twice, with the same id, and never not at all. An attempt that fails is repeated by a schedule of three days,
and then by hand.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from random import Random
from time import monotonic, perf_counter
from typing import Any
from urllib.parse import urlsplit

import httpx
from sqlalchemy import Engine

from domain.game.clock import SECOND
from projections import outbox
from projections.outbox import PING, Delivery, Outcome
from service.clock import wall_clock
from service.histogram import Histogram
from service.tables import webhooks as table
from service.tables.mutable import Mutable
from service.tables.webhooks import Hook
from service.webhooks import signing, transport
from service.webhooks.follower import Hooks
from service.webhooks.transport import Answer

log = logging.getLogger(__name__)

MINUTE, HOUR = 60, 3600
SCHEDULE = (5, 5 * MINUTE, 30 * MINUTE, *(hours * HOUR for hours in (2, 5, 10, 14, 20, 24)))
"""Seconds from each failed attempt to the next one. After the last one the delivery is dead."""
JITTER = 0.1
"""The part of these times by which they vary."""
MAX_RETRY_AFTER = 24 * HOUR
"""Seconds that a receiver can postpone an attempt."""
MAX_FAILING = 3 * 86_400 * SECOND
"""Microseconds after which a webhook is disabled if all its attempts fail."""

MAX_ATTEMPTS = 64
"""Attempts at the same time."""
MAX_OF_HOOK = 4
"""Of these, to one webhook."""
MAX_TROUBLED = 16
"""Attempts at the same time, beside those, to webhooks whose last attempt failed: one to each."""
PING_PAUSE = 0.25
"""Seconds between two pings to a host: anybody can have a host pinged."""
CLAIM = 20 * SECOND
"""Microseconds for which no other process makes the same attempt: an attempt takes `transport.TIMEOUT` at most."""


class Sender:
    """Sends what is due. `keys` sign; they are those of `STAMMTISCH_SECRET`."""

    def __init__(
        self, engine: Engine, mutable: Mutable, hooks: Hooks, http: httpx.AsyncClient, keys: Sequence[str]
    ) -> None:
        self._engine = engine
        self._mutable = mutable
        self._hooks = hooks
        self._http = http
        self._keys = keys
        self._random = Random()
        self._active = Counter[str]()
        """The attempts in progress, by webhook."""
        self._troubled = set[str]()
        """The webhooks whose last attempt failed."""
        self._pinged = dict[str, float]()
        """When each host was pinged last, if that was less than `PING_PAUSE` ago."""
        self._tasks = set[asyncio.Task[None]]()
        self.finished = asyncio.Event()
        """Set when an attempt is over, so that another one can begin."""
        self.delivered = self.failed = self.died = 0
        self.attempt_seconds = Histogram()
        self.delay_seconds = Histogram()
        """The time from when a delivery was due to its success in the first attempt."""

    async def send_due(self, upto: int) -> None:
        """Begin attempts for what was due at this time, as many as may be made at the same time."""
        while (free := self._free()) > 0:
            now = wall_clock()
            found = await asyncio.to_thread(outbox.due, self._engine, upto, self._busy(), 2 * MAX_ATTEMPTS)
            chosen = await self._chosen(found)
            if chosen:
                claimed = await asyncio.to_thread(outbox.claim, self._engine, chosen, now, now + CLAIM)
                for delivery in claimed:
                    self._begin(delivery)
            if not chosen or len(found) < 2 * MAX_ATTEMPTS or free == self._free():
                return

    async def stop(self) -> None:
        """Wait for the attempts in progress."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    @property
    def active(self) -> int:
        """Attempts in progress."""
        return self._active.total()

    @property
    def troubled(self) -> int:
        """Webhooks whose last attempt failed."""
        return len(self._troubled & self._hooks.by_id.keys())

    def _free(self) -> int:
        healthy = sum(count for hook, count in self._active.items() if hook not in self._troubled)
        troubled = self._active.total() - healthy
        return max(0, MAX_ATTEMPTS - healthy) + max(0, MAX_TROUBLED - troubled)

    def _may(self, hook: str, begun: Counter[str]) -> bool:
        """Whether another attempt to the webhook may begin, beside those in progress and these."""
        active = self._active + begun
        same = [other for other in active.elements() if (other in self._troubled) == (hook in self._troubled)]
        if hook in self._troubled:
            return active[hook] < 1 and len(same) < MAX_TROUBLED
        return active[hook] < MAX_OF_HOOK and len(same) < MAX_ATTEMPTS

    def _busy(self) -> list[str]:
        """The webhooks to which no other attempt may begin."""
        none = Counter[str]()
        candidates = {*self._active, *self._troubled}
        return [hook for hook in candidates if not self._may(hook, none)]

    async def _chosen(self, found: Sequence[outbox.Due]) -> list[str]:
        """The ids of those that may be sent now. Deletes those of webhooks that do not exist any more."""
        if any(each.hook not in self._hooks.by_id for each in found):
            await self._hooks.refresh()
            if gone := {each.hook for each in found if each.hook not in self._hooks.by_id}:
                await asyncio.to_thread(outbox.drop, self._engine, gone)
        begun, chosen, later = Counter[str](), list[str](), list[str]()
        for each in found:
            if each.hook in self._hooks.by_id and self._may(each.hook, begun):
                if each.type == PING and not self._may_ping(self._hooks.by_id[each.hook]):
                    later.append(each.id)
                    continue
                begun[each.hook] += 1
                chosen.append(each.id)
        if later:  # or they would be found again and again, before all others
            await asyncio.to_thread(outbox.postpone, self._engine, later, wall_clock() + int(PING_PAUSE * SECOND))
        return chosen

    def _may_ping(self, hook: Hook) -> bool:
        """Whether the host of the webhook can be pinged now. If so, it counts as pinged."""
        now, host = monotonic(), urlsplit(hook.url).hostname or ""
        self._pinged = {other: at for other, at in self._pinged.items() if now - at < PING_PAUSE}
        return self._pinged.setdefault(host, now) == now

    def _begin(self, delivery: Delivery) -> None:
        self._active[delivery.hook] += 1
        task = asyncio.create_task(self._attempt(delivery), name=delivery.id)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._end(done, delivery.hook))

    def _end(self, task: asyncio.Task[None], hook: str) -> None:
        self._tasks.discard(task)
        self._active[hook] -= 1
        if not self._active[hook]:
            del self._active[hook]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("the outcome of a delivery cannot be written; it will be repeated: %s", error)
        self.finished.set()

    async def _attempt(self, delivery: Delivery) -> None:
        hook = self._hooks.by_id.get(delivery.hook)
        if hook is None:
            return
        if hook.status == "disabled" or (hook.status == "unverified" and delivery.type != PING):
            await self._settle(delivery, "dead", wall_clock(), 0, None)
            return
        body = delivery.body.encode()
        headers = {"content-type": "application/json", "user-agent": "stammtisch"}
        headers |= signing.headers(self._keys, hook, delivery.id, body, wall_clock())
        started = perf_counter()
        answer = await transport.send(self._http, hook.url, body, headers)
        self.attempt_seconds.observe(perf_counter() - started)
        now = wall_clock()
        if answer.succeeded:
            await self._succeeded(delivery, hook, now, answer)
        else:
            await self._failed(delivery, hook, now, answer)

    async def _succeeded(self, delivery: Delivery, hook: Hook, now: int, answer: Answer) -> None:
        self.delivered += 1
        if not delivery.attempts:
            self.delay_seconds.observe((now - delivery.next) / SECOND)
        self._troubled.discard(hook.id)
        if delivery.type == PING and hook.status == "unverified":
            await self._change(hook, now, status="live", cause=None, live=now, failing=None)
        elif hook.failing is not None:
            await self._change(hook, now, failing=None)
        await self._settle(delivery, "delivered", now, now, answer)

    async def _failed(self, delivery: Delivery, hook: Hook, now: int, answer: Answer) -> None:
        self.failed += 1
        self._troubled.add(hook.id)
        if hook.status == "live":
            if answer.status == 410:
                await self._disable(hook, now, "gone")
            elif hook.failing is None:
                await self._change(hook, now, failing=now)
            elif now - hook.failing >= MAX_FAILING:
                await self._disable(hook, now, "failing")
        waits = _retry_after(answer.retry_after, now)
        if delivery.type == PING or answer.status == 410 or delivery.attempts >= len(SCHEDULE):
            await self._settle(delivery, "dead", now, now, answer)
            return
        scheduled = SCHEDULE[delivery.attempts] * self._random.uniform(1 - JITTER, 1 + JITTER)
        await self._settle(delivery, "pending", now, now + int(max(scheduled, waits) * SECOND), answer)

    async def _settle(
        self, delivery: Delivery, status: outbox.DeliveryStatus, now: int, next: int, answer: Answer | None
    ) -> None:
        self.died += status == "dead"
        response = None if answer is None else answer.status
        outcome = Outcome(delivery.id, status, delivery.attempts + (answer is not None), now, next, response)
        await asyncio.to_thread(outbox.settle, self._engine, [outcome])

    async def _change(self, hook: Hook, now: int, **values: Any) -> None:
        """Change the webhook, unless its owner has given it another address meanwhile."""
        await self._mutable.change(table.change_at, hook.id, hook.url, now, values)
        await self._hooks.refresh()

    async def _disable(self, hook: Hook, now: int, cause: table.WebhookCause) -> None:
        await self._change(hook, now, status="disabled", cause=cause)
        await asyncio.to_thread(outbox.bury, self._engine, hook.id)
        log.info("webhook %s is disabled: %s", hook.id, cause)


def _retry_after(header: str | None, now: int) -> float:
    """The seconds that a receiver asks to wait; 0 if it does not ask, or not in a form that the standard knows."""
    waits = 0.0
    if header is not None:
        if header.isascii() and header.isdecimal() and len(header) < 10:
            waits = float(header)
        else:
            with suppress(TypeError, ValueError, OverflowError):
                waits = parsedate_to_datetime(header).timestamp() - now / SECOND
    return min(max(0.0, waits), MAX_RETRY_AFTER)
