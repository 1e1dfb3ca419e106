"""Runs the use cases of a channel without tasks.

This is the only runner besides tasks. With tasks a message costs 3 % more, and a close that arrives together with a
message would overtake its answer. When Python 3.11 is no longer supported, an eager task replaces it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar

from service.log.errors import Unavailable

T = TypeVar("T")

Done: TypeAlias = Callable[[Any, Exception | None], None]
"""Takes the result of a coroutine, or None and its exception. It must not raise."""


class Call:
    """Runs a coroutine: the first step at once, each further step in the callback of the future that it awaits.

    What needs a task, such as `asyncio.timeout`, runs in one: see `in_task`. A use case that has everything in memory
    is over when the constructor returns, and a move takes two steps, before and after its commit.
    """

    __slots__ = ("_coroutine", "_done")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], done: Done) -> None:
        self._coroutine = coroutine
        self._done = done
        self._step()

    def _step(self, _: object = None) -> None:
        try:
            awaited = self._coroutine.send(None)
        except StopIteration as end:
            self._done(end.value, None)
        except asyncio.CancelledError:  # what it awaited was cancelled, because the service stops
            self._done(None, Unavailable("the service is stopping"))
        except Exception as error:
            self._done(None, error)
        else:
            if awaited is None:  # a bare yield, as in `asyncio.sleep(0)`
                asyncio.get_running_loop().call_soon(self._step)
            else:  # what a task does with the future that its coroutine awaits
                awaited._asyncio_future_blocking = False
                awaited.add_done_callback(self._step)


async def in_task(coroutine: Coroutine[Any, Any, T]) -> T:
    return await asyncio.create_task(coroutine)
