"""How many watch a game: a message of the channel, over all processes that share a Redis."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import RULESETS
from service.live import watchers as module
from service.live.watchers import Watchers
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import Caller, Service, fewest
from tests.support.listening import over_http
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))


async def told(client: ChannelClient, number: int) -> None:
    """The client is told this number, perhaps after others."""
    while (await client.next("watching"))["watchers"] != number:
        pass


async def test_who_follows_without_a_seat_is_counted(service: Service, ann: Caller, bob: Caller, eve: Caller) -> None:
    game = await service.table(ANY, [ann, bob])
    name = game_name(game)
    async with channel(ann) as mine, channel(bob) as quiet:
        await mine.did("follow", game=name, watchers=True)
        await quiet.did("follow", game=name)
        async with channel(eve) as first:
            await first.did("follow", game=name, watchers=True)
            message = await mine.next("watching")
            assert message == {"type": "watching", "game": name, "watchers": 1}
            await told(first, 1)
            async with channel(service.stranger) as second:
                await second.did("follow", game=name)
                await told(mine, 2)
                await second.did("follow", game=name, after=2)  # replaces the follow
                await second.did("unfollow", game=name)
                await told(mine, 1)
        await told(mine, 0)
        assert not any('"watching"' in text for text in quiet.texts)


async def test_who_takes_a_seat_does_not_watch_any_more(ann: Caller, eve: Caller) -> None:
    game = await ann.open(ANY, fewest(ANY) + 1)
    name = game_name(game)
    async with channel(ann) as mine, channel(eve) as theirs:
        await mine.did("follow", game=name, watchers=True)
        await theirs.did("follow", game=name)
        await told(mine, 1)
        await theirs.did("join", game=name)
        await told(mine, 0)
        await theirs.did("leave", game=name, seat=1)
        await told(mine, 1)


async def test_all_processes_are_counted(tmp_path: Path, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REPEAT", 0.2)
    monkeypatch.setattr(module, "EXPIRY", 2.0)
    redis.execute("FLUSHDB")
    async with AsyncExitStack() as stack:
        given: dict[str, Any] = {"redis": redis.url, "secret": "s" * 32}
        one = await stack.enter_async_context(over_http(tmp_path / "games.db", **given))
        ann, bob = await one.guests("Ann", "Bob")
        game = await one.table(ANY, [ann, bob])
        name = game_name(game)
        async with over_http(tmp_path / "games.db", **given) as other:
            watching = await stack.enter_async_context(channel(other.stranger))
            await watching.did("follow", game=name)
            mine = await stack.enter_async_context(channel(ann))
            await mine.did("follow", game=name, watchers=True)  # later than the other: it asks
            await told(mine, 1)
            await (await stack.enter_async_context(channel(one.stranger))).did("follow", game=name)
            await told(mine, 2)
        await told(mine, 1)


async def test_the_number_of_a_process_that_ended_is_forgotten() -> None:
    changed: list[str] = []
    here = Watchers()
    here.on_change = changed.append
    here.follow("g", watching=False)
    here._heard(b"other g 3")
    assert (here.count("g"), changed) == (3, ["g"])
    here._heard(b"other h 3")
    here._heard(b"nonsense")
    assert here.count("h") == 0
    now = asyncio.get_running_loop().time()
    here._forget(now + module.EXPIRY - 1)
    assert here.count("g") == 3
    here._forget(now + module.EXPIRY + 1)
    assert (here.count("g"), changed) == (0, ["g", "g"])
    here.unfollow("g", watching=False)
    assert not here._followed and not here._elsewhere
