"""Aborts games that have waited for players for too long, including games that no client reads.

Each process sweeps at its start and then every minute; there is no leader. If two processes abort the same game at
once, one append conflicts, and that process finds the game aborted. `Games.find` also aborts an overdue game.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from domain.rulesets import RULESETS
from projections import lobby
from projections.lobby import Waiting
from service.games.departures import Departures
from service.games.games import Games
from service.store.errors import Unavailable

log = logging.getLogger(__name__)

SWEEP_INTERVAL = 60.0
"""Seconds between two sweeps."""

PAGE_SIZE = 100
"""Waiting games that one query returns at most."""

Query = Callable[..., Awaitable[list[Waiting]]]


class Sweeper:
    """Sweeps from `start` to `stop`. `query` runs a function on the database of the projections. `departures` are swept
    with the games."""

    def __init__(self, games: Games, query: Query, departures: Departures | None = None) -> None:
        self._games = games
        self._query = query
        self._departures = departures
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="sweeper")

    async def stop(self) -> None:
        """Returns when the game that is being aborted is done."""
        self._stopping.set()
        if self._task is not None:
            await self._task

    async def sweep(self) -> None:
        """Abort all overdue games. An error in one game does not affect the others.

        Raises `Unavailable` at once, and the last error of a game when all games are done.
        """
        failure: Exception | None = None
        async for each in self._overdue():
            try:
                await self._games.find(RULESETS[each.ruleset], each.id)
            except Unavailable:
                raise
            except Exception as error:
                failure = error
        if failure is not None:
            raise failure

    async def _overdue(self) -> AsyncIterator[Waiting]:
        after = 0
        while page := await self._query(lobby.waiting, after, PAGE_SIZE):
            for each in page:
                if self._stopping.is_set() or not self._games.is_overdue(each.created_at):
                    return  # the games after this one were opened later
                yield each
            after = page[-1].number

    async def _run(self) -> None:
        failing = False
        while not self._stopping.is_set():
            try:
                await self.sweep()
                if self._departures is not None:
                    await self._departures.sweep()
                failing = False
            except Exception as error:  # the next sweep tries again; log only the first of several failures
                if not failing:
                    expected = isinstance(error, Unavailable)
                    log.warning("waiting games cannot be aborted: %s", error, exc_info=None if expected else error)
                failing = True
            with suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_INTERVAL):
                    await self._stopping.wait()
