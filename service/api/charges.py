"""What requests cost beyond the one that each counts for at the edge.

A request is counted as one before anything is known about it: that is a read of a game in memory, about 0.2 ms of the
process. What takes more is charged here, before the work is done: by the contract of the operation (`Contract.cost`),
and what depends on the length of a game by the number of its events.
"""

import asyncio
from math import ceil

from service.api.problems import ProblemError, TooManyRequests
from service.paying import PAYING
from service.server.rate_limit import REFUSAL_DELAY, Payer, RateLimitResult

PLAIN_ITEMS, EXTENDED_ITEMS, FOLDED, RECORDED, AUDITED, LOADED = 4, 2, 5, 4, 2, 50
"""Events that cost as much as a request: as items, as items with patches or tallies, folded into a view of an earlier
version, in a record, in an audit, of a game that was not in memory."""

LOAD = 4
"""What such a game costs besides: 0.7 ms, and 4 µs for each event."""

FOLLOWERS = 10
"""Followers of a game to whom an append costs as much as a request: each takes 0.06 ms or more."""

AT_ONCE = 20
"""Requests for which one may count without having to wait for a part of them."""

PATIENCE, PAUSE = 10.0, 0.25
"""Seconds that a request waits for the rest, and between two attempts at least."""


class RateExceeded(ProblemError):
    """A limit rejects the request."""

    def __init__(self, counted: RateLimitResult) -> None:
        super().__init__(TooManyRequests(), counted.retry_header)


def check(counted: RateLimitResult | None) -> None:
    """Raises `RateExceeded` for a request that a limit rejects."""
    if counted is not None and not counted.allowed:
        raise RateExceeded(counted)


async def charge(payer: Payer | None, cost: int, *, opens: bool = False, fixed: bool = False) -> None:
    """Count this many requests, and with `opens` a new game. Raises a `ProblemError` if the limit does not allow the
    first of them. Waits for the rest, `PATIENCE` seconds at most, so that few expensive requests are not refused.
    `fixed`: every request of the operation costs this, so it is no more than a quota has room for."""
    if payer is None or cost < 1:
        return
    counted = await payer.charge(min(cost, AT_ONCE), opens=opens)
    if counted is None:
        return
    if counted.refuses_rest:
        await asyncio.sleep(REFUSAL_DELAY)
        raise RateExceeded(counted)
    await pace(payer, (min(cost, counted.policy.dearest) if fixed else cost) - AT_ONCE, PATIENCE)


async def pace(payer: Payer | None, cost: int, patience: float | None = None) -> None:
    """Count this many requests as soon as the limit allows it. Raises `RateExceeded` after `patience` seconds."""
    waited = 0.0
    while payer is not None and cost > 0:
        counted = await payer.charge(cost)
        if counted is None or counted.policy.quota == 1:
            return
        if counted.allowed:
            cost -= counted.policy.dearest
            continue
        if patience is not None and waited >= patience:
            raise RateExceeded(counted)
        pause = max(counted.retry_after, PAUSE)
        waited += pause
        await asyncio.sleep(pause)


async def charge_load(events: int) -> None:
    """Charge the request that is served for a game of this length that was not in memory, after the work. It waits as
    long as the limit does not allow that: others who want the game do not."""
    await pace(payer(), LOAD + events // LOADED, PATIENCE)


async def charge_events(events: int, rate: int) -> None:
    """Charge a request for work on this many events, of which `rate` cost as much as a request."""
    await charge(payer(), events // rate)


async def charge_followers(payer: Payer | None, followers: int) -> None:
    """Charge a request for an append to a game that this many streams and channels follow."""
    if followers >= FOLLOWERS:
        await charge(payer, followers // FOLLOWERS)


def cost_of_items(number: int, *, extended: bool) -> int:
    """What this many items of events cost. `extended`: with patches or tallies."""
    return ceil(number / (EXTENDED_ITEMS if extended else PLAIN_ITEMS))


def payer() -> Payer | None:
    """The sender of the request that is served."""
    found: Payer | None = PAYING.get()
    return found
