"""Aborts games that have waited for players for too long, including games that no client reads.

The process that leads sweeps every minute, beginning at once. If two processes abort the same game at once, one append
conflicts, and that process finds the game aborted. `Games.find` also aborts an overdue game.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from projections import lobby
from projections.lobby import Waiting
from service.games.departures import Departures
from service.games.errors import RulesMissing
from service.games.games import Games
from service.games.periodic import Periodic

log = logging.getLogger(__name__)

SWEEP_INTERVAL = 60.0
"""Seconds between two sweeps."""

PAGE_SIZE = 100
"""Waiting games that one query returns at most."""

Query = Callable[..., Awaitable[list[Waiting]]]


class Sweeper(Periodic):
    """Sweeps from `start` to `stop`. `query` runs a function on the database of the projections. `departures` are swept
    with the games."""

    def __init__(
        self, games: Games, query: Query, departures: Departures | None = None,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        super().__init__("sweeper", SWEEP_INTERVAL, log, "waiting games cannot be aborted", leads)
        self._games = games
        self._query = query
        self._departures = departures

    async def _abort(self) -> None:
        """Abort all overdue games. An error in one game does not affect the others.

        Raises `Unavailable` at once, and the last error of a game when all games are done.
        """
        failures = self._failures()
        async for each in self._overdue():
            self.handled += 1
            with failures.kept(each.id), suppress(RulesMissing):
                await self._games.find_any(each.id)
        failures.raise_last()

    async def _overdue(self) -> AsyncIterator[Waiting]:
        after = 0
        while page := await self._query(lobby.waiting, after, PAGE_SIZE):
            for each in page:
                if self._stopping.is_set() or not self._games.is_overdue(each.created_at):
                    return  # the games after this one were opened later
                yield each
            after = page[-1].number

    async def sweep(self) -> None:
        try:
            await self._abort()
        finally:  # a game that cannot be aborted keeps nobody else seated
            if self._departures is not None:
                await self._departures.sweep()
