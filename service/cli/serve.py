"""The command `serve`: checks what it needs, prepares the databases, then starts the HTTP server."""

import asyncio
import os
from argparse import Namespace
from contextlib import nullcontext

from sqlalchemy.exc import SQLAlchemyError

from service import databases, settings
from service.cli.beside import beside
from service.cli.exit_status import ExitStatus
from service.games import decks
from service.identity.tokens import Tokens
from service.log import file_lock
from service.log.errors import Unavailable
from service.log.file_lock import FileLock
from service.process.interpreter import ROOT
from service.runtime import Runtime
from service.server import server
from service.settings import InvalidSettings, Settings

OPTIONS = ("host", "port", "database", "redis", "workers")


def run(arguments: Namespace) -> ExitStatus:
    serve(settings.read(**{name: getattr(arguments, name) for name in OPTIONS}), deliver=arguments.deliver)
    return ExitStatus.OK


def serve(settings: Settings, *, deliver: bool = False) -> None:
    """Serve until SIGTERM or SIGINT, then finish accepted requests. Raises `InvalidSettings`.

    `deliver`: a process beside it delivers to webhooks.
    """
    os.environ |= settings.environment()
    with server.bind(settings) as listening:  # first: a port that is in use must leave no files behind
        lock = acquire_lock(settings)
        prepare(settings)
        with beside(["-m", f"{ROOT}service.cli.deliver"]) if deliver else nullcontext():
            server.run(settings, listening, lock)


def acquire_lock(settings: Settings) -> FileLock | None:
    """Lock the SQLite file if the log is in one. Services with Redis share the lock. Raises `InvalidSettings`."""
    if settings.uses_postgres or settings.eventstore_module:
        return None
    try:
        return file_lock.claimed(settings.sqlite_path, shared=bool(settings.redis))
    except file_lock.InUse:
        raise InvalidSettings(
            f"STAMMTISCH_DATABASE: {settings.database_label} is in use by another service. Stop that service, or start "
            "one service with several workers (--workers), or all services with the same Redis (--redis)."
        ) from None
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symbolic links
        raise settings.unusable(error) from None


def prepare(settings: Settings) -> None:
    """Create the secret and the tables that are missing, before worker processes start. Raises `InvalidSettings`.

    In PostgreSQL, tables are created only in an empty database; `stammtisch migrate` updates existing ones.
    """
    decks.offered(settings)
    Tokens(settings)  # checks the keys before anything is created in a database

    async def start_and_stop() -> None:
        runtime = Runtime(settings)
        await runtime.start()
        await runtime.stop()

    try:
        if settings.uses_postgres and not settings.eventstore_module and not databases.is_migrated(settings):
            databases.migrate(settings)
        asyncio.run(start_and_stop())
    except (Unavailable, SQLAlchemyError, OSError) as error:
        raise settings.unusable(error) from None
