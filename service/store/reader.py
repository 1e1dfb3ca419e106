"""Reads streams from a database server in one thread: waiting reads share a round trip."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from service.store.backend import query
from service.store.batch_worker import BatchWorker
from service.store.errors import Unavailable
from service.store.rows import RowMapper

Span: TypeAlias = tuple[str, int, int]
"""A stream, the version after which to read, and the last version to read."""

States: TypeAlias = list[tuple[str, bytes]]
"""Topics and states of events."""


class _Read(NamedTuple):
    span: Span
    done: asyncio.Future[list[Any]]


class ReaderThread:
    """Calls `select` with the spans of all waiting reads. While the server does not answer, all of them wait for one
    time-out, not each for its own."""

    def __init__(self, select: Callable[[list[Span]], Sequence[States]], mapper: RowMapper) -> None:
        self._select = select
        self._mapper = mapper
        self._loop = asyncio.get_running_loop()
        self._batches = BatchWorker("store-reader", self._serve)

    def read(self, span: Span) -> Awaitable[list[Any]]:
        """The values of the span. Raises `Unavailable`."""
        done: asyncio.Future[list[Any]] = self._loop.create_future()
        self._batches.put([_Read(span, done)])
        return done

    async def close(self) -> None:
        """Returns when every read is answered."""
        await self._batches.close()

    def _serve(self, reads: Sequence[_Read]) -> None:
        outcomes: Sequence[list[Any] | Exception]
        try:
            found = query(self._select, [read.span for read in reads])
            outcomes = [self._values(states) for states in found]
        except Unavailable as error:
            outcomes = [error] * len(reads)
        self._loop.call_soon_threadsafe(_resolve, reads, outcomes)

    def _values(self, states: States) -> list[Any] | Exception:
        try:
            return self._mapper.values(states)
        except Exception as error:  # fails only the reads of this stream
            return error


def _resolve(reads: Sequence[_Read], outcomes: Sequence[list[Any] | Exception]) -> None:
    for read, outcome in zip(reads, outcomes, strict=True):
        if read.done.done():  # cancelled
            continue
        if isinstance(outcome, Exception):
            read.done.set_exception(outcome)
        else:
            read.done.set_result(outcome)
