"""Garbage over play channels of a served process. FUZZ_MESSAGES and FUZZ_SEED choose it; `make fuzz` sends 100,000."""

import asyncio
import os
import re
import sys
import time
from pathlib import Path

import pytest

from tests.campaigns.fuzz.channels import Fuzz
from tests.support.clients import Server, served

pytestmark = pytest.mark.anyio

MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "500"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_garbage_over_channels_breaks_nothing(tmp_path: Path) -> None:
    """Every request is answered once, a key makes one move, nobody sees more than over REST, nothing is left open."""
    server = Server(
        tmp_path / "games.db", rate_limit="off", access_log=False, registration_rate_limit="off", sqlite_writer="thread"
    )
    try:
        async with served(server.url) as service:
            fuzz = Fuzz(service, SEED)
            await fuzz.begin()
            for _ in range(MESSAGES):
                await fuzz.step()
            await fuzz.end()
            await nothing_left(service.http)
    finally:
        server.stop()
    assert "Traceback" not in server.errors
    assert '"level":"error"' not in server.errors
    sys.stderr.write(f"answers {dict(fuzz.answers)}; closed {dict(fuzz.closed)}; {len(fuzz.made)} commands\n")
    for kind in (
        "following",
        "moved",
        "legal_moves",
        "following_turns",
        "malformed",
        "illegal-move",
        "not-found",
        "taken_back",
    ):
        assert fuzz.answers[kind] > 0, kind
    assert fuzz.closed[1002] > 0
    assert fuzz.made
    assert any(len(answers) > 1 for answers in fuzz.moved.values()), "a key was used again"


async def nothing_left(http: object, seconds: float = 60) -> None:
    """Returns when the service has no channel and no stream."""
    deadline = time.monotonic() + seconds
    while True:
        text = (await http.get("/metrics")).text  # type: ignore[attr-defined]
        open_ = dict(re.findall(r"^stammtisch_(open_channels|open_streams) (\S+)$", text, re.MULTILINE))
        if set(open_.values()) == {"0.0"}:
            return
        assert time.monotonic() < deadline, open_
        await asyncio.sleep(0.05)
