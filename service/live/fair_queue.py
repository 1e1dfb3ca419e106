"""Lets callers take turns at work that takes long."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class QueueFull(Exception):
    """Too much work waits under this key."""


class FairQueue:
    """Does one piece of work at a time. The keys that wait take turns, so one with much work delays another one by one
    piece. At most `waiting` pieces wait under a key."""

    def __init__(self, waiting: int = 16) -> None:
        self._most = waiting
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By key, in the order of their next turns."""

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """The work is done in the context. Raises `QueueFull`."""
        if self._busy:
            await self._wait(key)
        self._busy = True
        try:
            yield
        finally:
            self._next()

    async def _wait(self, key: str) -> None:
        waiting = self._waiting.setdefault(key, deque())
        if len(waiting) >= self._most:
            raise QueueFull
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it has its turn already
                self._next()
            elif turn in waiting:
                waiting.remove(turn)
                if not waiting:
                    del self._waiting[key]
            raise

    def _next(self) -> None:
        while self._waiting:
            key, waiting = self._waiting.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._waiting[key] = waiting  # after all others
            if not turn.done():
                turn.set_result(None)
                return
        self._busy = False
