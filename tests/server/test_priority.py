"""Processes that give way to the one that serves."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.process.priority import NICENESS, give_way, keep_to_one_core


@pytest.fixture
def other() -> Iterator[int]:
    """A process with a session of its own."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        yield process.pid
        process.kill()


def test_a_process_gives_way_within_its_session_and_with_it(other: int) -> None:
    """Niceness alone counts among the processes of its own session only."""
    give_way(other)
    assert os.getpriority(os.PRIO_PROCESS, other) == NICENESS
    group = Path(f"/proc/{other}/autogroup")
    if group.exists() and "autogroup" in (text := group.read_text()):
        assert text.split()[-1] == str(NICENESS)
        assert text != Path("/proc/self/autogroup").read_text()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="not Linux")
def test_a_process_keeps_to_one_of_the_cores_that_it_may_use(other: int) -> None:
    before = os.sched_getaffinity(other)
    keep_to_one_core(other)
    assert len(os.sched_getaffinity(other)) == 1
    assert os.sched_getaffinity(other) <= before == os.sched_getaffinity(0)
