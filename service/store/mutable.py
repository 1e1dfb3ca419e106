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

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    MetaData,
    NullPool,
    Table,
    Text,
    create_engine,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

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

players = Table(
    "stammtisch_players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text),
    Column("revision", BigInteger, nullable=False),
    Column("issued", BigInteger, nullable=False),
    Column("renames", Integer, nullable=False),
    Column("forgotten_at", Text),
    Column("banned_at", Text),
    Column("leaving", Boolean, nullable=False),
    Column("generation", Integer, nullable=False),
    # Partial indexes: most players were never renamed or forgotten. SQLite uses them only for a query with the same
    # condition, word for word.
    *(
        Index(f"stammtisch_players_{name}", column, sqlite_where=text(on_sqlite), postgresql_where=text(on_postgres))
        for name, column, on_sqlite, on_postgres in (
            ("changed", "revision", "revision > 0", "revision > 0"),
            ("forgotten", "forgotten_at", "forgotten_at IS NOT NULL", "forgotten_at IS NOT NULL"),
            ("banned", "banned_at", "banned_at IS NOT NULL", "banned_at IS NOT NULL"),
            ("leaving", "leaving", "leaving = 1", "leaving"),
            ("generation", "generation", "generation > 0", "generation > 0"),
        )
    ),
)
"""The players with their display names; null for former players. Rows are never deleted.

* `revision`: the number of the row's last change among all changes; 0 for a guest who has not been renamed.
* `issued`: when the token that showed the name was issued, in seconds since 1970; 0 if it does not say.
* `renames`: how often a guest changed the name.
* `forgotten_at`: when the player was forgotten. The player's tokens are invalid since then.
* `banned_at`: when the operator banned the player; null if they are not banned.
* `leaving`: whether a former or banned player may still have a seat in a game that waits for players.
* `generation`: how often the player has signed out everywhere. Tokens of earlier generations are invalid.
"""

codes = Table(
    "stammtisch_codes",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("player", Text, nullable=False, index=True),
    Column("expires", BigInteger, nullable=False, index=True),
    Column("once", Boolean, nullable=False),
)
"""Codes that can be exchanged for a token of the player until `expires` (seconds since 1970), as SHA-256 hashes. A code
that is valid `once` is deleted by the exchange."""

moderation = Table(
    "stammtisch_moderation",
    METADATA,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False, index=True),
    Column("reason", Text),
    Column("open", Boolean, nullable=False),
    Index("stammtisch_moderation_open", "open", sqlite_where=text("open = 1"), postgresql_where=text("open")),
)
"""What the operator did, first to last: to which player or game, and why. Rows are never deleted.

* `reason`: in the operator's words; erased when the player is forgotten.
* `open`: whether a running service still has to do it.
"""

webhooks = Table(
    "stammtisch_webhooks",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("types", Text, nullable=False),
    Column("after", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("cause", Text),
    Column("created", BigInteger, nullable=False),
    Column("live", BigInteger),
    Column("number", Integer, nullable=False),
    Column("rotated", BigInteger),
    Column("failing", BigInteger),
    Column("request", Text),
    Column("rotation", Text),
    Column("changed", BigInteger, nullable=False),
)
"""The webhooks. Times are microseconds from 1970. A row is deleted with the webhook, and when its owner is forgotten:
the address may be personal.

* `owner`: the id of a player, or `namespace:` for the integrating site.
* `types`: the names of the events, with spaces. `after`: seconds after which a turn is reported, if it still stands.
* `status`: `unverified`, `live` or `disabled`; `cause`: why it was disabled.
* `live`: since when events are delivered.
* `number`: the number of the current secret, from 0; `rotated`: since when.
* `failing`: since when every attempt has failed; null after a success.
* `request`: the hash of the request that created it, if that had a key; `rotation`: the key of the last rotation.
* `changed`: the time of the last change. Two changes never have the same.
"""

LOCK_SECONDS = 2
"""Seconds to wait for the lock of an SQLite file."""

PLAYERS_LOCK = 0x506C6179657273
"""The number of the advisory lock of PostgreSQL that serializes changes; any that nothing else in the database uses."""

_INSERT = text(f"INSERT INTO {invites.name} (game, code) VALUES (:game, :code) ON CONFLICT (game) DO NOTHING")


class Mutable:
    """The tables of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def prepare(self) -> None:
        """Create missing tables. Raises `SQLAlchemyError`."""
        with reading(self._engine) as connection:
            for table in METADATA.sorted_tables:  # not `create_all`: several processes may start at the same time
                connection.execute(CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))
            connection.commit()

    def missing(self) -> list[str]:
        """The names of missing tables. Raises `SQLAlchemyError`."""
        with reading(self._engine) as connection:
            existing = set(inspect(connection).get_table_names())
        return [name for name in METADATA.tables if name not in existing]

    async def invite(self, game_id: str) -> str:
        """The invite code of a private game: 32 random hexadecimal digits, created by the first call. All calls return
        the same code, in any process. Raises `Unavailable`."""
        return await self.query(_invite, game_id)

    async def query(self, work: Callable[..., T], *args: Any) -> T:
        """The result of `work(connection, *args)` in a thread. Every statement is its own transaction.

        Raises `Unavailable`.
        """
        return await asyncio.to_thread(self._run, work, *args)

    async def change(self, work: Callable[..., T], *args: Any) -> T:
        """The same as one transaction. All changes, of any process, run one after another, so readers see them in the
        order in which they were made. Raises `Unavailable`."""

        def exclusively(connection: Connection) -> T:
            connection.exec_driver_sql(
                "BEGIN IMMEDIATE"
                if connection.dialect.name == "sqlite"
                else f"SELECT pg_advisory_xact_lock({PLAYERS_LOCK})"
            )
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
            with reading(self._engine) as connection:
                return work(connection, *args)
        except SQLAlchemyError as error:
            raise Unavailable(str(error)) from error


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


def open_file(path: Path) -> Engine:
    """The database in an existing SQLite file. Each use opens a new connection, because uses are rare and an open
    connection does not notice that the file was replaced."""

    def connect() -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(
            uri, uri=True, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )  # fmt: skip
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # a name that was changed or erased is overwritten with zeros
        return connection

    return create_engine("sqlite://", creator=connect, poolclass=NullPool)
