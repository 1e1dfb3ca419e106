"""The HTTP server: uvicorn with our application, in one process or several."""

import gc
import multiprocessing
import os
import resource
import signal
import sys
from contextlib import suppress
from socket import socket
from threading import Thread
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from service import output
from service.http.connection import Connection, ConnectionReaper
from service.settings import Settings
from service.store.file_lock import FileLock

FACTORY = "service.app:create"

OTHER_FILES = 400
"""What a process opens besides connections of clients: databases, logs, what the interpreter needs; generously."""


def run(settings: Settings, lock: FileLock | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Accepted requests are finished first. Worker processes inherit the `lock`."""
    output.unblock()
    config = configuration(settings, FACTORY)
    config.lock = lock
    config.unblocked = True
    if settings.workers == 1:
        with suppress(KeyboardInterrupt):  # once it has stopped it passes on what it was stopped by
            AnnouncedServer(config).run()
    else:
        listening = config.bind_socket()
        listening.listen(config.backlog)
        announce(listening)
        Multiprocess(config, sockets=[listening]).run()


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
    made.clients, made.patience = settings.max_connections, settings.client_timeout
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
    lock: FileLock | None = None
    """Worker processes inherit it with the configuration."""
    unblocked = False
    """Whether worker processes write to their output without blocking."""

    def configure_logging(self) -> None:
        """The first call in a new process, before anything holds its standard error."""
        if self.unblocked:
            output.unblock()
        super().configure_logging()

    def load(self) -> None:
        super().load()
        if self.workers > 1:
            end_with_parent()
        self.watch = ConnectionReaper(room(self.clients), self.patience)
        collect_rarely()


def end_with_parent() -> None:
    """Stop this worker when its supervisor is gone. Nobody else would, and the worker holds the database's lock."""
    parent = multiprocessing.parent_process()

    def end() -> None:
        assert parent is not None
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    if parent is not None:
        Thread(target=end, name="end-with-parent", daemon=True).start()


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
