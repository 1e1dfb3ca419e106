"""Our command line with a wrong clock: `python -m tests.campaigns.chaos.clock FILE serve ...`.

The file holds one number of eight bytes: nanoseconds, which may change at any time. Only the clock on the wall is
wrong, as it is when somebody sets it; what measures spans of time goes on.
"""

import sys
import time
from collections.abc import Callable
from datetime import datetime, tzinfo
from mmap import mmap
from pathlib import Path

import jwt.api_jwt

from service.__main__ import main

SIZE = 8


def set_wrong(file: Path, seconds: float) -> None:
    """From now on, for the process that reads the file."""
    with file.open("r+b") as opened:
        opened.write(round(seconds * 1e9).to_bytes(SIZE, sys.byteorder, signed=True))


def make(file: Path) -> None:
    """For a clock that is right."""
    file.write_bytes(bytes(SIZE))


def watched(file: Path) -> Callable[[], int]:
    """By how many nanoseconds the clock is wrong at the moment."""
    with file.open("r+b") as opened:
        numbers = memoryview(mmap(opened.fileno(), SIZE)).cast("q")
    return lambda: numbers[0]


def go_by(wrong: Callable[[], int]) -> None:
    """Let this process go by a clock that is wrong by so many nanoseconds."""
    right = time.time_ns
    time.time_ns = lambda: right() + wrong()
    time.time = lambda: (right() + wrong()) / 1e9

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(time.time(), tz)

    # What looks at the age of tokens asks the C library by itself.
    jwt.api_jwt.datetime = Wrong  # type: ignore[attr-defined]


if __name__ == "__main__":
    go_by(watched(Path(sys.argv[1])))
    sys.exit(main(sys.argv[2:]))
