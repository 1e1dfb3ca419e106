"""The HTTP server: uvicorn with our application, in one process or several."""

import gc
import logging
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from errno import EACCES, EADDRINUSE
from ipaddress import ip_address, ip_network
from socket import AF_INET, AF_INET6, SO_REUSEADDR, SOL_SOCKET, socket
from threading import Thread
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from service.log.file_lock import FileLock
from service.process import logs, output
from service.process.interpreter import ROOT, compiled_modules
from service.server.connection import ClientConnection, ConnectionReaper
from service.settings import InvalidSettings, Settings

log = logging.getLogger(__name__)

FACTORY = f"{ROOT}service.app:create"

RESERVED_FILES = 400
"""Open files that a process needs besides client connections: databases, logs, the interpreter. A generous estimate."""


def bind(settings: Settings) -> socket:
    """A socket with the address in the settings, not yet listening. Raises `InvalidSettings`."""
    host, port = settings.host, settings.port
    listening = socket(AF_INET6 if ":" in host else AF_INET)
    try:
        listening.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.set_inheritable(True)
    except OSError as error:
        listening.close()
        if error.errno == EADDRINUSE:
            raise InvalidSettings(
                f"STAMMTISCH_PORT: port {port} of {host} is in use by another program; choose another one with --port"
            ) from None
        if error.errno == EACCES:
            raise InvalidSettings(f"STAMMTISCH_PORT: port {port} needs more rights; choose one from 1024 on") from None
        raise InvalidSettings(f"STAMMTISCH_HOST: cannot listen on {host}: {error.strerror}") from None
    return listening


def run(settings: Settings, listening: socket, lock: FileLock | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Accepted requests are finished first. Worker processes inherit the `lock`."""
    output.make_nonblocking()
    config = configuration(settings, FACTORY)
    config.lock = lock
    config.nonblocking_output = True
    if settings.workers == 1:
        with suppress(KeyboardInterrupt):  # after a shutdown uvicorn raises the signal again
            AnnouncedServer(config).run(sockets=[listening])
    else:
        listening.listen(config.backlog)
        announce(listening)
        Multiprocess(config, sockets=[listening]).run()


def configuration(settings: Settings, factory: Any) -> "Configuration":
    """The configuration for an application made by `factory`: a function, or its import path."""
    config = Configuration(
        factory,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http=ClientConnection,
        ws="none",
        lifespan="on",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=settings.shutdown_timeout,
    )
    config.max_connections, config.client_timeout = settings.max_connections, settings.client_timeout
    config.per_address, config.proxies = settings.max_connections_per_address, settings.trusted_proxies
    return config


def available_connections(max_connections: int) -> int:
    """How many of these client connections the limit of open files allows. Raises the soft limit where it can.

    A process without a free file descriptor cannot reach its database either.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = max_connections + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return max_connections
    available = max(soft - RESERVED_FILES, soft // 2)
    log.warning("The limit of %d open files allows %d connections.", soft, available)
    return available


class Configuration(uvicorn.Config):
    """uvicorn's configuration, and what each process sets up before it serves."""

    reaper: ConnectionReaper
    max_connections: int
    client_timeout: float
    per_address: int
    proxies: str
    lock: FileLock | None = None
    """Worker processes inherit it with the configuration."""
    nonblocking_output = False
    """Whether worker processes write to standard output and error without blocking."""

    def configure_logging(self) -> None:
        """The first call in a new process, before anything refers to its standard error."""
        if self.nonblocking_output:
            output.make_nonblocking()
        super().configure_logging()
        logs.configure()

    def load(self) -> None:
        super().load()
        if self.workers > 1:
            exit_with_parent()
        self.reaper = ConnectionReaper(
            available_connections(self.max_connections), self.client_timeout, self.per_address, is_in(self.proxies)
        )
        tune_garbage_collection()


def is_in(networks: str) -> Callable[[str], bool]:
    """Whether an address is in one of these networks, separated by commas. A peer without an address, at a Unix socket,
    is."""
    known = [ip_network(each.strip(), strict=False) for each in networks.split(",") if each.strip()]

    def found(host: str) -> bool:
        address = ip_address(host) if host else None
        return address is None or any(address in each for each in known)

    return found


def exit_with_parent() -> None:
    """Stop this worker process when its supervisor has ended. An orphaned worker would hold the database's lock."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        assert parent is not None
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    if parent is not None:
        Thread(target=wait, name="exit-with-parent", daemon=True).start()


def tune_garbage_collection() -> None:
    """Collect reference cycles less often, and exclude the modules, schemas and routes that exist already.

    A move leaves hardly any cycles behind. At Python's default thresholds a quarter of its time would be spent on
    garbage collection.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


class AnnouncedServer(uvicorn.Server):
    """Prints its addresses as soon as it accepts requests."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                announce(listening)


def announce(listening: socket) -> None:
    host, port = listening.getsockname()[:2]
    url = f"http://{host}:{port}"
    compiled = f"; compiled: {modules}" if (modules := compiled_modules()) else ""
    log.info("Stammtisch listens at %s and serves its documentation at %s/docs%s", url, url, compiled)
