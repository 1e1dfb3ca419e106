"""A client of the play channel for tests: `await ann.ask("move", game=..., move=...)`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.support.clients import Caller, Json

SUBPROTOCOL = Subprotocol("stammtisch.v1")


class ChannelClient:
    """An open channel. Answers go to the request with their id; all other messages wait in `inbox`, in their order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.inbox: asyncio.Queue[Json] = asyncio.Queue()
        self.texts: list[str] = []
        """Everything received, as it arrived."""
        self._answers: dict[Any, asyncio.Future[Json]] = {}
        self._number = 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                assert isinstance(text, str)
                self.texts.append(text)
                message = msgspec.json.decode(text)
                waiting = self._answers.pop(message["id"], None) if "id" in message else None
                if waiting is None:
                    self.inbox.put_nowait(message)
                elif not waiting.done():
                    waiting.set_result(message)
        except ConnectionClosed:
            pass
        finally:
            for waiting in self._answers.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionError("the channel was closed"))

    async def ask(self, type: str, **fields: Any) -> Json:
        """The answer to a request, which may be a problem. `as_=1` is the field `as`."""
        return await self.begin(type, **fields)

    def begin(self, type: str, **fields: Any) -> "asyncio.Future[Json]":
        """The same; the request is sent by a task."""
        self._number += 1
        request = {"type": type, "id": self._number, **{name.rstrip("_"): value for name, value in fields.items()}}
        waiting = self._answers[self._number] = asyncio.get_running_loop().create_future()
        text = msgspec.json.encode(request).decode()
        sending = asyncio.create_task(self.socket.send(text))
        sending.add_done_callback(lambda task: task.cancelled() or task.exception())
        return waiting

    async def did(self, type: str, **fields: Any) -> Json:
        """The answer to a request that must succeed."""
        answer = await self.ask(type, **fields)
        assert answer["type"] != "problem", answer
        return answer

    async def problem(self, status: int, kind: str, type: str, **fields: Any) -> Json:
        """The problem document of a request that must fail."""
        answer = await self.ask(type, **fields)
        assert answer["type"] == "problem", answer
        document: Json = answer["problem"]
        assert (document["status"], document["type"]) == (status, kind), document
        return document

    async def next(self, type: str = "", seconds: float = 60) -> Json:
        """The next message that is no answer, of this type if one is given: others are dropped."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self.inbox.get()
                if type in ("", message["type"]):
                    return message

    async def events_until(self, version: int) -> list[Json]:
        """The items of the next messages `events`, up to this version."""
        items: list[Json] = []
        while not items or items[-1]["version"] < version:
            items += (await self.next("events"))["items"]
        return items

    async def closed(self, seconds: float = 60) -> tuple[int | None, str | None]:
        """The code and reason with which the server closed."""
        async with asyncio.timeout(seconds):
            await self._reading
        return self.socket.close_code, self.socket.close_reason


def game_name(path: str) -> str:
    """`ruleset/id` of the game at this path."""
    return path.removeprefix("/v1/games/")


def channel_url(who: Caller, query: str = "") -> str:
    return str(who.http.base_url).rstrip("/").replace("http", "ws", 1) + "/v1/channel" + query


@asynccontextmanager
async def raw_channel(who: Caller, headers: Any = (), query: str = "", **options: Any) -> AsyncIterator[ChannelClient]:
    """A channel whose first message the test sends."""
    async with connect(
        channel_url(who, query), subprotocols=[SUBPROTOCOL], additional_headers=headers, compression=None,
        max_size=None, proxy=None, **options,
    ) as socket:  # fmt: skip
        client = ChannelClient(socket)
        try:
            yield client
        finally:
            await socket.close()
            await client._reading


@asynccontextmanager
async def channel(who: Caller, **options: Any) -> AsyncIterator[ChannelClient]:
    """A channel of this player, or of a stranger without a token."""
    async with raw_channel(who, **options) as client:
        if who.token:
            answer = await client.did("authenticate", token=who.token)
            assert answer["player"]["id"] == who.id
        yield client
