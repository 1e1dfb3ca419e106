"""The HTTP server: uvicorn with our application, in one process or several."""

import asyncio
import gc
import os
import resource
import sys
from contextlib import suppress
from socket import socket
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.supervisors import Multiprocess

from service import decks, output
from service.http.connection import Connection, ConnectionReaper
from service.runtime import Runtime
from service.settings import InvalidSettings, Settings
from service.store import databases
from service.store.group_commit import Unavailable

FACTORY = "service.app:create"

OTHER_FILES = 400
"""What a process opens besides connections of clients: databases, logs, what the interpreter needs; generously."""


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; what has been accepted is finished first."""
    os.environ |= settings.environment()
    prepare(settings)
    output.unblock()
    config = configuration(settings, FACTORY)
    config.unblocked = True
    if settings.workers == 1:
        with suppress(KeyboardInterrupt):  # once it has stopped it passes on what it was stopped by
            AnnouncedServer(config).run()
    else:
        listening = config.bind_socket()
        listening.listen(config.backlog)
        announce(listening)
        Multiprocess(config, sockets=[listening]).run()


def prepare(settings: Settings) -> None:
    """Make the secret and the databases where there are none, once, before several processes do. Raises `Faulty`.

    A database on a server is made only where it is empty: to change one in use is for whoever runs the service.
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


def configuration(settings: Settings, factory: Any) -> "Configuration":
    """For an application that is made by this function, or by the one of this name."""
    made = Configuration(
        factory,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http=Connection,
        ws="none",
        lifespan="on",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=settings.shutdown_timeout,
    )
    made.clients, made.patience = settings.clients, settings.patience
    return made


def room(clients: int) -> int:
    """For how many connections of clients there is room. Raises the limit of open files for it, where that is allowed.

    A process that has no file left cannot reach its database either.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = clients + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return clients
    found = max(soft - OTHER_FILES, soft // 2)
    sys.stderr.write(f"With {soft} open files, which is the limit, there is room for {found} connections.\n")
    return found


class Configuration(uvicorn.Config):
    """Also for what each process does when it has made its application."""

    watch: ConnectionReaper
    clients: int
    patience: float
    unblocked = False
    """Whether the processes that are begun with this write to their output without blocking."""

    def configure_logging(self) -> None:
        """The first that a new process does, before anything holds its standard error."""
        if self.unblocked:
            output.unblock()
        super().configure_logging()

    def load(self) -> None:
        super().load()
        self.watch = ConnectionReaper(room(self.clients), self.patience)
        collect_rarely()


def collect_rarely() -> None:
    """Look for cycles less often, and not among the modules, schemas and routes that are there by now.

    What a move leaves behind is hardly ever part of a cycle, but at Python's own thresholds a quarter of its time would
    go into looking.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


class AnnouncedServer(uvicorn.Server):
    """Says where it listens as soon as it answers."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                announce(listening)


def announce(listening: socket) -> None:
    host, port = listening.getsockname()[:2]
    sys.stderr.write(f"Stammtisch listens at http://{host}:{port} and explains itself at http://{host}:{port}/docs\n")
