"""Numbers for Prometheus: plain counters on the way of a request, put into words only when somebody scrapes them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the latency buckets, in seconds."""


class Histogram:
    """How often something took how long."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Cumulative, by upper bound."""
        below, found = 0, []
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            below += count
            found.append((bound, float(below)))
        return found


class Metrics(Collector):
    """The numbers of this process. `measured` names what is read at the time of a scrape."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.latency: dict[str, Histogram] = {}
        self.counters: dict[str, tuple[str, Callable[[], float]]] = {}
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def answered(self, method: str, status: int, seconds: float) -> None:
        self.requests[method, status] += 1
        if (histogram := self.latency.get(method)) is None:
            histogram = self.latency[method] = Histogram()
        histogram.observe(seconds)

    def text(self) -> bytes:
        """In the exposition format of Prometheus."""
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily("stammtisch_requests", "Requests answered.", labels=("method", "status"))
        for (method, status), count in self.requests.items():
            requests.add_metric((method, str(status)), count)
        yield requests
        latency = HistogramMetricFamily("stammtisch_request_seconds", "Time to the answer.", labels=("method",))
        for method, histogram in self.latency.items():
            latency.add_metric((method,), histogram.buckets(), histogram.total)
        yield latency
        for name, (meaning, count_now) in self.counters.items():
            yield CounterMetricFamily(f"stammtisch_{name}", meaning, value=count_now())
        for name, (meaning, value_now) in self.gauges.items():
            yield GaugeMetricFamily(f"stammtisch_{name}", meaning, value=value_now())
