"""The network between a browser and the service: it can be cut within a message, and put together again."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from urllib.parse import urlsplit


class Cable:
    """Passes bytes between connections to `url` and the service at `target`.

    While it is `down`, connections are closed at once. `cut_after` is the number of bytes, in either direction, after
    which all connections are cut; None: never.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.down = False
        self.cuts = 0
        self.cut_after: int | None = None
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close all connections without a word."""
        with self._lock:
            found, self._open = self._open, set()
            self.cut_after = None
            self.cuts += 1
        for each in found:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def close(self) -> None:
        self.down = True
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        try:
            if self.down:
                raise OSError
            far = self._reach(near)
        except OSError:
            near.close()
            return
        with self._lock:
            self._open |= {near, far}
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _reach(self, _near: socket.socket) -> socket.socket:
        """The other end of the connection."""
        return connected(self.target)

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                passed, is_last = self._allowed(len(data))
                other.sendall(data[:passed])
                if is_last:
                    self.cut()
                    return
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._open.discard(each)

    def _allowed(self, count: int) -> tuple[int, bool]:
        """How many of these bytes still pass, and whether the cut is after them.

        Both are decided together: a test that sets `cut_after` anew must not save a connection that has lost bytes.
        """
        with self._lock:
            if self.cut_after is None:
                return count, False
            passed = min(count, self.cut_after)
            self.cut_after -= passed
            return passed, self.cut_after == 0


class Balancer(Cable):
    """Sends every request, and every web socket, to the next of several services in turn."""

    def __init__(self, *targets: str) -> None:
        self.targets = targets
        self._turns = count()
        super().__init__(targets[0])

    def _reach(self, near: socket.socket) -> socket.socket:
        head = b""
        while b"\r\n\r\n" not in head:
            if not (data := near.recv(65536)):
                raise OSError
            head += data
        with self._lock:
            target = self.targets[next(self._turns) % len(self.targets)]
        far = connected(target)
        if b"\r\nupgrade:" not in head.lower():  # a connection has one request
            head = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", head, count=1)
            head = head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        far.sendall(head)
        return far


def connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 80))


@contextmanager
def cable(target: str) -> Iterator[Cable]:
    made = Cable(target)
    try:
        yield made
    finally:
        made.close()
