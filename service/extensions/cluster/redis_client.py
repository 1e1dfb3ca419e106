"""A Redis client that batches commands, with a circuit breaker. It and `listener` alone import the `redis` library.

The service runs without Redis: it may be slow, flushed or unavailable at any time. While it is unavailable every call
raises `RedisUnavailable` at once, without another time-out, and one task keeps trying to reconnect. Commands that
arrive while a response is outstanding share the next round trip, and all lookups of a round trip share one `MGET`.

The client detects all losses of data, so that nothing from before a loss is ever taken for current:

* Every key is prefixed with the server's run id, which changes with every start and with every change of the master.
  One connection is kept and never renewed in silence, so data from an older server is never read.
* A key, the epoch, holds a random value that disappears with all data. Each `MGET` and script reads it.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import hiredis
import redis.asyncio
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError, ResponseError

from service.extensions.cluster.errors import RedisUnavailable
from service.tasks import background, end

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

EPOCH_EXPIRY_MS = 86_400_000
"""Milliseconds until an epoch ends without a loss of data. Epochs of former servers must not stay for ever."""

NAME = "stammtisch"
"""The prefix of every key and channel."""

LOST = RedisError, OSError, TimeoutError, EOFError
"""What is raised when Redis cannot be reached or sends something unexpected."""


T = TypeVar("T")


class _Call(NamedTuple):
    command: Sequence[Any]
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
        self.epoch = b""
        """The epoch that was read last; empty while it is not known."""
        self._prefix = ""
        self._clock = self._settled_at = 0.0
        self._cause = ""
        self._calls: list[_Call] = []
        self._lookups: list[_Call] = []
        self._published: dict[str, list[bytes]] = {}
        self._announced: list[tuple[str, bytes]] = []
        self._wanted = asyncio.Event()
        self._tried = asyncio.Event()
        """Cleared from the loss of a connection until the next attempt to connect ends."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns after the first attempt to connect, successful or not."""
        self._task = background("redis", self._run)
        await self._tried.wait()

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
        self._tried.set()

    @property
    def settled(self) -> bool:
        """Whether the server has been up for `SETTLED` seconds: every process that can reach it is connected."""
        return _now() >= self._settled_at

    def time(self) -> int:
        """The time of the server in milliseconds, or a few milliseconds less."""
        return int(self._clock + _now() * 1000)

    def synchronize(self, seconds: bytes, microseconds: bytes) -> None:
        """Set the clock by a response to `TIME`."""
        self._clock = int(seconds) * 1000 + int(microseconds) / 1000 - _now() * 1000

    def key(self, name: str) -> bytes:
        """A key with the prefix of the server that is connected."""
        return (self._prefix + name).encode()

    async def execute(self, *command: Any) -> Any:
        """The response to a command. It must be idempotent: it is sent again when a response is lost. Raises
        `RedisUnavailable`."""
        return await self._added(self._calls, command)

    async def lookup(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The values of these keys. Raises `RedisUnavailable`."""
        found: list[bytes | None] = await self._added(self._lookups, keys)
        return found

    async def _added(self, calls: list[_Call], command: Sequence[Any]) -> Any:
        if not self.up:
            self.losses += 1
            raise RedisUnavailable
        response: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        calls.append(_Call(command, response))
        self._wanted.set()
        return await response

    async def with_retry(self, call: Callable[[], Awaitable[T]]) -> T:
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

    def send(self, *command: Any) -> None:
        """Send the command with the next round trip and drop its response. Does nothing while Redis is unavailable."""
        if self.up:
            response: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            response.add_done_callback(_retrieve)
            self._calls.append(_Call(command, response))
            self._wanted.set()

    def publish(self, channel: str, line: bytes) -> None:
        """Publish a line on the channel. All lines of one round trip become one message."""
        if self.up:
            self._published.setdefault(channel, []).append(line)
            self._wanted.set()

    def announce(self, subject: str, message: bytes) -> None:
        """Send a message to the processes that follow the subject. Does nothing while Redis is unavailable."""
        if self.up:
            self._announced.append((subject, message))
            self._wanted.set()

    def channel(self, subject: str) -> str:
        """The channel of a subject. Channels do not depend on the number of the database, which is part of it."""
        return f"{NAME}:{self._at.get('db', 0)}:{subject}"

    def subject_of(self, channel: bytes) -> str:
        return channel.decode().split(":", 2)[2]

    def connection(self) -> AbstractConnection:
        """A new connection that is not yet open. Its time-out is `CONNECT_TIMEOUT` until another one is set."""
        return self._kind(**self._at, **_timeouts(CONNECT_TIMEOUT), protocol=2)

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
        connection = self.connection()
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            info, time = await _responses(connection, [("INFO", "server"), ("TIME",)])
            lines = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
            self._prefix = f"{NAME}:{lines[b'run_id'][:16].decode()}:"
            self.synchronize(*time)
            self._settled_at = _now() + SETTLED - float(lines[b"uptime_in_seconds"])
            _, epoch = await _responses(connection, [self._new_epoch(), ("GET", self.key("epoch"))])
            self.epoch = epoch or b""
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        connection.socket_timeout = None  # each round trip has its own time-out
        return connection

    def _new_epoch(self) -> Sequence[Any]:
        return "SET", self.key("epoch"), os.urandom(8).hex(), "NX", "PX", EPOCH_EXPIRY_MS

    async def _serve(self, connection: AbstractConnection) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            calls, lookups, published, announced = self._calls, self._lookups, self._published, self._announced
            self._calls, self._lookups, self._published, self._announced = [], [], {}, []
            commands = [each.command for each in calls]
            if lookups:
                commands.append((b"MGET", self.key("epoch"), *[key for each in lookups for key in each.command]))
            commands += [("PUBLISH", f"{NAME}:{name}", b"\n".join(lines)) for name, lines in published.items()]
            commands += [("SPUBLISH", self.channel(subject), message) for subject, message in announced]
            try:
                async with asyncio.timeout(RESPONSE_TIMEOUT):
                    responses = await _responses(connection, commands)
            except BaseException:
                self._calls[:0], self._lookups[:0] = calls, lookups
                raise
            for each, response in zip(calls, responses, strict=False):
                if not each.response.done():
                    each.response.set_result(response)
            if lookups:
                self._distribute(lookups, responses[len(calls)])

    def _distribute(self, lookups: Sequence[_Call], values: list[bytes | None]) -> None:
        """Give each lookup its part of the response to the shared `MGET`."""
        if values[0] is None:  # all data was lost
            self.send(*self._new_epoch())
        self.epoch = values[0] or b""
        start = 1
        for keys, response in lookups:
            if not response.done():
                response.set_result(values[start : start + len(keys)])
            start += len(keys)

    def _fail_pending(self) -> None:
        self.up = False
        pending = self._calls + self._lookups
        self._calls, self._lookups, self._published, self._announced = [], [], {}, []
        self.losses += len(pending)
        for each in pending:
            if not each.response.done():
                each.response.set_exception(RedisUnavailable())

    def _lost(self, error: Exception) -> None:
        if str(error) != self._cause:  # log each cause once
            log.warning("Redis is unavailable: %s", error or type(error).__name__)
        self._cause = str(error)


async def _responses(connection: AbstractConnection, commands: Sequence[Sequence[Any]]) -> list[Any]:
    """The responses to commands in one round trip. Raises `LOST`."""
    # The connection's own packer takes two to eight times as long.
    packed = [hiredis.pack_command(tuple(each)) for each in commands]
    await connection.send_packed_command(packed, check_health=False)
    return [await connection.read_response() for _ in commands]


def _now() -> float:
    return asyncio.get_running_loop().time()


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
