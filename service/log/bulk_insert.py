"""Inserts a batch of rows into the SQLite event log with one statement."""

import sqlite3
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any

TABLE = "stored_events"


class BulkInsert:
    """Inserts rows durably into the database at `uri`. Raises `sqlite3.Error`, also after `lock_timeout` seconds of
    waiting for a lock.

    One statement is a transaction: it needs no BEGIN and no COMMIT. In a thread, every call into SQLite also releases
    the GIL and has to acquire it again from a busy event loop, which takes longer than the call. The class has a
    connection of its own, because the library's connections do not cache prepared statements.
    """

    ROWS = 4096
    """The most rows in one statement: SQLite takes 32,766 parameters."""
    STATEMENTS = 256
    """How many prepared statements stay cached: one for each number of rows."""

    def __init__(self, uri: str, lock_timeout: float) -> None:
        self._uri = uri
        self._lock_timeout = lock_timeout

    def insert(self, rows: Sequence[Any]) -> Sequence[int]:
        """Insert all rows or none, each a stream, version, topic and state, or a `StoredEvent` of the library. Returns
        their positions in the log."""
        if rows and not isinstance(rows[0], Sequence):
            rows = [(str(e.originator_id), e.originator_version, e.topic, e.state) for e in rows]
        if len(rows) <= self.ROWS:
            return self._in_one_statement(rows)
        return self._in_one_transaction(rows)

    def close(self) -> None:
        if "_connection" in vars(self):
            self._connection.close()

    @cached_property
    def _connection(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=self.STATEMENTS,
            timeout=self._lock_timeout,
        )  # fmt: skip
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _in_one_statement(self, rows: Sequence[tuple[str, int, str, bytes]]) -> Sequence[int]:
        if not rows:
            return ()
        last = self._connection.execute(_statement(len(rows)), [*chain.from_iterable(rows)]).lastrowid
        assert last is not None
        return [*range(last - len(rows) + 1, last + 1)]

    def _in_one_transaction(self, rows: Sequence[tuple[str, int, str, bytes]]) -> Sequence[int]:
        positions: list[int] = []
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for first in range(0, len(rows), self.ROWS):
                positions += self._in_one_statement(rows[first : first + self.ROWS])
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.rollback()
            raise
        return positions


@cache  # at most `BulkInsert.ROWS` entries
def _statement(rows: int) -> str:
    return f"INSERT INTO {TABLE} VALUES {','.join(['(?,?,?,?)'] * rows)}"
