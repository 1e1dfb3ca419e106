"""Data outside the log that can be changed or erased: tables in the database of the log.

They are not part of a game's history. Backups of the database contain them; records do not, and `rebuild` does not
change them.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Engine, MetaData, NullPool, Table, Text, create_engine, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

from projections.database import reading
from service.store.errors import Unavailable

T = TypeVar("T")

METADATA = MetaData()

invites = Table(
    "stammtisch_invites",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("code", Text, nullable=False),
)
"""The invite codes of private games. With the code, a player can see and join the game."""

LOCK_SECONDS = 2
"""Seconds to wait for the lock of an SQLite file."""

_INSERT = text(f"INSERT INTO {invites.name} (game, code) VALUES (:game, :code) ON CONFLICT (game) DO NOTHING")


class Mutable:
    """The tables of one database. Every statement is its own transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def prepare(self) -> None:
        """Create missing tables. Raises `SQLAlchemyError`."""
        with reading(self._engine) as connection:
            for table in METADATA.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
            connection.commit()

    def missing(self) -> list[str]:
        """The names of missing tables. Raises `SQLAlchemyError`."""
        with reading(self._engine) as connection:
            existing = set(inspect(connection).get_table_names())
        return [name for name in METADATA.tables if name not in existing]

    async def invite(self, game_id: str) -> str:
        """The invite code of a private game: 32 random hexadecimal digits, created by the first call. All calls return
        the same code, in any process. Raises `Unavailable`."""
        return await self._run(_invite, game_id)

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        def run() -> T:
            try:
                with reading(self._engine) as connection:
                    return work(connection, *args)
            except SQLAlchemyError as error:
                raise Unavailable(str(error)) from error

        return await asyncio.to_thread(run)


def _invite(connection: Connection, game_id: str) -> str:
    query = select(invites.c.code).where(invites.c.game == game_id)
    if (code := connection.execute(query).scalar()) is None:
        connection.execute(_INSERT, {"game": game_id, "code": os.urandom(16).hex()})
        connection.commit()
        code = connection.execute(query).scalar_one()  # the code of another process if that was faster
    return str(code)


def open_file(path: Path) -> Engine:
    """The database in an existing SQLite file. Each use opens a new connection, because uses are rare and an open
    connection does not notice that the file was replaced."""

    def connect() -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(
            uri, uri=True, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )  # fmt: skip
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    return create_engine("sqlite://", creator=connect, poolclass=NullPool)
