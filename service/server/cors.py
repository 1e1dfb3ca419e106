"""Cross-origin resource sharing (CORS) for the origins in the settings.

The edge middleware adds the headers of `Cors` to all responses. `PreflightMiddleware` answers preflight requests behind
it, so that they are limited, counted and logged like all other requests.
"""

import re
from collections.abc import Awaitable, Iterable
from typing import NamedTuple

from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.server.raw_response import RawResponse
from service.settings import LOOPBACK, Settings, items

ANY = "*"
LOCAL = "local"

_LOCAL_ORIGIN = re.compile(rb"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")

ORIGIN_ALLOWED = "stammtisch.origin"
"""The key that marks the ASGI scope of a request from an allowed origin."""

VARY = ((b"vary", b"Origin"),)
"""The header of a response that differs between origins."""

REQUEST_METHOD = b"access-control-request-method"
"""The header that makes an OPTIONS request a preflight."""

ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Invite, Last-Event-ID, Prefer"
"""The request headers that pages may send besides the CORS-safelisted ones."""

FILES = "/web/"
"""Where the files of the web pages are; see `service.pages.web`."""


class Origins(NamedTuple):
    """The origins whose pages may use the API: `any`, those of this machine (`local`), or the named ones."""

    any: bool
    local: bool
    names: frozenset[bytes]

    def __bool__(self) -> bool:
        return self.any or self.local or bool(self.names)

    def allows(self, origin: bytes) -> bool:
        return self.any or origin in self.names or (self.local and _LOCAL_ORIGIN.fullmatch(origin) is not None)


def allowed_origins(settings: Settings) -> Origins:
    """The origins in the settings. Origins of this machine are allowed only while the service serves it alone."""
    names = set(items(settings.cors_origins))
    local = LOCAL in names and settings.host in LOOPBACK
    return Origins(ANY in names, local, frozenset(name.encode() for name in names - {ANY, LOCAL}))


class Cors:
    """The CORS headers of responses. Pages of allowed origins may read the `exposed` response headers."""

    def __init__(self, origins: Origins, exposed: Iterable[str]) -> None:
        self._origins = origins
        self._exposed = b"access-control-expose-headers", ", ".join(exposed).encode()

    def headers(self, scope: Scope, origin: bytes | None) -> tuple[tuple[bytes, bytes], ...]:
        """The headers of the response to this request from a page of this origin, if any. Marks the scope if the origin
        is allowed. Files of the web pages are for those pages alone: browsers name their origin, too, for modules, and
        the headers would be a tenth of what a first visit loads."""
        origins = self._origins
        if scope["path"].startswith(FILES):
            return ()
        if origin is None:
            return VARY if origins.names else ()
        vary = () if origins.any else VARY
        if not origins.allows(origin):
            return vary
        scope[ORIGIN_ALLOWED] = True  # type: ignore[literal-required]
        return *vary, (b"access-control-allow-origin", b"*" if origins.any else origin), self._exposed


class PreflightMiddleware:
    """Answers preflight requests from the origins that `Cors` allows. Pages may use the `methods`."""

    def __init__(self, app: ASGIApp, methods: Iterable[str]) -> None:
        self._app = app
        headers = {
            "Access-Control-Allow-Methods": ", ".join(methods),
            "Access-Control-Allow-Headers": ALLOWED_HEADERS,
            "Access-Control-Max-Age": str(24 * 60 * 60),
        }
        self._response = RawResponse(status=204, headers=headers)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope.get("method") == "OPTIONS" and ORIGIN_ALLOWED in scope and REQUEST_METHOD in dict(scope["headers"]):
            return self._response(scope, receive, send)
        return self._app(scope, receive, send)


def with_preflights(app: ASGIApp, origins: Origins, routes: Iterable[BaseRoute]) -> ASGIApp:
    """The application of these routes with responses to preflight requests, or unchanged if there are no such
    origins."""
    methods = {method for route in routes if isinstance(route, HTTPRoute) for method in route.methods}
    return PreflightMiddleware(app, sorted(methods - {"OPTIONS"} | {"HEAD"})) if origins else app
