"""A proxy between PostgreSQL and its client that closes connections between a commit and its answer."""

import socket
import threading
from contextlib import suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"
"""The server's answer to a successful COMMIT."""


class FaultyProxy:
    """Forwards all connections to a Unix socket in `folder` to the server at `url`."""

    def __init__(self, url: str, folder: Path) -> None:
        self._server = conninfo_to_dict(url)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self.url = f"postgresql:///{self._server['dbname']}?host={folder}&user={self._server['user']}"
        self.lost_answers = 0
        """How many of the next commits get no answer: their connections are closed instead."""
        self._open = True
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        self._open = False
        self._listener.close()

    def _accept(self) -> None:
        while self._open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = self._connect()
            threading.Thread(target=self._forward, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._forward, args=(server, client, True), daemon=True).start()

    def _connect(self) -> socket.socket:
        host, port = str(self._server.get("host") or "localhost"), int(self._server.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _forward(self, source: socket.socket, target: socket.socket, from_server: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if from_server and self.lost_answers and COMMITTED in data:
                    self.lost_answers -= 1
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
