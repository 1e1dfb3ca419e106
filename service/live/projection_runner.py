"""From the log to the projections: whatever is appended, here or by another process, is soon applied."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

from sqlalchemy.exc import OperationalError

from projections import storage
from projections.projection import Projections, RecordedEvent
from projections.registry import topics
from service.live.subscriptions import THE_LOBBY, Subscriptions
from service.store.errors import Unavailable
from service.store.event_store import Store
from service.store.rows import Logged

log = logging.getLogger(__name__)

BATCH = 500
WINDOW = 50_000
"""How many positions are searched at once for events that the projections read, so that no search takes long."""
STRIDE = 5_000
"""How many positions without any such event are passed before the projections are told; so many are read twice after
a restart."""

PULL = 1.0
"""Seconds after which we look by ourselves: another process may have appended."""
PAUSE = 0.1
"""Seconds between two rounds, so that the moves of a busy table share one; nobody waits that long in `caught_up`."""
CALM = 0.5
"""The same while nobody follows the lobby."""
CATCH_UP_TIMEOUT = 1.0
"""Seconds that `caught_up` waits at most."""
BACK_OFF = 1.0, 30.0
"""Seconds of waiting after the first failed round, and at most."""

Progress = Callable[[int, int], None]
"""Told now and then: the position that was reached, and the last one."""


class ProjectionRunner:
    """Follows the log from `start` to `stop`."""

    def __init__(
        self,
        store: Store,
        projections: Projections,
        *,
        shared: bool = False,
        subscriptions: Subscriptions | None = None,
    ) -> None:
        self._store = store
        self._hub = subscriptions or Subscriptions()
        self._shared = shared
        self._projections = projections
        self._topics = topics()
        self._applied = 0  # the position that the projections know of
        self._read = 0  # up to here there is nothing new for them: the same, or a little more
        self._begun = 0
        self._done = 0
        self._round_done = asyncio.Condition()
        self._hurry = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._troubles = set[type[Exception]]()

    @property
    def position(self) -> int:
        """Up to here the projections have everything."""
        return self._read

    @property
    def rounds(self) -> tuple[int, int]:
        """How many rounds have begun, and how many are done. A round applies everything that was appended before it."""
        return self._begun, self._done

    @property
    def isolated(self) -> int:
        """How many games and players a projection leaves out, because it could not apply one of their events."""
        return self._projections.isolated

    async def start(self) -> None:
        """Raises `Unavailable`, and what the database of the projections raises when it cannot be used."""
        await asyncio.to_thread(self._projections.prepare)
        self._applied = self._read = await asyncio.to_thread(self._projections.position)
        if self._applied > await self._store.position():
            log.warning("the projections have followed another log: they are built anew")
            await self.rewind()
        self._store.appended.set()  # whatever was appended before we were here
        self._task = asyncio.create_task(self._run(), name="projection_runner")

    async def stop(self) -> None:
        """Ends behind the batch that is being applied."""
        self._stopping.set()
        self._hurry.set()
        self._store.appended.set()
        if self._task is not None:
            await self._task

    async def caught_up(self) -> None:
        """Wait until everything is applied that was appended so far; not for ever.

        What another process has appended nobody tells us: where the log is shared, there is always a round to wait for.
        """
        if self._shared:
            self._store.appended.set()
        needed = self._begun + self._store.appended.is_set()
        if needed > self._done:
            self._hurry.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(CATCH_UP_TIMEOUT), self._round_done:
                    await self._round_done.wait_for(lambda: self._done >= needed)

    async def rewind(self) -> None:
        """Empty the projections; everything is to be applied again."""
        await asyncio.to_thread(self._projections.rebuild)
        self._applied = self._read = 0

    async def catch_up(self, progress: Progress | None = None) -> None:
        """Apply what is in the log by now."""
        last = await self._store.position()
        while self._read < last and not self._stopping.is_set():
            upto = min(last, self._read + WINDOW)
            found = await self._store.follow(self._read, BATCH, self._topics, upto)
            if len(found) == BATCH:
                upto = found[-1].position
            if found or upto - self._applied >= STRIDE:
                facts = await self._facts(found)
                upto = self._applied = await self._apply(facts, upto)
            self._read = upto
            if found:
                self._hub.tell(THE_LOBBY)
            if progress is not None:
                progress(self._read, last)

    async def _facts(self, found: Sequence[Logged]) -> list[RecordedEvent]:
        """What was found, with the sizes of the streams where they are measured."""
        facts = [RecordedEvent(position, *row) for position, row in found]
        measured = [number for number, fact in enumerate(facts) if storage.measures(fact.value)]
        parts = [(facts[number].stream, facts[number].version + facts[number].value.more) for number in measured]
        for number, size in zip(measured, await self._store.sizes(parts), strict=True):
            facts[number] = facts[number]._replace(size=size)
        return facts

    async def _apply(self, facts: Sequence[RecordedEvent], upto: int) -> int:
        return await asyncio.to_thread(self._projections.apply, facts, self._applied, upto)

    async def _run(self) -> None:
        wait = BACK_OFF[0]
        while not self._stopping.is_set():
            await _happens(self._store.appended, PULL)
            self._store.appended.clear()
            self._hurry.clear()
            self._begun += 1
            try:
                await self.catch_up()
            except Exception as error:  # the log or the projections cannot be reached; what is applied stays applied
                self._report(error)
                self._store.appended.set()
                if not self._stopping.is_set():
                    await _happens(self._hurry, wait)  # who waits makes us try at once, and whoever stops us
                wait = min(2 * wait, BACK_OFF[1])
            else:
                wait = BACK_OFF[0]
                self._report(None)
                async with self._round_done:
                    self._done = self._begun
                    self._round_done.notify_all()
                await _happens(self._hurry, PAUSE if THE_LOBBY in self._hub.followed else CALM)

    def _report(self, error: Exception | None) -> None:
        """Say how a round has ended: each kind of trouble once, in one line if it was to be expected, and its end."""
        if error is None:
            if self._troubles:
                log.warning("the projections keep up again")
            self._troubles.clear()
        elif type(error) not in self._troubles:
            self._troubles.add(type(error))
            away = isinstance(error, Unavailable | OperationalError)  # the one database, or the other
            log.warning(
                "the projections fall behind: %s", str(error).partition("\n")[0], exc_info=None if away else error
            )


async def rebuild(store: Store, projections: Projections, progress: Progress | None = None) -> None:
    """Build the projections anew from the whole log. A feed that is running meanwhile joins in."""
    projection_runner = ProjectionRunner(store, projections)
    await projection_runner.rewind()
    await projection_runner.catch_up(progress)


async def _happens(event: asyncio.Event, seconds: float) -> None:
    """Wait for the event, so long at most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
