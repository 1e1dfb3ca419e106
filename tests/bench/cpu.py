"""The CPU time and the memory of servers, and how they are shown."""

from collections.abc import Iterable
from pathlib import Path
from resource import getpagesize
from statistics import median
from typing import Protocol

from tests.support.servers import children, ticks


class Cpu:
    """CPU seconds of the process and its children since this object was created."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._begun = self._ticks()

    def _ticks(self) -> int:
        return sum(ticks(pid) for pid in (self._pid, *children(self._pid)))

    def seconds(self) -> float:
        return (self._ticks() - self._begun) / 100


def resident(pid: int) -> int:
    """Bytes of resident memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * getpagesize()


class Speed(Protocol):
    """The operations per second of a run, and the CPU seconds of the server for each."""

    @property
    def rate(self) -> float: ...

    @property
    def cost(self) -> float: ...


def speed(runs: Iterable[Speed]) -> str:
    """Medians. CPU times say more than rates where other work shares the machine."""
    rates, costs = zip(*((run.rate, run.cost) for run in runs), strict=True)
    return f"{median(rates):,.0f}/s, {median(costs) * 1e6:.0f} µs of CPU"
