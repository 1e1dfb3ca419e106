"""A wall clock that tests set forward. Monotonic clocks, and so time-outs, stay right."""

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from service import clock
from service.games.deadlines import DeadlineSweeper


class WallClock:
    """The service's wall clock: `ahead` of the real one by this many seconds, until it is stopped."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._stopped_at: int | None = None

    def time_ns(self) -> int:
        return (time.time_ns() if self._stopped_at is None else self._stopped_at) + round(self.ahead * 1e9)

    def stop(self) -> None:
        """From now on only `sleep` lets time pass."""
        self._stopped_at = time.time_ns()

    def sleep(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self.ahead += seconds


def set_forward(monkeypatch: pytest.MonkeyPatch) -> Iterator[WallClock]:
    wall: Any = WallClock()
    monkeypatch.setattr(clock, "time", SimpleNamespace(time_ns=wall.time_ns))
    yield wall


def no_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody notices by itself that time has run out."""
    monkeypatch.setattr(DeadlineSweeper, "start", lambda _: None)
