"""The event log: appends and reads of streams, and reads of the log of all streams.

One writer commits all waiting appends together (group commit): a commit costs the same for one move as for sixty.
An append returns only when it is on disk.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

from domain.codec import is_storable
from service.histogram import Histogram
from service.store.backend import Backend, query
from service.store.errors import Unavailable
from service.store.group_commit import Outcome
from service.store.rows import Headline, Logged, Row, StoredRow
from service.store.writer import Append, all_answered

log = logging.getLogger(__name__)

T = TypeVar("T")

Read: TypeAlias = Callable[[int, str, int, str, bytes], T]
"""Takes the position, stream, version, topic and JSON of a row."""


class Store:
    """Appends and reads. Built in a running event loop; `close` commits waiting appends and stops the writer."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._mapper = backend.mapper
        self._loop = asyncio.get_running_loop()
        self._writer = backend.start_writer(self._on_commit)
        self._unchecked = True
        """Whether the next call must check the database file: before the first one, after a failed check, and when the
        store is closed. Nothing is written or read until the check succeeds."""
        self._closed = False
        self.appended = asyncio.Event()
        """Set whenever this process has appended something. Readers of the log clear it."""
        self.batches = 0
        """How many commits were made."""
        self.rows = 0
        """How many rows were committed."""
        self.commit_seconds = Histogram()
        """The time from each append to its outcome."""
        self.read_seconds = Histogram()
        """The time of each read of a stream."""
        self._failing = False
        """Whether the last append failed because the database could not commit it."""

    async def ready(self) -> None:
        """Raises `Unavailable` unless the log can be read and, as far as known, appended to.

        If the last append failed, a probe writes to the database. So the service becomes ready again even without
        further appends.
        """
        await self.position()
        await asyncio.to_thread(query, self._backend.check_free_space)
        if self._failing:
            await asyncio.to_thread(query, self._backend.probe)
            self._failing = False

    async def time(self) -> int | None:
        """The time of the database's clock, in microseconds from 1970; None if it is the clock of this machine. Raises
        `Unavailable`."""
        return await asyncio.to_thread(query, self._backend.time)

    def put(self, rows: Sequence[StoredRow], done: Callable[[Outcome], None]) -> None:
        """Make the rows durable, all or none, then call `done`. It is not called if this raises `Unavailable`."""
        if self._unchecked:
            self._check()
        self._writer.put(Append(rows, done, perf_counter()))

    async def append(self, rows: Sequence[Row]) -> None:
        """Make the rows durable, all or none. Raises `Conflict` or `Unavailable`."""
        await self.commit(self._mapper.to_stored(rows))

    async def commit(self, rows: Sequence[StoredRow]) -> None:
        """The same for rows that are encoded already."""
        done: asyncio.Future[None] = self._loop.create_future()
        self.put(rows, partial(_resolve, done))
        try:
            await done
        except asyncio.CancelledError:
            # The append goes on. Its task ends after it: the next reader must find the log as it will be.
            await all_answered(self._writer)
            raise

    async def read(self, stream: str, after: int = 0, upto: int | None = None) -> list[Any]:
        """The values of the stream from version `after + 1` up to version `upto`. Raises `Unavailable`."""
        if self._unchecked:
            self._check()
        if not is_storable(stream):
            return []
        started = perf_counter()
        try:
            return await self._backend.read(stream, after, upto)
        finally:
            self.read_seconds.observe(perf_counter() - started)

    async def load(self, stream: str, build: Callable[[list[Any]], T]) -> T:
        """What `build` returns for all values of the stream. It may run in the thread that reads. Raises
        `Unavailable`."""
        if self._unchecked:
            self._check()
        if not is_storable(stream):
            return build([])
        started = perf_counter()
        try:
            return await self._backend.load(stream, build)
        finally:
            self.read_seconds.observe(perf_counter() - started)

    async def follow(self, after: int, limit: int, topics: Sequence[str] = (), upto: int | None = None) -> list[Logged]:
        """At most `limit` rows of the log after position `after` up to position `upto`, only those of `topics` if there
        are any. If a value cannot be decoded, the row has the exception as its value. Raises `Unavailable`."""
        if self._unchecked:
            self._check()
        return await asyncio.to_thread(self._follow, after, limit, topics, upto)

    def _follow(self, after: int, limit: int, topics: Sequence[str], upto: int | None) -> list[Logged]:
        found = query(self._backend.recorder.select_notifications, after, limit, upto, topics, inclusive_of_start=False)
        return [Logged(notification.id, self._row(notification)) for notification in found]

    def _row(self, stored: Any) -> Row:
        try:
            return self._mapper.to_row(stored)
        except Exception as error:  # fails only this row
            return Row(str(stored.originator_id), stored.originator_version, stored.topic, error)

    async def sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """The stored bytes of streams, each up to a version. `parts` are pairs of a stream and a version. Raises
        `Unavailable`."""
        if not parts:
            return []
        if self._unchecked:
            self._check()
        return await asyncio.to_thread(query, self._backend.sizes, parts)

    async def last(self, streams: Sequence[str], decode: Callable[[bytes], T]) -> list[T | None]:
        """What `decode` makes of the JSON of each stream's last value; None if there is no such stream. Raises
        `Unavailable`."""
        if not streams:
            return []
        if self._unchecked:
            self._check()
        return await asyncio.to_thread(self._last, streams, decode)

    def _last(self, streams: Sequence[str], decode: Callable[[bytes], T]) -> list[T | None]:
        states = query(self._backend.last, streams)
        return [None if state is None else decode(state) for state in states]

    async def scan(self, after: int, limit: int, read: Read[T]) -> list[T]:
        """What `read` makes of at most `limit` rows of the log after position `after`, as they are stored. Raises
        `Unavailable`, and what `read` raises."""
        if self._unchecked:
            self._check()
        return await asyncio.to_thread(self._scan, after, limit, read)

    def _scan(self, after: int, limit: int, read: Read[T]) -> list[T]:
        found = query(self._backend.recorder.select_notifications, after, limit, inclusive_of_start=False)
        return [
            read(each.id, str(each.originator_id), each.originator_version, each.topic, each.state) for each in found
        ]

    async def scan_stream(self, stream: str, upto: int, read: Read[T]) -> list[T]:
        """The same for the rows of a stream up to version `upto`, with position 0."""
        if self._unchecked:
            self._check()
        return await asyncio.to_thread(self._scan_stream, stream, upto, read)

    def _scan_stream(self, stream: str, upto: int, read: Read[T]) -> list[T]:
        found = query(self._backend.recorder.select_events, stream, lte=upto)
        return [read(0, stream, each.originator_version, each.topic, each.state) for each in found]

    async def headlines(self, after: int, limit: int) -> list[Headline]:
        """Where at most `limit` events after position `after` are. Does not decode them. Raises `Unavailable`."""
        if self._unchecked:
            self._check()
        found = await asyncio.to_thread(
            query, self._backend.recorder.select_notifications, after, limit, inclusive_of_start=False
        )
        return [Headline(each.id, str(each.originator_id), each.originator_version) for each in found]

    async def position(self) -> int:
        """The last position in the log; 0 if it is empty. Raises `Unavailable`."""
        if self._unchecked:
            self._check()
        return await asyncio.to_thread(query, self._backend.recorder.max_notification_id) or 0

    async def close(self) -> None:
        self._closed = self._unchecked = True
        await self._writer.close()
        await self._backend.close()

    def _check(self) -> None:
        """Raises `Unavailable` if the store is closed, or while the database file is missing or is another one."""
        if self._closed:
            raise Unavailable("the service is stopping")
        try:
            self._backend.check()
        except OSError as error:
            raise Unavailable(str(error)) from error
        self._unchecked = False

    def _on_commit(self, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
        try:
            self._backend.check()
        except OSError as error:
            self._unchecked = True
            outcomes = [Unavailable(str(error))] * len(appends)
        failures = [outcome for outcome in outcomes if isinstance(outcome, Unavailable)]
        if failures:
            log.warning("cannot commit %d appends: %s", len(failures), failures[0])
            self._failing = True
        rows = sum([len(append.rows) for append, outcome in zip(appends, outcomes, strict=True) if outcome is None])
        if rows:
            self._failing = False
            self.batches += 1
            self.rows += rows
            self.appended.set()
        now = perf_counter()
        self.commit_seconds.observe_all([now - append.started for append in appends if append.rows])
        for append, outcome in zip(appends, outcomes, strict=True):
            try:
                append.done(outcome)
            except Exception as error:  # concerns this append only
                log.error("an append failed after its commit", exc_info=error)


def _resolve(done: asyncio.Future[None], outcome: Outcome) -> None:
    if done.done():  # cancelled
        return
    if outcome is None:
        done.set_result(None)
    else:
        done.set_exception(outcome)
