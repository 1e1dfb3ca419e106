"""Which pages in browsers may use the API (CORS): those of the origins that the operator has named.

In front of everything else, so that a page can read problems and answers to requests that were held back, too.
"""

from collections.abc import Sequence

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

ANY = "*"

METHODS = b"GET, HEAD, POST, PATCH, DELETE"
SENT = b"Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer"
"""The headers that pages may send, beside those that all may."""
EXPOSED = (
    "Cache-Control", "ETag", "Idempotency-Replayed", "Link", "Location", "Preference-Applied", "RateLimit",
    "RateLimit-Policy", "Retry-After", "Vary", "WWW-Authenticate",
)  # fmt: skip
"""The response headers that pages may read: all that the OpenAPI document describes (a test compares)."""
DAY = b"86400"


class Origins:
    """The application for pages of these origins."""

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
            told.append((b"access-control-allow-origin", b"*" if self._any else origin))
            if scope["method"] == "OPTIONS" and _header(scope, b"access-control-request-method") is not None:
                told += [
                    (b"access-control-allow-methods", METHODS),
                    (b"access-control-allow-headers", SENT),
                    (b"access-control-max-age", DAY),
                ]
                await send({"type": "http.response.start", "status": 204, "headers": told})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            told.append((b"access-control-expose-headers", self._seen))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *told]
            await send(message)

        await self._app(scope, receive, send_on)


def origins(app: ASGIApp, setting: str) -> ASGIApp:
    """The application, for the origins of the setting; as it is where there are none."""
    named = [origin.strip() for origin in setting.split(",") if origin.strip()]
    return Origins(app, named) if named else app


def _header(scope: Scope, name: bytes) -> bytes | None:
    return next((value for sent, value in scope["headers"] if sent == name), None)
