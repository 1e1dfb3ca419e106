"""A request and its response, on the way through the edge middleware."""

from collections.abc import Callable, Iterable
from time import perf_counter, time
from typing import Any, TypeAlias

from litestar.types import ASGIApp, Scope

from service.http.access_log import AccessLog, AccessLogEntry, Level
from service.http.raw_response import RawResponse
from service.identity.tokens import Bearer
from service.metrics import Metrics

Header: TypeAlias = tuple[bytes, bytes]

Send: TypeAlias = Callable[[int, list[Header], bytes], None]
"""Sends a whole response: its status, its headers, its body."""

Begin: TypeAlias = Callable[[Scope, bytes, Send], ASGIApp | None]
"""Serves a request that has arrived whole, with this body, without a coroutine. Returns None, or the application that
serves it instead."""

CLIENT_DISCONNECTED = 499
"""The status in metrics and access log of a request whose client disconnected before the response."""


class Exchange:
    """What the edge middleware knows of a request.

    A handler that serves the request at once reads `body` and calls `respond`, now or later. Then there is no
    coroutine, and no ASGI message.
    """

    body: bytes
    send: Send
    caller: str | None = None
    """The id of the calling player; None without a token."""
    generation = 0
    """The generation of the caller's token."""
    unshown: Bearer | None = None
    """The caller if their token shows a name that has to be recorded first."""
    counted = False
    """Whether the rate limits have counted the request."""
    status = CLIENT_DISCONNECTED
    seconds: float | None = None
    """Until the response began; None if it has not."""

    def __init__(
        self, scope: Any, app: ASGIApp, headers: Iterable[Header], metrics: Metrics, access_log: AccessLog | None
    ) -> None:
        self._started = perf_counter()
        self._metrics = metrics
        self._access_log = access_log
        self.scope = scope
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.app = app
        """What serves the request: the application, or the reason why it is refused."""
        self.extra_headers = [*headers]
        """The headers of the response besides those of the application."""

    def begin_response(self, status: int) -> None:
        """Note the status of the response and its time."""
        self.status, self.seconds = status, perf_counter() - self._started

    def respond(self, response: RawResponse) -> None:
        """Send the response to a request that is served at once."""
        self.status = response.status
        self.send(response.status, response.encoded_headers() + self.extra_headers, response.body)
        self.observe()

    def observe(self) -> None:
        """Record the request in metrics and access log, at its end."""
        total = perf_counter() - self._started
        # The router and the fast path note the template in the scope.
        template = self.scope.get("path_template", "")
        seconds = total if self.seconds is None else self.seconds
        self._metrics.observe_request(template, self.method, self.status, seconds)
        if self._access_log is not None:
            level: Level = "error" if self.status >= 500 else "info"
            ms = round(total * 1000, 3)
            self._access_log.add(AccessLogEntry(time(), level, self.method, self.path, self.status, ms, self.caller))
