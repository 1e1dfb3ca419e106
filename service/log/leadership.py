"""A lock in PostgreSQL that one process at a time holds: the one that leads (`service.live.leader`)."""

import psycopg

from service.log.connection import CircuitBreaker, connect

LEADER = 0x4C6561646572
"""The number of the advisory lock; any that nothing else in the database uses."""

IDLE_TIMEOUT = 20
"""Seconds after which the server ends the session of a process that stands still, and with it the lock."""


class DatabaseLock:
    """An advisory lock of a session of its own. It is held until the process ends or closes it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection[object] | None = None

    def hold(self) -> bool:
        """Whether the lock is held here: acquires or confirms it. False also while the database is unavailable."""
        try:
            if self._connection is None:
                self._connection = connect(self._url, CircuitBreaker())
                self._connection.autocommit = True
                self._connection.execute(f"SET idle_session_timeout = '{IDLE_TIMEOUT}s'")
            # A session can acquire its own lock again.
            return self._connection.execute("SELECT pg_try_advisory_lock(%s)", [LEADER]).fetchone() == (True,)
        except psycopg.Error:
            self.close()
            return False

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
