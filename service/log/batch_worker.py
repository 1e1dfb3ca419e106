"""A thread that processes queued items in batches."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class BatchWorker(Generic[T]):
    """Calls `work` in its own thread with all queued items at once, in order."""

    def __init__(self, name: str, work: Callable[[list[T]], None]) -> None:
        self._work = work
        self._waiting: SimpleQueue[list[T]] = SimpleQueue()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, items: list[T]) -> None:
        """Queue items. The list is the worker's from now on."""
        self._waiting.put(items)

    async def close(self) -> None:
        """Returns when every queued item is processed."""
        self._stopping = True
        self._waiting.put([])  # wakes the thread up
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        waiting = self._waiting
        while not (self._stopping and waiting.empty()):
            items = waiting.get()
            while not waiting.empty():
                items += waiting.get()
            if items:
                self._work(items)
            del items  # else this thread would free them after its next wait, when they are in no cache any more
