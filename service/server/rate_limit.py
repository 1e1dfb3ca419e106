"""Rate limits by the generic cell rate algorithm (GCRA): a steady rate with a burst.

The only state of an identity is its theoretical arrival time. Each request advances it by one emission interval, or by
several if it costs more. A request that would advance it further ahead of the current time than the tolerance (the
whole burst) is rejected.
Names of headers and parameters follow the IETF draft "RateLimit header fields for HTTP".
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import lru_cache
from math import ceil
from typing import Protocol

from domain.messages import Value
from service.live.network import budget_key, network
from service.server.problems import TooManyRequests, problem_response
from service.server.raw_response import RawResponse

SECOND = 1e6
"""Times are whole microseconds, also as floating-point numbers: so their sums are exact."""


class RateLimitResult(Value):
    """Whether a request is allowed by a policy, and how much of the tolerance is used after it, in microseconds."""

    policy: "QuotaPolicy"
    allowed: bool
    used: float
    cost: int = 1
    """For how many requests it counts."""

    @property
    def refuses_rest(self) -> bool:
        """Whether the rest of a request is refused. A quota of one has no room for a rest, however long one waits."""
        return not self.allowed and self.policy.quota > 1

    @property
    def remaining(self) -> int:
        return int((self.policy.tolerance - self.used) / self.policy.emission_interval)

    @property
    def retry_after(self) -> float:
        """Seconds until the next request is allowed; 0 if this one is."""
        wait = self.used + self.policy.advance(self.cost) - self.policy.tolerance
        return 0.0 if self.allowed else wait / SECOND

    @property
    def retry_header(self) -> dict[str, str]:
        """The header of a refusal: whole seconds, at least one."""
        return {"Retry-After": str(max(1, ceil(self.retry_after)))}

    @property
    def reset_after(self) -> float:
        """Seconds until the whole quota is available."""
        return self.used / SECOND


class QuotaPolicy:
    """`rate` requests per second for each identity, in bursts of at most `quota`. `name` identifies the policy in
    response headers. More than a million per second count as a million."""

    __slots__ = ("dearest", "emission_interval", "encoded_name", "header", "quota", "tolerance")

    def __init__(self, rate: float, quota: int, name: str = "requests") -> None:
        self.encoded_name = name.encode()
        self.quota = quota
        self.dearest = max(1, quota - 1)
        """The most that is counted at once. A request counts as one before its cost is known: a rest as large as the
        quota would never be allowed."""
        self.emission_interval = max(1, round(SECOND / rate))
        self.tolerance = quota * self.emission_interval
        self.header = b'"%b";q=%d;w=%d' % (self.encoded_name, quota, self.window)
        """The value of `RateLimit-Policy`."""

    @property
    def window(self) -> int:
        """Seconds in which an exhausted quota is restored."""
        return max(1, round(self.tolerance / SECOND))

    def advance(self, cost: int) -> float:
        """Microseconds by which a request advances the theoretical arrival time."""
        return self.emission_interval * min(cost, self.dearest)

    def admit(self, theoretical_arrival: float, now: float, cost: int = 1) -> tuple[bool, float]:
        """Whether a request is allowed that counts for `cost` requests, and the theoretical arrival time after it."""
        latest = now + self.tolerance
        if theoretical_arrival < now:
            theoretical_arrival = now
        elif theoretical_arrival > latest:  # a clock that was set back must not lock an identity out
            theoretical_arrival = latest
        advanced = theoretical_arrival + self.advance(cost)
        return (False, theoretical_arrival) if advanced - now > self.tolerance else (True, advanced)


class RateLimiter(Protocol):
    """Counts requests of identities by one policy."""

    policy: QuotaPolicy

    def hit(self, identity: str, cost: int = 1) -> RateLimitResult | Awaitable[RateLimitResult]:
        """Count a request of the identity, for `cost` requests. Rejected requests do not count."""


class LocalRateLimiter:
    """Counts in this process. Keeps the `size` identities that were allowed most recently."""

    def __init__(self, policy: QuotaPolicy, size: int = 100_000) -> None:
        self.policy = policy
        self._size = size
        self._arrivals: OrderedDict[str, float] = OrderedDict()
        """The theoretical arrival time of each identity."""

    def hit(self, identity: str, cost: int = 1) -> RateLimitResult:
        now = time.monotonic() * SECOND // 1
        allowed, theoretical_arrival = self.policy.admit(self._arrivals.get(identity, now), now, cost)
        if allowed:
            self._arrivals[identity] = theoretical_arrival
            self._arrivals.move_to_end(identity)
            if len(self._arrivals) > self._size:
                self._arrivals.popitem(last=False)
        return RateLimitResult(self.policy, allowed, theoretical_arrival - now, cost)


REFUSAL_DELAY = 1.0
"""Seconds by which the answer to a request beyond a limit is delayed: a refusal takes half the time of a read,
and clients could repeat it as fast as the connection allows."""


async def refusal(result: RateLimitResult) -> RawResponse:
    """The response to a request that the limit rejects, after that delay."""
    await asyncio.sleep(REFUSAL_DELAY)
    return problem_response(TooManyRequests(), result.retry_header)


class Payer(Protocol):
    """The sender of a request, as limits count it."""

    async def charge(self, cost: int, *, opens: bool = False) -> RateLimitResult | None:
        """Count this many requests more, and with `opens` a new game. None: there are no limits."""


class RateLimits:
    """All limits that apply to a request.

    - `callers` counts players, and addresses for requests without a token.
    - `addresses` counts all requests from an address together, in this process. None: no such limit.
    - `guests` counts registrations from an address, in this process. None: no such limit.
    - `openings` counts new games from an address, in this process. None: no such limit.
    """

    def __init__(
        self, callers: RateLimiter, addresses: LocalRateLimiter | None, guests: LocalRateLimiter | None,
        openings: LocalRateLimiter | None = None,
    ) -> None:  # fmt: skip
        self.callers = callers
        self.is_local = isinstance(callers, LocalRateLimiter)
        """Whether `hit` returns the result itself."""
        self._of_requests = tuple(limiter for limiter in (addresses,) if limiter is not None)
        self._openings = openings
        self._of_registrations = tuple(limiter for limiter in (addresses, guests) if limiter is not None)

    def hit(
        self, player: str | None, address: str, *, registers: bool = False, opens: bool = False, cost: int = 1
    ) -> RateLimitResult | Awaitable[RateLimitResult]:  # fmt: skip
        """Count the request, as `cost` requests. The result of the first limit that rejects it, otherwise that of the
        caller.

        It is awaitable only if processes count together: a coroutine for each request would cost more than the
        counting."""
        client, caller = _keys(player, address)
        if opens and self._openings is not None and not (result := self._openings.hit(client)).allowed:
            return result
        for limiter in self._of_registrations if registers else self._of_requests:
            result = limiter.hit(client, cost)
            if not result.allowed:
                return result
        return self.callers.hit(caller, cost)


@lru_cache(maxsize=16_384)
def _keys(player: str | None, address: str) -> tuple[str, str]:
    """What limits count a request by: the client's network, and the caller."""
    client = network(address)
    return client, budget_key(player, client)


def parse_policy(setting: str, name: str = "requests") -> QuotaPolicy | None:
    if setting == "off":
        return None
    rate, _, quota = setting.partition("/")
    return QuotaPolicy(float(rate), int(quota or max(1, float(rate))), name)


def rate_limits(
    callers: str, addresses: str, guests: str, openings: str = "off",
    shared: Callable[[QuotaPolicy], RateLimiter] | None = None,
) -> RateLimits | None:  # fmt: skip
    """The limits of the four settings; None if `callers` is `off`. An address gets at least the rate of a caller.
    `shared` makes the limiter with which all processes count callers together."""
    policy = parse_policy(callers)
    if policy is None:
        return None
    limiter = LocalRateLimiter(policy) if shared is None else shared(policy)
    by_address, by_guest = parse_policy(addresses, "address"), parse_policy(guests, "guests")
    if by_address is not None and by_address.emission_interval > policy.emission_interval:
        by_address = parse_policy(callers, "address")
    local = (
        None if each is None else LocalRateLimiter(each)
        for each in (by_address, by_guest, parse_policy(openings, "openings"))
    )  # fmt: skip
    return RateLimits(limiter, *local)
