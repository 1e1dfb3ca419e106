"""Streams: answers that go on for as long as things happen and the client listens."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Hashable, Mapping
from contextlib import aclosing
from typing import Annotated, Any, Protocol

from litestar.params import HeaderParameter
from litestar.types import Receive, Scope, Send

from service.store.errors import Unavailable

log = logging.getLogger(__name__)

SSE, NDJSON = "text/event-stream", "application/x-ndjson"

VARY = {"Vary": "Authorization, Accept"}
STREAMED = {"Cache-Control": "no-store", **VARY}
"""The headers of what is streamed."""

LastEventId = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID", pattern=r"^(0|[1-9][0-9]{0,14})$(?!\n)",
        description="The `id` that a live stream had come to, to resume it there; wins over `after`.",
    ),
]  # fmt: skip

KEEP_ALIVE = 15.0
"""Seconds without news after which a comment is sent, so that nobody on the way takes the connection for dead."""
SEND_TIMEOUT = 10.0
"""Seconds that a client may take to read on before it is cut off. It can resume where it was."""
PIECE = 100
"""So many items are read and sent at once at most."""

CONNECTION = "stammtisch.connection"
"""Under which extension of the scope our server hands over the connection."""

RETRY = 1000
"""Milliseconds after which a client comes back whose stream has broken."""

COMMENT = b": keep-alive\n\n"


def opening(position: int) -> bytes:
    """What a stream of events begins with: who loses it before the first event resumes it here."""
    return b"retry: %d\nid: %d\n\n" % (RETRY, position)


def message(id: int, event: str, data: bytes) -> bytes:
    """An event in a stream. JSON in one line needs no more than this."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (id, event.encode(), data)


class Connection(Protocol):
    """What a stream must know of its connection that ASGI does not tell."""

    stopping: asyncio.Event
    """Set when the server has been told to stop: it waits for all answers to end."""

    @property
    def full(self) -> bool:
        """Whether what is sent next has to wait until the client has read."""

    def abort(self) -> None:
        """Close it, whatever is still to be sent."""


class Stream:
    """Pieces of an answer, as an ASGI application.

    An `endless` one ends when the server stops; its client comes back for the rest. Any is cut off whose client does
    not read, or whose pieces cannot be had. What goes wrong before there is a first piece is answered with a problem.
    """

    __slots__ = ("_begun", "_endless", "_headers", "_pieces")

    def __init__(
        self, pieces: AsyncGenerator[bytes, None], media_type: str, headers: Mapping[str, str], *, endless: bool
    ) -> None:
        self._pieces = pieces
        self._begun = False
        self._endless = endless
        named = {**headers, "content-type": media_type, "x-accel-buffering": "no"}  # nginx would keep pieces back
        self._headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in named.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: Connection | None = (scope.get("extensions") or {}).get(CONNECTION)  # type: ignore[assignment]
        sending, gone = asyncio.create_task(self._send(send, connection)), asyncio.create_task(_gone(receive))
        tasks: list[asyncio.Task[Any]] = [sending, gone]
        if connection is not None and self._endless:
            tasks.append(asyncio.create_task(connection.stopping.wait()))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
            elif not gone.done():
                await _cancelled(sending)
                if not self._begun:
                    raise Unavailable("the service stops")
                await _send_in_time(send, b"", more=False)
        except Exception as error:
            if not self._begun:
                raise
            if not isinstance(error, TimeoutError | Unavailable):
                log.error("a stream failed", exc_info=error)
            if connection is None:
                raise
            connection.abort()  # so that nobody takes for the end what is none
            await gone
        finally:
            await _cancelled(*tasks)

    async def _send(self, send: Send, connection: Connection | None) -> None:
        async with aclosing(self._pieces) as pieces:
            piece = await anext(pieces, b"")
            self._begun = True
            await send({"type": "http.response.start", "status": 200, "headers": self._headers})
            while piece:
                if connection is None or connection.full:
                    await _send_in_time(send, piece)
                else:  # a time-out would be a quarter of what a piece costs
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                piece = await anext(pieces, b"")
        await _send_in_time(send, b"", more=False)


async def _send_in_time(send: Send, body: bytes, *, more: bool = True) -> None:
    """Raises `TimeoutError` if the client does not make room for it."""
    async with asyncio.timeout(SEND_TIMEOUT):
        await send({"type": "http.response.body", "body": body, "more_body": more})


async def _gone(receive: Receive) -> None:
    """Until the client has."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cancelled(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Pieces:
    """The latest pieces of all streams: each is written once, however many readers wait for it."""

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._written: OrderedDict[Hashable, bytes] = OrderedDict()

    def of(self, key: Hashable, write: Callable[[], bytes]) -> bytes:
        piece = self._written.get(key)
        if piece is None:
            piece = self._written[key] = write()
            if len(self._written) > self._size:
                self._written.popitem(last=False)
        return piece
