"""Pauses between attempts."""

import asyncio
import random
import time

from .errors import NoAnswer, Problem

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before the second, third ... attempt. The last one is repeated."""


class Backoff:
    """Pauses between the attempts of a request: longer each time, spread by 20 %, never shorter than asked for.

    `patience`: the seconds after the first failure in which attempts are made.
    """

    def __init__(self, patience: float | None) -> None:
        self._patience = patience
        self._attempts = 0
        self._deadline: float | None = None

    async def pause(self, failure: Exception, at_least: float | None = None) -> None:
        """Wait before the next attempt. Raises `failure` if that would be after the deadline."""
        seconds = PAUSES[min(self._attempts, len(PAUSES) - 1)] * random.uniform(0.8, 1.2)
        seconds = max(seconds, at_least or 0)
        if self._attempts == 0 and self._patience is not None:
            self._deadline = time.monotonic() + self._patience
        self._attempts += 1
        if self._deadline is not None and time.monotonic() + seconds > self._deadline:
            raise failure
        await asyncio.sleep(seconds)

    async def after(self, failure: NoAnswer | Problem) -> None:
        """Wait before the next attempt as long as the service asks for. Raises `failure` also if repeating is
        useless."""
        if not isinstance(failure, Problem):
            await self.pause(failure)
        elif failure.is_transient:
            await self.pause(failure, failure.retry_after)
        else:
            raise failure

    def reset(self) -> None:
        """An attempt has succeeded: the next failure is the first one again."""
        self._attempts = 0
