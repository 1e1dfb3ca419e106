"""Thousands of malformed requests, in seconds. `make fuzz` sends a million; FUZZ_REQUESTS and FUZZ_SEED choose them."""

import asyncio
import logging
import os
import sys
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.campaigns.fuzz import Fuzz, memory
from tests.support.clients import in_process

pytestmark = pytest.mark.anyio

REQUESTS = int(os.environ.get("FUZZ_REQUESTS", "3000"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))

ROUND = max(500, REQUESTS // 500)
"""Requests before other players and games are used: by then most players are forgotten."""

GROWTH = 48 * 1024 * 1024
"""Bytes by which memory may grow after the first quarter: bounded caches of games and answers fill up."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_garbage_is_answered_and_leaves_nothing_behind(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with in_process(tmp_path / "games.db", max_cached_games=100) as service:
        fuzz = Fuzz(service.http._transport.app, SEED)  # type: ignore[attr-defined]
        before = 0
        for number in range(REQUESTS):
            if number % ROUND == 0:
                await fuzz.begin()
            await fuzz.ask()
            if number == REQUESTS // 4 and sys.platform == "linux":
                before = memory()
        if before:
            grown = memory() - before
            sys.stderr.write(f"{REQUESTS} requests; memory grew by {grown >> 20} MiB since the first quarter\n")
            assert grown < GROWTH
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) < 20, "no stream is left open"
        await fuzz.begin()
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING], (
        "malformed requests must not log warnings"
    )
    assert min(fuzz.answers[status] for status in (200, 201, 400, 401, 404, 405)) > 0, fuzz.answers
    sys.stderr.write(f"commands carried out: {dict(fuzz.done)}\n")
    done = "POST moves", "DELETE moves", "POST seats", "DELETE seats", "POST votes", "POST time", "POST rematch"
    assert sum(fuzz.done[command] > 0 for command in done) > 4, fuzz.done
    assert fuzz.answers[400] + fuzz.answers[404] > REQUESTS / 4
    assert len(RULESETS) <= fuzz.answers[200]
    assert min(fuzz.compared[status] for status in (400, 401, 404)) > 0, fuzz.compared
