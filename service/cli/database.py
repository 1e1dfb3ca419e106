"""The store for commands. A running service may use the same database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from service import databases
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.runtime import kinds
from service.settings import InvalidSettings, Settings
from service.tables.mutable import Mutable


@asynccontextmanager
async def open_mutable(settings: Settings) -> AsyncIterator[Mutable]:
    """Open the tables beside the log, after the log. Raises `InvalidSettings`."""
    engine = databases.projections(settings)
    try:
        mutable = databases.mutable(settings, engine)
        if not settings.uses_postgres:
            mutable.migrate()
        yield mutable
    except (Unavailable, SQLAlchemyError) as error:
        raise settings.unusable(error) from None
    finally:
        engine.dispose()


@asynccontextmanager
async def open_store(settings: Settings, *, create: bool = False) -> AsyncIterator[GameLog]:
    """Open the database. A missing SQLite file is an error unless `create` is true. Raises `InvalidSettings`."""
    if not settings.uses_postgres and not create and not settings.sqlite_path.exists():
        raise InvalidSettings(f"STAMMTISCH_DATABASE: there is no database at {settings.sqlite_path}")
    try:
        databases.check(settings)
        # The cores are for the processes that verify, not for a writer process.
        store = databases.open_store(replace(settings, sqlite_writer="thread"), kinds())
    except (Unavailable, SQLAlchemyError) as error:
        raise settings.unusable(error) from None
    try:
        yield store
    except Unavailable as error:
        raise settings.unusable(error, "read or written") from None
    finally:
        await store.stop()
