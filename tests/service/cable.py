"""A cable between PostgreSQL and its client that can be cut at the worst moment: beside the server, not inside it."""

import socket
import threading
from contextlib import suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"
"""What the server answers to a COMMIT that has succeeded."""


class Cable:
    """Carries what is said on every connection, at a socket in `folder`."""

    def __init__(self, url: str, folder: Path) -> None:
        self._to = conninfo_to_dict(url)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        self.url = f"postgresql:///{self._to['dbname']}?host={folder}&user={self._to['user']}"
        self.cuts = 0
        """How many more commits are made of which the client gets no answer."""
        self._plugged = True
        threading.Thread(target=self._accept, daemon=True).start()

    def unplug(self) -> None:
        """Nobody is connected any more."""
        self._plugged = False
        self._listening.close()

    def _accept(self) -> None:
        while self._plugged:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = self._reach()
            threading.Thread(target=self._carry, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._carry, args=(server, client, True), daemon=True).start()

    def _reach(self) -> socket.socket:
        host, port = str(self._to.get("host") or "localhost"), int(self._to.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _carry(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while said := source.recv(65536):
                if answers and self.cuts and COMMITTED in said:
                    self.cuts -= 1
                    break
                target.sendall(said)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
