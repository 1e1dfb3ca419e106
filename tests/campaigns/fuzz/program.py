"""Sends garbage: malformed requests to the application, and messages over play channels of a served process."""

import asyncio
import logging
import re
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from domain.rulesets import RULESETS
from tests.campaigns.fuzz import Fuzz, channels, memory
from tests.support.clients import Server, in_process, served


class Warned(logging.Handler):
    """Keeps what is logged: malformed requests must not log warnings."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record.getMessage())


GROWTH = 48 * 1024 * 1024
"""Bytes by which memory may grow after the first quarter: bounded caches of games and answers fill up."""


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)


def main(given: Namespace) -> int:
    with TemporaryDirectory() as folder:
        asyncio.run(requests(Path(folder), given.requests, given.seed))
    with TemporaryDirectory() as folder:
        asyncio.run(messages(Path(folder), given.messages, given.seed))
    return 0


async def requests(folder: Path, number: int, seed: int) -> None:
    """Each is answered without an error of the service, and leaves nothing behind."""
    every = max(500, number // 500)  # by then most players are forgotten
    logging.getLogger().addHandler(warned := Warned())
    async with in_process(folder / "games.db", max_cached_mib=6) as service:
        fuzz = Fuzz(service.http._transport.app, seed)  # type: ignore[attr-defined]
        await fuzz.play_a_long_round(max(1_200, min(number // 100, 20_000)))
        before = 0
        for count in range(number):
            if count % every == 0:
                await fuzz.begin()
            await fuzz.ask()
            if count == number // 4 and sys.platform == "linux":
                before = memory()
        if before:
            grown = memory() - before
            sys.stderr.write(f"{number} requests; memory grew by {grown >> 20} MiB since the first quarter\n")
            assert grown < GROWTH
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) < 20, "no stream is left open"
        await fuzz.begin()
    logging.getLogger().removeHandler(warned)
    assert not warned.records
    assert min(fuzz.answers[status] for status in (200, 201, 400, 401, 404, 405)) > 0, fuzz.answers
    sys.stderr.write(f"commands carried out: {dict(fuzz.done)}\n")
    done = "POST moves", "DELETE moves", "POST seats", "DELETE seats", "POST votes", "POST time", "POST rematch"
    assert sum(fuzz.done[command] > 0 for command in done) > 4, fuzz.done
    assert fuzz.answers[400] + fuzz.answers[404] > number / 4
    assert len(RULESETS) <= fuzz.answers[200]
    rare = (400,) if number > 10_000 else ()  # a few in a thousand requests
    assert min(fuzz.compared[status] for status in (401, 404, *rare)) > 0, fuzz.compared


async def messages(folder: Path, number: int, seed: int) -> None:
    """Every request is answered once, a key makes one move, nobody sees more than over REST, nothing is left open."""
    server = Server(folder / "games.db", rate_limit="off", access_log=False, registration_rate_limit="off")
    try:
        async with served(server.url) as service:
            fuzz = channels.Fuzz(service, seed)
            await fuzz.begin()
            for _ in range(number):
                await fuzz.step()
            await fuzz.end()
            async with asyncio.timeout(60):
                while await still_open(service.http):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
    finally:
        server.stop()
    assert "Traceback" not in server.errors
    assert '"level":"error"' not in server.errors
    sys.stderr.write(f"answers {dict(fuzz.answers)}; closed {dict(fuzz.closed)}; {len(fuzz.made)} commands\n")
    kinds = [
        "following",
        "moved",
        "legal_moves",
        "following_turns",
        "malformed",
        "illegal-move",
        "not-found",
        "taken_back",
    ]
    assert [kind for kind in kinds if not fuzz.answers[kind]] == []
    assert fuzz.closed[1002] > 0
    assert fuzz.made
    assert any(len(answers) > 1 for answers in fuzz.moved.values()), "a key was used again"


async def still_open(http: Any) -> bool:
    """Whether the service has an open channel or stream."""
    text = (await http.get("/metrics")).text
    found = dict(re.findall(r"^stammtisch_(open_channels|open_streams) (\S+)$", text, re.MULTILINE))
    return set(found.values()) != {"0.0"}
