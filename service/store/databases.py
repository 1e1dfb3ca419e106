"""Where the log and the projections are kept, from the settings: in two files, or in one database on a server."""

import os

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from projections import schema
from projections.projection import Projections
from projections.registry import PROJECTIONS
from service.settings import InvalidSettings, Settings
from service.store import postgres
from service.store.group_commit import Unavailable
from service.store.mutable import Mutable, open_file

MIGRATE = "run `stammtisch migrate`"


def log(settings: Settings) -> dict[str, str]:
    """The event store's configuration."""
    if settings.eventstore_module:
        return {"PERSISTENCE_MODULE": settings.eventstore_module}
    if settings.uses_postgres:
        return postgres.environment(settings.database, settings.postgres_pool_size)
    return {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(settings.sqlite_path)}


def projections(settings: Settings) -> Engine:
    """The database of the projections."""
    if settings.uses_postgres:
        return schema.open_engine(settings.database, settings.postgres_pool_size)
    return schema.open_engine(f"sqlite:///{settings.projections_path}")


def mutable(settings: Settings, projections: Engine) -> Mutable:
    """The tables beside the log. On a server they share the connections of the projections."""
    if settings.uses_postgres:
        return Mutable(projections)
    if settings.eventstore_module:  # else the log has made the file
        settings.sqlite_path.touch()
    return Mutable(open_file(settings.sqlite_path))


def is_shared(settings: Settings) -> bool:
    """Whether other processes may append to the log."""
    return settings.workers > 1 or settings.uses_postgres or bool(settings.eventstore_module or settings.redis)


def written_apart(settings: Settings) -> bool:
    """Whether a process of its own writes to the log where that is a file. It takes a core that no worker needs."""
    if settings.sqlite_writer != "auto":
        return settings.sqlite_writer == "process"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > settings.workers


def check(settings: Settings) -> None:
    """That the tables are there and are ours, where no process makes them by the way. Raises `Unavailable`."""
    if not settings.uses_postgres:
        return
    if not settings.eventstore_module and not is_migrated(settings):
        raise Unavailable(f"it has no tables yet: {MIGRATE}")
    engine = projections(settings)
    try:
        if outdated := Projections(engine, PROJECTIONS).outdated():
            raise Unavailable(f"its tables of {', '.join(outdated)} are of another release: {MIGRATE}")
        if missing := mutable(settings, engine).missing():
            raise Unavailable(f"it has no table {', '.join(missing)} yet: {MIGRATE}")
    finally:
        engine.dispose()


def is_migrated(settings: Settings) -> bool:
    """Whether the tables of the log are there. Raises `Unavailable`."""
    try:
        return postgres.is_migrated(settings.database)
    except postgres.Error as error:
        raise Unavailable(str(error)) from error


def migrate(settings: Settings) -> None:
    """Make all tables that are missing, and those of the projections anew that are of another release.

    Several processes may do so at once. Raises `InvalidSettings`.
    """
    engine = projections(settings)

    def prepare() -> None:
        Projections(engine, PROJECTIONS).prepare()
        if settings.uses_postgres:
            mutable(settings, engine).prepare()

    try:
        if settings.uses_postgres and not settings.eventstore_module:
            postgres.migrate(settings.database, prepare)
        else:
            prepare()
    except (postgres.Error, SQLAlchemyError) as error:
        raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.database_label} cannot be migrated: {error}") from None
    finally:
        engine.dispose()
