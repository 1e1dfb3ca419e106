"""A thread that commits appends while the event loop goes on.

It takes appends in order, commits all waiting appends together and reports the outcomes in the event loop.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from service.log.batch_worker import BatchWorker
from service.log.group_commit import GroupCommit, Outcome

SMALL_BATCH = 12
"""Appends in one commit. A larger one is not waited for: more appends would hardly lower the cost of each."""


class Append(Struct, frozen=True):
    """Rows to record, all or none, what takes the outcome, in the event loop, and the time from which it waits."""

    rows: Sequence[Any]
    done: Callable[[Outcome], None]
    started: float = 0.0


OnCommit: TypeAlias = Callable[[Sequence[Append], Sequence[Outcome]], None]
"""Takes appends and their outcomes, in the event loop. It passes each append its outcome."""


class Writer:
    """Commits appends in a thread and reports their outcomes in the same order."""

    def __init__(self, commit: GroupCommit, on_commit: OnCommit) -> None:
        self._commit = commit
        self._on_commit = on_commit
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Append] = []
        self._unanswered = 0
        """How many appends the thread has."""
        self._last_batch = 1
        """How many appends the last commit had."""
        self._batches = BatchWorker("store-writer", self._write)

    def put(self, append: Append) -> None:
        if not self._waiting:
            # With all appends of this iteration of the event loop. Otherwise the thread would wake up at the first one
            # and compete for the GIL with the requests behind it.
            self._loop.call_soon(self._gather)
        self._waiting.append(append)

    def _gather(self) -> None:
        if self._unanswered == 0 and len(self._waiting) < self._last_batch <= SMALL_BATCH:
            # Wait for the requests that the event loop finds next: probably as many come as last time, and a commit of
            # one append costs nearly as much as one of eight.
            self._loop.call_soon(self._send)
        else:
            self._send()

    def _send(self) -> None:
        if self._waiting:
            appends, self._waiting = self._waiting, []
            self._unanswered += len(appends)
            self._batches.put(appends)

    async def close(self) -> None:
        """Returns when every append is answered."""
        self._send()
        await self._batches.close()

    def _write(self, appends: Sequence[Append]) -> None:
        outcomes = self._commit([append.rows for append in appends])
        self._loop.call_soon_threadsafe(self._answer, appends, outcomes)

    def _answer(self, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
        self._last_batch = len(appends)
        self._unanswered -= self._last_batch
        self._on_commit(appends, outcomes)


async def all_answered(writer: Writer) -> None:
    """Returns when all appends up to now are answered."""
    answered = asyncio.Event()
    writer.put(Append([], lambda _: answered.set()))
    await answered.wait()
