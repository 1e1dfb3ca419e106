"""Reads streams in one thread: waiting reads share a round trip to a database server."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from service.log.batch_worker import BatchWorker
from service.log.elsewhere import Archived
from service.log.errors import Unavailable, query
from service.log.mapper import RowMapper
from service.log.recorder import LAST_VERSION, Span, States

T = TypeVar("T")


class _Read(NamedTuple):
    span: Span
    build: Callable[[list[Any]], Any]
    done: asyncio.Future[Any]


class IsArchived(Exception):
    """The entries are in a file."""

    def __init__(self, where: Archived) -> None:
        super().__init__()
        self.where = where


class MaybeArchived(Exception):
    """Entries are missing that the caller knows: the first row says whether they were archived meanwhile."""


class ReaderThread:
    """Calls `select` with the spans of all waiting reads. While the server does not answer, all of them wait for one
    time-out, not each for its own."""

    def __init__(self, select: Callable[[list[Span]], Sequence[States]], mapper: RowMapper) -> None:
        self._select = select
        self._mapper = mapper
        self._loop = asyncio.get_running_loop()
        self._batches = BatchWorker("log-reader", self._serve)

    def read(self, span: Span, build: Callable[[list[Any]], T]) -> Awaitable[T]:
        """What `build` makes of the values of the span, in the thread. Raises `Unavailable`."""
        done: asyncio.Future[T] = self._loop.create_future()
        self._batches.put([_Read(span, build, done)])
        return done

    async def close(self) -> None:
        """Returns when every read is answered."""
        await self._batches.close()

    def _serve(self, reads: Sequence[_Read]) -> None:
        try:
            found = query(self._select, [read.span for read in reads])
            outcomes = [self._built(read, states) for read, states in zip(reads, found, strict=True)]
        except Unavailable as error:
            outcomes = [error] * len(reads)
        self._loop.call_soon_threadsafe(_resolve, reads, outcomes)

    def _built(self, read: _Read, states: States) -> Any:
        try:
            return read.build(_rows(read.span, self._mapper.values(states)))
        except Exception as error:  # fails only this read
            return error


def _rows(span: Span, values: list[Any]) -> list[Any]:
    """These values of the span, if they are entries. Raises `IsArchived` and `MaybeArchived`.

    The first and the last row of an archived game stay, so a reader that begins at the first row or goes on to the last
    one meets one of them.
    """
    if values and isinstance(values[-1], Archived):
        raise IsArchived(values[-1])
    _, after, upto = span
    if not values:
        if after and upto != LAST_VERSION:
            raise MaybeArchived
    elif isinstance(values[0], Archived):
        raise IsArchived(values[0])
    elif after and getattr(values[0], "version", after + 1) != after + 1:  # its rows are being deleted, lowest first
        raise MaybeArchived
    return values


def _resolve(reads: Sequence[_Read], outcomes: Sequence[Any]) -> None:
    for read, outcome in zip(reads, outcomes, strict=True):
        if read.done.done():  # cancelled
            continue
        if isinstance(outcome, Exception):
            read.done.set_exception(outcome)
        else:
            read.done.set_result(outcome)
