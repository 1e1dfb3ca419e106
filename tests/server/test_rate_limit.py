"""Rate limits of a process."""

import time
from random import Random

import pytest

from service.live.network import network
from service.server.rate_limit import (
    SECOND,
    LocalRateLimiter,
    QuotaPolicy,
    RateLimitResult,
    RateLimits,
    parse_policy,
    rate_limits,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("setting", "rate", "quota"), [("5", 5, 5), ("0.5", 0.5, 1), ("200/400", 200, 400)])
def test_a_setting_states_rate_and_quota(setting: str, rate: float, quota: int):
    policy = parse_policy(setting)
    assert policy is not None
    assert (SECOND / policy.emission_interval, policy.quota) == (pytest.approx(rate), quota)


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


def test_a_whole_burst_is_allowed_at_any_time(monkeypatch: pytest.MonkeyPatch):
    """Also when the sum of times is a larger power of two, where floating-point numbers are coarser."""
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    dice = Random(1)
    for power in (33, 36, 40, 43) * 50:
        policy = QuotaPolicy(dice.choice((0.01, 0.3, 1 / 3, 7, 200)), 5)
        now = (2**power - dice.random() * policy.tolerance) / SECOND
        limiter = LocalRateLimiter(policy)
        results = [limiter.hit("ann") for _ in range(6)]
        assert [each.allowed for each in results] == [True] * 5 + [False], (now, policy.emission_interval)
        assert [each.remaining for each in results] == [4, 3, 2, 1, 0, 0]


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


@pytest.mark.parametrize("quota", [2, 10])
def test_a_request_that_costs_more_than_the_quota_is_allowed_after_a_pause(quota):
    policy = QuotaPolicy(1, quota)
    allowed, arrival = policy.admit(0.0, 0.0)  # at the edge, before its cost is known
    assert allowed
    assert policy.admit(arrival, 0.0, 1_000) == (True, policy.tolerance)


def test_new_games_of_an_address_are_limited_whoever_opens_them():
    limits = rate_limits("100/1000", "100/1000", "off", "0.01/3")
    assert limits is not None
    results = [limits.hit(f"guest {number}", "192.0.2.1", opens=True, cost=10) for number in range(4)]
    assert all(isinstance(each, RateLimitResult) for each in results)
    assert [each.allowed for each in results] == [True, True, True, False]
    assert limits.hit("guest 9", "192.0.2.1").allowed
    assert limits.hit("guest 9", "192.0.2.2", opens=True).allowed
