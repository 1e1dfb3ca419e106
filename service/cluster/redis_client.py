"""Redis, as all processes share it. This module alone knows its client.

Nothing that is kept there is needed: it may be slow, emptied or gone at any time. Whoever asks while it is away is told
so at once (`RedisUnavailable`), goes without, and need not wait for a time-out again; one task keeps trying to come back. What
is asked for while an answer is on its way shares the next round trip, so with many requests each costs little.

Every key begins with the run of the server, which is another one after each start and after each change of the master:
what an older server has kept, or has lost, is never taken for what is known now.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from hashlib import sha1
from typing import Any, NamedTuple, TypeVar

import hiredis
import redis.asyncio
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError, ResponseError

log = logging.getLogger(__name__)

CONNECT = 1.0
"""Seconds to connect."""
RESPONSE_TIMEOUT = 0.5
"""Seconds to answer."""
AGAIN = 1.0
"""Seconds between two attempts to connect."""
PULSE = 2.0
"""Seconds of silence on a channel after which we ask whether anybody is there."""

SETTLED = 3.0
"""Seconds after a start of the server within which all who had lost it have come back to it, for none waits as long."""

NAME = "stammtisch"
"""What every key and channel begins with."""

LOST = RedisError, OSError, TimeoutError, EOFError
"""How it looks when Redis cannot be reached, or answers what nobody expects."""


T = TypeVar("T")


class RedisUnavailable(Exception):
    """Redis is away, or does not answer. What was asked for may have been done all the same."""


class Script:
    """A script in Lua, about one key. Has to be harmless when it is run twice: an answer may get lost."""

    __slots__ = ("again", "first", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        sha = sha1(source.encode(), usedforsecurity=False).hexdigest()
        self.first, self.again = (
            _packed((name, what.encode(), b"1")) for name, what in ((b"EVAL", source), (b"EVALSHA", sha))
        )


class _Asked(NamedTuple):
    script: Script
    key: str
    arguments: Sequence[bytes]
    answer: asyncio.Future[Any]


class RedisClient:
    """Redis at that URL, between `start` and `stop`. Raises ValueError if it is none."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._at: dict[str, Any] = dict(parse_url(url))
        self._kind: type[AbstractConnection] = self._at.pop("connection_class", Connection)
        self.up = False
        """Whether it answers."""
        self.losses = 0
        """How often what was asked for got no answer, or nobody was there to ask."""
        self._prefix = b""
        self._settled_at = 0.0
        self._why = ""
        self._asked: list[_Asked] = []
        self._said: dict[str, list[bytes]] = {}
        self._wanted = asyncio.Event()
        self._tried = asyncio.Event()
        """Cleared from the loss of a connection until the next attempt to connect has ended."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Ends when it has answered, or has failed to."""
        self._task = asyncio.create_task(self._run(), name="redis")
        await self._tried.wait()

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
        self._tried.set()

    @property
    def settled(self) -> bool:
        """Whether the server runs for so long that everybody who can reach it talks to it."""
        return asyncio.get_running_loop().time() >= self._settled_at

    async def run(self, script: Script, key: str, *arguments: bytes) -> Any:
        """What the script gives back for the key. Raises `RedisUnavailable`."""
        if not self.up:
            self.losses += 1
            raise RedisUnavailable
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked.append(_Asked(script, key, arguments, answer))
        self._wanted.set()
        return await answer

    async def run_with_retry(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What is asked; if the connection is lost over it, once more over the next one. Raises `RedisUnavailable`, at once while
        there is none."""
        await self._tried.wait()
        try:
            return await ask()
        except RedisUnavailable:
            await self._tried.wait()
            if not self.up:
                raise
            return await ask()

    def leave(self, script: Script, key: str, *arguments: bytes) -> None:
        """Run the script with the next round trip, without waiting for what it gives back; never, if Redis is away."""
        if self.up:
            answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            answer.add_done_callback(_not_looked_at)
            self._asked.append(_Asked(script, key, arguments, answer))
            self._wanted.set()

    def say(self, channel: str, line: bytes) -> None:
        """Tell those who listen to the channel. All lines of a round trip make one message."""
        if self.up:
            self._said.setdefault(channel, []).append(line)
            self._wanted.set()

    async def listen(self, channel: str) -> AsyncIterator[list[bytes] | None]:
        """The lines that are said on the channel, by us as well, for ever; None whenever some may have been missed."""
        while True:
            try:
                client = redis.asyncio.Redis.from_url(self._url, **_timeouts(None), retry=None)
                async with client, client.pubsub() as hearing:
                    await hearing.subscribe(f"{NAME}:{channel}")
                    async for message in _messages(hearing):
                        yield message
            except LOST:
                await asyncio.sleep(AGAIN)

    # --- the task ---

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.timeout(CONNECT):
                    connection = await self._connect()
            except Exception as error:
                self._lost(error)
                self._tried.set()
                await asyncio.sleep(AGAIN)
                continue
            self.up = True
            self._tried.set()
            try:
                await self._serve(connection)
            except ResponseError as error:  # it is there, but full for example: it will not be better at once
                self._lost(error)
                self._disappoint()
                await asyncio.sleep(AGAIN)
            except Exception as error:  # whatever it is, we come back
                self._lost(error)
                self._tried.clear()
            finally:
                self._disappoint()
                await connection.disconnect(nowait=True)

    async def _connect(self) -> AbstractConnection:
        connection = self._kind(**self._at, **_timeouts(CONNECT), protocol=2)
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            await connection.send_command("INFO", "server")
            told: bytes = await connection.read_response()
            lines = dict(line.split(b":", 1) for line in told.splitlines() if b":" in line)
            self._prefix = b"%b:%b:" % (NAME.encode(), lines[b"run_id"][:16])
            self._settled_at = asyncio.get_running_loop().time() + SETTLED - float(lines[b"uptime_in_seconds"])
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        connection.socket_timeout = None  # each round trip has one for all that is in it
        return connection

    async def _serve(self, connection: AbstractConnection) -> None:
        answers = _Answers(connection)
        known: set[Script] = set()
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            asked, self._asked = self._asked, []
            said, self._said = self._said, {}
            try:
                async with asyncio.timeout(RESPONSE_TIMEOUT):
                    await connection.send_packed_command(self._commands(asked, said, known), check_health=False)
                    for each in asked:
                        given = await answers.next()
                        if not each.answer.done():
                            each.answer.set_result(given)
                    for _ in said:
                        await answers.next()
            finally:
                self._asked[:0] = [each for each in asked if not each.answer.done()]

    def _commands(self, asked: Sequence[_Asked], said: Mapping[str, list[bytes]], known: set[Script]) -> bytes:
        commands = []
        for script, key, arguments, _ in asked:
            # The server keeps every script that it has seen. One that forgets them ends the connection by its answer.
            run = script.again if script in known else script.first
            known.add(script)
            parts = self._prefix + key.encode(), *arguments
            commands.append(b"*%d\r\n%b%b" % (len(parts) + 3, run, _packed(parts)))
        for channel, lines in said.items():
            parts = b"PUBLISH", f"{NAME}:{channel}".encode(), b"\n".join(lines)
            commands.append(b"*3\r\n" + _packed(parts))
        return b"".join(commands)

    def _disappoint(self) -> None:
        self.up = False
        asked, self._asked, self._said = self._asked, [], {}
        self.losses += len(asked)
        for each in asked:
            if not each.answer.done():
                each.answer.set_exception(RedisUnavailable())

    def _lost(self, error: Exception) -> None:
        if str(error) != self._why:  # not every second that it lasts
            log.warning("Redis is away: %s", error or type(error).__name__)
        self._why = str(error)


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task that talks to Redis until it ends: the client loses a cancellation that comes as it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)


class _Answers:
    """What comes back on a connection. The client's own way to read costs as much as the rest of a question."""

    def __init__(self, connection: AbstractConnection) -> None:
        self._stream: asyncio.StreamReader = connection._reader  # type: ignore[assignment]
        self._reader = hiredis.Reader(replyError=ResponseError, notEnoughData=_NOTHING)

    async def next(self) -> Any:
        """Raises ResponseError if it is an error, EOFError when there will be none."""
        while (answer := self._reader.gets()) is _NOTHING:
            if not (received := await self._stream.read(2**16)):
                raise EOFError("the connection was closed")
            self._reader.feed(received)
        if isinstance(answer, ResponseError):
            raise answer
        return answer


_NOTHING = ()


def _packed(parts: Sequence[bytes]) -> bytes:
    return b"".join([b"$%d\r\n%b\r\n" % (len(part), part) for part in parts])


def _timeouts(seconds: float | None) -> dict[str, Any]:
    return {"socket_connect_timeout": CONNECT, "socket_timeout": seconds}


def _not_looked_at(answer: asyncio.Future[Any]) -> None:
    """Else asyncio would complain about an exception that nobody has asked for."""
    if not answer.cancelled():
        answer.exception()


async def _messages(hearing: Any) -> AsyncIterator[list[bytes] | None]:
    """What is heard; None at the beginning. Raises TimeoutError when nobody is there any more."""
    asked = False
    while True:
        message = await hearing.get_message(timeout=PULSE)
        if message is None:
            if asked:
                raise TimeoutError
            await hearing.ping()
        elif message["type"] == "subscribe":
            yield None
        elif message["type"] == "message":
            yield message["data"].split(b"\n")
        asked = message is None
