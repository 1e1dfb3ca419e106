"""The HTTP server: uvicorn with our application, in one process or several."""

import asyncio
import gc
import os
import sys
from socket import socket
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from service import databases, decks
from service.api.streams import CONNECTION
from service.settings import Faulty, Settings
from service.stammtisch import Stammtisch
from service.store import Unavailable

FACTORY = "service.app:create"


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; what has been accepted is finished first."""
    os.environ |= settings.environment()
    prepare(settings)
    config = configuration(settings, FACTORY)
    if settings.workers == 1:
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
        house = Stammtisch(settings)
        await house.start()
        await house.stop()

    try:
        if settings.on_a_server and not settings.log_module and not databases.is_migrated(settings):
            databases.migrate(settings)
        asyncio.run(once())
    except (Unavailable, SQLAlchemyError, OSError) as error:
        raise Faulty(f"STAMMTISCH_DATABASE: {settings.place} cannot be used: {error}") from None


def configuration(settings: Settings, factory: Any) -> uvicorn.Config:
    """For an application that is made by this function, or by the one of this name."""
    return Configuration(
        factory,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http=Connection,
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=settings.stop_seconds,
    )


class Configuration(uvicorn.Config):
    """Also for what each process does when it has made its application."""

    def load(self) -> None:
        super().load()
        collect_rarely()


def collect_rarely() -> None:
    """Look for cycles less often, and not among the modules, schemas and routes that are there by now.

    What a move leaves behind is hardly ever part of a cycle, but at Python's own thresholds a quarter of its time would
    go into looking.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


class AtOnce(asyncio.Transport):
    """A transport that writes once for each turn of the event loop.

    uvicorn writes the head of an answer and then its body. Every write is a system call that wakes up the client.
    """

    __slots__ = ("_call_soon", "_pieces", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._pieces: list[bytes] = []
        self._call_soon = asyncio.get_running_loop().call_soon

    def write(self, data: Any) -> None:
        if not self._pieces:
            self._call_soon(self._flush)
        self._pieces.append(data)

    def _flush(self) -> None:
        if self._pieces:
            pieces, self._pieces = self._pieces, []
            self._transport.write(b"".join(pieces))

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._flush()
        self._transport.close()


class Connection(HttpToolsProtocol):
    """Hands itself over to the streams that it carries: whether the server stops, and how to close it at once."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.transport = AtOnce(transport)
        self.stopping = asyncio.Event()
        self.abort = transport.abort

    @property
    def full(self) -> bool:
        return self.flow.write_paused

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {CONNECTION: self}  # type: ignore[dict-item]

    def shutdown(self) -> None:
        super().shutdown()
        self.stopping.set()


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
