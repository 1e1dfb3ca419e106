"""Access to the tables of one database, and their migrations."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, select, text
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError

from service.log.errors import Unavailable
from service.log.file_identity import identity
from service.tables import migrations
from service.tables.schema import invites

T = TypeVar("T")

LOCK_SECONDS = 2
"""Seconds to wait for the lock of an SQLite file."""

LOCK = 0x506C6179657273
"""The number of the advisory lock of PostgreSQL that serializes changes; any that nothing else in the database uses."""

_INSERT = text(f"INSERT INTO {invites.name} (game, code) VALUES (:game, :code) ON CONFLICT (game) DO NOTHING")


class Mutable:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def migrate(self) -> None:
        """Create the tables or bring them to this release, in one transaction. Processes take turns. Raises
        `SQLAlchemyError`, and `Unavailable` if they are of a newer release."""
        with self._engine.connect() as connection:
            if migrations.current(connection) != migrations.head():
                connection.rollback()
                _lock(connection)
                if migrations.is_empty(connection):
                    migrations.create(connection)
                else:
                    migrations.upgrade(connection)
                connection.commit()

    def outdated(self) -> bool:
        """Whether the tables are missing or of another release. Raises `SQLAlchemyError`."""
        with self._engine.connect() as connection:
            return migrations.current(connection) != migrations.head()

    async def invite(self, game_id: str) -> str:
        """The invite code of a private game: 32 random hexadecimal digits, created by the first call. All calls return
        the same code, in any process. Raises `Unavailable`."""
        return await self.query(_invite, game_id)

    async def query(self, work: Callable[..., T], *args: Any) -> T:
        """The result of `work(connection, *args)` in a thread. Every statement is its own transaction.

        Raises `Unavailable`.
        """
        return await asyncio.to_thread(self._run, lambda connection: work(_autocommitting(connection), *args))

    async def change(self, work: Callable[..., T], *args: Any) -> T:
        """The same as one transaction. All changes, of any process, run one after another, so readers see them in the
        order in which they were made. Raises `Unavailable`."""

        def exclusively(connection: Connection) -> T:
            _lock(connection)
            result = work(connection, *args)
            connection.commit()
            return result

        return await asyncio.to_thread(self._run, exclusively)

    async def erase(self) -> bool:
        """Remove what was overwritten from the files of an SQLite database. False if another connection prevents it.

        Overwritten rows are zeroed in the pages at once. The pages from before remain in the write-ahead log until it
        is truncated. A server manages its own files.
        """
        return await self.query(_truncate_log)

    def _run(self, work: Callable[..., T], *args: Any) -> T:
        try:
            with self._engine.connect() as connection:
                return work(connection, *args)
        except SQLAlchemyError as error:
            raise Unavailable(str(error)) from error


def _autocommitting(connection: Connection) -> Connection:
    """Without `BEGIN` and `ROLLBACK` around each statement; a connection to SQLite has none."""
    is_file = connection.dialect.name == "sqlite"
    return connection if is_file else connection.execution_options(isolation_level="AUTOCOMMIT")


def _lock(connection: Connection) -> None:
    """Begin a transaction that waits for the changes of all others."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else f"SELECT pg_advisory_xact_lock({LOCK})")


def _truncate_log(connection: Connection) -> bool:
    if connection.dialect.name != "sqlite":
        return True
    busy, _, _ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
    return not busy


def _invite(connection: Connection, game_id: str) -> str:
    query = select(invites.c.code).where(invites.c.game == game_id)
    if (code := connection.execute(query).scalar()) is None:
        connection.execute(_INSERT, {"game": game_id, "code": os.urandom(16).hex()})
        connection.commit()
        code = connection.execute(query).scalar_one()  # the code of another process if that was faster
    return str(code)


class _Connection(sqlite3.Connection):
    file: tuple[int, int] | None
    """The file that had the name before it was opened, so that a file that replaces it meanwhile is noticed."""


def open_file(path: Path) -> Engine:
    """The database in an existing SQLite file. Each thread that uses it at the same time has a connection.

    A connection does not notice when its file is replaced: one to a file that the path no longer names is closed.
    """

    def connect() -> sqlite3.Connection:
        file = _identity(path)
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=LOCK_SECONDS, isolation_level=None,
            check_same_thread=False, factory=_Connection,
        )  # fmt: skip
        connection.file = file
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # a name that was changed or erased is overwritten with zeros
        return connection

    def check(connection: _Connection, _: object, __: object) -> None:
        if connection.file != _identity(path):
            raise DisconnectionError("the file was replaced")

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=0, pool_use_lifo=True)
    event.listen(engine, "checkout", check)
    return engine


def _identity(path: Path) -> tuple[int, int] | None:
    """Of the file that has this name now, if there is one."""
    with suppress(OSError):
        return identity(str(path))
    return None
