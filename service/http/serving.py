"""Runs the application for a request without a task."""

import asyncio
import logging
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

log = logging.getLogger(__name__)


class Serving:
    """Runs the coroutine of a request: its first step at once, each further step in the callback of the future that it
    awaits. A read from memory is over when the constructor returns.

    `running` contains it until then, and has tasks otherwise: uvicorn waits for them when it stops, and cancels them
    when that takes too long.

    A task would cost more than authentication and limits together. What needs one, such as `asyncio.timeout`, must run
    in a task that the coroutine awaits.
    """

    __slots__ = ("_awaited", "_context", "_coroutine", "_running")

    def __init__(self, coroutine: Coroutine[Any, Any, None], running: set[Any]) -> None:
        self._coroutine = coroutine
        self._running = running
        self._context = copy_context()  # what it sets must not be visible to others
        self._awaited: asyncio.Future[Any] | None = None
        running.add(self)
        self._context.run(self._step)

    def cancel(self, msg: object = None) -> None:
        if self._awaited is not None:
            self._awaited.cancel(msg)

    def _step(self, _: object = None) -> None:
        try:
            self._awaited = awaited = self._coroutine.send(None)
        except StopIteration:
            self._running.discard(self)
        except BaseException as error:
            self._running.discard(self)
            log.error("a request failed", exc_info=error)
        else:
            if awaited is None:  # a bare yield, as in `asyncio.sleep(0)`
                asyncio.get_running_loop().call_soon(self._step, context=self._context)
            else:  # what a task does with the future that its coroutine awaits
                awaited._asyncio_future_blocking = False
                awaited.add_done_callback(self._step, context=self._context)
