"""Background work, and waiting for tasks and events."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import cache, partial
from typing import Any, TypeVar

from service.paying import unpaid

log = logging.getLogger(__name__)

T = TypeVar("T")

AT_ONCE = 2
"""Threads that compute. Each takes the interpreter from the event loop for a moment, again and again: with twenty of
them the loop would have it for a twentieth of the time."""

PAUSE, MAX_PAUSE = 1.0, 60.0
"""Seconds before work that has failed begins again; doubled for each failure that follows soon."""


def background(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
    """A task that does the work until it returns. No exception ends it: it is logged, and the work begins again."""
    return asyncio.create_task(_lasting(name, work), name=name, context=unpaid())


async def _lasting(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    loop, failures = asyncio.get_running_loop(), 0
    while True:
        started = loop.time()
        try:
            return await work()
        except Exception as error:
            failures = 0 if loop.time() - started > MAX_PAUSE else failures
            pause = min(PAUSE * 2**failures, MAX_PAUSE)
            failures += 1
            log.error("the task %s has failed; it begins again in %g seconds", name, pause, exc_info=error)
            await asyncio.sleep(pause)


async def computed(work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """The result of work that takes processor time, not input or output, in one of a few threads for all of it."""
    called = partial(copy_context().run, work, *arguments, **named)
    return await asyncio.get_running_loop().run_in_executor(_computing(), called)


@cache
def _computing() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, "computing")  # made after the fork


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Wait until the event is set, at most for this time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: the library swallows a cancellation that arrives while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)
