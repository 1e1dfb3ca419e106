"""The event log of all games, as an application of the `eventsourcing` library.

`events` reads and writes streams and `notification_log` the log of all streams, one caller at a time, as the library's
users know them. The service calls the coroutines of `GameLog`, which do the same without blocking. One writer commits
all waiting appends together (group commit): a commit costs the same for one move as for sixty. An append returns only
when it is on disk. The library's repository and `save` are not used: games stay in memory.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

from eventsourcing.application import Application
from eventsourcing.persistence import Notification as Notification
from eventsourcing.persistence import StoredEvent as StoredEvent

from domain.codec import encode, is_storable
from domain.ruleset import Ruleset
from service.log import elsewhere
from service.log.elsewhere import Archived, Elsewhere
from service.log.errors import Unavailable, query
from service.log.group_commit import Outcome
from service.log.mapper import Logged, Row, RowMapper, StoredRow
from service.log.reader import IsArchived, MaybeArchived, ReaderThread
from service.log.recorder import LAST_VERSION, LogRecorder, Reach, Span
from service.log.writer import Append, all_answered
from service.process.histogram import Histogram

log = logging.getLogger(__name__)

T = TypeVar("T")


class GameLog(Application[str]):
    """The log in the database that `env` configures: the library's variables, for example PERSISTENCE_MODULE.

    `kinds` gives the type of the values for each kind of stream. Variables of the process's environment complete `env`.
    `elsewhere` has the entries of archived games; without it they cannot be read.
    Built in a running event loop; `stop` commits waiting appends, stops the writer and closes the database. Raises
    `Unavailable`.
    """

    name = "stammtisch"
    """The library derives names of tables from it."""
    log_section_size = 1_000_000
    recorder: LogRecorder
    mapper: RowMapper

    def __init__(self, env: Mapping[str, str], kinds: Mapping[str, Any], elsewhere: Elsewhere | None = None) -> None:
        self._kinds = kinds
        self.elsewhere = elsewhere
        """None: archived games cannot be read."""
        query(super().__init__, {"ORIGINATOR_ID_TYPE": "text", **env})
        self._loop = asyncio.get_running_loop()
        self._writer = self.recorder.start_writer(self._on_commit)
        self._reader = ReaderThread(self.recorder.select_states, self.mapper)
        self.recorder.on_promotion = partial(self._loop.call_soon_threadsafe, self._promoted)
        self.promotions = 0
        """How often the log has become that of a standby that was promoted."""
        self.on_promotion: list[Callable[[], None]] = []
        """Called then: what is remembered of the log may be lost. Appends go on afterwards."""
        self._threads = ThreadPoolExecutor(thread_name_prefix="log")
        # One thread, so that long games from files do not delay reads from the database.
        self._unpacker = ThreadPoolExecutor(1, thread_name_prefix="log-archive")
        self._unchecked = True
        """Whether the next call must check the database file: before the first one, after a failed check, and when the
        log is closed. Nothing is written or read until the check succeeds."""
        self._closed = False
        self.appended = asyncio.Event()
        """Set whenever this process has appended something. Readers of the log clear it."""
        self.tags: frozenset[str] | None = None
        """A row with one of these tags sets `appended`; None: any row."""
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

    def construct_mapper(self) -> RowMapper:
        return RowMapper({**self._kinds, elsewhere.KIND: Archived})

    def construct_recorder(self) -> LogRecorder:
        recorder = super().construct_recorder()
        assert isinstance(recorder, LogRecorder)
        return recorder

    # --- coroutines for the service ---

    def learn(self, kinds: Mapping[str, Any], rules_of: Callable[[str], Ruleset[Any, Any, Any]]) -> None:
        """Know the values of these kinds, too, and archived games of these rules."""
        self.mapper.learn(kinds)
        if self.elsewhere is not None:
            self.elsewhere.learn(rules_of)

    async def ready(self) -> None:
        """Raises `Unavailable` unless the log can be read and, as far as known, appended to.

        If the last append failed, a probe writes to the database. So the service becomes ready again even without
        further appends.
        """
        await self.position()
        await self._query(self.recorder.check_free_space)
        if self._failing:
            await self._query(self.recorder.probe)
            self._failing = False

    async def time(self) -> int | None:
        """The time of the database's clock, in microseconds from 1970; None if it is the clock of this machine. Raises
        `Unavailable`."""
        found: int | None = await self._query(self.recorder.select_time)
        return found

    def put(self, rows: Sequence[StoredRow], done: Callable[[Outcome], None]) -> None:
        """Make the rows durable, all or none, then call `done`. It is not called if this raises `Unavailable`."""
        if self._unchecked:
            self._check()
        self._writer.put(Append(rows, done, perf_counter()))

    async def append(self, rows: Sequence[Row]) -> None:
        """Make the rows durable, all or none. Raises `Conflict` or `Unavailable`."""
        await self.commit(list(map(self.mapper.to_stored_event, rows)))

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
        return await self.load(stream, list, after, upto)

    async def load(self, stream: str, build: Callable[[list[Any]], T], after: int = 0, upto: int | None = None) -> T:
        """What `build` returns for these values. It runs in the thread that reads. Raises `Unavailable`."""
        if self._unchecked:
            self._check()
        if not is_storable(stream):
            return build([])
        started = perf_counter()
        span = stream, after, LAST_VERSION if upto is None else upto
        try:
            return await self._reader.read(span, build)
        except IsArchived as found:
            return await self._load_archived(span, found.where, build)
        except MaybeArchived:
            where = await self.archived(stream)
            return build([]) if where is None else await self._load_archived(span, where, build)
        finally:
            self.read_seconds.observe(perf_counter() - started)

    async def archived(self, stream: str) -> Archived | None:
        """Where the entries of the game are if it was archived. Raises `Unavailable`."""
        try:
            await self._reader.read((stream, 0, 1), list)
        except IsArchived as found:
            return found.where
        return None

    async def _load_archived(self, span: Span, where: Archived, build: Callable[[list[Any]], T]) -> T:
        place, (stream, after, upto) = self.elsewhere, span
        if place is None:
            raise Unavailable(f"{stream} is archived, and the setting ARCHIVE names no folder")

        def load() -> T:
            return build(place.entries(stream, where)[after:upto])

        return await self._loop.run_in_executor(self._unpacker, load)

    def archive(self, moved: Mapping[str, Archived], upto: int) -> int:
        """Replace the first and the last row of these games, whose entries are stored in files, and delete the rows
        between them up to version `upto`. One transaction, in the thread of the caller. Returns the number of deleted
        rows. Raises `Unavailable`."""
        rows = [
            StoredRow(stream, version, topic, encode(where))
            for stream, where in moved.items()
            for version, topic in ((1, elsewhere.FIRST), (where.last, elsewhere.LAST))
        ]
        spans = [(stream, 1, min(upto, where.last - 1)) for stream, where in moved.items()]
        return int(query(self.recorder.replace_rows, rows, spans))

    async def follow(self, after: int, limit: int, tags: Sequence[str] = (), upto: int = LAST_VERSION) -> list[Logged]:
        """At most `limit` rows of the log after position `after` up to position `upto`, only those whose topics end
        with one of `tags` if there are any. If a value cannot be decoded, the row has the exception as its value.
        Raises `Unavailable`."""
        if not tags:
            return await self.scan(self._logged, after, limit, upto)
        return list(await self._query(self.recorder.select_tagged, after, limit, upto, tags, each=self._logged))

    async def scan(
        self, read: Callable[[Notification], T], after: int, limit: int, upto: int = LAST_VERSION
    ) -> list[T]:
        """What `read` makes of all of these rows as they are stored. Raises `Unavailable`, and what `read` raises."""
        select = partial(self.notification_log.select, after, limit, upto, inclusive_of_start=False)
        return list(await self._query(select, each=read))

    async def scan_stream(
        self, stream: str, after: int, upto: int, limit: int, read: Callable[[StoredEvent], T]
    ) -> list[T]:
        """The same for at most `limit` rows of a stream from version `after + 1` up to version `upto`."""
        select = partial(self.recorder.select_events, stream, gt=after, lte=upto, limit=limit)
        return list(await self._query(select, each=read))

    async def sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """The stored bytes of streams, each up to a version. `parts` are pairs of a stream and a version. Raises
        `Unavailable`."""
        return list(await self._query(self.recorder.select_sizes, parts)) if parts else []

    async def last(self, streams: Sequence[str], decode: Callable[[bytes], T]) -> list[T | None]:
        """What `decode` makes of the JSON of each stream's last value; None if there is no such stream. Raises
        `Unavailable`."""

        def read(state: bytes | None) -> T | None:
            return None if state is None else decode(state)

        return await self._query(self.recorder.select_last, streams, each=read) if streams else []

    async def versions(self, streams: Sequence[str]) -> list[int]:
        """The last version of each stream; 0 if there is no such stream. Raises `Unavailable`."""
        return list(await self._query(self.recorder.select_versions, streams)) if streams else []

    async def reach(self, after: int, limit: int) -> Reach:
        """How far the log can be followed from position `after` on, for `limit` rows or a few less. Raises
        `Unavailable`."""
        found: Reach = await self._query(self.recorder.select_reach, after, limit)
        return found

    async def position(self) -> int:
        """The last position in the log that readers reach; 0 if it is empty. Raises `Unavailable`."""
        return await self._query(self.recorder.max_notification_id) or 0

    async def stop(self) -> None:
        self._closed = self._unchecked = True
        await self._writer.close()
        await self._reader.close()
        # The process crashes if SQLite closes a connection in use, also by a query of a cancelled task.
        for threads in (self._threads, self._unpacker):
            await asyncio.to_thread(threads.shutdown, cancel_futures=True)
        self.recorder.close()
        self.close()

    async def _query(self, select: Callable[..., Any], *args: Any, each: Callable[[Any], Any] | None = None) -> Any:
        """What `select` returns in a thread, or what `each` makes of its items. Raises `Unavailable`."""
        if self._unchecked:
            self._check()

        def run() -> Any:
            found = query(select, *args)
            return found if each is None else [*map(each, found)]

        return await self._loop.run_in_executor(self._threads, copy_context().run, run)

    def _promoted(self) -> None:
        self.promotions += 1
        log.warning("a standby was promoted: games in memory are compared with its log")
        for each in self.on_promotion:
            each()
        # Appends that were decided before fail. All of them are answered when the writer comes to this one.
        self._writer.put(Append([], self._go_on))

    def _go_on(self, _: Outcome) -> None:
        self.recorder.promoted = False

    def _logged(self, notification: Notification) -> Logged:
        row: Row
        try:
            row = self.mapper.to_domain_event(notification)
        except Exception as error:  # fails only this row
            row = Row(str(notification.originator_id), notification.originator_version, notification.topic, error)
        return Logged(notification.id, row)

    def _check(self) -> None:
        """Raises `Unavailable` if the store is closed, or while the database file is missing or is another one."""
        if self._closed:
            raise Unavailable("the service is stopping")
        try:
            self.recorder.check()
        except OSError as error:
            raise Unavailable(str(error)) from error
        self._unchecked = False

    def _on_commit(self, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
        try:
            self.recorder.check()
        except OSError as error:
            self._unchecked = True
            outcomes = [Unavailable(str(error))] * len(appends)
        now, rows, failures, taken = perf_counter(), 0, 0, list[float]()
        for append, outcome in zip(appends, outcomes, strict=True):
            if append.rows:
                taken.append(now - append.started)
            if outcome is None:
                rows += len(append.rows)
                if not self.appended.is_set() and self._is_followed(append.rows):
                    self.appended.set()
            elif isinstance(outcome, Unavailable):
                failures += 1
                reason = outcome
        if failures:
            log.warning("cannot commit %d appends: %s", failures, reason)
            self._failing = True
        if rows:
            self._failing = False
            self.batches += 1
            self.rows += rows
        self.commit_seconds.observe_all(taken)
        for append, outcome in zip(appends, outcomes, strict=True):
            try:
                append.done(outcome)
            except Exception as error:  # concerns this append only
                log.error("an append failed after its commit", exc_info=error)

    def _is_followed(self, rows: Sequence[StoredRow]) -> bool:
        """Whether readers of the log want to know of these rows."""
        tags = self.tags
        return bool(rows) if tags is None else any(row.topic.rpartition(".")[2] in tags for row in rows)


def _resolve(done: asyncio.Future[None], outcome: Outcome) -> None:
    if done.done():  # cancelled
        return
    if outcome is None:
        done.set_result(None)
    else:
        done.set_exception(outcome)
