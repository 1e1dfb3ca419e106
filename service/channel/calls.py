"""Runs the use cases of a channel without tasks."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar

from service.coroutines import Steps
from service.log.errors import Unavailable

T = TypeVar("T")

Done: TypeAlias = Callable[[Any, Exception | None], None]
"""Takes the result of a coroutine, or None and its exception. It must not raise."""


class Call(Steps):
    """Runs a coroutine. What needs a task runs in one: see `in_task`.

    A use case that has everything in memory is over when the constructor returns, and a move takes two steps, before
    and after its commit.
    """

    __slots__ = ("_done",)

    def __init__(self, coroutine: Coroutine[Any, Any, Any], done: Done) -> None:
        super().__init__(coroutine)
        self._done = done
        self.step()

    def returned(self, result: Any) -> None:
        self._done(result, None)

    def raised(self, error: BaseException) -> None:
        if isinstance(error, asyncio.CancelledError):  # what it awaited was cancelled, because the service stops
            error = Unavailable("the service is stopping")
        if not isinstance(error, Exception):
            raise error
        self._done(None, error)


async def in_task(coroutine: Coroutine[Any, Any, T]) -> T:
    """Await the coroutine in a task of its own."""
    return await asyncio.create_task(coroutine)
