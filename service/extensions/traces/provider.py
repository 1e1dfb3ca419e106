"""Spans of requests, decisions, commits and deliveries, and what sends them to a collector.

The SDK reads `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_TRACES_SAMPLER` and its other standard variables itself.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

from domain.game import Decision
from domain.game.commands import Command
from domain.game.log import RequestKey
from service.games.cached_game import CachedGame
from service.games.games import Change, Games
from service.server.cycle import RESPOND


class TracedRequests:
    """ASGI middleware, around all others. A `traceparent` of the client continues its trace."""

    def __init__(self, tracer: Tracer, app: ASGIApp) -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        if (extensions := scope.get("extensions")) is not None:
            extensions.pop(RESPOND, None)  # the status is read from the messages
        method = scope["method"]
        with self._tracer.start_as_current_span(method, extract(_text(scope)), SpanKind.SERVER) as span:

            async def send_on(message: Message) -> None:
                if message["type"] == "http.response.start":
                    status = message["status"]
                    span.set_attribute("http.response.status_code", status)
                    if status >= 500:
                        span.set_status(Status(StatusCode.ERROR))
                await send(message)

            span.set_attributes({"http.request.method": method, "url.path": scope["path"]})
            try:
                await self._app(scope, receive, send_on)
            finally:
                if route := scope.get("path_template", ""):
                    span.update_name(f"{method} {route}")
                    span.set_attribute("http.route", route)


def _text(scope: Scope) -> Mapping[str, str]:
    names = b"traceparent", b"tracestate"
    return {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in names}


class TracedGames(Games):
    """Games with a span `decide` for each decision, and `commit` for each append: hashing it, waiting for the writer,
    and the commit. They name the game, and neither moves nor cards."""

    def __init__(self, tracer: Tracer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tracer = tracer

    def decide(self, cached: CachedGame, by: str | None, command: Command) -> Decision:
        # A command that is refused is no failure, and what the exception says is for its player only.
        with self._tracer.start_as_current_span(
            "decide", attributes=_of(cached), record_exception=False, set_status_on_exception=False
        ):
            return super().decide(cached, by, command)

    async def append(
        self, cached: CachedGame, decided: Decision, key: RequestKey | None, at: str | None = None
    ) -> Change:
        attributes = {**_of(cached), "stammtisch.events": len(decided.events)}
        with self._tracer.start_as_current_span("commit", attributes=attributes):
            return await super().append(cached, decided, key, at)


def _of(cached: CachedGame) -> dict[str, Any]:
    return {
        "stammtisch.game": cached.game.id, "stammtisch.ruleset": cached.rules.name,
        "stammtisch.version": cached.game.version,
    }  # fmt: skip


def processor() -> SpanProcessor:
    """Sends spans in batches, from a thread of its own."""
    return BatchSpanProcessor(OTLPSpanExporter())


class Tracing:
    """What is traced in this process, until `stop`."""

    def __init__(self) -> None:
        # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
        self._provider = TracerProvider(resource=Resource({"service.name": "stammtisch"}).merge(Resource.create()))
        self._provider.add_span_processor(processor())
        self.tracer = self._provider.get_tracer("stammtisch")
        self.requests = partial(TracedRequests, self.tracer)
        self.games = partial(TracedGames, self.tracer)

    def stop(self) -> None:
        """Send what is left. Blocks."""
        self._provider.shutdown()
