"""Cross-origin resource sharing (CORS) for the origins in the settings.

There are two layers. `CorsMiddleware` is the outermost one, so that pages can read problems and rate-limited responses
too. `PreflightMiddleware` answers preflight requests behind the edge middleware, which limits, counts and logs them
like all other requests.
"""

import re
from collections.abc import Awaitable, Iterable
from typing import NamedTuple

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http.raw_response import RawResponse
from service.settings import LOOPBACK, Settings

ANY = "*"
LOCAL = "local"

_LOCAL_ORIGIN = re.compile(rb"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")

ORIGIN_ALLOWED = "stammtisch.origin"
"""The key that marks the ASGI scope of a request from an allowed origin."""

REQUEST_METHOD = b"access-control-request-method"
"""The header that makes an OPTIONS request a preflight."""

ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Invite, Last-Event-ID, Prefer"
"""The request headers that pages may send besides the CORS-safelisted ones."""

_PREFLIGHT = RawResponse(
    status=204,
    headers={
        "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE",
        "Access-Control-Allow-Headers": ALLOWED_HEADERS,
        "Access-Control-Max-Age": str(24 * 60 * 60),
    },
)


class Origins(NamedTuple):
    """The origins whose pages may use the API: `any`, those of this machine (`local`), or the named ones."""

    any: bool
    local: bool
    names: frozenset[bytes]

    def __bool__(self) -> bool:
        """Whether there are such origins."""
        return self.any or self.local or bool(self.names)

    def allows(self, origin: bytes) -> bool:
        return self.any or origin in self.names or (self.local and _LOCAL_ORIGIN.fullmatch(origin) is not None)


def allowed_origins(settings: Settings) -> Origins:
    """The origins in the settings. Origins of this machine are allowed only while the service serves it alone."""
    names = {origin.strip() for origin in settings.cors_origins.split(",")} - {""}
    local = LOCAL in names and settings.host in LOOPBACK
    return Origins(ANY in names, local, frozenset(name.encode() for name in names - {ANY, LOCAL}))


class CorsMiddleware:
    """Adds the CORS headers to responses for allowed origins. Pages may read the `exposed` response headers."""

    def __init__(self, app: ASGIApp, origins: Origins, exposed: Iterable[str]) -> None:
        self._app = app
        self._origins = origins
        self._any = origins.any
        self._exposed = ", ".join(exposed).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        origin = _header(scope, b"origin")
        if origin is None and not self._origins.names:
            await self._app(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = [] if self._any else [(b"vary", b"Origin")]
        if origin is not None and self._origins.allows(origin):
            scope[ORIGIN_ALLOWED] = True  # type: ignore[literal-required]
            headers.append((b"access-control-allow-origin", b"*" if self._any else origin))
            headers.append((b"access-control-expose-headers", self._exposed))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await self._app(scope, receive, send_on)


class PreflightMiddleware:
    """Answers preflight requests from the origins that `CorsMiddleware` allows."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope.get("method") == "OPTIONS" and ORIGIN_ALLOWED in scope and _header(scope, REQUEST_METHOD) is not None:
            return _PREFLIGHT(scope, receive, send)
        return self._app(scope, receive, send)


def with_cors(app: ASGIApp, origins: Origins, exposed: Iterable[str]) -> ASGIApp:
    """The application with CORS headers for these origins, or unchanged if there are none."""
    return CorsMiddleware(app, origins, exposed) if origins else app


def with_preflights(app: ASGIApp, origins: Origins) -> ASGIApp:
    """The application with responses to preflight requests, or unchanged if there are no such origins."""
    return PreflightMiddleware(app) if origins else app


def _header(scope: Scope, name: bytes) -> bytes | None:
    for sent, value in scope["headers"]:
        if sent == name:
            return value
    return None
