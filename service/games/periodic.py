"""Work that is done again and again, with a pause after each time."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import Logger
from time import perf_counter

from service.log.errors import Unavailable
from service.process.histogram import Histogram
from service.tasks import background, wait_for

FOLLOWING = 1.0
"""Seconds between two looks whether this process leads."""


class Periodic:
    """Calls `sweep` from `start` to `stop`, every `interval` seconds while this process leads. After a failure it tries
    again.

    `name` is that of the task. `failure` is logged for the first of several failures.
    """

    def __init__(
        self, name: str, interval: float, log: Logger, failure: str, leads: Callable[[], bool] = lambda: True
    ) -> None:
        self._name = name
        self._interval = interval
        self._leads = leads
        self._log = log
        self._failure = failure
        self.rounds = Histogram()
        """The time of each round."""
        self.failures = 0
        """Rounds that failed."""
        self.handled = 0
        """Games that were looked after."""
        self._failing = set[str]()
        """The games that failed, until they no longer do."""
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = background(self._name, self._run)

    async def stop(self) -> None:
        """Returns when the work in hand is done, which looks at `_stopping`."""
        self._stopping.set()
        if self._task is not None:
            await self._task

    def _failures(self) -> "Failures":
        return Failures(self._log, self._failing)

    async def sweep(self) -> None:
        raise NotImplementedError

    async def _run(self) -> None:
        failing = False
        while not self._stopping.is_set():
            if self._leads():
                failing = await self._round(failing=failing)
            # A process that begins to lead does not wait for a long interval.
            await wait_for(self._stopping, self._interval if self._leads() else min(self._interval, FOLLOWING))

    async def _round(self, *, failing: bool) -> bool:
        """Whether it failed. `failing`: so did the one before."""
        started = perf_counter()
        try:
            await self.sweep()
            failing = False
        except Exception as error:
            if not failing:
                expected = isinstance(error, Unavailable)
                self._log.warning("%s: %s", self._failure, error, exc_info=None if expected else error)
            failing = True
            self.failures += 1
        self.rounds.observe(perf_counter() - started)
        return failing


class Failures:
    """Errors in single games, which do not keep a round from looking after the others.

    The log names each game once, until it no longer fails: `known` are the games that failed in earlier rounds.
    """

    def __init__(self, log: Logger, known: set[str]) -> None:
        self._log = log
        self._known = known
        self._last: Exception | None = None
        self.count = 0

    @contextmanager
    def kept(self, game_id: str) -> Iterator[None]:
        """Keep an error of the block. `Unavailable` is raised, because it concerns all games."""
        try:
            yield
        except Unavailable:
            raise
        except Exception as error:
            if game_id not in self._known:
                self._log.warning("The game %s fails and is left out: %r", game_id, error, exc_info=error)
            self._known.add(game_id)
            self._last = error
            self.count += 1
        else:
            self._known.discard(game_id)

    def raise_last(self) -> None:
        if self._last is not None:
            raise self._last
