"""A wrong clock for a process of the service (`tests.support.forked`).

A file holds one number of eight bytes: an offset in nanoseconds, which may change at any time. Only the wall clock is
wrong, as after an operator sets it. Monotonic clocks stay right.
"""

import sys
import time
from collections.abc import Callable
from datetime import datetime, tzinfo
from mmap import mmap
from pathlib import Path

import jwt.api_jwt

SIZE = 8


def set_wrong(file: Path, seconds: float) -> None:
    """Set the offset for the process that reads the file."""
    with file.open("r+b") as opened:
        opened.write(round(seconds * 1e9).to_bytes(SIZE, sys.byteorder, signed=True))


def make(file: Path) -> None:
    """Create the file with offset 0."""
    file.write_bytes(bytes(SIZE))


def watched(file: Path) -> Callable[[], int]:
    """A function that returns the current offset in nanoseconds."""
    with file.open("r+b") as opened:
        numbers = memoryview(mmap(opened.fileno(), SIZE)).cast("q")
    return lambda: numbers[0]


def go_by(wrong: Callable[[], int]) -> None:
    """Add the offset to the wall clock of this process."""
    right = time.time_ns
    time.time_ns = lambda: right() + wrong()
    time.time = lambda: (right() + wrong()) / 1e9

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(time.time(), tz)

    # PyJWT checks expiry with datetime.now, which reads the C clock directly.
    jwt.api_jwt.datetime = Wrong  # type: ignore[attr-defined]
