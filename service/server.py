"""The HTTP server: uvicorn with our application, in one process or several."""

import os
import sys
from socket import socket

import uvicorn
from uvicorn.supervisors import Multiprocess

from service.settings import Settings
from service.tokens import Tokens

FACTORY = "service.app:create"


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; what has been accepted is finished first."""
    os.environ |= settings.environment()
    Tokens(settings)  # makes the secret, if there is none yet, before several processes look for it
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
        announce(listening)
        Multiprocess(config, sockets=[listening]).run()


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
