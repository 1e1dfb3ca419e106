"""The rate limit: one arithmetic, in this process and in Redis."""

import asyncio
import time
from collections.abc import AsyncIterator
from random import Random

import pytest

from service.cluster import redis_client as remotes
from service.cluster.redis_client import RedisClient
from service.http.rate_limit import (
    COUNT,
    SECOND,
    Policy,
    RateLimit,
    SharedRateLimit,
    Verdict,
    gate,
    network,
    policy,
    rate_limit,
)
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio


@pytest.fixture
async def remote(redis_url: str) -> AsyncIterator[RedisClient]:
    remote = RedisClient(redis_url)
    await remote.start()
    yield remote
    await remote.stop()


@pytest.mark.parametrize(("setting", "rate", "burst"), [("5", 5, 5), ("0.5", 0.5, 1), ("200/400", 200, 400)])
def test_a_setting_says_how_many_a_second_and_how_many_at_once(setting: str, rate: float, burst: int):
    agreed = policy(setting)
    assert agreed is not None
    assert (SECOND / agreed.interval, agreed.burst) == (pytest.approx(rate), burst)


def test_off_is_no_limit():
    assert rate_limit("off") is None


def test_where_callers_are_not_limited_nothing_is():
    assert gate("off", "1/1", "1/1") is None


async def test_an_address_may_do_at_least_what_a_caller_may():
    limits = gate("500/1000", "1/2", "off")
    assert limits is not None
    for _ in range(1000):
        verdict, _ = await limits.ask("ann", "192.0.2.1", registers=True)
        assert verdict.allowed


async def test_a_player_and_an_address_never_share_a_budget():
    limits = gate("0.01/1", "off", "off")
    assert limits is not None
    asked = [("192.0.2.1", "198.51.100.1"), (None, "192.0.2.1"), ("address:192.0.2.1", ""), (None, "player:192.0.2.1")]
    for player, address in asked:
        verdict, _ = await limits.ask(player, address, registers=False)
        assert verdict.allowed
        verdict, _ = await limits.ask(player, address, registers=False)
        assert not verdict.allowed


@pytest.mark.parametrize(
    ("address", "known_as"),
    [("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8:1:2::", "2001:db8:1:2::"),
     ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "::"), ("no:address", "no:address"), ("", "")],
)  # fmt: skip
def test_a_network_of_ipv6_is_one_address(address: str, known_as: str):
    assert network(address) == known_as


def test_a_burst_may_come_at_once_and_then_one_for_each_interval():
    terms = Policy(2, 3)  # two a second, three at once
    whole, verdicts = 0.0, []
    for now in (0, 0, 0, 0, 0.4, 0.5, 0.5, 10, 10, 10, 10):
        allowed, whole = terms.count(whole, now * SECOND)
        verdicts.append(allowed)
    assert verdicts == [True, True, True, False, False, True, False, True, True, True, False]


def test_who_waits_as_long_as_he_is_told_may_pass_and_no_sooner():
    terms, whole = Policy(2, 1), 0.0
    _, whole = terms.count(whole, 0)
    allowed, whole = terms.count(whole, 0.1 * SECOND)
    told = terms.verdict(allowed, whole, 0.1 * SECOND)
    assert told == Verdict(False, 0, pytest.approx(0.4), pytest.approx(0.4))
    assert not terms.count(whole, 0.499 * SECOND)[0]
    assert terms.count(whole, (0.1 + told.retry_after) * SECOND)[0]


def test_a_clock_that_is_set_back_locks_nobody_out():
    terms = Policy(2, 2)
    _, whole = terms.count(0.0, 1_000_000 * SECOND)
    allowed, whole = terms.count(whole, 0.0)
    assert terms.verdict(allowed, whole, 0.0).reset_after <= 1.0


async def test_the_latest_identities_are_known(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(time, "monotonic", lambda: 1.0)
    limit = RateLimit(Policy(1, 1), size=2)
    assert [(await limit.ask(who)).allowed for who in "aabbccbba"] == [
        True, False, True, False, True, False, False, False, True,
    ]  # fmt: skip


async def test_redis_counts_as_we_do_to_the_last_bit(remote: RedisClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(remotes, "RESPONSE_TIMEOUT", 30.0)  # it is about what is counted, however busy the machine is
    dice = Random(1)
    for number in range(12):
        terms = Policy(dice.choice([0.7, 3, 50, 333.3, 9999]), dice.choice([1, 2, 7]))
        ours: float | None = None
        for _ in range(40):
            arguments = repr(terms.interval).encode(), repr(terms.tolerance).encode()
            allowed, whole, now = await remote.run(COUNT, f"limit:{number}", *arguments)
            expected, ours = terms.count(float(now) if ours is None else ours, float(now))
            assert (bool(allowed), float(whole)) == (expected, ours)
            if dice.random() < 0.1:
                await asyncio.sleep(dice.random() / 50)


async def test_two_processes_count_together(redis_url: str, remote: RedisClient):
    other = RedisClient(redis_url)
    await other.start()
    here, there = SharedRateLimit(Policy(0.1, 4), remote), SharedRateLimit(Policy(0.1, 4), other)
    verdicts = [await limit.ask("ann") for limit in (here, there, there, here, there, here)]
    assert [verdict.allowed for verdict in verdicts] == [True] * 4 + [False] * 2
    assert [verdict.remaining for verdict in verdicts] == [3, 2, 1, 0, 0, 0]
    assert 9 < verdicts[-1].retry_after <= 10
    assert (await here.ask("bob")).allowed
    await other.stop()


async def test_nothing_is_kept_of_whom_a_whole_burst_is_open_to_again(redis: Redis, remote: RedisClient):
    limit = SharedRateLimit(Policy(50, 2), remote)
    await limit.ask("ann")
    assert len(redis.execute("KEYS", "*")) == 1
    await asyncio.sleep(0.05)
    assert redis.execute("KEYS", "*") == []


async def test_without_redis_each_process_counts_for_itself():
    nobody = RedisClient("redis://127.0.0.1:1")
    await nobody.start()
    limit = SharedRateLimit(Policy(0.1, 2), nobody)
    assert [(await limit.ask("ann")).allowed for _ in range(3)] == [True, True, False]
    await nobody.stop()
