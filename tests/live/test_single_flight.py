"""Concurrent calls with the same key share one call."""

import asyncio
import gc
from typing import Any

import pytest

from service.live.single_flight import SingleFlight

pytestmark = pytest.mark.anyio


class Source:
    """Records the calls, and returns when `result` is set."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.result: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def read(self, key: str) -> int:
        self.calls.append(key)
        return await self.result


async def started(*calls: Any) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(each) for each in calls]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


async def test_a_cancelled_caller_does_not_affect_the_others() -> None:
    source = Source()
    single_flight = SingleFlight(source.read)
    first, second = await started(single_flight("a"), single_flight("a"))
    first.cancel()
    await asyncio.wait([first])
    source.result.set_result(1)
    assert await second == 1
    assert source.calls == ["a"]


async def test_an_error_reaches_all_callers_and_not_the_log_of_asyncio() -> None:
    gc.freeze()  # what is there already is not looked through
    source, unhandled = Source(), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(context))
    single_flight = SingleFlight(source.read)
    tasks = await started(single_flight("a"), single_flight("a"), single_flight("b"))
    tasks[2].cancel()
    source.result.set_exception(OSError())
    assert [type(each) for each in await asyncio.gather(*tasks, return_exceptions=True)] == [
        OSError, OSError, asyncio.CancelledError,
    ]  # fmt: skip
    await asyncio.sleep(0)
    gc.collect()
    assert unhandled == []


async def test_a_call_after_the_end_of_another_reads_again_at_once() -> None:
    """The task is done, but its callback has not run. A caller that repeats its call until it has what it needs would
    wait for that task again and again without a pause, and nothing else would ever run."""
    gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    reads = 0

    async def read(_: str) -> int:
        nonlocal reads
        reads += 1
        await gate
        return reads

    flight = SingleFlight(read)

    async def until_second() -> None:
        for _ in range(1000):
            if await flight("a") == 2:
                return
        raise AssertionError("the call is never repeated")

    first = asyncio.create_task(flight("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gate.set_result(None)  # the task of the first call ends in the next iteration, before the next line's task begins
    second = asyncio.create_task(until_second())
    await asyncio.gather(first, second)
    assert "a" not in flight
