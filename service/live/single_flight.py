"""Coalesces concurrent calls with the same key."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class SingleFlight(Generic[K, T]):
    """Concurrent calls with the same key share one call of `read`. A call after it ends reads again: nothing is cached.

    The shared call continues when a caller is cancelled.
    """

    def __init__(self, read: Callable[[K], Coroutine[Any, Any, T]]) -> None:
        self._read = read
        self._reading: dict[K, asyncio.Task[T]] = {}

    def __contains__(self, key: K) -> bool:
        task = self._reading.get(key)
        return task is not None and not task.done()

    async def __call__(self, key: K) -> T:
        task = self._reading.get(key)
        if task is None or task.done():  # over, but its callback has not run yet: a caller may repeat its call at once
            task = self._reading[key] = asyncio.create_task(self._read(key))
            task.add_done_callback(partial(self._over, key))
        return await asyncio.shield(task)

    def _over(self, key: K, task: asyncio.Task[T]) -> None:
        if self._reading.get(key) is task:
            del self._reading[key]
        if not task.cancelled():
            task.exception()  # retrieved, or asyncio logs it when every caller was cancelled
