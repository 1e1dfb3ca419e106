"""Runs coroutines in callbacks of the event loop, without tasks."""

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any


class Steps:
    """Runs a coroutine: `step` makes its first step at once, each further step runs in the callback of the future that
    it awaits. `context` has the context variables of the further steps.

    A task would cost an iteration of the event loop more for each step, and its own overhead. What needs one, such as
    `asyncio.timeout`, must run in a task that the coroutine awaits.
    """

    __slots__ = ("_awaited", "_context", "_coroutine")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], context: Context | None = None) -> None:
        self._coroutine = coroutine
        self._context = context
        self._awaited: asyncio.Future[Any] | None = None

    def step(self, _: object = None) -> None:
        try:
            self._awaited = awaited = self._coroutine.send(None)
        except StopIteration as end:
            self.returned(end.value)
        except BaseException as error:
            self.raised(error)
        else:
            if awaited is None:  # a bare yield, as in `asyncio.sleep(0)`
                asyncio.get_running_loop().call_soon(self.step, context=self._context)
            else:  # what a task does with the future that its coroutine awaits
                awaited._asyncio_future_blocking = False
                awaited.add_done_callback(self.step, context=self._context)

    def returned(self, result: Any) -> None:
        """Called with the result of the coroutine."""
        raise NotImplementedError

    def raised(self, error: BaseException) -> None:
        """Called with the exception of the coroutine."""
        raise NotImplementedError
