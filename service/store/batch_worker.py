"""What waits together is done together, in a thread of its own."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class BatchWorker(Generic[T]):
    """Whatever is put is handed to `work` in that thread: in order, and all that waits at once."""

    def __init__(self, name: str, work: Callable[[list[T]], None]) -> None:
        self._work = work
        self._waiting: SimpleQueue[T | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, item: T) -> None:
        self._waiting.put(item)

    async def close(self) -> None:
        """Ends when everything is done that was put."""
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
