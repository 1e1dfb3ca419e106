"""Data beside the log that may change or be erased: tables of the main database.

They are no part of a game's history: they are backed up with the database, and neither exported in records nor rebuilt
from the log.
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
from service.store.group_commit import Unavailable

T = TypeVar("T")

METADATA = MetaData()

invites = Table(
    "stammtisch_invites",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("code", Text, nullable=False),
)
"""The code that lets its holders see and join a private game."""

LOCK_SECONDS = 2
"""How long to wait for an SQLite file that another process writes to."""

_DRAW = text(f"INSERT INTO {invites.name} (game, code) VALUES (:game, :code) ON CONFLICT (game) DO NOTHING")


class Mutable:
    """The tables of one database. Every statement is a transaction by itself."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def prepare(self) -> None:
        """Make the tables that are missing. Raises `SQLAlchemyError`."""
        with reading(self._engine) as connection:
            for table in METADATA.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
            connection.commit()

    def missing(self) -> list[str]:
        """The tables that are not there. Raises `SQLAlchemyError`."""
        with reading(self._engine) as connection:
            there = set(inspect(connection).get_table_names())
        return [name for name in METADATA.tables if name not in there]

    async def invite(self, game_id: str) -> str:
        """The invite of a private game: random, drawn when it is first asked for, and the same from then on, whichever
        process asks. Raises `Unavailable`."""
        return await self._run(_invite, game_id)

    async def _run(self, work: Callable[..., T], *about: Any) -> T:
        def run() -> T:
            try:
                with reading(self._engine) as connection:
                    return work(connection, *about)
            except SQLAlchemyError as error:
                raise Unavailable(str(error)) from error

        return await asyncio.to_thread(run)


def _invite(connection: Connection, game_id: str) -> str:
    known = select(invites.c.code).where(invites.c.game == game_id)
    if (code := connection.execute(known).scalar()) is None:
        connection.execute(_DRAW, {"game": game_id, "code": os.urandom(16).hex()})
        connection.commit()
        code = connection.execute(known).scalar_one()  # another process may have been faster
    return str(code)


def open_file(path: Path) -> Engine:
    """The database in an SQLite file, which must be there. Each use opens a connection of its own: uses are rare, and a
    connection that stays open would not notice that the file was replaced."""

    def connect() -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(
            uri, uri=True, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )  # fmt: skip
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    return create_engine("sqlite://", creator=connect, poolclass=NullPool)
