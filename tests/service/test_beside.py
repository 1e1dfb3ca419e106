"""A process beside this one ends with it, and is started again when it dies."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from service.cli import beside as module
from service.cli.beside import beside

PROGRAM = """
import os, sys
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
sys.stdin.read()
with open(sys.argv[1], "a") as file:
    file.write("closed\\n")
"""


def until(true: Callable[[], bool]) -> None:
    deadline = monotonic() + 60
    while not true():
        assert monotonic() < deadline
        sleep(0.02)


def test_a_process_that_dies_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "PAUSE", 0.01)
    file = tmp_path / "lines"
    file.touch()

    def lines() -> list[str]:
        return file.read_text().splitlines()

    with beside(["-S", "-c", PROGRAM, str(file)]):
        until(lambda: len(lines()) == 1)
        os.kill(int(lines()[0]), signal.SIGKILL)
        until(lambda: len(lines()) == 2)
    assert lines()[2:] == ["closed"], "it could finish its work"
    assert lines()[0] != lines()[1]


def test_a_process_with_unusable_settings_is_not_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "PAUSE", 0.01)
    file = tmp_path / "lines"
    ends = "import sys; open(sys.argv[1], 'a').write('x'); sys.exit(2)"
    with beside(["-S", "-c", ends, str(file)]):
        until(file.exists)
        sleep(0.3)
    assert file.read_text() == "x"
