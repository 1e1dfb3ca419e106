"""No exception ends background work."""

import ast
import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from service import tasks
from service.live.leader import Leader
from service.paying import PAYING
from service.tasks import background, end

pytestmark = pytest.mark.anyio

SERVICE = Path(tasks.__file__).parent

OF_REQUESTS = {
    "channel/calls.py", "extensions/webhooks/sender.py", "server/connection.py", "server/streaming.py",
    "live/single_flight.py", "cli/import_.py", "rest/input/bodies.py", "extensions/review/job.py",
}  # fmt: skip
"""Modules whose tasks belong to one request or piece of work, whose caller takes their errors."""

WITH_THEIR_OWN = {
    "games/searches.py": "each game has one, which catches everything",
    "extensions/review/reviews.py": "it ends when no review waits, and catches everything else",
    "extensions/cluster/listener.py": "the second task of a connection, which ends with it",
}


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PAUSE", 0.0)


async def test_work_that_fails_begins_again_and_each_failure_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    rounds, done = 0, asyncio.Event()

    async def work() -> None:
        nonlocal rounds
        rounds += 1
        if rounds < 4:
            raise KeyError("nobody knows this one")
        done.set()

    with caplog.at_level(logging.ERROR):
        await asyncio.wait_for(background("work", work), 60)
    assert (rounds, done.is_set()) == (4, True)
    assert [record.exc_info is not None for record in caplog.records] == [True] * 3


async def test_work_in_the_background_can_be_ended() -> None:
    task = background("work", lambda: asyncio.sleep(1_000))
    await asyncio.sleep(0)
    await end(task)
    assert task.cancelled()


async def test_a_process_leads_again_after_an_error_that_nobody_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.live.leader.INTERVAL", 0.0)
    held, again = 0, asyncio.Event()

    class Lock:
        def hold(self) -> bool:
            nonlocal held
            held += 1
            if held == 2:
                raise ValueError("no OSError")
            if held > 2:
                loop.call_soon_threadsafe(again.set)
            return True

        def close(self) -> None: ...

    loop, leader = asyncio.get_running_loop(), Leader(Lock())
    await leader.start()
    await asyncio.wait_for(again.wait(), 60)
    await leader.stop()


def test_every_task_of_the_service_lasts_or_belongs_to_a_request() -> None:
    """`asyncio.create_task` alone would end with the first exception, and nobody would notice."""
    found = dict[str, int]()
    for path in SERVICE.rglob("*.py"):
        name = path.relative_to(SERVICE).as_posix()
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("create_task", "ensure_future"))
        ]
        if calls and name != "tasks.py":
            found[name] = len(calls)
    assert set(found) - OF_REQUESTS - set(WITH_THEIR_OWN) == set()


async def test_work_that_a_request_begins_is_not_charged_to_it():
    """It goes on after the request, and loads games of others."""
    seen, done = list[Any](), asyncio.Event()

    async def work() -> None:
        seen.append(PAYING.get())
        done.set()

    for module in WITH_THEIR_OWN.keys() - {"extensions/cluster/listener.py"}:
        assert "context=unpaid()" in (SERVICE / module).read_text(), module
    PAYING.set("the request")
    await asyncio.gather(background("work", work), done.wait())
    assert (seen, PAYING.get()) == ([None], "the request")
