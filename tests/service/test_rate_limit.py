"""Rate limits: the same algorithm in this process and in Redis."""

import asyncio
import time
from collections.abc import AsyncIterator
from random import Random

import pytest

from service.cluster import redis_client
from service.cluster.redis_client import RedisClient
from service.live.network import network
from service.server.rate_limit import (
    GCRA,
    SECOND,
    LocalRateLimiter,
    QuotaPolicy,
    RateLimitResult,
    RateLimits,
    SharedRateLimiter,
    parse_policy,
    rate_limiter,
    rate_limits,
)
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_url)
    await client.start()
    yield client
    await client.stop()


@pytest.mark.parametrize(("setting", "rate", "quota"), [("5", 5, 5), ("0.5", 0.5, 1), ("200/400", 200, 400)])
def test_a_setting_states_rate_and_quota(setting: str, rate: float, quota: int):
    policy = parse_policy(setting)
    assert policy is not None
    assert (SECOND / policy.emission_interval, policy.quota) == (pytest.approx(rate), quota)


def test_off_disables_the_limit():
    assert rate_limiter("off") is None


def test_without_a_limit_for_callers_there_are_no_limits():
    assert rate_limits("off", "1/1", "1/1") is None


def allows(limits: RateLimits, player: str | None, address: str, *, registers: bool = False) -> bool:
    """Count a request in this process."""
    counted = limits.hit(player, address, registers=registers)
    assert isinstance(counted, RateLimitResult)
    return counted.allowed


def test_an_address_has_at_least_the_rate_of_a_caller():
    limits = rate_limits("500/1000", "1/2", "off")
    assert limits is not None
    for _ in range(1000):
        assert allows(limits, "ann", "192.0.2.1", registers=True)


def test_a_player_and_an_address_never_share_a_quota():
    limits = rate_limits("0.01/1", "off", "off")
    assert limits is not None
    pairs = [("192.0.2.1", "198.51.100.1"), (None, "192.0.2.1"), ("address:192.0.2.1", ""), (None, "player:192.0.2.1")]
    for player, address in pairs:
        assert allows(limits, player, address)
        assert not allows(limits, player, address)


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8:1:2::", "2001:db8:1:2::"),
     ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "::"), ("no:address", "no:address"), ("", "")],
)  # fmt: skip
def test_ipv6_addresses_are_counted_by_their_64_network(address: str, counted_as: str):
    assert network(address) == counted_as


def test_after_a_burst_one_request_is_allowed_for_each_interval():
    policy = QuotaPolicy(2, 3)  # two per second, three at once
    arrival, results = 0.0, []
    for now in (0, 0, 0, 0, 0.4, 0.5, 0.5, 10, 10, 10, 10):
        allowed, arrival = policy.admit(arrival, now * SECOND)
        results.append(allowed)
    assert results == [True, True, True, False, False, True, False, True, True, True, False]


def test_a_request_is_allowed_after_retry_after_and_no_sooner():
    policy, arrival = QuotaPolicy(2, 1), 0.0
    _, arrival = policy.admit(arrival, 0)
    allowed, arrival = policy.admit(arrival, 0.1 * SECOND)
    result = RateLimitResult(policy, allowed, arrival - 0.1 * SECOND)
    assert (result.allowed, result.remaining) == (False, 0)
    assert (result.retry_after, result.reset_after) == (pytest.approx(0.4), pytest.approx(0.4))
    assert not policy.admit(arrival, 0.499 * SECOND)[0]
    assert policy.admit(arrival, (0.1 + result.retry_after) * SECOND)[0]


def test_a_clock_that_is_set_back_locks_no_identity_out():
    policy = QuotaPolicy(2, 2)
    _, arrival = policy.admit(0.0, 1_000_000 * SECOND)
    allowed, arrival = policy.admit(arrival, 0.0)
    assert RateLimitResult(policy, allowed, arrival).reset_after <= 1.0


def test_the_least_recent_identities_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(time, "monotonic", lambda: 1.0)
    limiter = LocalRateLimiter(QuotaPolicy(1, 1), size=2)
    assert [limiter.hit(identity).allowed for identity in "aabbccbba"] == [
        True, False, True, False, True, False, False, False, True,
    ]  # fmt: skip


def test_a_request_counts_for_what_it_costs():
    limits = rate_limits("0.01/10", "0.01/20", "off")
    assert limits is not None
    results = [limits.hit("ann", "192.0.2.1", cost=cost) for cost in (4, 7, 5, 1, 1)]
    assert all(isinstance(each, RateLimitResult) for each in results)
    assert [each.allowed for each in results] == [True, False, True, True, False]
    assert [each.remaining for each in results] == [6, 6, 1, 0, 0]
    assert 690 < results[1].retry_after + 600 < 710  # of the seven requests one is missing
    assert not limits.hit("bob", "192.0.2.1", cost=8).allowed  # the address pays, too


def test_no_request_costs_more_than_the_quota():
    policy = QuotaPolicy(1, 10)
    assert policy.admit(0.0, 0.0, 1_000) == (True, policy.tolerance)


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
