"""Aborts games as the operator ordered with `stammtisch game abort`.

The command only writes the order into a table, so it needs no access to the log that a service is using. The process
that leads reads the table; if two abort the same game at once, one append conflicts and that process finds the game
aborted.
"""

import logging
from collections.abc import Callable

from domain.game import NotRunning
from domain.game.commands import Abort
from service.games.commands import Commands
from service.games.errors import NoSuchGame, RulesMissing
from service.games.periodic import Periodic
from service.tables import moderation
from service.tables.mutable import Mutable

log = logging.getLogger(__name__)

POLL_INTERVAL = 0.5
"""Seconds between two readings of the table."""


class Orders(Periodic):
    def __init__(self, commands: Commands, mutable: Mutable, leads: Callable[[], bool]) -> None:
        super().__init__("orders", POLL_INTERVAL, log, "orders of the operator cannot be carried out", leads)
        self._commands = commands
        self._mutable = mutable

    async def sweep(self) -> None:
        """Abort the games of all open orders. An error in one game does not affect the others.

        Raises `Unavailable` at once, and the last error of a game when all orders were tried.
        """
        failures = self._failures()
        for number, game_id in await self._mutable.query(moderation.waiting):
            if self._stopping.is_set():
                return
            with failures.kept(game_id):
                await self._carry_out(number, game_id)
        failures.raise_last()

    async def _carry_out(self, number: int, game_id: str) -> None:
        try:
            await self._abort(game_id)
            log.info("The operator has aborted the game %s.", game_id)
        except (NoSuchGame, NotRunning):
            log.info("The game %s is over already, or does not exist.", game_id)
        except RulesMissing as missing:
            log.warning("The game %s cannot be aborted: its rules %s are not loaded.", game_id, missing.rules)
        await self._mutable.query(moderation.done, number)

    async def _abort(self, game_id: str) -> None:
        await self._commands.execute(await self._commands.games.find_any(game_id), None, Abort("operator"))
