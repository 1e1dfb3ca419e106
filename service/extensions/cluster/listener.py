"""Listens on a channel for each followed subject: a game, a player, or the lobby.

A process hears nothing of what it does not follow. Messages may be lost with a connection. So when a subscription
begins, again after each loss, `on_begin` receives its subject: what happened before may have been missed.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from redis.asyncio.connection import AbstractConnection

from service.extensions.cluster.redis_client import CONNECT_TIMEOUT, LOST, PING_AFTER, RECONNECT_PAUSE, RedisClient
from service.tasks import background, end, wait_for

CHUNK = 500
"""Subscriptions in one command."""


class Listener:
    """One connection for all subscriptions of the process, between `start` and `stop`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._wanted = set[str]()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._heard_at = 0.0
        self.connected = False
        """Whether messages arrive of everything that is followed since before the connection began."""
        self.on_message: Callable[[str, bytes], None] = lambda _subject, _message: None
        self.on_begin: Callable[[Sequence[str]], None] = lambda _: None
        """Receives the subjects of subscriptions that the server has confirmed together."""

    def start(self) -> None:
        self._task = background("listener", self._run)

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)

    def follow(self, subject: str) -> None:
        self._wanted.add(subject)
        self._changed.set()

    def unfollow(self, subject: str) -> None:
        self._wanted.discard(subject)
        self._changed.set()

    async def _run(self) -> None:
        while True:
            connection = self._redis.connection()
            with suppress(*LOST):
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    await connection.connect()  # type: ignore[no-untyped-call]
                connection.socket_timeout = None
                try:
                    await self._listen(connection)
                finally:
                    self.connected = False
            await connection.disconnect(nowait=True)
            await asyncio.sleep(RECONNECT_PAUSE)

    async def _listen(self, connection: AbstractConnection) -> None:
        """Raises one of `LOST` when the connection is lost."""
        loop, begun = asyncio.get_running_loop(), list[str]()
        waiting = set[str]()
        """Subjects whose subscriptions the server has not confirmed."""
        self._heard_at = loop.time()
        self._changed.set()
        writing = asyncio.create_task(self._write(connection, waiting))
        try:
            while True:
                answer = await connection.read_response(disconnect_on_error=False)
                self._heard_at = loop.time()
                kind, channel, *rest = answer if isinstance(answer, list) else (answer, b"")  # a pong may be one word
                if kind == b"smessage":
                    self.on_message(self._redis.subject_of(channel), rest[0])
                elif kind == b"ssubscribe":
                    subject = self._redis.subject_of(channel)
                    waiting.discard(subject)
                    begun.append(subject)
                if not waiting and not self._changed.is_set():
                    self.connected = True
                    if begun:
                        self.on_begin(begun)
                        begun = []
        finally:
            await end(writing)

    async def _write(self, connection: AbstractConnection, waiting: set[str]) -> None:
        """Subscribe to what is followed, and no longer to the rest. Ping a server that is silent."""
        subscribed = set[str]()
        loop = asyncio.get_running_loop()
        with suppress(*LOST):
            while loop.time() - self._heard_at < 2 * PING_AFTER:
                await wait_for(self._changed, PING_AFTER / 2)
                self._changed.clear()
                new, old = sorted(self._wanted - subscribed), sorted(subscribed - self._wanted)
                waiting.update(new)
                waiting.difference_update(old)
                commands = [("SSUBSCRIBE", new), ("SUNSUBSCRIBE", old)]
                for command, subjects in commands:
                    for first in range(0, len(subjects), CHUNK):
                        channels = map(self._redis.channel, subjects[first : first + CHUNK])
                        await connection.send_command(command, *channels, check_health=False)
                subscribed = (subscribed - {*old}) | {*new}
                if not (new or old):
                    await connection.send_command("PING", check_health=False)
        await connection.disconnect(nowait=True)  # which ends the reading
