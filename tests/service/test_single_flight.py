"""Who asks at the same time is answered together."""

import asyncio
import gc
from typing import Any

import pytest

from service.live.single_flight import SingleFlight

pytestmark = pytest.mark.anyio


class Source:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def read(self, key: str) -> int:
        self.asked.append(key)
        return await self.answer


async def started(*asking: Any) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(each) for each in asking]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


async def test_who_asks_for_the_same_meanwhile_waits_for_the_same_and_who_comes_later_asks_anew() -> None:
    source = Source()
    once = SingleFlight(source.read)
    tasks = await started(once("a"), once("b"), once("a"))
    assert source.asked == ["a", "b"]
    source.answer.set_result(1)
    assert await asyncio.gather(*tasks) == [1, 1, 1]
    assert await once("a") == 1
    assert source.asked == ["a", "b", "a"]


async def test_who_goes_away_takes_nothing_from_the_others() -> None:
    source = Source()
    once = SingleFlight(source.read)
    first, second = await started(once("a"), once("a"))
    first.cancel()
    await asyncio.wait([first])
    source.answer.set_result(1)
    assert await second == 1
    assert source.asked == ["a"]


async def test_a_failure_is_told_to_all_and_to_nobody_else() -> None:
    source, complaints = Source(), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    once = SingleFlight(source.read)
    tasks = await started(once("a"), once("a"), once("b"))
    tasks[2].cancel()
    source.answer.set_exception(OSError())
    assert [type(each) for each in await asyncio.gather(*tasks, return_exceptions=True)] == [
        OSError, OSError, asyncio.CancelledError,
    ]  # fmt: skip
    await asyncio.sleep(0)
    gc.collect()
    assert complaints == []
