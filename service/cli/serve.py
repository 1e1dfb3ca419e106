"""The command `serve`: checks what it needs, prepares the databases, then starts the HTTP server."""

import asyncio
import os

from sqlalchemy.exc import SQLAlchemyError

from service import decks
from service.http import server
from service.runtime import Runtime
from service.settings import InvalidSettings, Settings
from service.store import databases
from service.store.errors import Unavailable


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Accepted requests are finished first. Raises `InvalidSettings`."""
    os.environ |= settings.environment()
    prepare(settings)
    server.run(settings)


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
        if settings.on_a_server and not settings.eventstore_module and not databases.is_migrated(settings):
            databases.migrate(settings)
        asyncio.run(once())
    except (Unavailable, SQLAlchemyError, OSError) as error:
        raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.place} cannot be used: {error}") from None
