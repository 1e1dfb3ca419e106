"""The command `serve`: checks what it needs, prepares the databases, then starts the HTTP server."""

import asyncio
import os

from sqlalchemy.exc import SQLAlchemyError

from service import decks
from service.http import server
from service.runtime import Runtime
from service.settings import InvalidSettings, Settings
from service.store import databases, file_lock
from service.store.file_lock import FileLock
from service.store.group_commit import Unavailable


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Accepted requests are finished first. Raises `InvalidSettings`."""
    os.environ |= settings.environment()
    lock = claimed(settings)
    prepare(settings)
    server.run(settings, lock)


def claimed(settings: Settings) -> FileLock | None:
    """Lock the SQLite file if the log is kept in one. Services with Redis share the lock. Raises `InvalidSettings`."""
    if settings.uses_postgres or settings.eventstore_module:
        return None
    try:
        return file_lock.claimed(settings.sqlite_path, shared=bool(settings.redis))
    except file_lock.InUse:
        raise InvalidSettings(
            f"STAMMTISCH_DATABASE: {settings.database_label} is in use by another service. Stop that one, or start one service "
            "with several workers (--workers), or all services with the same Redis (--redis)."
        ) from None
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symbolic links
        raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.database_label} cannot be used: {error}") from None


def prepare(settings: Settings) -> None:
    """Create the secret and the databases where they are missing, before worker processes start.

    A PostgreSQL database is created only where it is empty; `stammtisch migrate` changes one that is in use.
    Raises `InvalidSettings`.
    """

    decks.offered(settings)

    async def once() -> None:
        runtime = Runtime(settings)
        await runtime.start()
        await runtime.stop()

    try:
        if settings.uses_postgres and not settings.eventstore_module and not databases.is_migrated(settings):
            databases.migrate(settings)
        asyncio.run(once())
    except (Unavailable, SQLAlchemyError, OSError) as error:
        raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.database_label} cannot be used: {error}") from None
