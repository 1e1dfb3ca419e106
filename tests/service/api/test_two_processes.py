"""Two processes on one database and one Redis, both in this one: what the one does the other one shows at once."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tests.clients import Caller, Service, any_of, in_process

pytestmark = pytest.mark.anyio


class House(NamedTuple):
    """Two processes."""

    one: Service
    other: Service

    async def numbers(self, process: Service) -> dict[str, float]:
        """What a process has counted of Redis."""
        lines = (await process.stranger.get("/metrics")).text.splitlines()
        return {
            name.removeprefix("stammtisch_redis_").removesuffix("_total"): float(value)
            for name, value in (line.split() for line in lines if line.startswith("stammtisch_redis_"))
        }


@pytest.fixture
async def house(database: Path, redis_url: str) -> AsyncIterator[House]:
    async with in_process(database, redis=redis_url) as one, in_process(database, redis=redis_url) as other:
        yield House(one, other)


@pytest.fixture
async def friends(house: House) -> list[Caller]:
    return await house.one.guests("Ann", "Bob", "Cem")


async def test_whatever_one_process_acknowledges_the_other_one_shows(
    house: House, friends: list[Caller], ruleset: str
) -> None:
    game, dice, moves = await house.one.table(ruleset, friends), Random(1), 0
    everywhere = [[player.at(process) for player in friends] for process in house]
    while moves < 60 and (seen := await dice.choice(everywhere)[0].look(game))["to_act"]:
        seat, players = dice.choice(seen["to_act"]), dice.choice(everywhere)
        moved = await players[seat].move(game, any_of(await dice.choice(everywhere)[seat].moves(game), dice))
        moves += 1
        for process in everywhere:
            for player in (*process, Caller(process[0].http)):
                assert (await player.look(game))["version"] == moved["version"]
    for one, other in zip(*everywhere, strict=True):
        here, there = await one.get(game), await other.get(game)
        assert (here.content, here.headers["etag"]) == (there.content, there.headers["etag"])
        assert await one.events(game) == await other.events(game)
