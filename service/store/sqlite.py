"""The event log in an SQLite file: a faster recorder than the library's, and a check that the file is still there."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteFactory

from domain.codec import encode
from service.store.backend import LAST_VERSION, query
from service.store.bulk_insert import BulkInsert
from service.store.errors import Unavailable
from service.store.library import LibraryBackend
from service.store.rows import RowMapper
from service.store.writer import OnCommit, Writer, WriterProcess

LOCK_TIMEOUT = 2
"""Seconds. An append that waits behind another one may take twice as long."""

MIN_FREE_SPACE = 128 * 1024
"""Bytes. A few appends need as much."""


class Recorder(SQLiteApplicationRecorder):
    """The library's recorder for a file. It inserts a batch with one statement and reads only what is needed."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        try:
            return self._bulk_insert.insert(stored_events)  # type: ignore[arg-type]  # tuples: `rows.StoredRow`
        except sqlite3.IntegrityError as error:
            raise IntegrityError(error) from error
        except sqlite3.Error as error:
            raise OperationalError(error) from error

    @cached_property
    def _bulk_insert(self) -> BulkInsert:
        pool = self.datastore.pool
        return BulkInsert(pool.db_name, pool.lock_timeout or LOCK_TIMEOUT)

    def close(self) -> None:
        """Close the connection of `insert_events`; the library closes the others."""
        self._bulk_insert.close()

    def probe(self) -> None:
        """Commit a transaction that changes nothing. Raises `sqlite3.Error` if no append can be committed."""
        pool = self.datastore.pool
        with closing(
            sqlite3.connect(pool.db_name, uri=True, isolation_level=None, timeout=pool.lock_timeout or LOCK_TIMEOUT)
        ) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            # Rewrites the header of the file, although the value stays the same, and syncs it like any commit.
            connection.execute("PRAGMA user_version = 0")

    def select_states(self, originator_id: str, gt: int, lte: int | None) -> list[tuple[str, bytes]]:
        """Topics and states of the stream's events after version `gt` up to version `lte`. Takes half the time of
        `select_events`, because it reads fewer columns."""
        statement = (
            f"SELECT topic, state FROM {self.events_table_name} "
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
        )
        with self.datastore.get_connection(commit=False) as connection:
            c = connection.cursor()
            c.sqlite_cursor.row_factory = None
            c.execute(statement, (originator_id, gt, LAST_VERSION if lte is None else lte))
            found: list[tuple[str, bytes]] = c.fetchall()
        return found

    def select_sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """The bytes of the states of each stream up to a version."""
        statement = (
            f"SELECT coalesce(sum(length(state)), 0) FROM {self.events_table_name} "
            "WHERE originator_id = ? AND originator_version <= ?"
        )
        with self.datastore.get_connection(commit=False) as connection:
            c = connection.cursor()
            c.sqlite_cursor.row_factory = None
            sizes = list[int]()
            for part in parts:
                c.execute(statement, part)
                sizes.append(c.fetchone()[0])
        return sizes

    def select_last(self, streams: Sequence[str]) -> list[bytes | None]:
        """The state of the last event of each stream, with one statement: 500 take 1.6 ms instead of 3.5."""
        table = self.events_table_name
        statement = (
            f"SELECT key, state FROM json_each(?) AS wanted JOIN {table} ON originator_id = wanted.value AND "
            f"originator_version = (SELECT max(originator_version) FROM {table} WHERE originator_id = wanted.value)"
        )
        found: list[bytes | None] = [None] * len(streams)
        with self.datastore.get_connection(commit=False) as connection:
            c = connection.cursor()
            c.sqlite_cursor.row_factory = None
            c.execute(statement, (encode(list(streams)).decode(),))
            for number, state in c.fetchall():
                found[number] = state
        return found


class Factory(SQLiteFactory):
    """The library's persistence module for SQLite files, with our recorder."""

    application_recorder_class = Recorder


class File:
    """The SQLite file of the log, created if there is none. Raises `OSError` if it cannot be written to.

    SQLite does not notice when its file is removed or replaced: it goes on committing into a file without a name, and
    the next connection creates an empty log in its place.
    """

    def __init__(self, path: Path) -> None:
        path.open("ab").close()  # SQLite would open a file without write permission
        self._path = path
        status = path.stat()
        self._identity = status.st_dev, status.st_ino

    @property
    def uri(self) -> str:
        """For connections that never create the file."""
        return f"{self._path.absolute().as_uri()}?mode=rw"

    def check(self) -> None:
        """Raises `OSError` if the file is missing or is not the file that was opened."""
        status = os.stat(self._path)  # noqa: PTH116 - runs at every commit and costs half of Path.stat
        if (status.st_dev, status.st_ino) != self._identity:
            raise OSError(f"{self._path} is another file than the one that was opened")

    def check_free_space(self) -> None:
        """Raises `OSError` if the disk of the file has less than `MIN_FREE_SPACE`."""
        disk = os.statvfs(self._path)
        blocks = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
        if disk.f_blocks and blocks * disk.f_frsize < MIN_FREE_SPACE:
            raise OSError(f"the disk of {self._path} is full")


class SQLiteBackend(LibraryBackend):
    """The event log in the file at `path`. Waits `lock_timeout` seconds for the lock of another process. With
    `writer_process`, a separate process writes to the file. Raises `Unavailable`."""

    recorder: Recorder

    def __init__(
        self, path: Path, mapper: RowMapper, *, writer_process: bool = False, lock_timeout: int = LOCK_TIMEOUT
    ) -> None:
        try:
            self._file = File(path)
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL
            raise Unavailable(str(error)) from error
        self._writer_process = writer_process
        self._lock_timeout = lock_timeout
        env = {
            "PERSISTENCE_MODULE": f"{__name__}:{Factory.__name__}",
            "SQLITE_DBNAME": self._file.uri,
            "SQLITE_LOCK_TIMEOUT": str(lock_timeout),
        }
        super().__init__(env, mapper)

    def check(self) -> None:
        self._file.check()

    def check_free_space(self) -> None:
        self._file.check_free_space()

    def probe(self) -> None:
        self.recorder.probe()

    def start_writer(self, on_commit: OnCommit) -> Writer:
        if self._writer_process:
            return WriterProcess(self._file.uri, self._lock_timeout, self._file.check, on_commit)
        return super().start_writer(on_commit)

    def sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        return self.recorder.select_sizes(parts)

    def last(self, streams: Sequence[str]) -> list[bytes | None]:
        return self.recorder.select_last(streams)

    async def close(self) -> None:
        self.recorder.close()
        await super().close()

    def _read(self, stream: str, after: int, upto: int | None) -> list[Any]:
        return self.mapper.values(query(self.recorder.select_states, stream, after, upto))
