"""What many ask for at the same time is asked for once."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class SingleFlight(Generic[K, T]):
    """Whoever asks for the same key while it is being read waits for the same reading, and gets what it comes to.

    It goes on when somebody who waits goes away. Who comes after it asks anew: nothing is kept.
    """

    def __init__(self, read: Callable[[K], Coroutine[Any, Any, T]]) -> None:
        self._read = read
        self._reading: dict[K, asyncio.Task[T]] = {}

    async def __call__(self, key: K) -> T:
        task = self._reading.get(key)
        if task is None:
            task = self._reading[key] = asyncio.create_task(self._read(key))
            task.add_done_callback(partial(self._over, key))
        return await asyncio.shield(task)

    def _over(self, key: K, task: asyncio.Task[T]) -> None:
        del self._reading[key]
        if not task.cancelled():
            task.exception()  # asyncio would complain of one that nobody has waited for in the end
