"""The way to Redis: many requests share a round trip, and nobody waits for a server that is away."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from time import monotonic

import pytest

from service.cluster.redis_client import RedisClient, RedisUnavailable, Script
from tests.support import servers
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
WRONG = Script("return redis.call('NO SUCH COMMAND')")


@pytest.fixture
async def remote(redis_url: str) -> AsyncIterator[RedisClient]:
    remote = RedisClient(redis_url)
    await remote.start()
    assert remote.up
    yield remote
    await remote.stop()


@pytest.fixture
def own() -> Iterator[Redis]:
    with servers.redis() as server:
        yield server


async def back(remote: RedisClient) -> None:
    await _until(lambda: remote.up)


async def test_everybody_gets_the_answer_to_his_own_question(remote: RedisClient):
    sums = await asyncio.gather(*(remote.run(ADD, f"key-{n % 50}", b"%d" % n) for n in range(500)))
    assert sorted(sums[:50]) == list(range(50))
    assert sums[450:] == [sum(range(n % 50, n + 1, 50)) for n in range(450, 500)]


async def test_a_script_that_the_server_has_forgotten_is_sent_again(redis: Redis, remote: RedisClient):
    assert await remote.run(ADD, "key", b"1") == 1
    redis.execute("SCRIPT", "FLUSH")
    with pytest.raises(RedisUnavailable):
        await remote.run(ADD, "key", b"1")
    await back(remote)
    assert await remote.run(ADD, "key", b"1") == 2


async def test_an_answer_that_is_an_error_is_none_and_harms_nobody_for_long(remote: RedisClient):
    with pytest.raises(RedisUnavailable):
        await remote.run(WRONG, "key")
    await back(remote)
    assert await remote.run(ADD, "key", b"1") == 1


async def test_nobody_waits_long_for_a_slow_server(own: Redis):
    remote = RedisClient(own.url)
    await remote.start()
    own.execute("CLIENT", "PAUSE", "1200", "ALL")
    begun = monotonic()
    with pytest.raises(RedisUnavailable):
        await remote.run(ADD, "key", b"1")
    assert monotonic() - begun < 1
    with pytest.raises(RedisUnavailable):
        await remote.run(ADD, "key", b"1")
    assert monotonic() - begun < 1
    await back(remote)
    await remote.stop()


async def test_whoever_gives_up_does_not_disturb_the_others(remote: RedisClient):
    waiting = [asyncio.ensure_future(remote.run(ADD, "key", b"1")) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    assert (await waiting[0], await waiting[2]) == (1, 3)


async def test_what_a_server_has_kept_over_a_restart_is_out_of_reach(own: Redis):
    remote = RedisClient(own.url)
    await remote.start()
    assert await remote.run(ADD, "key", b"5") == 5
    own.execute("SAVE")
    own.stop(signal.SIGKILL)
    with pytest.raises(RedisUnavailable):
        await remote.run(ADD, "key", b"5")
    own.start()
    assert own.execute("DBSIZE") == 1
    await back(remote)
    assert await remote.run(ADD, "key", b"5") == 5
    await remote.stop()


async def test_a_server_that_is_not_there_is_waited_for_by_nobody(own: Redis):
    own.stop()
    remote = RedisClient(own.url)
    await remote.start()
    begun = monotonic()
    for _ in range(100):
        with pytest.raises(RedisUnavailable):
            await remote.run(ADD, "key", b"1")
    assert monotonic() - begun < 0.1
    assert remote.losses == 100
    own.start()
    await back(remote)
    assert await remote.run(ADD, "key", b"1") == 1
    await remote.stop()


async def test_what_is_said_is_heard_by_all_who_listen(redis_url: str, remote: RedisClient):
    other = RedisClient(redis_url)
    heard: list[list[bytes | None]] = [[], []]

    async def listen(ear: RedisClient, notes: list[bytes | None]) -> None:
        async for lines in ear.listen("news"):
            notes += [None] if lines is None else lines

    ears = [asyncio.ensure_future(listen(*each)) for each in zip((remote, other), heard, strict=True)]
    await _until(lambda: heard == [[None], [None]])
    remote.publish("news", b"one")
    remote.publish("news", b"two")
    remote.publish("gossip", b"nothing")
    await _until(lambda: heard == [[None, b"one", b"two"]] * 2)
    for ear in ears:
        ear.cancel()
    await asyncio.gather(*ears, return_exceptions=True)


async def test_whoever_listens_is_told_when_he_may_have_missed_something(own: Redis):
    remote, heard = RedisClient(own.url), []

    async def listen() -> None:
        async for lines in remote.listen("news"):
            heard.append(lines)  # noqa: PERF401 - it never ends

    await remote.start()
    listening = asyncio.ensure_future(listen())
    await _until(lambda: heard == [None])
    own.stop()
    own.start()
    await _until(lambda: heard == [None, None])
    with suppress(RedisUnavailable):  # the first to ask finds out that the old connection is of no use
        await remote.run(ADD, "key", b"1")
    await back(remote)
    remote.publish("news", b"again")
    await _until(lambda: heard == [None, None, [b"again"]])
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await remote.stop()


async def _until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
