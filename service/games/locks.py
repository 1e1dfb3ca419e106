"""A lock that callbacks can acquire, too."""

import asyncio
from collections import deque


class Lock:
    """Mutual exclusion of the tasks and callbacks of an event loop, first come, first served.

    Tasks wait for it with `async with`. A callback cannot wait: it calls `acquire_at_once` and `release`.
    (`asyncio.Lock` is acquired only by a coroutine, which costs as much as deciding a simple move.)
    """

    __slots__ = ("_held", "_waiting")

    def __init__(self) -> None:
        self._held = False
        self._waiting: deque[asyncio.Future[None]] | None = None

    def acquire_at_once(self) -> bool:
        """Acquire the lock if it is free. It is not free while somebody waits for it."""
        if self._held:
            return False
        self._held = True
        return True

    def release(self) -> None:
        """Pass the lock on to the first task that waits for it, if there is one."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():  # not cancelled
                waiter.set_result(None)
                return
        self._held = False

    async def __aenter__(self) -> None:
        if self.acquire_at_once():
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._waiting is None:  # no two tasks have wanted the locks of most games at the same time
            self._waiting = deque()
        self._waiting.append(waiter)
        try:
            await waiter
        except BaseException:
            if not waiter.cancel() and not waiter.cancelled():  # the lock was passed on at the same time
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
