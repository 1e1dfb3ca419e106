"""The log of everything that happened, kept by the `eventsourcing` library; this module alone imports it.

The library's recorders keep the rows, in SQLite by default and in any database that it has a persistence module for.
Appends go through one writer thread that commits all that are waiting at once: a commit costs the same for one game's
move as for sixty, and an append is answered only when it is on disk.
"""

import asyncio
import logging
import threading
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Mapper, PersistenceError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteFactory

from domain.wire import encode

log = logging.getLogger(__name__)


class Row(NamedTuple):
    """One event in the log. The topic is the stream's kind and the event's tag, never a Python path."""

    stream: str
    version: int
    topic: str
    value: Any


class Logged(NamedTuple):
    """A row at its position in the log of all streams. Positions rise; some are missing."""

    position: int
    row: Row


class Conflict(Exception):
    """Somebody else has appended at that version."""


class Unavailable(Exception):
    """The database cannot be reached or cannot commit now. Nothing of the append was recorded, or all of it."""


class RowMapper(Mapper[str]):
    """Between our rows and the library's. `kinds` gives the type of the values of each kind of stream."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self._kinds = {kind: msgspec.json.Decoder(value_type) for kind, value_type in kinds.items()}

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        stream, version, topic, value = domain_event
        return StoredEvent(stream, version, topic, encode(value))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        kind, _, _ = stored_event.topic.rpartition(".")
        value = self._kinds[kind].decode(stored_event.state)
        return Row(str(stored_event.originator_id), stored_event.originator_version, stored_event.topic, value)


class BatchRecorder(SQLiteApplicationRecorder):
    """The library's SQLite recorder, but with one statement for many rows.

    Every statement gives up the interpreter's lock and must get it back from a busy event loop, which takes longer
    than the statement itself.
    """

    ROWS = 4096
    """At most so many in a statement: SQLite takes 32,766 parameters."""

    def _insert_events(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        positions: list[int] = []
        for first in range(0, len(stored_events), self.ROWS):
            some = stored_events[first : first + self.ROWS]
            values = ",".join(["(?,?,?,?)"] * len(some))
            rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in some]
            c.execute(f"INSERT INTO {self.events_table_name} VALUES {values}", [field for row in rows for field in row])
            positions += range(c.lastrowid - len(some) + 1, c.lastrowid + 1)
        return positions


class _Log(Application[str]):
    """The library's application: we use its recorder and its configuration, and hand it our mapper."""

    name = "stammtisch"

    def __init__(self, env: Mapping[str, str], kinds: Mapping[str, Any]) -> None:
        self._kinds = kinds
        super().__init__(dict(env))

    def construct_recorder(self) -> ApplicationRecorder:
        if isinstance(self.factory, SQLiteFactory):
            self.factory.application_recorder_class = BatchRecorder
        return super().construct_recorder()

    def construct_mapper(self) -> Mapper[str]:
        return RowMapper(self._kinds)


class _Append(NamedTuple):
    rows: Sequence[Row]
    done: asyncio.Future[None]


class Store:
    """Appends and reads. Built in a running event loop; `close` commits what is waiting and ends the writer.

    `env` is the configuration of the eventsourcing library, for example PERSISTENCE_MODULE and SQLITE_DBNAME.
    """

    def __init__(self, env: Mapping[str, str], kinds: Mapping[str, Any]) -> None:
        self._env = {"ORIGINATOR_ID_TYPE": "text", "IS_SNAPSHOTTING_ENABLED": "n", **env}
        self._kinds = kinds
        self._log = _Log(self._env, kinds)
        self._loop = asyncio.get_running_loop()
        self._waiting: SimpleQueue[_Append | None] = SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()
        self._closed = False
        self.appended = asyncio.Event()
        """Set whenever this process has appended something; whoever follows the log clears it."""
        self.batches = 0
        self.rows = 0

    async def append(self, rows: Sequence[Row]) -> None:
        """Make the rows durable, all or none. Raises `Conflict` or `Unavailable`."""
        if self._closed:
            raise Unavailable("the service is stopping")
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put(_Append(rows, done))
        # Shielded: a client that goes away must not make us forget whether its move was recorded.
        await asyncio.shield(done)

    async def read(self, stream: str, after: int = 0) -> list[Row]:
        """The stream's rows from version `after + 1` on. Raises `Unavailable`."""
        return await asyncio.to_thread(self._read, stream, after)

    def _read(self, stream: str, after: int) -> list[Row]:
        try:
            stored = self._log.recorder.select_events(stream, gt=after)
        except PersistenceError as error:
            raise Unavailable(str(error)) from error
        return [self._log.mapper.to_domain_event(event) for event in stored]  # type: ignore[misc]

    async def follow(self, after: int, limit: int, topics: Sequence[str] = (), upto: int | None = None) -> list[Logged]:
        """What was logged behind position `after`, at most `limit` rows, of these topics only, and not behind position
        `upto`. Raises `Unavailable`."""
        return await asyncio.to_thread(self._follow, after, limit, topics, upto)

    def _follow(self, after: int, limit: int, topics: Sequence[str], upto: int | None) -> list[Logged]:
        try:
            found = self._log.recorder.select_notifications(after, limit, upto, topics, inclusive_of_start=False)
        except PersistenceError as error:
            raise Unavailable(str(error)) from error
        return [Logged(notification.id, self._log.mapper.to_domain_event(notification)) for notification in found]  # type: ignore[arg-type]

    async def position(self) -> int:
        """The last position in the log, 0 when it is empty. Raises `Unavailable`."""
        try:
            return await asyncio.to_thread(self._log.recorder.max_notification_id) or 0
        except PersistenceError as error:
            raise Unavailable(str(error)) from error

    async def close(self) -> None:
        self._closed = True
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._log.close()

    # --- the writer thread ---

    def _write(self) -> None:
        stopping = False
        while not stopping:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            stopping = None in batch
            appends = [append for append in batch if append is not None]
            if appends:
                outcomes = self._commit(appends)
                self._loop.call_soon_threadsafe(self._answer, appends, outcomes)

    def _commit(self, appends: Sequence[_Append]) -> list[Exception | None]:
        """Commit all together; if one of them conflicts, each alone, so that nobody fails for another's sake."""
        mapper = self._log.mapper
        stored = [mapper.to_stored_event(row) for append in appends for row in append.rows]  # type: ignore[arg-type]
        try:
            self._log.recorder.insert_events(stored)
        except IntegrityError as error:
            if len(appends) == 1:
                return [Conflict(str(error))]
            return [outcome for append in appends for outcome in self._commit([append])]
        except Exception as error:
            log.warning("cannot commit %d appends: %s", len(appends), error)
            self._reopen()
            return [Unavailable(str(error))] * len(appends)
        return [None] * len(appends)

    def _reopen(self) -> None:
        """Begin anew with fresh connections: one whose commit failed may still be inside its transaction."""
        try:
            fresh = _Log(self._env, self._kinds)
        except Exception as error:  # the cause is not gone yet; the next append tries again
            log.warning("cannot reopen the log: %s", error)
        else:
            self._log = fresh

    def _answer(self, appends: Sequence[_Append], outcomes: Sequence[Exception | None]) -> None:
        for append, outcome in zip(appends, outcomes, strict=True):
            if append.done.done():
                continue
            if outcome is None:
                append.done.set_result(None)
            else:
                append.done.set_exception(outcome)
        committed = [append for append, outcome in zip(appends, outcomes, strict=True) if outcome is None]
        if committed:
            self.batches += 1
            self.rows += sum(len(append.rows) for append in committed)
            self.appended.set()
