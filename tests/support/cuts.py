"""A proxy between a client and the service that closes connections: in the middle of what the service sends, or after
a move has reached the service and before the client has its answer."""

import socket
import threading
from contextlib import suppress
from random import Random
from urllib.parse import urlsplit


class CuttingProxy:
    """Forwards TCP connections to the service at `url`, and cuts `cuts` of them: by turns after some bytes of the
    service, at most `most`, and after some moves, of which the last one gets no answer."""

    def __init__(self, url: str, cuts: int, *, seed: int = 1, most: int = 12_000) -> None:
        self.forward_to(url)
        self._dice = Random(seed)
        self._most = most
        self._connections = 0
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
                self._connections += 1
                lost = threading.Event()
                by_bytes = self._connections % 2 == 0
                threading.Thread(target=self._send, args=(client, service, by_bytes, lost), daemon=True).start()
                threading.Thread(target=self._answer, args=(service, client, by_bytes, lost), daemon=True).start()

    def _send(self, client: socket.socket, service: socket.socket, by_bytes: bool, lost: threading.Event) -> None:
        """Forward requests."""
        moves = self._dice.randrange(1, 5)
        with suppress(OSError):
            while data := client.recv(65536):
                moves -= is_move(data)
                if not by_bytes and moves == 0 and self._may_cut():
                    lost.set()
                service.sendall(data)
        self._close(client, service)

    def _answer(self, service: socket.socket, client: socket.socket, by_bytes: bool, lost: threading.Event) -> None:
        """Forward what the service sends."""
        budget = self._dice.randrange(self._most)
        with suppress(OSError):
            while (data := service.recv(65536)) and not lost.is_set():
                budget -= len(data)
                if by_bytes and budget < 0 and self._may_cut():
                    client.sendall(data[:budget])
                    break
                client.sendall(data)
        self._close(client, service)

    @staticmethod
    def _close(*ends: socket.socket) -> None:
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _may_cut(self) -> bool:
        with self._lock:
            if self.left == 0:
                return False
            self.left -= 1
            return True


def is_move(data: bytes) -> bool:
    """Whether a client sends a move: by HTTP, or in a (masked) frame of a web socket."""
    if data[:1] != b"\x81":
        return data.startswith(b"POST ") and b"/moves" in data.split(b"\r\n", 1)[0]
    start = 2 if data[1] & 0x7F < 126 else 4
    mask, payload = data[start : start + 4], data[start + 4 :]
    text = bytes(octet ^ mask[place % 4] for place, octet in enumerate(payload))
    return b'"type":"move"' in text
