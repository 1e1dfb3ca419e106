"""The event log in an SQLite file: a faster recorder than the library's, and a check that the file is still there."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    Notification,
    OperationalError,
    StoredEvent,
)
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteFactory

from domain.codec import encode
from service.log.bulk_insert import BulkInsert
from service.log.file_identity import identity
from service.log.mapper import StoredRow
from service.log.recorder import LogRecorder, Span, States

LOCK_TIMEOUT = 2
"""Seconds. An append that waits behind another one may take twice as long."""

MIN_FREE_SPACE = 128 * 1024
"""Bytes. A few appends need as much."""


_GUARD = """
CREATE TRIGGER IF NOT EXISTS {table}_predecessor BEFORE INSERT ON {table} WHEN new.originator_version > 1 AND NOT EXISTS
(SELECT 1 FROM {table} WHERE originator_id = new.originator_id AND originator_version = new.originator_version - 1)
BEGIN SELECT raise(ABORT, 'the version before is missing'); END
"""
"""Refuses a row without its predecessor, as a conflict. Once games are archived their versions are free, and a process
may remember such a game as it was long ago."""


def environment(path: Path, *, lock_timeout: int = LOCK_TIMEOUT) -> dict[str, str]:
    """The configuration of the library for the file at `path`. Waits `lock_timeout` seconds for the lock of another
    process."""
    return {
        "PERSISTENCE_MODULE": f"{__name__}:{Factory.__name__}",
        "SQLITE_DBNAME": str(path),
        "SQLITE_LOCK_TIMEOUT": str(lock_timeout),
    }


class File:
    """The SQLite file of the log, created if there is none. Raises `OSError` if it cannot be written to.

    SQLite does not notice when its file is removed or replaced: it goes on committing into a file without a name, and
    the next connection creates an empty log in its place.
    """

    def __init__(self, path: Path) -> None:
        path.open("ab").close()  # SQLite would open a file without write permission
        self._path = path
        self._name = str(path)
        self._identity = identity(self._name)

    @property
    def uri(self) -> str:
        """For connections that never create the file."""
        return f"{self._path.absolute().as_uri()}?mode=rw"

    def check(self) -> None:
        """Raises `OSError` if the file is missing or is not the file that was opened."""
        if identity(self._name) != self._identity:
            raise OSError(f"{self._path} is another file than the one that was opened")

    def check_free_space(self) -> None:
        """Raises `OSError` if the disk of the file has less than `MIN_FREE_SPACE`."""
        disk = os.statvfs(self._path)
        blocks = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
        if disk.f_blocks and blocks * disk.f_frsize < MIN_FREE_SPACE:
            raise OSError(f"the disk of {self._path} is full")


class Recorder(LogRecorder, SQLiteApplicationRecorder):
    """The library's recorder for a file. It inserts a batch with one statement and reads only what is needed."""

    file: File

    def check(self) -> None:
        self.file.check()

    def check_free_space(self) -> None:
        self.file.check_free_space()

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        try:
            return self._bulk_insert.insert(stored_events)
        except sqlite3.IntegrityError as error:
            raise IntegrityError(error) from error
        except sqlite3.Error as error:
            raise OperationalError(error) from error

    @property
    def _lock_timeout(self) -> int:
        return self.datastore.pool.lock_timeout or LOCK_TIMEOUT

    @cached_property
    def _bulk_insert(self) -> BulkInsert:
        return BulkInsert(self.datastore.pool.db_name, self._lock_timeout)

    def close(self) -> None:
        """Close the connection of `insert_events`; the library closes the others."""
        self._bulk_insert.close()

    def probe(self) -> None:
        """Commit a transaction that changes nothing. Raises `sqlite3.Error` if no append can be committed."""
        with closing(
            sqlite3.connect(self.file.uri, uri=True, isolation_level=None, timeout=self._lock_timeout)
        ) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            # Rewrites the header of the file, although the value stays the same, and syncs it like any commit.
            connection.execute("PRAGMA user_version = 0")

    def replace_rows(self, rows: Sequence[StoredRow], spans: Sequence[Span]) -> int:
        self.file.check()
        table = self.events_table_name
        key = "WHERE originator_id = ? AND originator_version"
        with closing(
            sqlite3.connect(self.file.uri, uri=True, isolation_level=None, timeout=self._lock_timeout)
        ) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(_GUARD.format(table=table))
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                f"UPDATE {table} SET topic = ?, state = ? {key} = ?",
                [(row.topic, row.state, row.originator_id, row.originator_version) for row in rows],
            )
            deleted = connection.executemany(f"DELETE FROM {table} {key} > ? AND originator_version <= ?", spans)
            count = deleted.rowcount
            connection.execute("COMMIT")
        return count

    def select_states(self, spans: Sequence[Span]) -> list[States]:
        """Takes half the time of `select_events`, because it reads fewer columns."""
        statement = (
            f"SELECT topic, state FROM {self.events_table_name} "
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
        )
        return [self._fetch(statement, span) for span in spans]

    def select_tagged(self, after: int, limit: int, upto: int, tags: Sequence[str]) -> Sequence[Notification]:
        statement = (
            f"SELECT rowid, originator_id, originator_version, topic, state FROM {self.events_table_name} "
            # What follows the last dot.
            "WHERE rowid > ? AND rowid <= ? AND substr(topic, 1 + length(rtrim(topic, replace(topic, '.', '')))) "
            f"IN ({','.join('?' * len(tags))}) ORDER BY rowid LIMIT ?"
        )
        return [
            Notification(id=position, originator_id=stream, originator_version=version, topic=topic, state=state)
            for position, stream, version, topic, state in self._fetch(statement, (after, upto, *tags, limit))
        ]

    def select_sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        statement = (
            f"SELECT coalesce(sum(length(state)), 0) FROM {self.events_table_name} "
            "WHERE originator_id = ? AND originator_version <= ?"
        )
        return [self._fetch(statement, part)[0][0] for part in parts]

    def select_last(self, streams: Sequence[str]) -> list[bytes | None]:
        """With one statement: 500 take 1.6 ms instead of 3.5."""
        table = self.events_table_name
        statement = (
            f"SELECT key, state FROM json_each(?) AS wanted JOIN {table} ON originator_id = wanted.value AND "
            f"originator_version = (SELECT max(originator_version) FROM {table} WHERE originator_id = wanted.value)"
        )
        found: list[bytes | None] = [None] * len(streams)
        for number, state in self._fetch(statement, (encode(list(streams)).decode(),)):
            found[number] = state
        return found

    def select_versions(self, streams: Sequence[str]) -> list[int]:
        statement = (
            f"SELECT coalesce((SELECT max(originator_version) FROM {self.events_table_name} "
            "WHERE originator_id = wanted.value), 0) FROM json_each(?) AS wanted ORDER BY key"
        )
        return [version for (version,) in self._fetch(statement, (encode(list(streams)).decode(),))]

    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self.datastore.get_connection(commit=False) as connection:
            c = connection.cursor()
            c.sqlite_cursor.row_factory = None
            c.execute(statement, parameters)
            found: list[Any] = c.fetchall()
        return found


class Factory(SQLiteFactory):
    """The library's persistence module for SQLite files, with our recorder. SQLITE_DBNAME is a path."""

    application_recorder_class = Recorder

    def __init__(self, env: Any) -> None:
        self._file = File(Path(env[self.SQLITE_DBNAME]))
        env[self.SQLITE_DBNAME] = self._file.uri
        super().__init__(env)

    def application_recorder(self) -> ApplicationRecorder:
        recorder = super().application_recorder()
        assert isinstance(recorder, Recorder)
        recorder.file = self._file
        return recorder
