"""A pipelining Redis client with a circuit breaker. This module alone imports the `redis` library.

The service runs without Redis: it may be slow, flushed or unavailable at any time. While it is unavailable every call
raises `RedisUnavailable` at once, without another time-out, and one task keeps trying to reconnect. Calls that arrive
while a response is outstanding share the next round trip, so that concurrent requests cost little each.

Every key is prefixed with the server's run id, which changes with every start and with every change of the master. So
data from an older server is never read.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import hiredis
import redis.asyncio
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError, ResponseError

from service.cluster.scripts import RedisUnavailable, Script, end, packed

log = logging.getLogger(__name__)

CONNECT_TIMEOUT = 1.0
"""Time-out for connecting, in seconds."""
RESPONSE_TIMEOUT = 0.5
"""Time-out for a round trip, in seconds."""
RECONNECT_PAUSE = 1.0
"""Seconds between two attempts to connect."""
PING_AFTER = 2.0
"""Seconds of silence on a channel after which the client pings the server."""

SETTLED = 3.0
"""Seconds after a start of the server within which every process has reconnected: longer than any pause above."""

NAME = "stammtisch"
"""The prefix of every key and channel."""

LOST = RedisError, OSError, TimeoutError, EOFError
"""What is raised when Redis cannot be reached or sends something unexpected."""


T = TypeVar("T")


class _Call(NamedTuple):
    script: Script
    key: str
    arguments: Sequence[bytes]
    response: asyncio.Future[Any]


class RedisClient:
    """Redis at a URL, between `start` and `stop`. Raises `ValueError` for an invalid URL."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._at: dict[str, Any] = dict(parse_url(url))
        self._kind: type[AbstractConnection] = self._at.pop("connection_class", Connection)
        self.up = False
        """Whether the server responds."""
        self.losses = 0
        """Calls without a response."""
        self._prefix = b""
        self._settled_at = 0.0
        self._cause = ""
        self._calls: list[_Call] = []
        self._published: dict[str, list[bytes]] = {}
        self._wanted = asyncio.Event()
        self._tried = asyncio.Event()
        """Cleared from the loss of a connection until the next attempt to connect ends."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns after the first attempt to connect, successful or not."""
        self._task = asyncio.create_task(self._run(), name="redis")
        await self._tried.wait()

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
        self._tried.set()

    @property
    def settled(self) -> bool:
        """Whether the server has been up for `SETTLED` seconds: every process that can reach it is connected."""
        return asyncio.get_running_loop().time() >= self._settled_at

    async def run(self, script: Script, key: str, *arguments: bytes) -> Any:
        """Run the script and return its result. Raises `RedisUnavailable`."""
        if not self.up:
            self.losses += 1
            raise RedisUnavailable
        response: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls.append(_Call(script, key, arguments, response))
        self._wanted.set()
        return await response

    async def run_with_retry(self, call: Callable[[], Awaitable[T]]) -> T:
        """Await `call()`, and once more over the next connection if this one is lost.

        Raises `RedisUnavailable`, at once while there is no connection.
        """
        await self._tried.wait()
        try:
            return await call()
        except RedisUnavailable:
            await self._tried.wait()
            if not self.up:
                raise
            return await call()

    def run_nowait(self, script: Script, key: str, *arguments: bytes) -> None:
        """Run the script with the next round trip and drop its result. Does nothing while Redis is unavailable."""
        if self.up:
            response: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            response.add_done_callback(_retrieve)
            self._calls.append(_Call(script, key, arguments, response))
            self._wanted.set()

    def publish(self, channel: str, line: bytes) -> None:
        """Publish a line on the channel. All lines of one round trip become one message."""
        if self.up:
            self._published.setdefault(channel, []).append(line)
            self._wanted.set()

    async def listen(self, channel: str) -> AsyncIterator[list[bytes] | None]:
        """The lines published on the channel, our own included, endlessly. None when some may have been lost."""
        while True:
            try:
                client = redis.asyncio.Redis.from_url(self._url, **_timeouts(None), retry=None)
                async with client, client.pubsub() as pubsub:
                    await pubsub.subscribe(f"{NAME}:{channel}")
                    async for message in _messages(pubsub):
                        yield message
            except LOST:
                await asyncio.sleep(RECONNECT_PAUSE)

    # --- the task ---

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    connection = await self._connect()
            except Exception as error:
                self._lost(error)
                self._tried.set()
                await asyncio.sleep(RECONNECT_PAUSE)
                continue
            self.up = True
            self._tried.set()
            try:
                await self._serve(connection)
            except ResponseError as error:  # the server is up, but out of memory for example
                self._lost(error)
                self._fail_pending()
                await asyncio.sleep(RECONNECT_PAUSE)
            except Exception as error:  # reconnect after any failure
                self._lost(error)
                self._tried.clear()
            finally:
                self._fail_pending()
                await connection.disconnect(nowait=True)

    async def _connect(self) -> AbstractConnection:
        connection = self._kind(**self._at, **_timeouts(CONNECT_TIMEOUT), protocol=2)
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            await connection.send_command("INFO", "server")
            info: bytes = await connection.read_response()
            lines = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
            self._prefix = b"%b:%b:" % (NAME.encode(), lines[b"run_id"][:16])
            self._settled_at = asyncio.get_running_loop().time() + SETTLED - float(lines[b"uptime_in_seconds"])
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        connection.socket_timeout = None  # each round trip has its own time-out
        return connection

    async def _serve(self, connection: AbstractConnection) -> None:
        responses = _Responses(connection)
        cached: set[Script] = set()
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            calls, self._calls = self._calls, []
            published, self._published = self._published, {}
            try:
                async with asyncio.timeout(RESPONSE_TIMEOUT):
                    await connection.send_packed_command(self._commands(calls, published, cached), check_health=False)
                    for each in calls:
                        response = await responses.next()
                        if not each.response.done():
                            each.response.set_result(response)
                    for _ in published:
                        await responses.next()
            finally:
                self._calls[:0] = [each for each in calls if not each.response.done()]

    def _commands(self, calls: Sequence[_Call], published: Mapping[str, list[bytes]], cached: set[Script]) -> bytes:
        commands = []
        for script, key, arguments, _ in calls:
            # The server caches scripts. If it has flushed them it responds with an error, which ends the connection.
            run = script.again if script in cached else script.first
            cached.add(script)
            parts = self._prefix + key.encode(), *arguments
            commands.append(b"*%d\r\n%b%b" % (len(parts) + 3, run, packed(parts)))
        for channel, lines in published.items():
            parts = b"PUBLISH", f"{NAME}:{channel}".encode(), b"\n".join(lines)
            commands.append(b"*3\r\n" + packed(parts))
        return b"".join(commands)

    def _fail_pending(self) -> None:
        self.up = False
        calls, self._calls, self._published = self._calls, [], {}
        self.losses += len(calls)
        for each in calls:
            if not each.response.done():
                each.response.set_exception(RedisUnavailable())

    def _lost(self, error: Exception) -> None:
        if str(error) != self._cause:  # log each cause once
            log.warning("Redis is unavailable: %s", error or type(error).__name__)
        self._cause = str(error)


class _Responses:
    """Reads responses. The library's own reader takes as long as the rest of a call."""

    def __init__(self, connection: AbstractConnection) -> None:
        self._stream: asyncio.StreamReader = connection._reader  # type: ignore[assignment]
        self._reader = hiredis.Reader(replyError=ResponseError, notEnoughData=_NOTHING)

    async def next(self) -> Any:
        """The next response. Raises `ResponseError` and `EOFError`."""
        while (response := self._reader.gets()) is _NOTHING:
            if not (received := await self._stream.read(2**16)):
                raise EOFError("the connection was closed")
            self._reader.feed(received)
        if isinstance(response, ResponseError):
            raise response
        return response


_NOTHING = ()


def _timeouts(seconds: float | None) -> dict[str, Any]:
    return {"socket_connect_timeout": CONNECT_TIMEOUT, "socket_timeout": seconds}


def _retrieve(response: asyncio.Future[Any]) -> None:
    """Retrieve the exception, or asyncio logs that it was never retrieved."""
    if not response.cancelled():
        response.exception()


async def _messages(pubsub: Any) -> AsyncIterator[list[bytes] | None]:
    """Messages; None after subscribing. Raises `TimeoutError` when the server stops responding."""
    pinged = False
    while True:
        message = await pubsub.get_message(timeout=PING_AFTER)
        if message is None:
            if pinged:
                raise TimeoutError
            await pubsub.ping()
        elif message["type"] == "subscribe":
            yield None
        elif message["type"] == "message":
            yield message["data"].split(b"\n")
        pinged = message is None
