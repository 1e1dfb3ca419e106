"""A prepared parent forks processes and replaces them. Real processes, started without the service around them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from service.process import supervisor
from service.process.supervisor import Child
from tests.support.servers import command, living

ROOT = Path(__file__).parents[2]

PROGRAM = """
import ctypes, operator, os, select, signal, subprocess, sys, time
from functools import partial
from service.process import interpreter, supervisor
from service.process.supervisor import Child, Supervisor
supervisor.FIRST_PAUSE = 0.001

def note(text):
    os.write(lines, f"{text}\\n".encode())

def waits():
    note("fork")
    signal.pause()

def drains():
    signal.signal(signal.SIGTERM, lambda *_: note("draining"))
    signal.signal(signal.SIGINT, lambda *_: (note("hurried"), os._exit(0)))
    note("up")
    while True:
        time.sleep(0.02)  # a signal just before a pause would wait for the next one

def fails():
    raise RuntimeError("a bug")

def leaves():
    note("left")
    return 2

def works():
    note("fork")
    while True:
        time.sleep(0.02)

def interrupted(call, *arguments):
    # Nothing of Python runs between the signal and the wait, so no handler does.
    signalled = partial(ctypes.CDLL(None).kill, os.getpid(), signal.SIGTERM)
    (_, found) = map(operator.call, [signalled, partial(call, *arguments)])
    return found

if "works" in sys.argv:
    os.waitpid, select.select = partial(interrupted, os.waitpid), partial(interrupted, select.select)

lines = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
children = [Child(run, globals()[run], vital=run != "leaves", final=2) for run in sys.argv[2:]]
went_on = Supervisor(children, lambda: note("released")).run()
sys.exit(0 if went_on else 4)
"""


class Started:
    def __init__(self, file: Path, *runs: str) -> None:
        file.touch()
        self._file = file
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, file, *runs], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )

    def lines(self) -> list[str]:
        return self._file.read_text().splitlines()

    def kill_child(self) -> None:
        os.kill(living(self.process.pid)[0], signal.SIGKILL)


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    started: list[Started] = []

    def start(*runs: str) -> Started:
        started.append(Started(tmp_path / f"lines-{len(started)}", *runs))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


def until(true: Callable[[], bool]) -> None:
    deadline = monotonic() + 60
    while not true():
        assert monotonic() < deadline
        sleep(0.01)


def test_a_process_that_ends_is_replaced_until_the_parent_stops(supervised: Callable[..., Started]):
    parent = supervised("waits", "waits")
    until(lambda: len(parent.lines()) == 2)
    for number in range(1, 4):
        parent.kill_child()
        until(lambda number=number: len(parent.lines()) == 2 + number)
    parent.process.send_signal(signal.SIGTERM)
    _, errors = parent.process.communicate(timeout=60)
    assert parent.process.returncode == 0
    assert errors.count("has ended by signal 9 and is replaced") == 3
    lines = parent.lines()
    assert lines == [*["fork"] * 5, "released"]


def test_a_signal_just_before_the_parent_waits_is_not_missed(supervised: Callable[..., Started]):
    parent = supervised("works")
    assert parent.process.wait(60) == 0
    assert "released" in parent.lines()


def test_processes_end_with_a_parent_that_is_killed(supervised: Callable[..., Started]):
    parent = supervised("waits", "drains")
    until(lambda: len(parent.lines()) == 2)
    orphans = living(parent.process.pid)
    parent.process.kill()
    until(lambda: not any(map(command, orphans)))


def test_a_crash_loop_ends(supervised: Callable[..., Started]):
    parent = supervised("fails", "waits")
    _, errors = parent.process.communicate(timeout=60)
    assert parent.process.returncode == 4
    assert errors.count("RuntimeError: a bug") == errors.count("fails (process") == supervisor.MAX_FAILURES + 1
    assert errors.count("giving up") == 1
    assert parent.lines().count("released") == 1


@pytest.mark.parametrize(
    ("lives", "pauses"),
    [
        ([0] * 12, [0, 0, 0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5]),
        ([0, 0, 0, 0, supervisor.SETTLED, 0], [0, 0, 0, 0.1, 0, 0]),
    ],
)
def test_pauses_grow_with_failures_in_a_row(lives: list[float], pauses: list[float]):
    child, found = Child("it", lambda _: 0), []
    for life in lives:
        child.ended(child.forked_at + life)
        found.append(child.pause())
    assert found == pytest.approx(pauses)


def test_a_final_status_is_not_replaced(supervised: Callable[..., Started]):
    parent = supervised("leaves", "waits")
    until(lambda: {"left", "fork"} <= {*parent.lines()})
    parent.kill_child()
    until(lambda: parent.lines().count("fork") == 2)
    assert parent.lines().count("left") == 1


def test_a_second_interrupt_hurries(supervised: Callable[..., Started]):
    parent = supervised("drains")
    until(lambda: "up" in parent.lines())
    for number, line in (
        (signal.SIGINT, "draining"), (signal.SIGTERM, "released"), (signal.SIGINT, "hurried"),
    ):  # fmt: skip
        parent.process.send_signal(number)
        until(lambda line=line: line in parent.lines())
    assert parent.process.wait(60) == 0
    assert parent.lines() == ["up", "released", "draining", "hurried"]


def test_the_parent_does_not_wait_for_the_reader_of_its_standard_error(tmp_path: Path):
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writing, True)
    file = tmp_path / "lines"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, file, "waits"], cwd=ROOT, stderr=writing)
    try:
        for number in range(3):
            until(lambda number=number: file.exists() and file.read_text().count("fork") == number + 1)
            os.kill(living(process.pid)[0], signal.SIGKILL)
        until(lambda: file.read_text().count("fork") == 4)
    finally:
        process.kill()
        process.wait()
        os.close(reading)
        os.close(writing)
