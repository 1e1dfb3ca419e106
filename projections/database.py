"""The database of the projections: engines, transactions, and PostgreSQL connections that time out.

The database is an SQLite file or PostgreSQL. Every row follows from the log, so SQLite need not wait for the disk
(`synchronous=NORMAL`). After a power failure the last transactions may be missing, checkpoints included, and are
applied again from the log.

A PostgreSQL server that hangs keeps its connections open, accepts new ones and does not respond. Neither the network
nor a time-out of the server ends such a wait, so the client has to.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Connection, Engine, create_engine, event

T = TypeVar("T")

CONNECT_TIMEOUT = 2
"""Seconds to wait for a connection to a server."""
SILENCE_TIMEOUT = 5.0
"""Seconds without a response after which a connection is closed. The outcome of the statement is then unknown."""
BREAKER_TIMEOUT = 1.0
"""Seconds for which the circuit breaker rejects connections after a failed attempt."""

WRITER_LOCK = 0x5374616D6D  # an arbitrary number that no other application in the database locks


# --- connections --------------------------------------------------------------------------------------------------


class PostgresConnection(psycopg.Connection[Any]):
    """A connection that closes itself when the server stops responding; callers get an `OperationalError`."""

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


# --- engines ------------------------------------------------------------------------------------------------------


def open_engine(url: str, connections: int = 5) -> Engine:
    """The engine for `sqlite:///FILE` or a PostgreSQL URL with any parameters of libpq.

    `connections` to a server are open at most.
    """
    if url.startswith("sqlite:"):
        engine = create_engine(url)
    else:
        pool: dict[str, Any] = {"pool_size": connections, "max_overflow": 0, "pool_timeout": CONNECT_TIMEOUT}
        # The server may have been restarted since a connection was last used, hence the ping.
        engine = create_engine(
            "postgresql+psycopg://",
            creator=partial(_connect, url, CircuitBreaker()),
            pool_pre_ping=True,
            use_native_hstore=False,
            **pool,
        )
    event.listen(engine, "begin", _begin)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _configure_sqlite)
    return engine


def _connect(url: str, breaker: CircuitBreaker) -> PostgresConnection:
    session: dict[str, Any] = {
        "connect_timeout": CONNECT_TIMEOUT,
        "application_name": "stammtisch",
        **conninfo_to_dict(url),
    }
    breaker.check()
    try:
        return PostgresConnection.connect(**session)
    except psycopg.OperationalError:
        breaker.open()
        raise


def _configure_sqlite(connection: Any, _record: object) -> None:
    # The driver begins its own transactions too late (not before SELECT or CREATE TABLE): ours are explicit.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


# --- transactions -------------------------------------------------------------------------------------------------


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes. Other writers, in this process and others, wait until it ends."""
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        yield connection


@contextmanager
def claiming(engine: Engine) -> Iterator[Connection]:
    """A transaction that changes rows which no projection reads. On a server it waits for no other writer."""
    is_file = engine.dialect.name == "sqlite"
    with engine.connect().execution_options(writing=is_file) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection for a single query, without a transaction around it."""
    with engine.connect().execution_options(single=True) as connection:
        yield connection


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    writes = options.get("writing", False)
    match connection.dialect.name:
        case "sqlite" if not options.get("single", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
        case "postgresql" if writes:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
