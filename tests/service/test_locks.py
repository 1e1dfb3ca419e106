"""The lock of a game: acquired in order by tasks and callbacks, and never lost."""

import asyncio
from random import Random

import pytest

from service.games.locks import Lock

pytestmark = pytest.mark.anyio


async def turns(count: int = 3) -> None:
    """Let other tasks run."""
    for _ in range(count):
        await asyncio.sleep(0)


async def holder(lock: Lock, name: str, order: list[str]) -> None:
    async with lock:
        order.append(name)


async def contended(names: str) -> tuple[Lock, list[str], list[asyncio.Task[None]]]:
    """A lock that is held, the order in which others hold it later, and the tasks of these names that wait for it."""
    lock, order = Lock(), list[str]()
    assert lock.acquire_at_once()
    assert not lock.acquire_at_once()
    waiting = [asyncio.create_task(holder(lock, name, order)) for name in names]
    await turns()
    return lock, order, waiting


async def test_a_lock_is_passed_on_in_order_and_no_callback_gets_in_between() -> None:
    lock, order, waiting = await contended("abc")
    lock.release()
    assert not lock.acquire_at_once()  # it is the first task's, which has not run yet
    await asyncio.gather(*waiting)
    assert order == ["a", "b", "c"]
    assert lock.acquire_at_once()


async def test_a_cancelled_task_does_not_get_the_lock() -> None:
    lock, order, (first, second) = await contended("ab")
    first.cancel()
    lock.release()
    await second
    assert first.cancelled()
    assert order == ["b"]


async def test_a_task_that_is_cancelled_when_it_gets_the_lock_passes_it_on() -> None:
    lock, order, (first, second) = await contended("ab")
    lock.release()
    first.cancel()
    await second
    assert first.cancelled()
    assert order == ["b"]
    assert lock.acquire_at_once()


async def test_a_coroutine_that_is_closed_while_it_waits_does_not_keep_the_lock() -> None:
    """The play channel runs coroutines without tasks."""
    lock, order = Lock(), list[str]()
    assert lock.acquire_at_once()
    waiting = holder(lock, "a", order)
    waiting.send(None)
    waiting.close()
    lock.release()
    assert lock.acquire_at_once()


async def test_at_any_time_one_holds_the_lock_whoever_is_cancelled() -> None:
    random, lock, inside, done = Random(5), Lock(), 0, 0

    async def work() -> None:
        nonlocal inside, done
        async with lock:
            inside += 1
            assert inside == 1
            try:
                await turns(random.randrange(3))
            finally:
                inside -= 1
        done += 1

    tasks = list[asyncio.Task[None]]()
    for _ in range(300):
        tasks.append(asyncio.create_task(work()))
        if random.random() < 0.3:
            random.choice(tasks).cancel()
        if lock.acquire_at_once():
            assert inside == 0
            lock.release()
        await turns(random.randrange(3))
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(result) for result in results} == {type(None), asyncio.CancelledError}
    assert done == results.count(None)
    assert lock.acquire_at_once()
