"""Reads live streams over real HTTP, byte for byte, as they arrive."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from service import settings
from service.app import create_app
from service.server import server as server_module
from service.server.server import AnnouncedServer, configuration
from tests.support.clients import Caller, Service, create, served

SSE = {"Accept": "text/event-stream"}


class Message(NamedTuple):
    """An event of a stream."""

    id: bytes
    event: bytes
    data: bytes


class Listener:
    """An open stream. `resume_at` is the `Last-Event-ID` with which a client would resume it now."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.blocks: list[bytes] = []
        """Everything received, with comments."""
        self.resume_at = b""
        self._messages = self._read()

    def __aiter__(self) -> AsyncIterator[Message]:
        return self._messages

    async def _read(self) -> AsyncIterator[Message]:
        text = b""
        async for part in self.response.aiter_bytes():
            *blocks, text = (text + part).split(b"\n\n")
            for block in blocks:
                self.blocks.append(block)
                fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if not line.startswith(b":"))
                self.resume_at = fields.get(b"id", self.resume_at)
                if b"data" in fields and fields[b"event"] != b"position":  # the lobby's first event
                    yield Message(fields.get(b"id", b""), fields[b"event"], fields[b"data"])
        assert all(line.startswith((b":", b"retry: ")) for line in text.split(b"\n")[:-1]), "ended inside a message"


async def take(stream: Listener, number: int) -> list[Message]:
    """The next messages of the stream. Waits for them."""
    received: list[Message] = []
    messages = aiter(stream)
    async with asyncio.timeout(60):
        while len(received) < number:
            received.append(await anext(messages))
    return received


@asynccontextmanager
async def listening(who: Caller, path: str, headers: Any = (), **query: Any) -> AsyncIterator[Listener]:
    """The live stream at that path. It is empty if the server responds that it has ended."""
    sent = {**SSE, **dict(headers)} | ({"Authorization": f"Bearer {who.token}"} if who.token else {})
    params = {name.rstrip("_"): value for name, value in query.items()}
    async with who.http.stream("GET", path, headers=sent, params=params) as response:
        assert response.status_code in (200, 204), await response.aread()
        media_type = "text/event-stream" if response.status_code == 200 else None
        assert response.headers.get("content-type") == media_type
        yield Listener(response)


# It would look through all objects of the tests at every start, and never free those that it finds.
server_module.tune_garbage_collection = lambda: None  # type: ignore[assignment]


@asynccontextmanager
async def over_http(
    database: Path, *, hosts: frozenset[str] | None = None, **given: Any
) -> AsyncIterator[Service]:  # fmt: skip
    """The application with that database, on our server in this process, without pages."""
    await create(database)
    options = {"rate_limit": "off", "access_log": False, "web": "off", **given}
    chosen = settings.read({}, database=str(database), port=0, **options)
    config = configuration(chosen, lambda: create_app(chosen))
    config.hosts = hosts  # tests send any
    server = AnnouncedServer(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        assert not running.done(), running
        await asyncio.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    try:
        async with served(f"http://{host}:{port}") as service:
            yield service
    finally:
        server.should_exit = True
        await running
