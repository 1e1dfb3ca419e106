"""Games that wait for players for too long are aborted, also where nobody looks at them.

Each process sweeps by itself, at its start and then every minute; there is no leader. Two that abort the same game at
once conflict, and the second finds nothing to do. A game that is looked at meanwhile is aborted then: see `Games.find`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from domain.rulesets import RULESETS
from projections import lobby
from projections.lobby import Waiting
from service.games.games import Games
from service.store.errors import Unavailable

log = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two sweeps."""

PAGE = 100
"""So many waiting games are asked for at once."""

Ask = Callable[..., Awaitable[list[Waiting]]]


class Sweeper:
    """Sweeps from `start` to `stop`."""

    def __init__(self, games: Games, ask: Ask) -> None:
        self._games = games
        self._ask = ask
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="sweeper")

    async def stop(self) -> None:
        """Ends behind the game that is being aborted."""
        self._stopping.set()
        if self._task is not None:
            await self._task

    async def sweep(self) -> None:
        """Abort all games that have waited for too long. One that cannot be aborted does not keep the others from it.

        Raises `Unavailable`, and what was wrong with a game, when all others are done.
        """
        wrong: Exception | None = None
        async for each in self._overdue():
            try:
                await self._games.find(RULESETS[each.ruleset], each.id)
            except Unavailable:
                raise
            except Exception as error:
                wrong = error
        if wrong is not None:
            raise wrong

    async def _overdue(self) -> AsyncIterator[Waiting]:
        after = 0
        while page := await self._ask(lobby.waiting, after, PAGE):
            for each in page:
                if self._stopping.is_set() or not self._games.is_overdue(each.created_at):
                    return  # those behind it were opened later
                yield each
            after = page[-1].number

    async def _run(self) -> None:
        troubled = False
        while not self._stopping.is_set():
            try:
                await self.sweep()
                troubled = False
            except Exception as error:  # it is tried again; what is wrong is said once
                if not troubled:
                    known = isinstance(error, Unavailable)
                    log.warning("waiting games cannot be aborted: %s", error, exc_info=None if known else error)
                troubled = True
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._stopping.wait()
