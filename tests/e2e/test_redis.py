"""Two real processes under load while their Redis is emptied, killed, and comes back with an old dump."""

import asyncio
import signal
from collections import defaultdict
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.e2e.test_crash import Crowd, House, Json, crowd, keys_in, metrics, opened, until, verify
from tests.support import servers
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

FAULTS, MANY_FAULTS = 3, 6
"""By default each fault once, with `--everything` twice."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Watchful(Crowd):
    """Players who compare what they are shown with what had been acknowledged, or shown to anybody, when they asked."""

    def __init__(self, house: House, http: Any, **how: Any) -> None:
        super().__init__(house, http, **how)
        self._last: defaultdict[str, int] = defaultdict(int)
        self.looks = 0

    async def ask(self, method: str, path: str, body: Any = None, *, token: str = "", keyed: bool = False) -> Json:
        game = path.removesuffix("/moves")
        before = self._last[game]
        answer = await super().ask(method, path, body, token=token, keyed=keyed)
        if game in self.moves and "version" in answer:
            assert answer["version"] >= before, f"{method} {path}"
            self._last[game] = max(self._last[game], answer["version"])
            self.looks += method == "GET"
        return answer


async def emptied(redis: Redis, _: Crowd) -> None:
    await asyncio.to_thread(redis.execute, "FLUSHALL")


async def killed(redis: Redis, players: Crowd) -> None:
    await asyncio.to_thread(redis.stop, signal.SIGKILL)
    await until(players, 10)
    await asyncio.to_thread(redis.start)


async def set_back(redis: Redis, players: Crowd) -> None:
    await asyncio.to_thread(redis.execute, "SAVE")
    await until(players, 10)
    await asyncio.to_thread(redis.stop, signal.SIGKILL)
    await asyncio.to_thread(redis.start)


async def test_whatever_becomes_of_redis_nothing_is_lost_and_nobody_is_shown_less(
    tmp_path: Path, everything: bool
) -> None:
    faults = MANY_FAULTS if everything else FAULTS
    with servers.redis() as redis, opened(tmp_path, workers=2, redis=redis.url) as house:
        async with crowd(house, kind=Watchful, keep_alive=False) as players, asyncio.timeout(120):
            async with asyncio.TaskGroup() as tasks:
                ending, dice = asyncio.Event(), Random(2)
                for ruleset in islice(cycle(RULESETS), 3):
                    tasks.create_task(players.play_on(ruleset, ending))
                for fault in islice(cycle((emptied, killed, set_back)), faults):
                    await until(players, dice.randrange(20, 60))
                    await fault(redis, players)
                async with asyncio.timeout(10):
                    while not await recovered(players):  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
                ending.set()
            for game in players.moves:
                await verify(players, game)
        assert players.looks > 10 * faults
        assert keys_in(house.database) == dict.fromkeys(players.answers, 1)
        assert "Traceback" not in house.server.errors


async def recovered(players: Crowd) -> bool:
    """Whether all processes that happen to answer use Redis again."""
    return {up async for up in metrics(players, "stammtisch_redis_up", 6)} == {1.0}
