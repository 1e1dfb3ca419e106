"""Removes players who have run out of time, including those of games that no client reads.

The process that leads looks for games that are due once a second. `projections.deadlines` says which games are due, and
gives each to one process at a time. If two processes remove the same player at once, one append conflicts, and that
process finds nothing left to do. A command on a game removes overdue players, too. Games in which bots search are
looked at as well, in case the process that chose for them was killed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from domain.game.clock import NEVER, SECOND
from projections import deadlines
from projections.deadlines import Due
from service.clock import wall_clock
from service.games.commands import Commands
from service.games.errors import NoSuchGame, RulesMissing
from service.games.periodic import Failures, Periodic

log = logging.getLogger(__name__)

INTERVAL = 1.0
"""Seconds between two sweeps."""

CLAIM = 3 * SECOND
"""For how long no other process looks after a claimed game."""

MISSING = 600 * SECOND
"""For how long a game is left alone whose rules are not loaded."""

BATCH_SIZE = 500
"""Games that one query returns at most."""

Query = Callable[..., Awaitable[Any]]


class DeadlineSweeper(Periodic):
    """Sweeps from `start` to `stop`. `query` runs a function on the database of the projections."""

    def __init__(self, commands: Commands, query: Query, leads: Callable[[], bool] = lambda: True) -> None:
        super().__init__("deadlines", INTERVAL, log, "deadlines cannot be checked", leads)
        self._commands = commands
        self._query = query

    async def sweep(self) -> None:
        """Look after all games that are due. An error in one game does not affect the others.

        Raises `Unavailable` at once, and the last error of a game when all games are done.
        """
        failures = self._failures()
        found = [deadlines.START]
        while found and not self._stopping.is_set():
            now = wall_clock()
            found = await self._query(deadlines.due, now, found[-1], BATCH_SIZE)
            if found:
                claimed = await self._query(deadlines.claim, [each.game for each in found], now, now + CLAIM)
                bounds = await self._look_after([each for each in found if each.game in claimed], failures)
                await self._query(deadlines.postpone, bounds)
            if len(found) < BATCH_SIZE:
                break
        failures.raise_last()

    async def _look_after(self, games: Sequence[Due], failures: Failures) -> dict[str, int]:
        """The next time to look at each of the games. A game that fails stays claimed."""
        bounds = dict[str, int]()
        for number, each in enumerate(games):
            if number % 50 == 49:
                await asyncio.sleep(0)  # other tasks get their turn
            self.handled += 1
            with failures.kept(each.game):
                bounds[each.game] = await self._next_look(each)
        return bounds

    async def _next_look(self, due: Due) -> int:
        try:
            return await self._commands.remove_overdue(due.game) or NEVER
        except NoSuchGame:
            return NEVER
        except RulesMissing:
            return wall_clock() + MISSING
