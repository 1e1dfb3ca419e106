"""Runs the application for a request without a task."""

import logging
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

from service.coroutines import Steps

log = logging.getLogger(__name__)


class Serving(Steps):
    """Runs the coroutine of a request. A read from memory is over when the constructor returns.

    `running` contains it until then, and has tasks otherwise: uvicorn waits for them when it stops, and cancels them
    when that takes too long.
    """

    __slots__ = ("_running",)

    def __init__(self, coroutine: Coroutine[Any, Any, None], running: set[Any]) -> None:
        context = copy_context()  # what it sets must not be visible to others
        super().__init__(coroutine, context)
        self._running = running
        running.add(self)
        context.run(self.step)

    def cancel(self, msg: object = None) -> None:
        if self._awaited is not None:
            self._awaited.cancel(msg)

    def returned(self, _: None) -> None:
        self._running.discard(self)

    def raised(self, error: BaseException) -> None:
        self._running.discard(self)
        log.error("a request failed", exc_info=error)
