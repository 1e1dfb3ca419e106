"""Raw HTTP over sockets, without a client library."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from tests.support.clients import Service
from tests.support.listening import over_http

GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
STREAM = b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"

Streams = tuple[StreamReader, StreamWriter]
Connect = Callable[[], Awaitable[Streams]]


@asynccontextmanager
async def running(database: Path, **given: object) -> AsyncIterator[tuple[Service, Connect]]:
    """A service, and a function that connects to it without a client library."""
    opened: list[StreamWriter] = []
    async with over_http(database, **given) as service:
        url = service.http.base_url

        async def connect() -> Streams:
            reader, writer = await asyncio.open_connection(url.host, url.port)
            opened.append(writer)
            return reader, writer

        yield service, connect
        for writer in opened:
            writer.close()


async def received(streams: Streams, *chunks: bytes) -> bytes:
    """Everything that the server sends after these chunks, until it closes the connection."""
    reader, writer = streams
    try:
        for chunk in chunks:
            writer.write(chunk)
            await writer.drain()
        return await reader.read()
    except ConnectionError:
        return b""


async def status(streams: Streams, *chunks: bytes) -> int:
    """The status of the first response."""
    for chunk in chunks:
        streams[1].write(chunk)
    return int((await streams[0].readline()).split()[1])


def assert_problem(response: bytes, status: int, kind: str) -> None:
    head, _, body = response.partition(b"\r\n\r\n")
    first, *headers = head.decode().lower().split("\r\n")
    assert first.startswith(f"http/1.1 {status} "), response
    assert {"content-type: application/problem+json", "connection: close", "cache-control: no-store"} <= set(headers)
    document = msgspec.json.decode(body)
    assert (document["type"], document["status"]) == (kind, status)
