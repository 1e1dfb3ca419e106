"""The picture of a move's way shows what a real move passes, in that order."""

import asyncio
import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from tests.docs.way import STEPS
from tests.support.listening import over_http

WRITER = "writer"


@contextmanager
def traced() -> Iterator[list[tuple[str, str, str]]]:
    """The calls of functions with the names of the steps: file, name, thread. Threads must be started within."""
    wanted = {(importlib.import_module(step.module).__file__, step.name.rpartition(".")[2]) for step in STEPS}
    calls: list[tuple[str, str, str]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and (code.co_filename, code.co_name) in wanted:
            calls.append((code.co_filename, code.co_qualname, threading.current_thread().name))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield calls
    finally:
        threading.setprofile(None)
        sys.setprofile(None)


async def moved(database: Path, calls: list[tuple[str, str, str]]) -> None:
    """A move over HTTP, and the calls of it alone."""
    async with over_http(database, rate_limit="200/400") as service:
        players = ann, _ = await service.guests("Ann", "Bob")
        game = await service.table("skyjo", players)
        first, *_ = await ann.moves(game)
        calls.clear()
        await ann.move(game, first, headers={"Idempotency-Key": "once"})


def test_a_move_passes_the_functions_of_the_picture_in_their_order(tmp_path: Path) -> None:
    with traced() as calls:
        asyncio.run(moved(tmp_path / "games.db", calls))
    passed = list(dict.fromkeys((file, name) for file, name, _ in calls))
    threads = {(file, name): thread for file, name, thread in calls}
    expected = [(importlib.import_module(step.module).__file__, step.name) for step in STEPS]
    assert [step for step in passed if step in expected] == expected
    for step, where in zip(STEPS, expected, strict=True):
        assert (WRITER in threads[where]) == (step.lane == "writer"), step
        assert (step.lane == "domain") == step.module.startswith("domain."), step
