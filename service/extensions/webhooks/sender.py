"""Makes the attempts to deliver what the outbox contains, concurrently and in fair shares (`shares`).

A process claims a delivery before an attempt; when it dies the claim ends by itself. A receiver may therefore get a
delivery twice, with the same id, and never not at all. An attempt that fails is repeated by a schedule of three days,
and then by hand.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import partial
from random import Random
from time import perf_counter
from typing import Any

import httpx
from sqlalchemy import Engine

from domain.game.clock import SECOND
from service.clock import wall_clock
from service.extensions.webhooks import outbox, signing, transport
from service.extensions.webhooks import rows as table
from service.extensions.webhooks.follower import Hooks
from service.extensions.webhooks.outbox import PING, Delivery, Outcome
from service.extensions.webhooks.rows import Hook
from service.extensions.webhooks.shares import Candidate, Shares
from service.extensions.webhooks.transport import Answer
from service.process.histogram import Histogram
from service.tables.mutable import Mutable

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
        self._shares = Shares()
        self._tasks = set[asyncio.Task[None]]()
        self.finished = asyncio.Event()
        """Set when an attempt is over, so that another one can begin."""
        self.delivered = self.failed = self.died = 0
        self.attempt_seconds = Histogram()
        self.delay_seconds = Histogram()
        """The time from when a delivery was due to its success in the first attempt."""

    async def send_due(self, upto: int) -> None:
        """Begin attempts for what was due at this time, as many as may be made at the same time."""
        now = wall_clock()
        candidates = await self._candidates(await asyncio.to_thread(outbox.due, self._engine, upto))
        chosen = self._shares.choose([candidate for candidate, _ in candidates])
        pings = {each.hook: ping for each, ping in candidates if ping is not None and chosen[each.hook]}
        chosen.subtract(pings.keys())
        wanted = {hook: most for hook, most in chosen.items() if most}
        if pings or wanted:
            claim = partial(outbox.claim, self._engine, wanted, pings.values(), now, now + CLAIM)
            for delivery in await asyncio.to_thread(claim):
                self._begin(delivery)

    async def stop(self) -> None:
        """Wait for the attempts in progress."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    @property
    def active(self) -> int:
        return self._shares.open

    @property
    def troubled(self) -> int:
        """Webhooks whose last attempt failed."""
        return self._shares.troubled

    async def _candidates(self, found: Sequence[outbox.Due]) -> list[tuple[Candidate, str | None]]:
        """The webhooks of these, each once, with the id of a ping that is due. Deletes what is due to webhooks that do
        not exist any more."""
        if any(each.hook not in self._hooks.by_id for each in found):
            await self._hooks.refresh()
            if gone := {each.hook for each in found if each.hook not in self._hooks.by_id}:
                await asyncio.to_thread(outbox.drop, self._engine, gone)
        self._shares.keep(self._hooks.by_id)
        first: dict[str, str | None] = {}
        for each in found:
            first.setdefault(each.hook, each.ping)
        hooks = [hook for hook in self._hooks.by_id.values() if hook.id in first]
        return [(Candidate(hook.owner, hook.id, first[hook.id] is not None), first[hook.id]) for hook in hooks]

    def _begin(self, delivery: Delivery) -> None:
        task = asyncio.create_task(self._share(delivery), name=delivery.id)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("the outcome of a delivery cannot be written; it will be repeated: %s", error)
        self.finished.set()

    async def _share(self, delivery: Delivery) -> None:
        """Make an attempt, which takes a place of its owner until nothing of it is in progress any more."""
        share = self._shares.begin(delivery.owner, delivery.hook)
        failed: bool | None = None
        try:
            failed = await self._attempt(delivery)
            await transport.lookups_ended()
        finally:
            self._shares.end(share, failed=failed)

    async def _attempt(self, delivery: Delivery) -> bool | None:
        """Whether it failed; None if nothing was sent."""
        hook = self._hooks.by_id.get(delivery.hook)
        if hook is None:
            return None
        if hook.status == "disabled" or (hook.status == "unverified" and delivery.type != PING):
            await self._settle(delivery, "dead", wall_clock(), 0, None)
            return None
        body = delivery.body.encode()
        headers = {"content-type": "application/json", "user-agent": "stammtisch"}
        headers |= signing.headers(self._keys, hook, delivery.id, body, wall_clock())
        started = perf_counter()
        answer = await transport.send(self._http, hook.url, body, headers, ping=delivery.type == PING)
        now = wall_clock()
        if answer.postponed is not None:
            await asyncio.to_thread(outbox.postpone, self._engine, delivery.id, now + int(answer.postponed * SECOND))
            return None
        self.attempt_seconds.observe(perf_counter() - started)
        if answer.succeeded:
            await self._succeeded(delivery, hook, now, answer)
        else:
            await self._failed(delivery, hook, now, answer)
        return not answer.succeeded

    async def _succeeded(self, delivery: Delivery, hook: Hook, now: int, answer: Answer) -> None:
        self.delivered += 1
        if not delivery.attempts:
            self.delay_seconds.observe((now - delivery.next) / SECOND)
        if delivery.type == PING and hook.status == "unverified":
            await self._change(hook, now, status="live", cause=None, live=now, failing=None)
        elif hook.failing is not None:
            await self._change(hook, now, failing=None)
        await self._settle(delivery, "delivered", now, now, answer)

    async def _failed(self, delivery: Delivery, hook: Hook, now: int, answer: Answer) -> None:
        self.failed += 1
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
