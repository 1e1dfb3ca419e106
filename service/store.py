"""The log of everything that happened, kept by the `eventsourcing` library; this module alone imports it.

The library's recorders keep the rows, in SQLite by default and in any database that it has a persistence module for.
Appends go through one writer thread that commits all that are waiting at once: a commit costs the same for one game's
move as for sixty, and an append is answered only when it is on disk.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Mapper, StoredEvent
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

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        with self.datastore.get_connection(commit=True) as connection:
            try:
                with connection.transaction(commit=True) as cursor:
                    return self._insert_events(cursor, stored_events, **kwargs)
            except BaseException:
                # The library would put a connection whose commit has failed back as it is, inside its transaction.
                connection.rollback()
                raise


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


class _File:
    """The SQLite file of the log, made if there is none.

    SQLite does not notice when its file is removed or replaced: it goes on committing into what nobody will see again,
    and the next connection begins an empty log in its place.
    """

    def __init__(self, path: Path) -> None:
        path.open("ab").close()  # fails where SQLite would be content with reading
        self._path = path
        self._opened = self._identity()

    @property
    def uri(self) -> str:
        """For connections that never make the file anew."""
        return f"{self._path.absolute().as_uri()}?mode=rw"

    def check(self) -> None:
        """Raises `Unavailable` if the file is not the one any more that was opened."""
        try:
            same = self._identity() == self._opened
        except OSError as error:
            raise Unavailable(str(error)) from error
        if not same:
            raise Unavailable(f"{self._path} is another file than the one that was opened")

    def _identity(self) -> tuple[int, int]:
        status = os.stat(self._path)  # noqa: PTH116 - for every commit, and half the cost of Path.stat
        return status.st_dev, status.st_ino


def _file(env: Mapping[str, str]) -> _File | None:
    """The file that this configuration names; None if it names something else."""
    name = env.get("SQLITE_DBNAME", ":")
    return None if name.startswith((":", "file:")) else _File(Path(name))


class _Append(NamedTuple):
    events: Sequence[StoredEvent]
    done: asyncio.Future[None]


class Store:
    """Appends and reads. Built in a running event loop; `close` commits what is waiting and ends the writer.

    `env` is the configuration of the eventsourcing library, for example PERSISTENCE_MODULE and SQLITE_DBNAME.
    Raises `Unavailable`.
    """

    def __init__(self, env: Mapping[str, str], kinds: Mapping[str, Any]) -> None:
        env = {
            "ORIGINATOR_ID_TYPE": "text",
            "IS_SNAPSHOTTING_ENABLED": "n",
            "SQLITE_LOCK_TIMEOUT": "2",  # seconds; an append that waits behind another may take twice as long
            **env,
        }
        try:
            self._file = _file(env)
            if self._file is not None:
                env["SQLITE_DBNAME"] = self._file.uri
            self._log = _Log(env, kinds)
        except Exception as error:
            raise Unavailable(str(error)) from error
        self._lost = False
        """Whether the file was gone when we last looked for it. Until it is back nothing is written to it or read."""
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
        self._check_file()
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put(_Append([self._log.mapper.to_stored_event(row) for row in rows], done))  # type: ignore[arg-type]
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            # Who asked is gone, the append goes on: whoever looks next must find the log as it will be.
            await asyncio.wait([done])
            raise

    async def read(self, stream: str, after: int = 0) -> list[Row]:
        """The stream's rows from version `after + 1` on. Raises `Unavailable`."""
        self._check_file()
        return await asyncio.to_thread(self._read, stream, after)

    def _read(self, stream: str, after: int) -> list[Row]:
        stored = _asked(self._log.recorder.select_events, stream, gt=after)
        return [self._log.mapper.to_domain_event(event) for event in stored]  # type: ignore[misc]

    async def follow(self, after: int, limit: int, topics: Sequence[str] = (), upto: int | None = None) -> list[Logged]:
        """What was logged behind position `after`, at most `limit` rows, of these topics only, and not behind position
        `upto`. Raises `Unavailable`."""
        self._check_file()
        return await asyncio.to_thread(self._follow, after, limit, topics, upto)

    def _follow(self, after: int, limit: int, topics: Sequence[str], upto: int | None) -> list[Logged]:
        recorder, mapper = self._log.recorder, self._log.mapper
        found = _asked(recorder.select_notifications, after, limit, upto, topics, inclusive_of_start=False)
        return [Logged(notification.id, mapper.to_domain_event(notification)) for notification in found]  # type: ignore[arg-type]

    async def position(self) -> int:
        """The last position in the log, 0 when it is empty. Raises `Unavailable`."""
        self._check_file()
        return await asyncio.to_thread(_asked, self._log.recorder.max_notification_id) or 0

    def _check_file(self) -> None:
        if self._lost and self._file is not None:
            self._file.check()
            self._lost = False

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
        try:
            self._log.recorder.insert_events([event for append in appends for event in append.events])
        except IntegrityError as error:
            return [Conflict(str(error))] if len(appends) == 1 else self._commit_each(appends)
        except Exception as error:
            log.warning("cannot commit %d appends: %s", len(appends), error)
            return [Unavailable(str(error))] * len(appends)
        return [None] * len(appends)

    def _commit_each(self, appends: Sequence[_Append]) -> list[Exception | None]:
        outcomes: list[Exception | None] = []
        for append in appends:
            outcomes += self._commit([append])
            if isinstance(outcomes[-1], Unavailable):  # so it is for all the others, who need not wait for it in turn
                return outcomes + outcomes[-1:] * (len(appends) - len(outcomes))
        return outcomes

    def _answer(self, appends: Sequence[_Append], outcomes: Sequence[Exception | None]) -> None:
        try:
            # Here and not in the writer's thread, which would have to wait for the interpreter's lock once more.
            if self._file is not None:
                self._file.check()
        except Unavailable as error:
            self._lost = True
            outcomes = [error] * len(appends)
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
            self.rows += sum(len(append.events) for append in committed)
            self.appended.set()


def _asked(question: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The recorder's answer. Raises `Unavailable`; the library lets some of the driver's own exceptions through."""
    try:
        return question(*args, **kwargs)
    except Exception as error:
        raise Unavailable(str(error)) from error
