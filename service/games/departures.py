"""Former players leave their games, and cached responses with their names are deleted.

In a running game a bot goes on, if its terms let players leave. Otherwise it goes on with the seat of the former
player. The process that forgets a player does all of this at once.
Every process repeats it in its sweeps, in case that process stopped, a database was unavailable, or another process
admitted a request of the player at the same time.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from domain.game import NotRunning, NotSeated, NotWaiting
from domain.game.commands import Leave
from domain.rulesets import RULESETS
from projections.players import games_of, unfinished_games
from service.clock import earlier, now
from service.cluster.version_cache import VersionCache
from service.games.errors import NoSuchGame
from service.games.games import Games
from service.identity.players import Players
from service.store.errors import Unavailable

SETTLED = 10.0
"""Seconds after which no process still works on a request with the token of a former player."""


class Departures:
    """`query` runs a function on the database of the projections; `caught_up` waits until it is up to date."""

    def __init__(
        self, games: Games, players: Players, query: Callable[..., Awaitable[Any]],
        caught_up: Callable[[], Awaitable[None]], version_cache: VersionCache | None,
    ) -> None:  # fmt: skip
        self._games = games
        self._players = players
        self._query = query
        self._caught_up = caught_up
        self._version_cache = version_cache

    async def forget(self, player: str) -> None:
        """Forget the player, who leaves all unfinished games. Idempotent. Raises `Unavailable`."""
        await self._players.forget(player)
        with suppress(Unavailable):  # the player is forgotten; the sweeps do the rest
            await self._depart(player)

    async def sweep(self) -> None:
        """Let former players leave the games in which they still are. Raises `Unavailable`."""
        for player, at in await self._players.leaving():
            settled = at <= earlier(now(), SETTLED)
            await self._depart(player)
            if settled:
                await self._players.left(player)

    async def _depart(self, player: str) -> None:
        await self._caught_up()
        if self._version_cache is not None:
            for game_id in await self._query(games_of, player):
                self._version_cache.drop(game_id)
        await self._leave(player)

    async def _leave(self, player: str) -> None:
        for ruleset, game_id in await self._query(unfinished_games, player):
            try:
                cached = await self._games.find(RULESETS[ruleset], game_id)
                for seat in cached.game.kept_for(player):
                    await self._games.execute(cached, player, Leave(seat))
                for seat in cached.game.seats_of(player):
                    await self._games.execute(cached, player, Leave(seat, running=True))
            except (NoSuchGame, NotSeated, NotWaiting, NotRunning):  # nobody can leave it, or it has ended meanwhile
                continue
