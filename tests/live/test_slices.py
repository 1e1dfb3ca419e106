"""Many subscribers are notified in slices, and not more often than there is time for."""

import asyncio
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from service.live import slices as module
from service.live.slices import BURST, SHARE, SLICE, Slices
from service.live.subscriptions import Subscription, Subscriptions

pytestmark = pytest.mark.anyio


class Follower:
    def __init__(self, seen: list[Any]) -> None:
        self._seen = seen

    def notify(self) -> None:
        self._seen.append(self)


async def over(slices: Slices) -> None:
    while slices._scheduled:  # noqa: ASYNC110 - nothing says so
        await asyncio.sleep(0.005)


async def test_other_work_gets_its_turn_between_slices() -> None:
    seen, turns = list[Any](), list[int]()
    loop, slices = asyncio.get_running_loop(), Slices()

    def other() -> None:
        turns.append(len(seen))
        if len(seen) < 10 * SLICE:
            loop.call_soon(other)

    slices.add([Follower(seen) for _ in range(10 * SLICE)])
    loop.call_soon(other)
    await over(slices)
    assert max(after - before for before, after in pairwise(turns)) <= SLICE
    assert Counter(seen).most_common(1)[0][1] == 1


async def test_whoever_waits_is_notified_once() -> None:
    seen = list[Any]()
    followers, slices = [Follower(seen) for _ in range(3 * SLICE)], Slices()
    for _ in range(1_000):
        slices.add(followers)
    assert len(slices._waiting) == 3 * SLICE
    await over(slices)
    assert seen == followers
    slices.add(followers[:1])  # and again after that
    await over(slices)
    assert seen[3 * SLICE :] == followers[:1]


async def test_a_flood_of_notifications_leaves_most_of_the_time_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of its own: each slice takes 10 ms."""
    now, soon, later = 0.0, list[Any](), list[tuple[float, Any]]()
    loop = SimpleNamespace(time=lambda: now, call_soon=soon.append, call_later=lambda s, f: later.append((now + s, f)))
    monkeypatch.setattr(module, "asyncio", SimpleNamespace(get_running_loop=lambda: loop))
    seen = list[Any]()
    followers, slices, working = [Follower(seen) for _ in range(SLICE)], Slices(), 0.0
    while now < 20:
        slices.add(followers)
        if soon:
            before = len(seen)
            soon.pop()()
            if len(seen) > before:
                now, working = now + 0.01, working + 0.01
        else:
            at, callback = later.pop()
            now = max(now, at)
            soon.append(callback)
    assert 0.8 * SHARE < (working - BURST) / now < 1.1 * SHARE


async def test_followers_of_one_game_beyond_a_slice_are_not_all_woken_at_once() -> None:
    subscriptions, woken = Subscriptions(), list[Subscription]()
    crowd = [Subscription() for _ in range(3 * SLICE)]
    for number, each in enumerate(crowd):
        subscriptions.add("game", each, f"player {number}", "192.0.2.1")
    subscriptions.notify("game")
    assert not any(each._notified for each in crowd)
    waiting = [asyncio.create_task(each.wait(60)) for each in crowd]
    for task in waiting:
        assert await task
    woken += crowd
    assert not any(each._notified for each in woken)
