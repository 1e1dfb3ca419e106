"""The command `serve`: checks what it needs, prepares the databases and the application, then forks what serves."""

import asyncio
import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial

from litestar.types import ASGIApp
from sqlalchemy.exc import SQLAlchemyError

from service import databases, settings
from service.app import create
from service.cli.exit_status import ExitStatus
from service.extension import Beside, besides
from service.games import decks
from service.identity.tokens import Tokens
from service.log import file_lock
from service.log.errors import Unavailable
from service.process import packages
from service.process.supervisor import Child, Supervisor
from service.runtime import Runtime
from service.server import server
from service.settings import InvalidSettings, Settings

log = logging.getLogger(__name__)

OPTIONS = ("host", "port", "database", "redis", "workers")


def run(arguments: Namespace) -> ExitStatus:
    return serve(
        settings.read(**{name: getattr(arguments, name) for name in OPTIONS}),
        beside=[each for each in besides() if getattr(arguments, each.option)],
    )


def serve(settings: Settings, *, beside: Sequence[Beside] = (), create: Callable[[], ASGIApp] = create) -> ExitStatus:
    """Serve until SIGTERM or SIGINT, then finish accepted requests. Raises `InvalidSettings`.

    `beside`: processes of extensions. `create` makes the application, which then serves in
    every process.
    """
    os.environ |= settings.environment()
    with server.bind(settings) as listening:  # first: a port that is in use must leave no files behind
        lock_database(settings)
        prepare(settings)
        app = create()
        config = server.configuration(settings, lambda: app)
        listening.listen(config.backlog)
        children = [Child("a serving process", partial(server.run, config, listening)) for _ in range(settings.workers)]
        for each in beside:
            run = partial(each.run, settings, listening)
            children.append(Child(each.what, run, vital=False, final=ExitStatus.UNUSABLE))
        server.tune_garbage_collection()
        return ExitStatus.OK if Supervisor(children, listening.close).run() else ExitStatus.UNUSABLE


def lock_database(settings: Settings) -> None:
    """Lock the SQLite file if the log is in one. Services with Redis share the lock. Raises `InvalidSettings`."""
    if settings.uses_postgres:
        return
    try:
        file_lock.claim(settings.sqlite_path, shared=bool(settings.redis))
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
        if stuck := await runtime.stuck():
            sys.stderr.write(f"{packages.SETTING}: {stuck}\n")
        await runtime.stop()

    try:
        if settings.uses_postgres and not databases.is_migrated(settings):
            databases.migrate(settings)
        asyncio.run(start_and_stop())
    except (Unavailable, SQLAlchemyError, OSError) as error:
        raise settings.unusable(error) from None
