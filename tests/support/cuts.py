"""A proxy between a client and the service that closes connections in the middle of what the service sends."""

import socket
import threading
from contextlib import suppress
from random import Random
from urllib.parse import urlsplit


class CuttingProxy:
    """Forwards TCP connections to the service at `url`, and cuts each after some bytes, `cuts` times in all.

    A cut closes both ends at once: a request may have reached the service though its answer is lost.
    """

    def __init__(self, url: str, cuts: int, *, seed: int = 1, most: int = 12_000) -> None:
        self.forward_to(url)
        self._dice = Random(seed)
        self._most = most
        self._lock = threading.Lock()
        self.left = cuts
        """How many connections will still be cut."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def forward_to(self, url: str) -> None:
        """Forward new connections to the service at another URL."""
        self._service = (urlsplit(url).hostname, urlsplit(url).port)

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with suppress(OSError), client:
                service = socket.create_connection(self._service)
                client = client.dup()
                budget = self._dice.randrange(self._most)
                threading.Thread(target=self._forward, args=(client, service, None), daemon=True).start()
                threading.Thread(target=self._forward, args=(service, client, budget), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, budget: int | None) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if budget is not None:
                    budget -= len(data)
                    if budget < 0 and self._may_cut():
                        target.sendall(data[:budget])
                        break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _may_cut(self) -> bool:
        with self._lock:
            if self.left == 0:
                return False
            self.left -= 1
            return True
