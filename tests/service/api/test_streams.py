"""Live streams over real HTTP: what has happened, then each event as it happens, until the game is over."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.clients import Caller, Service, any_of, done, fewest, play, play_to_the_end, problem
from tests.listening import SSE, Message, listening, over_http
from tests.service.api.test_events import read

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """Over HTTP."""
    async with over_http(tmp_path_factory.mktemp("streams") / "games.db") as running:
        yield running


async def heard(who: Caller, game: str, **query: object) -> list[Message]:
    """The whole stream, to its end."""
    async with asyncio.timeout(20), listening(who, f"{game}/events", **query) as stream:
        return [message async for message in stream]


def lines(items: list[bytes]) -> list[Message]:
    return []


async def test_a_stream_has_every_event_from_the_first_to_the_last_and_ends(players: list[Caller], game: str) -> None:
    listener = asyncio.create_task(heard(players[0], game))
    await play_to_the_end(players, game)
    messages = await listener
    assert [message.data for message in messages] == await read(players[0], game, as_=0)
