"""How many requests somebody may make (GCRA: a steady rate, with a burst in front).

All that is kept of an identity is when its burst will be whole again. A request moves that time by one interval; where
it would come to lie further ahead than the whole burst is worth, the request has to wait.
"""

import time
from collections import OrderedDict
from typing import NamedTuple, Protocol

from service.remote import Away, Remote, Script

SECOND = 1e6
"""Times are in microseconds, in floating point: so is the arithmetic of Redis, to the last bit the same."""


class Verdict(NamedTuple):
    """Whether a request may pass; times in seconds."""

    allowed: bool
    remaining: int
    retry_after: float
    reset_after: float


class Policy:
    """`rate` requests a second for each identity, `burst` of them at once."""

    __slots__ = ("burst", "interval", "tolerance")

    def __init__(self, rate: float, burst: int) -> None:
        self.burst = burst
        self.interval = SECOND / rate
        self.tolerance = burst * self.interval

    @property
    def seconds(self) -> int:
        """So long it takes until a whole burst may come again."""
        return max(1, round(self.tolerance / SECOND))

    def count(self, whole_again: float, now: float) -> tuple[bool, float]:
        """Whether a request may pass, and when the burst will be whole again if it does."""
        # Never further ahead than a burst: a clock that was set back must not lock anybody out.
        whole_again = min(max(whole_again, now), now + self.tolerance)
        after = whole_again + self.interval
        if after - now > self.tolerance:
            return False, whole_again
        return True, after

    def verdict(self, allowed: bool, whole_again: float, now: float) -> Verdict:
        """In the words of whoever has to obey it."""
        missing = whole_again - now
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
        allowed, whole_again = self.policy.count(self._whole_again.get(identity, now), now)
        if allowed:
            self._whole_again[identity] = whole_again
            self._whole_again.move_to_end(identity)
            if len(self._whole_again) > self._size:
                self._whole_again.popitem(last=False)
        return self.policy.verdict(allowed, whole_again, now)


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

    def __init__(self, policy: Policy, remote: Remote) -> None:
        self.policy = policy
        self._remote = remote
        self._alone = RateLimit(policy)
        self._terms = repr(policy.interval).encode(), repr(policy.tolerance).encode()

    async def ask(self, identity: str) -> Verdict:
        try:
            allowed, whole_again, now = await self._remote.run(COUNT, f"limit:{{{identity}}}", *self._terms)
        except Away:
            return await self._alone.ask(identity)
        return self.policy.verdict(bool(allowed), float(whole_again), float(now))


def policy(setting: str) -> Policy | None:
    """From the setting's text: `off`, a rate, or `rate/burst`."""
    if setting == "off":
        return None
    rate, _, burst = setting.partition("/")
    return Policy(float(rate), int(burst or max(1, float(rate))))


def rate_limit(setting: str, remote: Remote | None = None) -> Limit | None:
    """The limit of the setting, counted in Redis if there is one; None if there is no limit."""
    agreed = policy(setting)
    if agreed is None:
        return None
    return RateLimit(agreed) if remote is None else SharedRateLimit(agreed, remote)
