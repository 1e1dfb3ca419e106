"""Sends spans to a collector. The SDK reads `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_TRACES_SAMPLER` and its other standard
variables itself."""

from typing import Any

from litestar.types import ASGIApp
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from service.games.games import Games
from service.tracing.games import TracedGames
from service.tracing.requests import TracedRequests
from service.tracing.sender import TracedSender
from service.webhooks.sender import Sender


def processor() -> SpanProcessor:
    """Sends spans in batches, from a thread of its own."""
    return BatchSpanProcessor(OTLPSpanExporter())


class Tracing:
    """What is traced in this process, until `stop`."""

    def __init__(self) -> None:
        # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
        self._provider = TracerProvider(resource=Resource({"service.name": "stammtisch"}).merge(Resource.create()))
        self._provider.add_span_processor(processor())
        self._tracer = self._provider.get_tracer("stammtisch")

    def requests(self, app: ASGIApp) -> ASGIApp:
        return TracedRequests(app, self._tracer)

    def games(self, *args: Any, **kwargs: Any) -> Games:
        return TracedGames(self._tracer, *args, **kwargs)

    def sender(self, *args: Any) -> Sender:
        return TracedSender(self._tracer, *args)

    def stop(self) -> None:
        """Send what is left. Blocks."""
        self._provider.shutdown()
