"""The HTTP server: uvicorn with our application, in one process or several."""

import asyncio
import os
import sys
from socket import socket

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.supervisors import Multiprocess

from service.settings import Faulty, Settings
from service.stammtisch import Stammtisch
from service.store import Unavailable

FACTORY = "service.app:create"


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; what has been accepted is finished first."""
    os.environ |= settings.environment()
    prepare(settings)
    config = uvicorn.Config(
        FACTORY,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http="httptools",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=settings.stop_seconds,
    )
    if settings.workers == 1:
        AnnouncedServer(config).run()
    else:
        listening = config.bind_socket()
        listening.listen(config.backlog)
        announce(listening)
        Multiprocess(config, sockets=[listening]).run()


def prepare(settings: Settings) -> None:
    """Make the secret and the databases where there are none, once, before several processes do. Raises `Faulty`."""

    async def once() -> None:
        house = Stammtisch(settings)
        await house.start()
        await house.stop()

    try:
        asyncio.run(once())
    except (Unavailable, SQLAlchemyError, OSError) as error:
        raise Faulty(f"STAMMTISCH_DATABASE: {settings.database!r} cannot be used: {error}") from None


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
