"""Two real workers under load while their Redis is emptied, killed, and restarted with an old dump."""

import asyncio
import signal
from collections import defaultdict
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.e2e.test_crash import running_service
from tests.support import servers
from tests.support.clients import Json
from tests.support.crowd import Crowd, crowd, keys_in, metrics, verify, wait_for_answers
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

FAULTS, MANY_FAULTS = 3, 6
"""By default each fault once, with `--everything` twice."""


class ConsistencyChecks(Crowd):
    """Players who check that no answer is older than any answer that was received before the request."""

    def __init__(self, *given: Any, **how: Any) -> None:
        super().__init__(*given, **how)
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
    await wait_for_answers(players, 10)
    await asyncio.to_thread(redis.start)


async def restored_from_old_dump(redis: Redis, players: Crowd) -> None:
    await asyncio.to_thread(redis.execute, "SAVE")
    await wait_for_answers(players, 10)
    await asyncio.to_thread(redis.stop, signal.SIGKILL)
    await asyncio.to_thread(redis.start)


@pytest.mark.by_default()  # campaigns/chaos does so, too; test_two_processes has each fault
async def test_redis_faults_lose_no_move_and_cause_no_stale_read(tmp_path: Path, everything: bool) -> None:
    faults = MANY_FAULTS if everything else FAULTS
    with servers.redis() as redis, running_service(tmp_path, workers=2, redis=redis.url) as service:
        async with crowd(service, kind=ConsistencyChecks, keep_alive=False) as players, asyncio.timeout(120):
            async with asyncio.TaskGroup() as tasks:
                ending, dice = asyncio.Event(), Random(2)
                for ruleset in islice(cycle(RULESETS), 3):
                    tasks.create_task(players.play_on(ruleset, ending))
                for fault in islice(cycle((emptied, killed, restored_from_old_dump)), faults):
                    await wait_for_answers(players, dice.randrange(20, 60))
                    await fault(redis, players)
                async with asyncio.timeout(60):
                    while not await recovered(players):  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
                ending.set()
            for game in players.moves:
                await verify(players, game)
        assert players.looks > 10 * faults
        assert keys_in(service.database) == dict.fromkeys(players.answers, 1)
        assert "Traceback" not in service.server.errors
        assert players.busy == 0


async def recovered(players: Crowd) -> bool:
    """Whether all processes that answer use Redis again."""
    return {up async for up in metrics(players, "stammtisch_redis_up", 6)} == {1.0}
