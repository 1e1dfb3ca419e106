"""The HTTP server: uvicorn with our application."""

import gc
import logging
import resource
import sys
from collections.abc import Callable
from errno import EACCES, EADDRINUSE
from ipaddress import ip_address, ip_network
from mmap import mmap
from socket import AF_INET, AF_INET6, SO_REUSEADDR, SOL_SOCKET, socket
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from service.process import logs
from service.server.connection import ClientConnection, ConnectionReaper
from service.settings import InvalidSettings, Settings, items

log = logging.getLogger(__name__)

SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that computes gives the interpreter to the event loop. Python's default is 5 ms, which
every response would wait that comes meanwhile."""

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


def run(config: "Configuration", listening: socket) -> int:
    """Serve in this process until SIGTERM or SIGINT. Accepted requests are finished first. Returns the exit status."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    AnnouncedServer(config).run(sockets=[listening])
    return 0


def configuration(settings: Settings, factory: Callable[[], Any]) -> "Configuration":
    """The configuration for the application that `factory` returns."""
    config = Configuration(
        factory,
        factory=True,
        host=settings.host,
        port=settings.port,
        http=ClientConnection,
        ws="none",
        lifespan="on",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=settings.limits.shutdown_timeout,
    )
    config.max_connections, config.client_timeout = settings.limits.max_connections, settings.limits.client_timeout
    config.announced = mmap(-1, 1)
    config.hosts = own_hosts(settings)
    config.per_address, config.proxies = settings.limits.max_connections_per_address, settings.trusted_proxies
    return config


def own_hosts(settings: Settings) -> frozenset[str] | None:
    """The names by which clients reach a service that listens on a loopback address; None if it listens on others.

    A page of any site can have its own name resolve to a loopback address (DNS rebinding). For the browser the service
    would then be of the same origin as the page.
    """
    try:
        is_loopback = settings.host == "localhost" or ip_address(settings.host).is_loopback
    except ValueError:
        is_loopback = False
    public = urlsplit(settings.public_url).hostname
    return frozenset({settings.host.lower(), *([public] if public else [])}) if is_loopback else None


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
    hosts: frozenset[str] | None
    """See `own_hosts`."""
    proxies: str
    announced: mmap
    """A byte that all forks share: whether one of them has announced the service."""

    def configure_logging(self) -> None:
        super().configure_logging()
        logs.configure()

    def load(self) -> None:
        super().load()
        self.reaper = ConnectionReaper(
            available_connections(self.max_connections), self.client_timeout, self.per_address, is_in(self.proxies)
        )
        tune_garbage_collection()


def is_in(networks: str) -> Callable[[str], bool]:
    """Whether an address is in one of these networks, separated by commas. A peer without an address, at a Unix socket,
    is."""
    known = [ip_network(each, strict=False) for each in items(networks)]

    def found(host: str) -> bool:
        address = ip_address(host) if host else None
        return address is None or any(address in each for each in known)

    return found


def tune_garbage_collection() -> None:
    """Collect reference cycles less often, and exclude the modules, schemas and routes that exist already.

    A move leaves hardly any cycles behind. At Python's default thresholds a quarter of its time would be spent on
    garbage collection.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


class AnnouncedServer(uvicorn.Server):
    """Logs its addresses as soon as it accepts requests, unless another process of the service has done so."""

    config: Configuration

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.config.announced[0]:
            self.config.announced[0] = True
            for server in self.servers:
                for listening in server.sockets:
                    announce(listening)


def announce(listening: socket) -> None:
    host, port = listening.getsockname()[:2]
    url = f"http://{host}:{port}"
    log.info("Stammtisch listens at %s and serves its documentation at %s/docs", url, url)
