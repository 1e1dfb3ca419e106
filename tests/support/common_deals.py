"""Two tables that play the same cards, opened by the use case."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from domain.game import Agreed, SeatTerms
from domain.game.events import Deal
from domain.rulesets import RULESETS
from service.clock import new_id
from service.games.cached_game import CachedGame
from service.games.commands import Common
from service.runtime import Runtime
from tests.support.clients import Caller, Json, Service, any_of
from tests.support.listening import over_http
from tests.support.runtimes import runtimes

RULES = RULESETS["scout"]


class Tables(NamedTuple):
    """Two tables of one deal: Ann's and Bob's, opened by Olga. The other seats are of the house."""

    runtime: Runtime
    service: Service
    olga: Caller
    ann: Caller
    bob: Caller
    games: tuple[str, str]
    invites: tuple[str, str]

    async def cached(self, game: str) -> CachedGame:
        return await self.runtime.games.find_any(game.rpartition("/")[2])

    async def reveal(self) -> None:
        for game in self.games:
            await self.runtime.commands.reveal(await self.cached(game))

    async def play(self, who: Caller, game: str, moves: int = 10_000) -> Json:
        seen = await who.look(game)
        dice = Random(7)
        while seen["status"] == "running" and moves:
            seen, moves = (await who.move(game, any_of(seen["legal_moves"], dice)))["game"], moves - 1
        return seen


@asynccontextmanager
async def serving(folder: Path, **given: Any) -> AsyncIterator[Tables]:
    async with AsyncExitStack() as stack:
        with runtimes() as made:  # without services that start later
            database = given.pop("database", folder / "games.db")
            service = await stack.enter_async_context(over_http(database, **given))
        olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
        deal, secret = Deal(new_id(), "2100-01-01T00:00:00.000000Z", 2), bytes(32)
        commands = made[0].commands
        opened = [
            await commands.open(
                RULES, olga.id, 3, RULES.options(), next(iter(RULES.decks.values())),
                Agreed(private=True, places=(SeatTerms(player=each.id), *[SeatTerms(bot="careful/1")] * 2)),
                sit=False, entropy="", key=None, common=Common(deal, secret), game_id=new_id(), limited=False,
            )
            for each in (ann, bob)
        ]  # fmt: skip
        ids = [cached.game.id for cached, _ in opened]
        paths = f"/v1/games/scout/{ids[0]}", f"/v1/games/scout/{ids[1]}"
        codes = await made[0].mutable.invite(ids[0]), await made[0].mutable.invite(ids[1])
        await ann.sit(paths[0])
        await bob.sit(paths[1])
        yield Tables(made[0], service, olga, ann, bob, paths, codes)
