"""Histograms of durations, as Prometheus expects them."""

from bisect import bisect_left
from collections.abc import Sequence

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the buckets, in seconds."""


class Histogram:
    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def observe_all(self, durations: Sequence[float]) -> None:
        for seconds in durations:
            self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += sum(durations)

    def buckets(self) -> list[tuple[str, float]]:
        """The cumulative count for each upper bound."""
        cumulative, buckets = 0, []
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            cumulative += count
            buckets.append((bound, float(cumulative)))
        return buckets
