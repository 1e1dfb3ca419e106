"""Live streams of real processes: every process delivers every event, and streams do not delay a shutdown."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from domain.rulesets import RULESETS
from tests.service.api.test_events import read
from tests.service.api.test_streams import follow
from tests.support.clients import Server, play, served
from tests.support.listening import listening, take

pytestmark = pytest.mark.anyio


@pytest.mark.by_default("[2]")
@pytest.mark.parametrize("workers", [1, 2])
async def test_streams_are_complete_across_processes_and_end_when_the_service_stops(
    tmp_path: Path, workers: int
) -> None:
    """Each connection reaches either process. A process learns of the other's events from the log alone."""
    server = Server(tmp_path / "games.db", workers=workers, rate_limit="off", shutdown_timeout=300)
    try:
        async with served(server.url) as service, AsyncExitStack() as stack, asyncio.timeout(300):
            ruleset = next(iter(RULESETS))
            players = await service.guests(*"AB")
            game = await service.table(ruleset, players)
            quiet = [
                (who, await stack.enter_async_context(listening(who, f"{game}/events")))
                for who in players
                for _ in range(3)
            ]
            lobby = await stack.enter_async_context(listening(service.stranger, "/v1/games"))
            over = asyncio.Event()
            followers = [asyncio.create_task(follow(who, game, Random(7), over)) for who in players]
            made = play(players, game, Random(3))
            for _ in range(20):
                await anext(made)
            over.set()
            pages, connections = {who: await read(who, game) for who in players}, 0
            for who, follower in zip(players, followers, strict=True):
                received, connected = await follower
                connections += connected
                async with listening(who, f"{game}/events", after=len(received)) as rest:
                    received += [message.data for message in await take(rest, len(pages[who]) - len(received))]
                assert received == pages[who]
            for who, stream in quiet:
                assert [message.data for message in await take(stream, len(pages[who]))] == pages[who]
            await asyncio.to_thread(server.stop)  # open streams do not delay it
            for stream in (lobby, *(stream for _, stream in quiet)):
                assert [message async for message in stream] == []
        assert "Traceback" not in server.errors
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        logged = sum(line["path"] == f"{game}/events" for line in lines)
        assert logged >= len(quiet) + connections, "streams are in the access log"
    finally:
        server.process.kill()
        server.process.wait()
