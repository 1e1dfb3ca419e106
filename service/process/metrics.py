"""Metrics for Prometheus: plain counters on the path of a request, formatted only when they are scraped."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from http import HTTPMethod
from typing import Protocol

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from domain.registry import RULESETS
from service.process.histogram import Histogram

METHODS = frozenset(HTTPMethod)
"""The methods that are labels of unrouted requests. Clients can invent others, which are counted together."""


class RouteMetrics:
    """The requests of one method to one route: their number by status, and their latency."""

    __slots__ = ("latency", "statuses")

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.latency = Histogram()


class Sweeper(Protocol):
    """A task that does its work in rounds: their times, how many failed, and the games that were looked after."""

    rounds: Histogram
    failures: int
    handled: int


class Metrics(Collector):
    """The metrics of this process.

    `counters` and `gauges` map a name to its help text and to a function that returns the current value. The function
    is called at each scrape. `database` maps an operation to the durations of its calls.
    """

    def __init__(self) -> None:
        self.routes: dict[tuple[str, str], RouteMetrics] = {}
        """By path template and method."""
        self.database: dict[str, Histogram] = {}
        self.sweepers: dict[str, Sweeper] = {}
        """By name, tasks that look after games again and again."""
        self.counters: dict[str, tuple[str, Callable[[], float]]] = {}
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def observe_request(self, template: str, method: str, status: int, seconds: float) -> None:
        """Count a request and its time to the response. `template` is the path template of its route, and empty for a
        request that reached no route."""
        if not template and method not in METHODS:
            method = "other"
        if (route := self.routes.get((template, method))) is None:
            route = self.routes[template, method] = RouteMetrics()
        route.statuses[status] += 1
        route.latency.observe(seconds)

    def text(self) -> bytes:
        """All metrics in the exposition format of Prometheus."""
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        yield from self._collect_requests()
        database = HistogramMetricFamily(
            "stammtisch_database_seconds",
            "Time of operations of the database. Commits include the time that an append waits for the writer.",
            labels=("operation",),
        )
        for operation, histogram in self.database.items():
            database.add_metric((operation,), histogram.buckets(), histogram.total)
        yield database
        yield from self._collect_sweepers()
        for name, (description, read) in self.counters.items():
            yield CounterMetricFamily(f"stammtisch_{name}", description, value=read())
        for name, (description, read) in self.gauges.items():
            yield GaugeMetricFamily(f"stammtisch_{name}", description, value=read())

    def _collect_sweepers(self) -> Iterator[Metric]:
        rounds = HistogramMetricFamily(
            "stammtisch_sweep_seconds", "Time of the rounds of tasks that look after games.", labels=("sweeper",)
        )
        failures = CounterMetricFamily("stammtisch_sweep_failures", "Rounds that failed.", labels=("sweeper",))
        games = CounterMetricFamily(
            "stammtisch_swept_games", "Games looked after in these rounds.", labels=("sweeper",)
        )
        for name, sweeper in self.sweepers.items():
            rounds.add_metric((name,), sweeper.rounds.buckets(), sweeper.rounds.total)
            failures.add_metric((name,), sweeper.failures)
            games.add_metric((name,), sweeper.handled)
        yield from (rounds, failures, games)

    def _collect_requests(self) -> Iterator[Metric]:
        labels = ("method", "route", "ruleset")
        requests = CounterMetricFamily("stammtisch_requests", "Requests served.", labels=(*labels, "status"))
        latency = HistogramMetricFamily(
            "stammtisch_request_seconds", "Time from a request to the start of its response.", labels=labels
        )
        for (template, method), found in self.routes.items():
            values = method, *route_labels(template)
            for status, count in found.statuses.items():
                requests.add_metric((*values, str(status)), count)
            latency.add_metric(values, found.latency.buckets(), found.latency.total)
        yield requests
        yield latency


def route_labels(template: str) -> tuple[str, str]:
    """The labels `route` and `ruleset` of a path template. The paths of a ruleset's routes contain its name."""
    segments = template.split("/")
    named = [segment for segment in segments if segment in RULESETS]
    if not named:
        return template, ""
    return "/".join("{ruleset}" if segment in RULESETS else segment for segment in segments), named[0]
