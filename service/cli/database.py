"""The store for commands. A running service may use the same database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import SQLAlchemyError

from service import databases
from service.games.shelf import Shelf
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.settings import InvalidSettings, Settings
from service.tables import descriptions
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


async def learn(store: GameLog, settings: Settings) -> None:
    """Let the store read games whose rules are not loaded. Before the first start of this release nothing describes
    them."""
    engine = databases.projections(settings)
    try:
        shelf = Shelf(await databases.mutable(settings, engine).query(descriptions.known))
        store.learn(shelf.kinds(), shelf.rules)
    except Unavailable:
        pass
    finally:
        engine.dispose()


@asynccontextmanager
async def open_store(settings: Settings, *, create: bool = False) -> AsyncIterator[GameLog]:
    """Open the database. A missing SQLite file is an error unless `create` is true. Raises `InvalidSettings`."""
    if not settings.uses_postgres and not create and not settings.sqlite_path.exists():
        raise InvalidSettings(f"STAMMTISCH_DATABASE: there is no database at {settings.sqlite_path}")
    try:
        databases.check(settings)
        store = databases.open_store(settings, Shelf().kinds())
    except (Unavailable, SQLAlchemyError) as error:
        raise settings.unusable(error) from None
    try:
        await learn(store, settings)
        yield store
    except Unavailable as error:
        raise settings.unusable(error, "read or written") from None
    finally:
        await store.stop()
