"""Rate limits of all processes together: the same algorithm in Redis."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from service.extensions.cluster import redis_client
from service.extensions.cluster.limiter import GCRA, SharedRateLimiter
from service.extensions.cluster.redis_client import RedisClient
from service.server.rate_limit import QuotaPolicy
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_url)
    await client.start()
    yield client
    await client.stop()


async def test_redis_calculates_exactly_as_this_process(client: RedisClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(redis_client, "RESPONSE_TIMEOUT", 30.0)  # a busy machine must not fail the test
    random = Random(1)
    for number in range(12):
        policy = QuotaPolicy(random.choice([0.7, 3, 50, 333.3, 9999]), random.choice([1, 2, 7]))
        local: float | None = None
        for _ in range(40):
            cost = random.choice([1, 1, 1, 2, 5, 50])
            key, arguments = client.key(f"limit:{number}"), (repr(policy.advance(cost)), repr(policy.tolerance))
            allowed, arrival, now = await client.execute("EVAL", GCRA, 1, key, *arguments)
            expected, local = policy.admit(float(now) if local is None else local, float(now), cost)
            assert (bool(allowed), float(arrival)) == (expected, local)
            if random.random() < 0.1:
                await asyncio.sleep(random.random() / 50)


async def test_processes_count_together_in_redis(redis_url: str, client: RedisClient):
    other = RedisClient(redis_url)
    await other.start()
    here, there = (SharedRateLimiter(QuotaPolicy(0.1, 4), redis) for redis in (client, other))
    results = [await limiter.hit("ann") for limiter in (here, there, there, here, there, here)]
    assert [result.allowed for result in results] == [True] * 4 + [False] * 2
    assert [result.remaining for result in results] == [3, 2, 1, 0, 0, 0]
    assert 9 < results[-1].retry_after <= 10
    assert (await here.hit("bob")).allowed
    await other.stop()


async def test_redis_forgets_an_identity_with_its_whole_quota(redis: Redis, client: RedisClient):
    limiter = SharedRateLimiter(QuotaPolicy(0.01, 2), client)
    for spent in (1, 2):
        await limiter.hit("ann")
        [key] = redis.execute("KEYS", "*:limit:*")
        assert spent * 100 - 60 < redis.execute("TTL", key) <= spent * 100


async def test_without_redis_each_process_counts_for_itself():
    unreachable = RedisClient("redis://127.0.0.1:1")
    await unreachable.start()
    limiter = SharedRateLimiter(QuotaPolicy(0.1, 2), unreachable)
    assert [(await limiter.hit("ann")).allowed for _ in range(3)] == [True, True, False]
    await unreachable.stop()
