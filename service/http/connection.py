"""A connection as our server sees it, and how much of it any client may have.

uvicorn waits for ever for a request that does not end, and for a client that does not read its answer; and it keeps
whatever comes until then. Here the head of a request has a size, a request a time to arrive in, who is answered has to
read on, and a process has room for so many connections.
"""

import asyncio
from collections import deque
from http import HTTPStatus
from typing import Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from domain.codec import encode
from service.http.problems import MEDIA_TYPE, HeadTooLarge, Malformed, Problem, Unavailable, UrlTooLong
from service.http.streaming import CONNECTION

MAX_URL = 8 * 1024
MAX_HEADERS = 100
MAX_HEAD = 32 * 1024
"""The URL and all headers together."""

MAX_MESSAGE = 1024 * 1024
"""A request whose answer did not wait for its end is carried on so far, for the sake of the answer, and no further."""

MAX_UNREAD = 256 * 1024
"""A client that reads on may take its time as long as no more than this waits for it. Streams stop far below."""

MAX_PIPELINE = 16
"""So many requests may wait behind one that is being answered."""

SPARE = 64
"""So many connections more than there is room for are told that there is none."""


class CoalescingTransport(asyncio.Transport):
    """A transport that writes once for each turn of the event loop.

    uvicorn writes the head of an answer and then its body. Every write is a system call that wakes up the client.
    """

    __slots__ = ("_call_soon", "_pieces", "_transport", "_written")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._written = 0
        self._pieces: list[bytes] = []
        self._call_soon = asyncio.get_running_loop().call_soon

    def write(self, data: Any) -> None:
        if not self._pieces:
            self._call_soon(self._flush)
        self._pieces.append(data)

    def _flush(self) -> None:
        if self._pieces:
            pieces, self._pieces = self._pieces, []
            if not self._transport.is_closing():  # the client may have gone since
                data = b"".join(pieces)
                self._written += len(data)
                self._transport.write(data)

    def unread(self) -> tuple[int, int]:
        """How much the client has to read before more can go out, and how much has gone out so far."""
        waiting = self._transport.get_write_buffer_size()
        return waiting, self._written - waiting

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._flush()
        self._transport.close()


class ConnectionReaper:
    """Looks at all connections of the process once a second: cheaper than a timer for each request.

    `room` is how many there may be, `patience` how many seconds a client may take over something.
    """

    def __init__(self, room: int, patience: float) -> None:
        self.room = room
        self.patience = patience
        self.now = 0.0
        """The time, as of the last look."""
        self._looking: asyncio.TimerHandle | None = None

    def begin(self, connections: set[Any]) -> None:
        """Look at these from now on, while there are any."""
        if self._looking is None:
            self._look(connections)

    def _look(self, connections: set[Any]) -> None:
        loop = asyncio.get_running_loop()
        self.now = loop.time()
        for connection in list(connections):
            connection.look(self.now)
        self._looking = loop.call_later(1, self._look, connections) if connections else None


class Refused(Exception):
    """Raised within the parser, which stops at it."""


class Connection(HttpToolsProtocol):
    """Hands itself over to the streams that it carries: whether the server stops, and how to close it at once."""

    def __init__(self, config: uvicorn.Config, *rest: Any, **more: Any) -> None:
        super().__init__(config, *rest, **more)
        self._watch: ConnectionReaper = config.watch  # type: ignore[attr-defined]
        self._awaited: float | None = None
        """Since when a request, or the rest of it, has been waited for; None while there is no need to wait."""
        self._idle: float | None = None
        """Since when all that was asked for is answered."""
        self._unread: float | None = None
        """Since when the client has not read on, or has had too much to read."""
        self._gone_out = 0
        self._in_head = False
        self._arrived = 0
        """How much has come since the request began, but for what came before in the same piece."""
        self._piece = 0
        self._answered: RequestResponseCycle = None  # type: ignore[assignment]
        """The request that is being answered, or was last."""
        self._crowded = False
        self._problem: Problem | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.transport = self._outbox = CoalescingTransport(transport)
        self.stopping = asyncio.Event()
        self.abort = transport.abort
        self._watch.begin(self.connections)
        self._awaited = self._watch.now
        beyond = len(self.connections) - self._watch.room
        self._crowded = beyond > 0
        if beyond > SPARE:
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.cycle = self._answered  # uvicorn would tell the latest request, which may only be waiting for its turn
        super().connection_lost(exc)
        # All of these lead back to here. A circle stays until the collector finds it: where thousands come and go, too
        # long.
        self.cycle = self._answered = self.scope = None  # type: ignore[assignment]
        self.pipeline.clear()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def full(self) -> bool:
        return self.flow.write_paused

    # --- how much ---

    def data_received(self, data: bytes) -> None:
        if self._crowded:
            self._refuse(Unavailable(detail="As many connections are open as this process has room for."))
            return
        self._idle = None
        if self._awaited is None:
            self._awaited = self._watch.now
        self._piece = len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            pass  # there is nothing to which we would; the request is answered as it is
        except httptools.HttpParserError:
            self._refuse(self._problem or Malformed(detail="This is not HTTP/1.1."))
            return
        self._arrived += len(data)
        if self._arrived > MAX_HEAD and self._in_head:
            self._refuse(HeadTooLarge())
        elif self._arrived > MAX_MESSAGE and self._awaited is not None:
            self.abort()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {CONNECTION: self}  # type: ignore[dict-item]
        self._awaited = self._watch.now
        self._in_head = True
        self._arrived = 0

    def on_headers_complete(self) -> None:
        self._in_head = False
        if len(self.url) > MAX_URL:
            self._problem = UrlTooLong()
        elif len(self.headers) > MAX_HEADERS or self._head() > MAX_HEAD:
            self._problem = HeadTooLarge()
        if self._problem is not None or len(self.pipeline) >= MAX_PIPELINE:
            raise Refused
        super().on_headers_complete()
        self.headers = deque(maxlen=0)  # type: ignore[assignment]  # for what comes behind a body in pieces

    def _head(self) -> int:
        """At least the size of the head; exactly where it matters."""
        if self._arrived + self._piece <= MAX_HEAD:
            return 0
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def on_message_complete(self) -> None:
        self._awaited = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """As in uvicorn, which sets a timer here for every answer, and stops it at the next request."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self._idle = self._watch.now

    def _refuse(self, problem: Problem) -> None:
        """Answer with a problem, whatever was asked for, and close; without a word where an answer is on its way."""
        if self.cycle is None or self.cycle.response_complete:
            body = encode(problem)
            head = {
                "content-type": MEDIA_TYPE,
                "content-length": str(len(body)),
                "cache-control": "no-store",
                "x-content-type-options": "nosniff",
                "connection": "close",
            }
            if isinstance(problem, Unavailable):
                head["retry-after"] = "1"
            lines = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
            lines += [f"{name}: {value}" for name, value in head.items()]
            self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()

    # --- how long ---

    def look(self, now: float) -> None:
        """Whether the client keeps us waiting for too long."""
        patience = 1 if self._crowded else self._watch.patience
        if self._awaited is not None and now - self._awaited > patience + 1:  # since then at the earliest
            self.abort()
            return
        if self._idle is not None and now - self._idle > self.timeout_keep_alive + 1:
            self.timeout_keep_alive_handler()
            return
        unread, gone_out = self._outbox.unread()
        reads_on, self._gone_out = gone_out > self._gone_out, gone_out
        if unread == 0 or (reads_on and unread <= MAX_UNREAD):
            self._unread = None
        elif self._unread is None:
            self._unread = now
        elif now - self._unread > patience:
            self.abort()

    def shutdown(self) -> None:
        super().shutdown()
        self.stopping.set()
