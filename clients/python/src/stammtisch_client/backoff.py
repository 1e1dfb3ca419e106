"""Pauses between attempts."""

import asyncio
import random
import time

from .errors import NoAnswer, Problem

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before the second, third ... attempt. The last one is repeated."""


class Backoff:
    """Pauses between the attempts of one request: longer each time, spread by 20 %, never shorter than asked for."""

    def __init__(self, patience: float | None) -> None:
        self._attempts = 0
        self._deadline = None if patience is None else time.monotonic() + patience

    async def pause(self, failure: Exception, at_least: float | None = None) -> None:
        """Wait before the next attempt. Raises `failure` if that would be after the deadline."""
        seconds = PAUSES[min(self._attempts, len(PAUSES) - 1)] * random.uniform(0.8, 1.2)
        seconds = max(seconds, at_least or 0)
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
        """The next pause is the shortest again."""
        self._attempts = 0
