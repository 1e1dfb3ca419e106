"""A span for each request."""

from collections.abc import Mapping

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

from service.http.cycle import RESPOND


class TracedRequests:
    """ASGI middleware, around all others. A `traceparent` of the client continues its trace."""

    def __init__(self, app: ASGIApp, tracer: Tracer) -> None:
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
    """The headers that continue a trace."""
    names = b"traceparent", b"tracestate"
    return {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in names}
