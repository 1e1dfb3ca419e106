"""Keeps the projections up to date: applies what this process and others append to the log, shortly after.

One process leads and follows the log. The others read it only after an append of their own that concerns a projection,
and for a query that has to see everything. Whichever process applies events announces them to the subscribers in all
processes. Checkpoints decide what is applied, not who leads.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import monotonic

from sqlalchemy.exc import NoResultFound, OperationalError

from projections import storage
from projections.lobby import joined_players
from projections.projection import Projections, RecordedEvent
from service.live.subscriptions import LOBBY_SUBJECT, Subscriptions, player_subject
from service.log import elsewhere
from service.log.elsewhere import Archived, Damaged
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.log.mapper import Logged
from service.tasks import background, wait_for

log = logging.getLogger(__name__)

BATCH_SIZE = 500
"""Events that one batch contains at most."""
SEARCH_WINDOW = 50_000
"""Rows of the log that one query searches for events that the projections read, so that no query takes long."""
CHECKPOINT_INTERVAL = 5_000
"""Rows without any such event after which the checkpoints advance. A restart searches at most this many again."""

POLL_INTERVAL = 1.0
"""Seconds after which a cycle starts without an append of this process: another process may have appended."""
CYCLE_PAUSE = 0.1
"""Seconds between two cycles, so that several moves share one. `caught_up` ends the pause."""
IDLE_CYCLE_PAUSE = 0.5
"""The same while the lobby has no subscribers."""
RETRY_PAUSE = 0.01
"""The same while `caught_up` waits and a transaction holds readers back."""
MAX_INCOMPLETE = 100
"""Cycles that are remembered until they are complete."""
CATCH_UP_TIMEOUT = 1.0
"""Seconds that `caught_up` waits at most."""
BACK_OFF = 1.0, 30.0
"""Seconds to wait after the first failed cycle, and at most. The time doubles with each failure."""

Progress = Callable[[int, int], None]
"""Receives the position that the projections have reached, and the last position of the log."""


class ProjectionRunner:
    """Applies the log to the projections from `start` to `stop`, in cycles.

    A cycle is complete when everything is applied that was appended before it started. That takes another one if a
    transaction that has not ended held readers back. `shared`: other processes append to the log, too. `follows`:
    whether this process follows the log. `announce` receives the subjects that have changed, for the other processes.
    """

    def __init__(
        self,
        store: GameLog,
        projections: Projections,
        *,
        shared: bool = False,
        subscriptions: Subscriptions | None = None,
        follows: Callable[[], bool] = lambda: True,
        announce: Callable[[Iterable[str]], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._subscriptions = subscriptions or Subscriptions()
        self._shared = shared
        self._follows = follows
        self._announce = announce
        self._projections = projections
        self._tags = tuple(projections.tags)
        self._concerning = frozenset(self._tags)
        self._followed = (*self._tags, elsewhere.LAST_TAG)
        self._applied = 0  # the position of the checkpoints
        self._read = 0  # the position up to which the log was searched: the same or slightly higher
        self._searched = 0
        """Rows between these positions."""
        self._incomplete = deque[tuple[int, int, float]]()
        """Cycles with the last position that was committed when they started, and when that was."""
        self._waiting = 0
        """Calls of `caught_up`."""
        self.cycles_started = 0
        self.cycles_completed = 0
        """The number of the last complete cycle: all before it are complete, too."""
        self._cycle_completed = asyncio.Condition()
        self._wake = asyncio.Event()
        """Ends the pause between two cycles."""
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._doubted = False
        """Whether both databases may have lost what they had: a standby was promoted."""
        self._reported = set[type[Exception]]()
        """The errors that were logged since the last cycle that succeeded."""

    @property
    def position(self) -> int:
        """The position of the log up to which the projections include everything."""
        return self._read

    @property
    def lag(self) -> float:
        """For how many seconds events that are committed have been held back by a transaction that has not ended."""
        return monotonic() - self._incomplete[0][2] if self._incomplete else 0.0

    @property
    def isolated(self) -> int:
        """Number of streams (games and players) that some projection leaves out, because it cannot apply an event."""
        return self._projections.isolated

    async def start(self) -> None:
        """Raises `Unavailable`, and the error of the projections' database if it cannot be used."""
        await asyncio.to_thread(self._projections.prepare)
        self._reset(await asyncio.to_thread(self._projections.position))
        if self._applied > (await self._store.reach(self._applied, 0)).final:
            log.warning("the projections belong to another log; rebuilding them")
            await self.rewind()
        self._store.appended.set()  # for everything that was appended before the start
        self._task = background("projection_runner", self._run)

    async def stop(self) -> None:
        """Returns when the current batch is applied."""
        self._stopping.set()
        self._wake.set()
        self._store.appended.set()
        if self._task is not None:
            await self._task

    async def caught_up(self) -> None:
        """Wait until everything that was appended before this call is applied, or `CATCH_UP_TIMEOUT` has passed.

        Appends of other processes cause no notification here. So with a shared log this always waits for a cycle.
        """
        if self._shared:
            self._store.appended.set()
        needed = self.cycles_started + self._store.appended.is_set()
        if needed > self.cycles_completed:
            self._waiting += 1
            self._wake.set()
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(CATCH_UP_TIMEOUT), self._cycle_completed:
                        await self._cycle_completed.wait_for(lambda: self.cycles_completed >= needed)
            finally:
                self._waiting -= 1

    def doubt(self) -> None:
        """Begin the next cycle where the projections are. What was applied may be lost with the log."""
        self._doubted = True
        self._store.appended.set()

    async def rewind(self) -> None:
        """Empty the projections. The next cycle applies the whole log again."""
        await asyncio.to_thread(self._projections.rebuild)
        self._reset(0)

    async def catch_up(self, progress: Progress | None = None) -> None:
        """Apply everything in the log that is final now."""
        if self._doubted or not self._follows():
            position = await asyncio.to_thread(self._projections.position)
            # Nothing between the two positions concerns a projection, unless another process has begun a rebuild.
            if self._doubted or not self._applied <= position <= self._read:
                self._reset(position)
            self._applied = position
            if self._doubted:
                self._incomplete.clear()
            self._doubted = False
        reach, started = None, monotonic()
        while not self._stopping.is_set() and (reach is None or self._read < reach.upto or reach.rows == SEARCH_WINDOW):
            first, reach = reach is None, await self._store.reach(self._read, SEARCH_WINDOW)
            if first:
                self._incomplete.append((self.cycles_started, reach.latest, started))
                if len(self._incomplete) > MAX_INCOMPLETE:
                    del self._incomplete[-2]  # it is complete when the next one is
            if reach.rows:
                await self._search(reach.rows, reach.upto)
                if progress is not None:
                    progress(self._read, reach.latest)

    async def _search(self, rows: int, upto: int) -> None:
        """Apply what is relevant of the next rows, up to this position, or of the first of them."""
        found = await self._store.follow(self._read, BATCH_SIZE, self._followed, upto)
        if len(found) == BATCH_SIZE:
            upto = found[-1].position
        self._searched += rows
        if found or self._searched >= CHECKPOINT_INTERVAL:
            events = await self._recorded_events(found)
            self._reset(await self._apply(events, upto))
        else:
            self._read = upto
        if found:
            self._notify(events)

    def _reset(self, position: int) -> None:
        """Everything up to this position is applied, and nothing behind it was searched."""
        self._applied = self._read = position
        self._searched = 0

    def _notify(self, events: Sequence[RecordedEvent]) -> None:
        subjects = {LOBBY_SUBJECT, *(each.stream for each in events), *map(player_subject, joined_players(events))}
        self._subscriptions.announce(subjects)
        self._announce(subjects)

    async def _recorded_events(self, found: Sequence[Logged]) -> list[RecordedEvent]:
        """The events of these rows, with the sizes of their streams where a projection needs them."""
        events: list[RecordedEvent] = []
        for position, row in found:
            if isinstance(row.value, Archived):
                events += await self._of_archived(position, row.stream, row.value)
            else:
                events.append(RecordedEvent(position, *row))
        measured = [number for number, event in enumerate(events) if not event.first and storage.measures(event.value)]
        parts = [(events[number].stream, events[number].version + events[number].value.more) for number in measured]
        for number, size in zip(measured, await self._store.sizes(parts), strict=True):
            events[number] = events[number]._replace(size=size)
        return events

    async def _of_archived(self, position: int, game: str, where: Archived) -> list[RecordedEvent]:
        """The events of an archived game. Raises `Unavailable` if the folder is not there; if the file is lost or
        damaged, the game is left out."""
        try:
            entries = await self._store.read(game)
        except Damaged as error:
            return [RecordedEvent(position, game, where.last, elsewhere.LAST, error, first=where.position)]
        sizes = dict(where.sizes)
        found = []
        for entry in entries:
            if (tag := entry.event.__struct_config__.tag) in self._tags:
                topic, size = f"{entries[0].event.rules}.{tag}", sizes.get(entry.version + entry.more, 0)
                found.append(RecordedEvent(position, game, entry.version, topic, entry, size, where.position))
        return found

    async def _apply(self, events: Sequence[RecordedEvent], upto: int) -> int:
        return await asyncio.to_thread(self._projections.apply, events, self._applied, upto)

    async def _run(self) -> None:
        wait = BACK_OFF[0]
        while not self._stopping.is_set():
            await wait_for(self._store.appended, POLL_INTERVAL)
            self._store.tags = None if self._follows() else self._concerning
            if not (self._store.appended.is_set() or self._follows()):
                continue
            self._store.appended.clear()
            if not self._stopping.is_set():
                self._wake.clear()
            self.cycles_started += 1
            try:
                await self.catch_up()
            except Exception as error:  # the log or the projections are unavailable; what is applied stays applied
                self._report(error)
                self._store.appended.set()
                if not self._stopping.is_set():
                    await wait_for(self._wake, wait)  # `caught_up` and `stop` end the back-off
                wait = min(2 * wait, BACK_OFF[1])
            else:
                wait = BACK_OFF[0]
                self._report(None)
                await self._complete()
                paused = CYCLE_PAUSE if LOBBY_SUBJECT in self._subscriptions.subjects else IDLE_CYCLE_PAUSE
                await wait_for(self._wake, RETRY_PAUSE if self._incomplete and self._waiting else paused)

    async def _complete(self) -> None:
        """Note the cycles that are complete. For the others another one starts after the pause."""
        while self._incomplete and self._incomplete[0][1] <= self._read:
            self.cycles_completed = self._incomplete.popleft()[0]
        if self._incomplete:
            self._store.appended.set()
        async with self._cycle_completed:
            self._cycle_completed.notify_all()

    def _report(self, error: Exception | None) -> None:
        """Log the result of a cycle: each type of error once until a cycle succeeds, and the recovery.

        Expected errors take one line; others have a traceback.
        """
        if error is None:
            if self._reported:
                log.warning("the projections are being updated again")
            self._reported.clear()
        elif type(error) not in self._reported:
            self._reported.add(type(error))
            expected = isinstance(error, Unavailable | OperationalError | NoResultFound)  # away, or of another release
            log.warning(
                "the projections cannot be updated: %s",
                str(error).partition("\n")[0],
                exc_info=None if expected else error,
            )


async def rebuild(
    store: GameLog, projections: Projections, progress: Progress | None = None, *, resume: bool = False
) -> None:
    """Rebuild the projections from the whole log, or `resume` where they are. A service that is running meanwhile takes
    part."""
    projection_runner = ProjectionRunner(store, projections)
    if resume:
        projection_runner.doubt()
    else:
        await projection_runner.rewind()
    await projection_runner.catch_up(progress)
