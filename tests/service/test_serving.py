"""Requests run without a task of their own, and whatever they need is as in a task."""

import asyncio
from contextvars import ContextVar
from typing import Any

import pytest

from service.http.serving import Serving

pytestmark = pytest.mark.anyio

NAME: ContextVar[str] = ContextVar("NAME", default="nobody")


async def over(running: set[Any]) -> None:
    """Returns when the requests are over, which takes a few iterations of the event loop."""
    for _ in range(100):
        await asyncio.sleep(0)
    assert not running


async def test_a_request_that_waits_for_nothing_is_over_at_once() -> None:
    done, running = [], set[Any]()

    async def serve() -> None:
        done.append(asyncio.current_task())

    task = asyncio.current_task()
    Serving(serve(), running)
    assert done == [task]  # no task was made
    assert not running


async def test_a_request_goes_on_with_what_it_awaited() -> None:
    found, running, answer = [], set[Any](), asyncio.get_running_loop().create_future()

    async def serve() -> None:
        await asyncio.sleep(0)
        found.append(await answer)
        try:
            await asyncio.create_task(fail())
        except ValueError as error:
            found.append(str(error))

    async def fail() -> None:
        raise ValueError("no")

    Serving(serve(), running)
    assert len(running) == 1
    answer.set_result("yes")
    await over(running)
    assert found == ["yes", "no"]


async def test_context_variables_belong_to_the_request() -> None:
    found, running = [], set[Any]()

    async def serve(name: str) -> None:
        token = NAME.set(name)
        await asyncio.sleep(0)
        found.append(NAME.get())
        NAME.reset(token)
        found.append(NAME.get())

    Serving(serve("Ann"), running)
    Serving(serve("Ben"), running)
    assert NAME.get() == "nobody"
    await over(running)
    assert found == ["Ann", "nobody", "Ben", "nobody"]


async def test_the_server_can_cancel_a_request() -> None:
    cancelled, running = [], set[Any]()

    async def serve() -> None:
        try:
            await asyncio.create_task(asyncio.Event().wait())
        except asyncio.CancelledError:
            cancelled.append(True)

    Serving(serve(), running)
    for request in tuple(running):
        request.cancel(msg="the server stops")
    await over(running)
    assert cancelled == [True]


async def test_a_request_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    running = set[Any]()

    async def serve() -> None:
        raise ValueError("no")

    Serving(serve(), running)
    assert "a request failed" in caplog.text
    assert not running
