"""Streaming responses: live streams of server-sent events (SSE), and lines of JSON (NDJSON)."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Hashable, Mapping
from contextlib import aclosing
from typing import Annotated, Any, Generic, Protocol, TypeVar

from litestar.params import HeaderParameter
from litestar.types import Receive, Scope, Send

from service.log.errors import Unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

SSE, NDJSON = "text/event-stream", "application/x-ndjson"

VARY = {"Vary": "Authorization, Invite, Accept"}
STREAM_HEADERS = {"Cache-Control": "no-store", **VARY}
"""The headers of every streaming response."""

LastEventId = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID", pattern=r"^(0|[1-9][0-9]{0,15})$(?!\n)",
        description="Resumes a live stream after the event with this `id`. Takes precedence over `after`.",
    ),
]  # fmt: skip

KEEP_ALIVE = 15.0
"""Seconds without events after which a comment is sent, so that no proxy closes the connection as idle."""
SEND_TIMEOUT = 10.0
"""Seconds after which a client that stopped reading is disconnected. It can resume the stream."""
BATCH_SIZE = 100
"""The maximum number of items that are read and sent at once."""

CONNECTION = "stammtisch.connection"
"""The key of the `ConnectionControl` in the `extensions` of an ASGI scope."""

RETRY = 1000
"""Milliseconds after which a client reconnects a broken stream."""

# Neither ends with an empty line: some clients take every block for an event, also one without data.
OPENING = b"retry: %d\n" % RETRY
"""The first line of a live stream. It belongs to the block of the first event."""
COMMENT = b": keep-alive\n"


def message(id: int, event: str, data: bytes) -> bytes:
    """A server-sent event. `data` must not contain line breaks."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (id, event.encode(), data)


class ConnectionControl(Protocol):
    """What a stream needs from its connection beyond ASGI. Our server provides it."""

    stopping: asyncio.Event
    """Set when the server shuts down. It waits for all responses to end."""

    @property
    def write_paused(self) -> bool:
        """Whether the next write has to wait until the client has read (backpressure)."""

    def abort(self) -> None:
        """Close the connection at once and discard unsent data."""


class Stream:
    """A chunked response as an ASGI application.

    - An `endless` stream ends when the server shuts down. Its client reconnects and resumes.
    - The connection is aborted if the client stops reading or the chunks cannot be produced.
    - An error before the first chunk is raised, so that the response is a problem document.
    """

    __slots__ = ("_chunks", "_endless", "_headers", "_started")

    def __init__(
        self, chunks: AsyncGenerator[bytes, None], media_type: str, headers: Mapping[str, str], *, endless: bool
    ) -> None:
        self._chunks = chunks
        self._started = False
        self._endless = endless
        all_headers = {**headers, "content-type": media_type, "x-accel-buffering": "no"}  # no buffering in nginx
        self._headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in all_headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        extensions: Mapping[str, Any] = scope.get("extensions") or {}
        connection: ConnectionControl | None = extensions.get(CONNECTION)
        sending = asyncio.create_task(self._send(send, connection))
        disconnected = asyncio.create_task(_disconnected(receive))
        tasks: list[asyncio.Task[Any]] = [sending, disconnected]
        if connection is not None and self._endless:
            tasks.append(asyncio.create_task(connection.stopping.wait()))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
            elif not disconnected.done():
                await _cancel(sending)
                if not self._started:
                    raise Unavailable("the service stops")
                await _send_in_time(send, b"", more=False)
        except Exception as error:
            if not self._started:
                raise
            if not isinstance(error, TimeoutError | Unavailable):
                log.error("a stream failed", exc_info=error)
            if connection is None:
                raise
            connection.abort()  # a regular end would make the stream look complete
            await disconnected
        finally:
            await _cancel(*tasks)

    async def _send(self, send: Send, connection: ConnectionControl | None) -> None:
        async with aclosing(self._chunks) as chunks:
            chunk = await anext(chunks, b"")
            self._started = True
            await send({"type": "http.response.start", "status": 200, "headers": self._headers})
            while chunk:
                if connection is None or connection.write_paused:
                    await _send_in_time(send, chunk)
                else:  # a timeout would be a quarter of the cost of a chunk
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                chunk = await anext(chunks, b"")
        await _send_in_time(send, b"", more=False)


async def _send_in_time(send: Send, body: bytes, *, more: bool = True) -> None:
    """Raises `TimeoutError` if the client stops reading."""
    async with asyncio.timeout(SEND_TIMEOUT):
        await send({"type": "http.response.body", "body": body, "more_body": more})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cancel(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class ChunkCache(Generic[T]):
    """The `size` latest chunks of all streams, so that each is encoded once for all its subscribers."""

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._chunks: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, encode: Callable[[], T]) -> T:
        chunk = self._chunks.get(key)
        if chunk is None:
            chunk = self._chunks[key] = encode()
            if len(self._chunks) > self._size:
                self._chunks.popitem(last=False)
        return chunk
