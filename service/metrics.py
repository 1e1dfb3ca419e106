"""Metrics for Prometheus: plain counters on the path of a request, formatted only when they are scraped."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the latency buckets, in seconds."""


class Histogram:
    """A histogram of durations."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """The cumulative count for each upper bound."""
        cumulative, buckets = 0, []
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            cumulative += count
            buckets.append((bound, float(cumulative)))
        return buckets


class Metrics(Collector):
    """The metrics of this process.

    `counters` and `gauges` map a name to its help text and to a function that returns the current value. The function
    is called at each scrape.
    """

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.latency: dict[str, Histogram] = {}
        self.counters: dict[str, tuple[str, Callable[[], float]]] = {}
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def observe_request(self, method: str, status: int, seconds: float) -> None:
        """Count a request and its time to the response."""
        self.requests[method, status] += 1
        if (histogram := self.latency.get(method)) is None:
            histogram = self.latency[method] = Histogram()
        histogram.observe(seconds)

    def text(self) -> bytes:
        """All metrics in the exposition format of Prometheus."""
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily("stammtisch_requests", "Requests served.", labels=("method", "status"))
        for (method, status), count in self.requests.items():
            requests.add_metric((method, str(status)), count)
        yield requests
        latency = HistogramMetricFamily(
            "stammtisch_request_seconds", "Time from a request to the start of its response.", labels=("method",)
        )
        for method, histogram in self.latency.items():
            latency.add_metric((method,), histogram.buckets(), histogram.total)
        yield latency
        for name, (description, read) in self.counters.items():
            yield CounterMetricFamily(f"stammtisch_{name}", description, value=read())
        for name, (description, read) in self.gauges.items():
            yield GaugeMetricFamily(f"stammtisch_{name}", description, value=read())
