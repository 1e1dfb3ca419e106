"""Former players leave their games. Cached responses with their names and what their webhooks sent are deleted.

In a running game a bot goes on, if its terms let players leave. Otherwise it goes on with the seat of the former
player. The process that forgets a player does all of this at once.
The process that leads repeats it in its sweeps, in case the first one stopped, a database was unavailable, or another
process admitted a request of the player at the same time.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from domain.game import NotRunning, NotSeated, NotWaiting, SeatsFixed
from domain.game.commands import Leave
from projections.players import games_of, unfinished_games
from service.clock import earlier, now
from service.extension import REGISTERED
from service.games.commands import Commands
from service.games.errors import NoSuchGame, RulesMissing
from service.games.periodic import Failures
from service.identity.players import Players
from service.log.errors import Unavailable
from service.versions import Versions

log = logging.getLogger(__name__)

SETTLED = 10.0
"""Seconds after which no process still works on a request with the token of a former player."""


class Departures:
    """`query` runs a function on the database of the projections; `caught_up` waits until it is up to date."""

    def __init__(
        self, commands: Commands, players: Players, query: Callable[..., Awaitable[Any]],
        caught_up: Callable[[], Awaitable[None]], version_cache: Versions | None,
    ) -> None:  # fmt: skip
        self._commands = commands
        self._players = players
        self._query = query
        self._caught_up = caught_up
        self._version_cache = version_cache
        self._failing = set[str]()
        """The games that players could not leave."""

    async def forget(self, player: str) -> None:
        """Forget the player, who leaves all unfinished games. Idempotent. Raises `Unavailable`."""
        await self._players.forget(player)
        with suppress(Unavailable):  # the player is forgotten; the sweeps do the rest
            await self._depart(player, Failures(log, self._failing))

    async def sweep(self) -> None:
        """Let former players leave the games in which they still are. An error in one game does not affect the others.

        Raises `Unavailable` at once, and the last error of a game when all games are done.
        """
        failures = Failures(log, self._failing)
        for player, at in await self._players.leaving():
            settled = at <= earlier(now(), SETTLED)
            failed = failures.count
            await self._depart(player, failures)
            if settled and failures.count == failed:
                await self._players.left(player)
        failures.raise_last()

    async def _depart(self, player: str, failures: Failures) -> None:
        if player in self._players.forgotten:
            for each in REGISTERED.values():
                if each.erase is not None:
                    await self._query(each.erase, player)
        await self._caught_up()
        if self._version_cache is not None:
            for game_id in await self._query(games_of, player):
                self._version_cache.drop(game_id)
        await self._leave(player, failures)

    async def _leave(self, player: str, failures: Failures) -> None:
        for _, game_id in await self._query(unfinished_games, player):
            with failures.kept(game_id), suppress(NoSuchGame, NotSeated, NotWaiting, NotRunning):
                # What is suppressed: nobody can leave the game, or it has ended meanwhile.
                try:
                    cached = await self._commands.games.find_any(game_id)
                    for seat in cached.game.kept_for(player):
                        await self._commands.execute(cached, player, Leave(seat))
                    for seat in cached.game.seats_of(player):
                        await self._commands.execute(cached, player, Leave(seat, running=True))
                except (SeatsFixed, RulesMissing):  # it begins or expires soon, or its package is away: the sweeps try
                    failures.count += 1  # again
