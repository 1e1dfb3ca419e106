"""The log of everything that happened, kept by the `eventsourcing` library.

This module, `sqlite` and `postgres` alone import it.

The library's recorders keep the rows, in SQLite by default and in any database that it has a persistence module for.
Appends go through one writer that commits all that are waiting at once: a commit costs the same for one game's move as
for sixty, and an append is answered only when it is on disk.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Mapper, StoredEvent
from eventsourcing.sqlite import SQLiteFactory

from domain.codec import encode, is_storable
from service.store import postgres, sqlite
from service.store.batch_worker import BatchWorker
from service.store.group_commit import GroupCommit, Outcome, Unavailable
from service.store.writer import Append, Writer, WriterProcess, WriterThread, caught_up

log = logging.getLogger(__name__)

T = TypeVar("T")


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


class Headline(NamedTuple):
    """Where something was logged: the position in the log of all streams, and the version in its own."""

    position: int
    stream: str
    version: int


class Written(NamedTuple):
    """A row as the recorders take it: what the library calls a `StoredEvent`, made in half the time."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class RowMapper(Mapper[str]):
    """Between our rows and the library's. `kinds` gives the type of the values of each kind of stream."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        decoders = {kind: msgspec.json.Decoder(value_type) for kind, value_type in kinds.items()}
        self.decoder = cache(lambda topic: decoders[topic.rpartition(".")[0]])
        """By topic."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        stream, version, topic, value = domain_event
        return Written(stream, version, topic, encode(value))  # type: ignore[return-value]

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        value = self.decoder(stored_event.topic).decode(stored_event.state)
        return Row(str(stored_event.originator_id), stored_event.originator_version, stored_event.topic, value)


class _Log(Application[str]):
    """The library's application: we use its recorder and its configuration, and hand it our mapper."""

    name = "stammtisch"

    def __init__(self, env: Mapping[str, str], kinds: Mapping[str, Any]) -> None:
        self._kinds = kinds
        super().__init__(dict(env))
        self.mapper: RowMapper

    def construct_recorder(self) -> ApplicationRecorder:
        if isinstance(self.factory, SQLiteFactory):
            self.factory.application_recorder_class = sqlite.Recorder
        return super().construct_recorder()

    def construct_mapper(self) -> Mapper[str]:
        return RowMapper(self._kinds)

    def decoded(self, states: Sequence[tuple[str, bytes]]) -> list[Any]:
        """The values of these topics and states."""
        return [self.mapper.decoder(topic).decode(state) for topic, state in states]


def _file(env: Mapping[str, str]) -> sqlite.File | None:
    """The file that this configuration names; None if it names something else."""
    name = env.get("SQLITE_DBNAME", ":")
    if name.startswith((":", "file:")):
        return None
    return sqlite.File(Path(name))


class _Reading(NamedTuple):
    part: postgres.Part
    done: asyncio.Future[list[Any]]


class _Reader:
    """Reads from a server in a thread of its own: all that wait together are one question, and wait no longer than for
    one when there is no answer."""

    def __init__(self, log: _Log, recorder: postgres.Recorder) -> None:
        self._log = log
        self._recorder = recorder
        self._loop = asyncio.get_running_loop()
        self._batches = BatchWorker("store-reader", self._answer)

    async def read(self, stream: str, after: int, upto: int) -> list[Any]:
        done: asyncio.Future[list[Any]] = self._loop.create_future()
        self._batches.put(_Reading((stream, after, upto), done))
        return await done

    async def close(self) -> None:
        await self._batches.close()

    def _answer(self, readings: Sequence[_Reading]) -> None:
        outcomes: Sequence[list[Any] | Exception]
        try:
            found = _asked(self._recorder.select_states, [reading.part for reading in readings])
            outcomes = [self._decoded(states) for states in found]
        except Unavailable as error:
            outcomes = [error] * len(readings)
        self._loop.call_soon_threadsafe(_answer_readings, readings, outcomes)

    def _decoded(self, states: Sequence[tuple[str, bytes]]) -> list[Any] | Exception:
        try:
            return self._log.decoded(states)
        except Exception as error:  # of this stream alone
            return error


def _answer_readings(readings: Sequence[_Reading], outcomes: Sequence[list[Any] | Exception]) -> None:
    for reading, outcome in zip(readings, outcomes, strict=True):
        if reading.done.done():
            continue
        if isinstance(outcome, Exception):
            reading.done.set_exception(outcome)
        else:
            reading.done.set_result(outcome)


class Store:
    """Appends and reads. Built in a running event loop; `close` commits what is waiting and ends the writer.

    `env` is the configuration of the eventsourcing library, for example PERSISTENCE_MODULE and SQLITE_DBNAME. `apart`:
    an SQLite file is written to by a process of its own. Raises `Unavailable`.
    """

    def __init__(self, env: Mapping[str, str], kinds: Mapping[str, Any], *, apart: bool = False) -> None:
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
        self._lost = True
        """Whether the file was gone when we last looked for it, or we have not looked yet. Until it is there nothing is
        written to it or read."""
        self._loop = asyncio.get_running_loop()
        recorder = self._log.recorder
        self._writer: Writer
        if apart and self._file is not None:
            self._writer = WriterProcess(
                self._file.uri, float(env["SQLITE_LOCK_TIMEOUT"]), self._file.check, self._answer
            )
        else:
            self._writer = WriterThread(GroupCommit(self._insert, IntegrityError), self._answer)
        self._reader = _Reader(self._log, recorder) if isinstance(recorder, postgres.Recorder) else None
        self._closed = False
        self.appended = asyncio.Event()
        """Set whenever this process has appended something; whoever follows the log clears it."""
        self.batches = 0
        self.rows = 0
        self._failing = False
        """Whether the last append could not be committed."""

    async def ready(self) -> None:
        """Raises `Unavailable` unless the log can be read, and appended to as far as is known.

        Where the last append failed, something is written that nobody sees: so it is known again that the log can be
        appended to, also where nobody appends meanwhile.
        """
        await self.position()
        await asyncio.to_thread(self._check_writing)

    def _check_writing(self) -> None:
        if self._file is not None:
            _asked(self._file.check_room)
        recorder = self._log.recorder
        if self._failing and isinstance(recorder, sqlite.Recorder | postgres.Recorder):
            if not isinstance(recorder, sqlite.Recorder) or self._file is not None:
                _asked(recorder.probe)
            self._failing = False

    async def append(self, rows: Sequence[Row]) -> None:
        """Make the rows durable, all or none. Raises `Conflict` or `Unavailable`."""
        if self._closed:
            raise Unavailable("the service is stopping")
        self._check_file()
        done: asyncio.Future[None] = self._loop.create_future()
        self._writer.put(Append([self._log.mapper.to_stored_event(row) for row in rows], done))
        try:
            await done
        except asyncio.CancelledError:
            # Who asked is gone, the append goes on: whoever looks next must find the log as it will be. What comes
            # behind it is answered behind it.
            await caught_up(self._writer)
            raise

    async def read(self, stream: str, after: int = 0, upto: int | None = None) -> list[Any]:
        """What was logged in the stream from version `after + 1` on, and up to version `upto`. Raises `Unavailable`."""
        self._check_file()
        if not is_storable(stream):
            return []
        if self._reader is not None:
            return await self._reader.read(stream, after, postgres.LAST if upto is None else upto)
        return await asyncio.to_thread(self._read, stream, after, upto)

    async def load(self, stream: str, made: Callable[[list[Any]], T]) -> T:
        """What is `made` of all that was logged in the stream, in the thread that reads it where there is one: there
        it lies ready. Raises `Unavailable`."""
        if self._reader is not None or not is_storable(stream):
            return made(await self.read(stream))
        self._check_file()
        return await asyncio.to_thread(lambda: made(self._read(stream, 0, None)))

    def _read(self, stream: str, after: int, upto: int | None) -> list[Any]:
        recorder = self._log.recorder
        if isinstance(recorder, sqlite.Recorder):
            states = _asked(recorder.select_states, stream, gt=after, lte=upto)
        else:
            events = _asked(recorder.select_events, stream, gt=after, lte=upto)
            states = [(event.topic, event.state) for event in events]
        return self._log.decoded(states)

    async def follow(self, after: int, limit: int, topics: Sequence[str] = (), upto: int | None = None) -> list[Logged]:
        """What was logged behind position `after`, at most `limit` rows, of these topics only, and not behind position
        `upto`. The value of a row that cannot be decoded is the exception that says why. Raises `Unavailable`."""
        self._check_file()
        return await asyncio.to_thread(self._follow, after, limit, topics, upto)

    def _follow(self, after: int, limit: int, topics: Sequence[str], upto: int | None) -> list[Logged]:
        found = _asked(self._log.recorder.select_notifications, after, limit, upto, topics, inclusive_of_start=False)
        return [Logged(notification.id, self._row(notification)) for notification in found]

    def _row(self, stored: StoredEvent) -> Row:
        try:
            row: Row = self._log.mapper.to_domain_event(stored)
        except Exception as error:  # of this stream alone
            return Row(str(stored.originator_id), stored.originator_version, stored.topic, error)
        return row

    async def sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """How many bytes the rows of each stream take up to that version. Raises `Unavailable`."""
        if not parts:
            return []
        self._check_file()
        return await asyncio.to_thread(self._sizes, parts)

    def _sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        recorder = self._log.recorder
        if isinstance(recorder, sqlite.Recorder | postgres.Recorder):
            sizes: list[int] = _asked(recorder.select_sizes, parts)
            return sizes
        found = (_asked(recorder.select_events, stream, lte=upto) for stream, upto in parts)
        return [sum(len(event.state) for event in events) for events in found]

    async def headlines(self, after: int, limit: int) -> list[Headline]:
        """Where something was logged behind position `after`, at most `limit` of it; what it was is not decoded.
        Raises `Unavailable`."""
        self._check_file()
        found = await asyncio.to_thread(
            _asked, self._log.recorder.select_notifications, after, limit, inclusive_of_start=False
        )
        return [Headline(each.id, str(each.originator_id), each.originator_version) for each in found]

    async def position(self) -> int:
        """The last position in the log, 0 when it is empty. Raises `Unavailable`."""
        self._check_file()
        return await asyncio.to_thread(_asked, self._log.recorder.max_notification_id) or 0

    def _check_file(self) -> None:
        if self._lost and self._file is not None:
            try:
                self._file.check()
            except OSError as error:
                raise Unavailable(str(error)) from error
            self._lost = False

    async def close(self) -> None:
        self._closed = True
        await self._writer.close()
        if self._reader is not None:
            await self._reader.close()
        if isinstance(self._log.recorder, sqlite.Recorder):
            self._log.recorder.close()
        self._log.close()

    def _insert(self, events: Sequence[StoredEvent]) -> None:
        self._log.recorder.insert_events(events)

    def _answer(self, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
        try:
            if self._file is not None:
                self._file.check()
        except OSError as error:
            self._lost = True
            outcomes = [Unavailable(str(error))] * len(appends)
        if failed := [outcome for outcome in outcomes if isinstance(outcome, Unavailable)]:
            log.warning("cannot commit %d appends: %s", len(failed), failed[0])
            self._failing = True
        for append, outcome in zip(appends, outcomes, strict=True):
            if append.done.done():
                continue
            if outcome is None:
                append.done.set_result(None)
            else:
                append.done.set_exception(outcome)
        committed = [append for append, outcome in zip(appends, outcomes, strict=True) if outcome is None]
        if committed:
            self._failing = False
            self.batches += 1
            self.rows += sum(len(append.rows) for append in committed)
            self.appended.set()


def _asked(question: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The recorder's answer. Raises `Unavailable`; the library lets some of the driver's own exceptions through."""
    try:
        return question(*args, **kwargs)
    except Exception as error:
        raise Unavailable(str(error)) from error
