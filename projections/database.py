"""The database of the projections: engines and transactions.

The database is an SQLite file or PostgreSQL. Every row follows from the log, so SQLite need not wait for the disk
(`synchronous=NORMAL`). After a power failure the last transactions may be missing, checkpoints included, and are
applied again from the log.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event

WRITER_LOCK = 0x5374616D6D  # an arbitrary number that no other application in the database locks


# --- engines ------------------------------------------------------------------------------------------------------


def open_engine(url: str, **how: Any) -> Engine:
    """The engine for `sqlite:///FILE` or a PostgreSQL server, with the parameters of `create_engine`."""
    engine = create_engine(url, **how)
    event.listen(engine, "begin", _begin)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _configure_sqlite)
    return engine


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
    # Without `BEGIN` and `ROLLBACK`; a connection to SQLite has none.
    how = {} if engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
    with engine.connect().execution_options(single=True, **how) as connection:
        yield connection


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    writes = options.get("writing", False)
    match connection.dialect.name:
        case "sqlite" if not options.get("single", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
        case "postgresql" if writes:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
