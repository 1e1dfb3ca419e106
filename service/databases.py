"""Opens the event log and the projections of the settings: two SQLite files, or one PostgreSQL database."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import SQLAlchemyError

from projections import database
from projections.projection import Projection, Projections
from projections.registry import PROJECTIONS
from service.extension import REGISTERED
from service.log import sqlite
from service.log.errors import Unavailable
from service.log.file_lock import LeaderLock
from service.log.game_log import GameLog
from service.settings import InvalidSettings, Settings
from service.tables.mutable import Mutable, open_file

if TYPE_CHECKING:
    from service.log.leadership import DatabaseLock

MIGRATE = "run `stammtisch migrate`"


def tables() -> tuple[Projection, ...]:
    """Everything whose tables have a version."""
    return (*PROJECTIONS, *(each for extension in REGISTERED.values() for each in extension.tables()))


def derived() -> tuple[Projection, ...]:
    """What follows from the log alone."""
    return tuple(each for each in tables() if each.events)


def computed() -> tuple[Projection, ...]:
    """What does not: `rebuild` leaves it alone."""
    return tuple(each for each in tables() if not each.events)


def open_store(settings: Settings, kinds: Mapping[str, Any]) -> GameLog:
    """The event log. `kinds` gives the type of the values for each kind of stream.

    Call it in a running event loop. Raises `Unavailable`, and `InvalidSettings` if the database is of no known kind.
    """
    places = (each.elsewhere(settings) for each in REGISTERED.values() if each.elsewhere is not None)
    return GameLog(_environment(settings), kinds, next(filter(None, places), None))


def _environment(settings: Settings) -> dict[str, str]:
    if settings.uses_postgres:
        from service.log import postgres  # its driver is loaded on use

        return postgres.environment(settings.database, settings.limits.postgres_pool_size)
    return sqlite.environment(settings.sqlite_path)


def projections(settings: Settings, *, patient: bool = False) -> Engine:
    """The database of the projections. It connects when it is used. `patient`: queries may take long."""
    if settings.uses_postgres:
        return _on_server(settings.database, settings.limits.postgres_pool_size, patient=patient)
    return database.open_engine(f"sqlite:///{settings.projections_path}")


def _on_server(url: str, connections: int, *, patient: bool = False) -> Engine:
    from service.log import connection

    return database.open_engine(
        "postgresql+psycopg://",
        creator=partial(connection.connect, url, connection.CircuitBreaker(), patient=patient),
        poolclass=connection.FairPool,
        # The server may have been restarted since a connection was last used, hence the ping.
        pool_pre_ping=True,
        pool_size=connections,
        pool_timeout=connection.CONNECT_TIMEOUT,
        max_overflow=0,
        use_native_hstore=False,
    )


def mutable(settings: Settings, projections: Engine) -> Mutable:
    """The tables outside the log. On a server they share the connections of `projections`; those to a file are closed
    with them."""
    if settings.uses_postgres:
        return Mutable(projections)
    engine = open_file(settings.sqlite_path)
    event.listen(projections, "engine_disposed", lambda _: engine.dispose())
    return Mutable(engine)


def prepare_others(settings: Settings, engine: Engine) -> None:
    """Create the tables of `computed` in a file of projections. On a server `migrate` does it.

    Raises `SQLAlchemyError`.
    """
    if not settings.uses_postgres:
        Projections(engine, computed()).prepare()


def is_shared(settings: Settings) -> bool:
    """Whether other processes may append to the log."""
    return settings.workers > 1 or settings.uses_postgres or bool(settings.redis)


def leadership(settings: Settings) -> "DatabaseLock | LeaderLock | None":
    """The lock whose holder leads; None if there is one process only."""
    if settings.uses_postgres:
        from service.log.leadership import DatabaseLock

        return DatabaseLock(settings.database)
    if is_shared(settings):
        return LeaderLock(settings.sqlite_path)
    return None


def check(settings: Settings) -> None:
    """Raises `Unavailable` if tables of a PostgreSQL database are missing or outdated. Others are created on use."""
    if not settings.uses_postgres:
        return
    from service.log import postgres

    if (why := postgres.check(settings.database)) is not None:
        raise Unavailable(f"{why}: {MIGRATE}")
    engine = projections(settings)
    try:
        if outdated := Projections(engine, tables()).outdated():
            raise Unavailable(f"its tables of {', '.join(outdated)} are of another release: {MIGRATE}")
        if mutable(settings, engine).outdated():
            raise Unavailable(f"its tables are of another release: {MIGRATE}")
    finally:
        engine.dispose()


def is_migrated(settings: Settings) -> bool:
    """Whether the table of the log exists. Raises `Unavailable`."""
    from service.log import postgres

    return postgres.is_migrated(settings.database)


def migrate(settings: Settings) -> list[str]:
    """Create missing tables, and recreate tables of the projections that are of an older release.

    Returns the names of the projections whose tables were created. Several processes may migrate at the same time.
    Raises `InvalidSettings`, also if the tables are of a newer release.
    """
    engine = projections(settings, patient=True)
    created: list[str] = []

    def prepare() -> None:
        found = Projections(engine, tables())
        if newer := found.newer():
            raise InvalidSettings(
                f"STAMMTISCH_DATABASE: the tables of {', '.join(newer)} in {settings.database_label} are of a newer "
                "release: install that release"
            )
        created.extend(found.prepare())
        if settings.uses_postgres:
            mutable(settings, engine).migrate()

    try:
        if settings.uses_postgres:
            from service.log import postgres

            postgres.migrate(settings.database, prepare)
        else:
            prepare()
    except (Unavailable, SQLAlchemyError) as error:
        raise settings.unusable(error, "migrated") from None
    finally:
        engine.dispose()
    return created
