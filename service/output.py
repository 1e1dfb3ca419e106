"""What a serving process writes to its standard output and error, without ever waiting for who reads it.

A pipe that nobody drains, a terminal that is stopped or a disk that is full would block every write, and with it the
event loop: no request would be answered any more, `/health/live` included. So a thread of its own writes. What it has
not written yet is bounded; beyond that lines are dropped and counted.
"""

import os
import select
import sys
import threading
from collections import deque
from io import TextIOBase
from multiprocessing.util import Finalize
from typing import TextIO

ROOM = 1024 * 1024
"""Characters that wait to be written at most."""
PATIENCE = 1.0
"""Seconds that a process which ends waits for the rest to be written."""


class Unblocked(TextIOBase):
    """A text stream onto a file descriptor. `write` and `flush` return at once, from any thread."""

    def __init__(self, beneath: TextIO, room: int = ROOM) -> None:
        self.beneath = beneath
        self.dropped = 0
        """How many lines were not written: there was no room for them, or the descriptor took no more."""
        self._descriptor = beneath.fileno()
        self._room = room
        self._size = 0
        self._waiting: deque[str] = deque()
        self._change = threading.Condition()
        threading.Thread(target=self._run, name=f"output-{self._descriptor}", daemon=True).start()

    def write(self, text: str) -> int:
        with self._change:
            if self._size + len(text) > self._room:
                self.dropped += _lines(text)
            elif text:
                self._waiting.append(text)
                self._size += len(text)
                self._change.notify_all()
        return len(text)

    def drain(self, seconds: float = PATIENCE) -> None:
        """Wait until everything is written, but no longer than that."""
        with self._change:
            self._change.wait_for(lambda: not self._size, seconds)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return self.beneath.isatty()

    def writable(self) -> bool:
        return True

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting)
                text = "".join(self._waiting)
                self._waiting.clear()
            missing = self._written(text.encode("utf-8", "backslashreplace"))
            with self._change:
                self._size -= len(text)  # what is being written still takes room
                self.dropped += missing
                self._change.notify_all()

    def _written(self, data: bytes) -> int:
        """Write the data, however long that takes; how many lines of it were lost."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # somebody else has made the pipe non-blocking
                select.select([], [self._descriptor], [], 1.0)
            except OSError:  # closed at the other end, or the disk is full
                return _lines(bytes(rest).decode("utf-8", "replace"))
        return 0


def unblock() -> None:
    """From now on what this process writes to `sys.stdout` and `sys.stderr` blocks nobody."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, Unblocked):
            continue
        stream.flush()
        unblocked = Unblocked(stream)
        setattr(sys, name, unblocked)
        # Also in processes of `multiprocessing`, which end without the functions of `atexit`.
        Finalize(None, unblocked.drain, exitpriority=10)


def dropped() -> int:
    """How many lines this process has lost since it began."""
    return sum(stream.dropped for stream in (sys.stdout, sys.stderr) if isinstance(stream, Unblocked))


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))
