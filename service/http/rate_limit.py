"""How many requests somebody may make (GCRA: a steady rate, with a burst in front).

All that is kept of an identity is when its burst will be whole again. A request moves that time by one interval; where
it would come to lie further ahead than the whole burst is worth, the request has to wait.
"""

import time
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple, Protocol

from service.cluster.redis_client import RedisClient, RedisUnavailable, Script
from service.identity.budget_key import budget_key

SECOND = 1e6
"""Times are in microseconds, in floating point: so is the arithmetic of Redis, to the last bit the same."""


class Verdict(NamedTuple):
    """Whether a request may pass; times in seconds."""

    allowed: bool
    remaining: int
    retry_after: float
    reset_after: float


class Policy:
    """`rate` requests a second for each identity, `burst` of them at once; `name` is what callers know it by."""

    __slots__ = ("burst", "header", "interval", "name", "tolerance")

    def __init__(self, rate: float, burst: int, name: str = "requests") -> None:
        self.name = name
        self.burst = burst
        self.interval = SECOND / rate
        self.tolerance = burst * self.interval
        self.header = b'"%b";q=%d;w=%d' % (name.encode(), burst, self.seconds)
        """As answers tell of it."""

    @property
    def seconds(self) -> int:
        """So long it takes until a whole burst may come again."""
        return max(1, round(self.tolerance / SECOND))

    def count(self, theoretical_arrival: float, now: float) -> tuple[bool, float]:
        """Whether a request may pass, and when the burst will be whole again if it does."""
        # Never further ahead than a burst: a clock that was set back must not lock anybody out.
        theoretical_arrival = min(max(theoretical_arrival, now), now + self.tolerance)
        after = theoretical_arrival + self.interval
        if after - now > self.tolerance:
            return False, theoretical_arrival
        return True, after

    def verdict(self, allowed: bool, theoretical_arrival: float, now: float) -> Verdict:
        """In the words of whoever has to obey it."""
        missing = theoretical_arrival - now
        wait = 0.0 if allowed else missing + self.interval - self.tolerance
        return Verdict(allowed, int((self.tolerance - missing) / self.interval), wait / SECOND, missing / SECOND)


class Limit(Protocol):
    """Counts requests."""

    policy: Policy

    async def ask(self, identity: str) -> Verdict:
        """Count a request of the identity, if it may pass."""


class RateLimit:
    """In the memory of this process. Knows the latest `size` identities."""

    def __init__(self, policy: Policy, size: int = 100_000) -> None:
        self.policy = policy
        self._size = size
        self._whole_again: OrderedDict[str, float] = OrderedDict()

    async def ask(self, identity: str) -> Verdict:
        now = time.monotonic() * SECOND
        allowed, theoretical_arrival = self.policy.count(self._whole_again.get(identity, now), now)
        if allowed:
            self._whole_again[identity] = theoretical_arrival
            self._whole_again.move_to_end(identity)
            if len(self._whole_again) > self._size:
                self._whole_again.popitem(last=False)
        return self.policy.verdict(allowed, theoretical_arrival, now)


COUNT = Script("""
    -- KEYS: the identity. ARGV: interval and tolerance. `Policy.count`, by the clock of the server.
    local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local whole = tonumber(redis.call('GET', KEYS[1]) or now)
    whole = math.min(math.max(whole, now), now + tolerance)
    local after = whole + interval
    if after - now > tolerance then
        return {0, string.format('%.17g', whole), string.format('%.17g', now)}
    end
    local text = string.format('%.17g', after)
    redis.call('SET', KEYS[1], text, 'PX', math.ceil((after - now) / 1000))
    return {1, text, string.format('%.17g', now)}
""")


class SharedRateLimit:
    """In Redis, for all processes together; each by itself while Redis is away."""

    def __init__(self, policy: Policy, remote: RedisClient) -> None:
        self.policy = policy
        self._remote = remote
        self._alone = RateLimit(policy)
        self._terms = repr(policy.interval).encode(), repr(policy.tolerance).encode()

    async def ask(self, identity: str) -> Verdict:
        try:
            allowed, theoretical_arrival, now = await self._remote.run(COUNT, f"limit:{{{identity}}}", *self._terms)
        except RedisUnavailable:
            return await self._alone.ask(identity)
        return self.policy.verdict(bool(allowed), float(theoretical_arrival), float(now))


class Gate:
    """All limits that a request has to pass.

    `callers` counts players, and by their addresses those who are not signed in; `addresses` everybody at an address
    together, `guests` new ones from there. These two are counted by each process for itself.
    """

    def __init__(self, callers: Limit, addresses: RateLimit | None, guests: RateLimit | None) -> None:
        self.callers = callers
        self._addresses = addresses
        self._guests = guests

    async def ask(self, player: str | None, address: str, *, registers: bool) -> tuple[Verdict, Policy]:
        """The verdict that counts: the first that holds the request back, else that on the caller."""
        place = network(address)
        for limit in (self._addresses, self._guests if registers else None):
            if limit is not None and not (held_back := await limit.ask(place)).allowed:
                return held_back, limit.policy
        return await self.callers.ask(budget_key(player, place)), self.callers.policy


def network(address: str) -> str:
    """Who is at an IPv6 address has 2**64 of them."""
    return _network(address) if ":" in address else address


@lru_cache(maxsize=4096)
def _network(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))


def policy(setting: str, name: str = "requests") -> Policy | None:
    """From the setting's text: `off`, a rate, or `rate/burst`."""
    if setting == "off":
        return None
    rate, _, burst = setting.partition("/")
    return Policy(float(rate), int(burst or max(1, float(rate))), name)


def rate_limit(setting: str, remote: RedisClient | None = None) -> Limit | None:
    """The limit of the setting, counted in Redis if there is one; None if there is no limit."""
    agreed = policy(setting)
    if agreed is None:
        return None
    return RateLimit(agreed) if remote is None else SharedRateLimit(agreed, remote)


def gate(callers: str, addresses: str, guests: str, remote: RedisClient | None = None) -> Gate | None:
    """The limits of the settings; none at all where callers are not limited. An address may do what a caller may."""
    limit = rate_limit(callers, remote)
    if limit is None:
        return None
    together, new = policy(addresses, "address"), policy(guests, "guests")
    if together is not None and together.interval > limit.policy.interval:
        together = policy(callers, "address")  # who may call alone may do so from somewhere
    return Gate(limit, *(None if agreed is None else RateLimit(agreed) for agreed in (together, new)))
