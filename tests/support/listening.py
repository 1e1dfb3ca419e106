"""Reads live streams over real HTTP, byte for byte, as they come."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from service import settings
from service.app import create_app
from service.http.server import AnnouncedServer, configuration
from tests.support.clients import Caller, Service, served

SSE = {"Accept": "text/event-stream"}


class Message(NamedTuple):
    """An event of a stream."""

    id: bytes
    event: bytes
    data: bytes


class Listener:
    """An open stream. `resume_at` is what a client would send as `Last-Event-ID` if it broke now."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.blocks: list[bytes] = []
        """All that has come, also what is no event."""
        self.resume_at = b""
        self._messages = self._read()

    def __aiter__(self) -> AsyncIterator[Message]:
        return self._messages

    async def _read(self) -> AsyncIterator[Message]:
        text = b""
        async for part in self.answer.aiter_bytes():
            *blocks, text = (text + part).split(b"\n\n")
            for block in blocks:
                self.blocks.append(block)
                fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if not line.startswith(b":"))
                self.resume_at = fields.get(b"id", self.resume_at)
                if b"data" in fields:
                    yield Message(fields[b"id"], fields[b"event"], fields[b"data"])
        assert text == b"", "a stream ends behind a message"


async def take(stream: Listener, number: int) -> list[Message]:
    """So many messages; they are waited for."""
    taken: list[Message] = []
    messages = aiter(stream)
    async with asyncio.timeout(20):
        while len(taken) < number:
            taken.append(await anext(messages))
    return taken


@asynccontextmanager
async def listening(who: Caller, path: str, headers: Any = (), **query: Any) -> AsyncIterator[Listener]:
    """To the live stream at that path; it is empty when nothing more will come."""
    sent = {**SSE, **dict(headers)} | ({"Authorization": f"Bearer {who.token}"} if who.token else {})
    params = {name.rstrip("_"): value for name, value in query.items()}
    async with who.http.stream("GET", path, headers=sent, params=params) as answer:
        assert answer.status_code in (200, 204), await answer.aread()
        assert answer.headers.get("content-type") == ("text/event-stream" if answer.status_code == 200 else None)
        yield Listener(answer)


@asynccontextmanager
async def over_http(database: Path, **given: Any) -> AsyncIterator[Service]:
    """The application on that database, behind our server, which runs in this process."""
    asked = {"rate_limit": "off", "access_log": False, "sqlite_writer": "thread", **given}
    made = settings.read({}, database=str(database), port=0, **asked)
    server = AnnouncedServer(configuration(made, lambda: create_app(made)))
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
