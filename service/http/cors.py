"""Which pages in browsers may use the API (CORS): those of the origins that the operator has named.

Two layers. `Origins` lies in front of everything else, so that a page can read problems and answers to requests that
were held back, too. `Preflights` answers what browsers ask beforehand; it lies behind the front door, where these
requests are limited, counted and logged like all others.
"""

from collections.abc import Awaitable, Sequence

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http.raw_response import RawResponse

ANY = "*"

ALLOWED = "stammtisch.origin"
"""Stands in the scope of requests from allowed origins."""

REQUESTED = b"access-control-request-method"
"""The header that makes a preflight of OPTIONS."""

SENT = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer"
"""The headers that pages may send, beside those that all may."""
EXPOSED = (
    "Cache-Control", "ETag", "Idempotency-Replayed", "Link", "Location", "Preference-Applied", "RateLimit",
    "RateLimit-Policy", "Retry-After", "Vary", "WWW-Authenticate",
)  # fmt: skip
"""The response headers that pages may read: all that the OpenAPI document describes (a test compares)."""

_PREFLIGHT = RawResponse(
    status=204,
    headers={
        "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE",
        "Access-Control-Allow-Headers": SENT,
        "Access-Control-Max-Age": str(24 * 60 * 60),
    },
)


class Origins:
    """The application for pages of these origins: its answers say that they may read them."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self._app = app
        self._allowed = {origin.encode() for origin in allowed}
        self._any = ANY in allowed
        self._seen = ", ".join(EXPOSED).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        origin = _header(scope, b"origin")
        if origin is None and self._any:
            await self._app(scope, receive, send)
            return
        told: list[tuple[bytes, bytes]] = [] if self._any else [(b"vary", b"Origin")]
        if origin is not None and (self._any or origin in self._allowed):
            scope[ALLOWED] = True  # type: ignore[literal-required]
            told.append((b"access-control-allow-origin", b"*" if self._any else origin))
            told.append((b"access-control-expose-headers", self._seen))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *told]
            await send(message)

        await self._app(scope, receive, send_on)


class Preflights:
    """The application, with answers to preflights from the origins that `Origins` has found to be allowed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope.get("method") == "OPTIONS" and ALLOWED in scope and _header(scope, REQUESTED) is not None:
            return _PREFLIGHT(scope, receive, send)
        return self._app(scope, receive, send)


def origins(app: ASGIApp, setting: str) -> ASGIApp:
    """The application, for the origins of the setting; as it is where there are none."""
    named = [origin.strip() for origin in setting.split(",") if origin.strip()]
    return Origins(app, named) if named else app


def preflights(app: ASGIApp, setting: str) -> ASGIApp:
    """The application with answers to preflights; as it is where no origins are named."""
    return Preflights(app) if setting.strip(" ,") else app


def _header(scope: Scope, name: bytes) -> bytes | None:
    return next((value for sent, value in scope["headers"] if sent == name), None)
