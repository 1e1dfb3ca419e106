"""Connections to PostgreSQL that time out.

A PostgreSQL server that hangs keeps its connections open, accepts new ones and does not respond. Neither the network
nor a time-out of the server ends such a wait, so the client has to.
"""

import logging
from threading import RLock
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import QueuePool
from sqlalchemy.exc import TimeoutError as PoolTimeout

T = TypeVar("T")

CONNECT_TIMEOUT = 2
"""Seconds to wait for a connection to a server."""
SILENCE_TIMEOUT = 5.0
"""Seconds without a response after which a connection is closed. The outcome of the statement is then unknown."""
IDLE = "-c idle_in_transaction_session_timeout=5s"
"""An option of sessions, which those of the library have: a process that stands still in a transaction that has written
would hold back all readers of the log."""
BREAKER_TIMEOUT = 1.0
"""Seconds for which the circuit breaker rejects connections after a failed attempt."""


class PostgresConnection(psycopg.Connection[Any]):
    """A connection that closes itself when the server stops responding; callers get an `OperationalError`."""

    timeline = ""
    """The server's timeline when the connection was used first: eight digits. A promotion begins another one."""
    timed_out = False
    """Whether the connection was closed because the server stopped responding."""

    def wait(self, gen: PQGen[T], *args: Any, **how: Any) -> T:
        return super().wait(self._with_timeout(gen), *args, **how)

    def _with_timeout(self, gen: PQGen[T]) -> PQGen[T]:
        responded = monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    responded = monotonic()
                elif monotonic() - responded > SILENCE_TIMEOUT:
                    self.timed_out = True
                    self.close()
                    raise psycopg.OperationalError(f"the server has not responded for {SILENCE_TIMEOUT:g} seconds")
                wanted = gen.send(ready)
        except StopIteration as done:
            result: T = done.value
            return result


class CircuitBreaker:
    """Rejects connections for a short time after a failed attempt, so that waiting callers do not time out in turn."""

    def __init__(self) -> None:
        self._open_until = 0.0

    def check(self) -> None:
        """Raises `OperationalError` while the breaker is open."""
        if monotonic() < self._open_until:
            raise psycopg.OperationalError("the last attempt to connect to the server has just failed")

    def open(self) -> None:
        """Open the breaker: an attempt to connect has failed."""
        self._open_until = monotonic() + BREAKER_TIMEOUT


def connect(url: str, breaker: CircuitBreaker, *, patient: bool = False) -> psycopg.Connection[Any]:
    """A connection with any parameters of libpq. `patient`: it waits for a silent server. Raises
    `OperationalError`, also while the breaker is open."""
    session: dict[str, Any] = {
        "connect_timeout": CONNECT_TIMEOUT,
        "application_name": "stammtisch",
        "options": IDLE,
        **conninfo_to_dict(url),
    }
    breaker.check()
    try:
        return (psycopg.Connection if patient else PostgresConnection).connect(**session)
    except psycopg.OperationalError:
        breaker.open()
        raise


class FairPool(QueuePool):
    """Threads get connections in the order in which they ask.

    In a `QueuePool` a thread that returns a connection and needs another one takes it before a waiting thread wakes.
    Under load one that waits gets none until its timeout, though the server answers all others.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._line = RLock()  # reentrant: the library's method calls itself
        self.logger = logging.getLogger(QueuePool.__module__)  # else it is named after this class, in our own log

    def _do_get(self) -> Any:
        if not self._line.acquire(timeout=self._timeout):
            raise PoolTimeout(f"no connection was free for {self._timeout:g} seconds")
        try:
            return super()._do_get()
        finally:
            self._line.release()
