"""How many watch a game: the followers of its events who have no seat, in all processes.

The number belongs to no version of a game and is stored nowhere. With Redis the processes tell each other their own
numbers over one channel; each forgets what another process has not repeated for a while. Without Redis every process
knows its own number only.
"""

import asyncio
import logging
import uuid
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from service.cluster.tasks import end

if TYPE_CHECKING:
    from service.cluster.redis_client import RedisClient


log = logging.getLogger(__name__)

CHANNEL = "watchers"
DELAY = 0.3
"""Seconds for which changes of a number are collected before they are reported."""
REPEAT = 20.0
"""Seconds after which a process repeats its numbers."""
EXPIRY = 3 * REPEAT
"""Seconds after which the number of another process is forgotten."""


class Watchers:
    """The numbers by game, between `start` and `stop`. `on_change` receives the id of a game whose number may have
    changed and which is followed here."""

    def __init__(self, redis: "RedisClient | None" = None) -> None:
        self._redis = redis
        self._process = uuid.uuid4().hex
        self._followed = Counter[str]()
        self._here = Counter[str]()
        self._elsewhere: dict[str, dict[str, tuple[int, float]]] = {}
        """By game and process: the number, and when it expires."""
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.on_change: Callable[[str], None] = lambda _: None

    def start(self) -> None:
        if self._redis is not None:
            self._tasks.append(asyncio.create_task(self._listen(self._redis), name="watchers_channel"))
            self._tasks.append(asyncio.create_task(self._repeat(), name="watchers_repeat"))

    async def stop(self) -> None:
        for timer in self._due.values():
            timer.cancel()
        for task in self._tasks:
            await end(task)

    def count(self, game: str) -> int:
        """How many watch the game, as far as this process knows. Exact for games that are followed here."""
        return self._here[game] + sum(number for number, _ in self._elsewhere.get(game, {}).values())

    def follow(self, game: str, *, watching: bool) -> None:
        """Count a follower, until `unfollow` with the same arguments."""
        self._followed[game] += 1
        if self._followed[game] == 1:
            self._tell(game, "?")
        if watching:
            self._here[game] += 1
            self._changed(game)

    def unfollow(self, game: str, *, watching: bool) -> None:
        self._followed[game] -= 1
        if watching:
            self._here[game] -= 1
            self._changed(game)
        if not self._followed[game]:
            del self._followed[game]
            self._elsewhere.pop(game, None)

    def _changed(self, game: str) -> None:
        """Report a change of the number here soon, to the followers here and to the other processes."""
        if game not in self._due:
            self._due[game] = asyncio.get_running_loop().call_later(DELAY, self._report, game)

    def _report(self, game: str) -> None:
        del self._due[game]
        self._tell(game, str(self._here[game]))
        if not self._here[game]:
            del self._here[game]
        self.on_change(game)

    # --- other processes ---

    def _tell(self, game: str, what: str) -> None:
        if self._redis is not None:
            self._redis.publish(CHANNEL, f"{self._process} {game} {what}".encode())

    async def _listen(self, redis: "RedisClient") -> None:
        async for lines in redis.listen(CHANNEL):
            if lines is None:  # some may have been lost
                self._ask_and_repeat()
                continue
            for line in lines:
                self._heard(line)

    def _heard(self, line: bytes) -> None:
        try:
            process, game, what = line.decode().split(" ")
            number = None if what == "?" else int(what)
        except ValueError:
            log.warning("the channel of watchers had a line that is none: %r", line[:100])
            return
        if process == self._process:
            return
        if number is None:
            if self._here[game] and game not in self._due:
                self._tell(game, str(self._here[game]))
        elif game in self._followed:
            known = self._elsewhere.setdefault(game, {})
            before = known.pop(process, (0, 0.0))[0]
            if number > 0:
                known[process] = number, asyncio.get_running_loop().time() + EXPIRY
            if number != before:
                self.on_change(game)

    def _ask_and_repeat(self) -> None:
        for game in self._followed:
            self._tell(game, "?")
        self._tell_numbers()

    def _tell_numbers(self) -> None:
        for game, number in self._here.items():
            if number:
                self._tell(game, str(number))

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT)
            self._tell_numbers()
            self._forget(asyncio.get_running_loop().time())

    def _forget(self, now: float) -> None:
        """Forget the numbers that processes do not repeat: they have ended."""
        for game, known in self._elsewhere.items():
            expired = [process for process, (_, expires) in known.items() if expires < now]
            for process in expired:
                del known[process]
            if expired:
                self.on_change(game)
