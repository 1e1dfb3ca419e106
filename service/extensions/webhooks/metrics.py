"""The metrics of a process that delivers, for Prometheus."""

from collections.abc import Iterable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from domain.game.clock import SECOND
from service.clock import wall_clock
from service.extensions.webhooks import outbox
from service.extensions.webhooks.deliverer import Deliverer


class DelivererMetrics(Collector):
    """Read at each scrape, in the thread that serves it."""

    def __init__(self, deliverer: Deliverer, engine: Engine) -> None:
        self._deliverer = deliverer
        self._engine = engine

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        follower, sender, hooks = self._deliverer.follower, self._deliverer.sender, self._deliverer.hooks
        attempts = CounterMetricFamily("stammtisch_webhook_attempts", "Attempts to deliver.", labels=("outcome",))
        attempts.add_metric(("delivered",), sender.delivered)
        attempts.add_metric(("failed",), sender.failed)
        yield attempts
        late = (
            "Time from when a delivery was due until it had arrived, for deliveries that arrive at the first attempt."
        )
        failures = "Rounds that ended early because a database was unavailable."
        for kind, name, told, value in (
            (CounterMetricFamily, "dead", "Deliveries that died: all attempts failed.", sender.died),
            (CounterMetricFamily, "log_rows", "Rows of the log that were read.", follower.rows),
            (CounterMetricFamily, "failed_cycles", failures, self._deliverer.failures),
            (GaugeMetricFamily, "active_attempts", "Attempts in progress.", sender.active),
            (GaugeMetricFamily, "troubled", "Webhooks whose last attempt failed.", sender.troubled),
        ):
            yield kind(f"stammtisch_webhook_{name}", told, value=value)
        for name, told, times in (
            ("attempt_seconds", "Time of an attempt, until the status of its answer.", sender.attempt_seconds),
            ("delay_seconds", late, sender.delay_seconds),
        ):
            yield HistogramMetricFamily(
                f"stammtisch_webhook_{name}", told, buckets=times.buckets(), sum_value=times.total
            )
        webhooks = GaugeMetricFamily("stammtisch_webhooks", "Webhooks by status.", labels=("status",))
        for status, count in hooks.counts().items():
            webhooks.add_metric((status,), count)
        yield webhooks
        yield from self._backlog()

    def _backlog(self) -> Iterator[Metric]:
        """What is in the outbox; nothing while its database is unavailable."""
        now = wall_clock()
        try:
            backlog = outbox.backlog(self._engine, now)
        except SQLAlchemyError:
            return
        deliveries = GaugeMetricFamily("stammtisch_webhook_deliveries", "Deliveries by status.", labels=("status",))
        deliveries.add_metric(("pending",), backlog.pending)
        deliveries.add_metric(("dead",), backlog.dead)
        yield deliveries
        late = 0.0 if backlog.oldest is None else (now - backlog.oldest) / SECOND
        yield GaugeMetricFamily(
            "stammtisch_webhook_overdue_seconds", "For how long the longest overdue delivery is due.", value=late
        )
        yield GaugeMetricFamily(
            "stammtisch_webhook_caught_up_seconds",
            "How long ago the log was last read to its end.",
            value=(now - self._deliverer.caught_up) / SECOND,
        )
