"""The tables of the projections, in an SQLite file or in PostgreSQL.

Nothing here is the truth: every row follows from the log. So SQLite need not wait for the disk (`synchronous=NORMAL`);
after a power cut the last transactions may be missing, effects and positions alike, and are made good from the log.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Engine,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
    text,
)

from projections import postgres_connection

METADATA = MetaData()

CONNECT_TIMEOUT = 2
"""Seconds of waiting for a connection to a server."""

WRITERS = 0x5374616D6D  # whatever number nobody else in the database locks

# SQLite's own 64-bit key is called INTEGER; any other name costs it a second tree.
Position = BigInteger().with_variant(Integer, "sqlite")

checkpoints = Table(
    "checkpoints",
    METADATA,
    Column("projection", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("position", Position, nullable=False),
)
"""Up to which position of the log each projection has applied everything."""

isolated = Table(
    "isolated",
    METADATA,
    Column("projection", Text, primary_key=True),
    Column("stream", Text, primary_key=True),
    Column("position", Position, nullable=False),
    Column("cause", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The streams that a projection leaves out, each with the position and error of the event that could not be applied."""

games = Table(
    "games",
    METADATA,
    Column("number", Position, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("ruleset", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("open", Integer, nullable=False),
    Column("listed", Text, nullable=False),
    Index("games_newest", "private", "number"),
    Index("games_of_ruleset", "private", "ruleset", "number"),
    Index("games_of_status", "private", "status", "number"),
    Index("games_of_both", "private", "ruleset", "status", "number"),
)
"""The lobby: `number` is the position of `opened` in the log, `listed` the JSON that is shown, the rest is searched."""

announcements = Table(
    "announcements",
    METADATA,
    Column("number", Position, primary_key=True, autoincrement=False),
    Column("position", Position, nullable=False, unique=True),
    Column("event", Text, nullable=False),
    Column("before", Text),
    Column("after", Text, nullable=False),
)
"""The latest changes in the lobby, numbered from 1, each with the position of its event in the log, and a public game's
JSON before and after it."""

members = Table(
    "members",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("private", Boolean, primary_key=True),
    Column("number", Position, primary_key=True, autoincrement=False),
    Column("seated", Boolean, nullable=False),
    Column("unfinished", Boolean, nullable=False),
    # Of games alone that are not over: counting them takes as long however many others there are. SQLite uses the index
    # only for a question that says the same, word by word.
    Index("members_unfinished", "player", sqlite_where=text("unfinished = 1"), postgresql_where=text("unfinished")),
    sqlite_with_rowid=False,
)
"""Who sits at a game or has opened it, once for each game."""

players = Table(
    "players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("registered", Boolean, nullable=False),
    sqlite_with_rowid=False,
)
"""Who was ever seen, under the latest name."""

contests = Table(
    "contests",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("contest", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The games that will count in the standings when they are over, each as JSON."""

stored_games = Table(
    "stored_games",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The games that are not over: who opened each, and how many bytes of the log count for it."""

stored_bytes = Table(
    "stored_bytes",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("bytes", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""How many bytes of the log count for each player who opened games."""

standings = Table(
    "standings",
    METADATA,
    Column("ruleset", Text, primary_key=True),
    Column("ordinal", Double, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("lowest", Integer, nullable=False),
    Column("highest", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Index("standings_of_player", "player", "ruleset", unique=True),
    sqlite_with_rowid=False,
)
"""How each player has done at each ruleset. The key is the order in which they are shown: in SQLite those of a page lie
side by side, and are not gathered from all over a large file."""


def open_engine(url: str, connections: int = 5) -> Engine:
    """The database at `sqlite:///FILE` or `postgresql://...`, of which libpq understands all; there are at most so many
    connections to a server."""
    if url.startswith("sqlite:"):
        engine = create_engine(url)
    else:
        pool: dict[str, Any] = {"pool_size": connections, "max_overflow": 0, "pool_timeout": CONNECT_TIMEOUT}
        # A server may have been restarted since a connection was used last, hence the ping.
        engine = create_engine(
            "postgresql+psycopg://",
            creator=partial(_reach, url, postgres_connection.CircuitBreaker()),
            pool_pre_ping=True,
            use_native_hstore=False,
            **pool,
        )
    event.listen(engine, "begin", _begin)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _connect)
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction of the only writer: others, here and in other processes, wait until it is over."""
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        yield connection


@contextmanager
def asking(engine: Engine) -> Iterator[Connection]:
    """For a single question, which needs no transaction around it."""
    with engine.connect().execution_options(single=True) as connection:
        yield connection


def _reach(url: str, line: postgres_connection.CircuitBreaker) -> postgres_connection.Connection:
    session: dict[str, Any] = {
        "connect_timeout": CONNECT_TIMEOUT,
        "application_name": "stammtisch",
        **conninfo_to_dict(url),
    }
    line.check()
    try:
        return postgres_connection.Connection.connect(**session)
    except psycopg.OperationalError:
        line.cut()
        raise


def _connect(connection: Any, _record: object) -> None:
    # The driver's own transactions begin too late (not with a SELECT, not with a CREATE TABLE): ours are explicit.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    writes = options.get("writing", False)
    match connection.dialect.name:
        case "sqlite" if not options.get("single", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
        case "postgresql" if writes:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS})")
