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
        self._waiting: SimpleQueue[T | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, item: T) -> None:
        self._waiting.put(item)

    async def close(self) -> None:
        """Returns when every queued item is processed."""
        self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        stopping = False
        while not stopping:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            stopping = None in batch
            if items := [item for item in batch if item is not None]:
                self._work(items)
