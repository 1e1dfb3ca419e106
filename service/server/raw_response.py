"""The response that handlers return."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

from litestar.types import Receive, Scope, Send

from service.server.cycle import RESPOND

JSON = "application/json"


@lru_cache(maxsize=256)
def _encoded(name: str) -> bytes:
    return name.lower().encode("latin-1")


class RawResponse:
    """Status, headers and body as an ASGI application. Cheaper than Litestar's `Response`, which does more."""

    __slots__ = ("_encoded_headers", "body", "headers", "media_type", "status")

    def __init__(
        self, body: bytes = b"", *, status: int = 200, headers: Mapping[str, str] | None = None, media_type: str = JSON
    ) -> None:
        self.status = status
        self.body = body
        self.headers = headers or {}
        self.media_type = media_type
        self._encoded_headers: list[tuple[bytes, bytes]] | None = None

    def encoded_headers(self) -> list[tuple[bytes, bytes]]:
        """As they are sent. Encoded once: the response to a frequent read is kept."""
        if self._encoded_headers is None:
            headers = [(_encoded(name), value.encode("latin-1")) for name, value in self.headers.items()]
            if self.status not in (204, 304):
                headers += (b"content-type", self.media_type.encode()), (b"content-length", b"%d" % len(self.body))
            self._encoded_headers = headers
        return self._encoded_headers

    def is_sent(self, scope: Scope) -> bool:
        """Send the response without a coroutine, if the server offers that. False if it does not, or not now."""
        respond: Any = (scope.get("extensions") or {}).get(RESPOND)
        if respond is None or "Connection" in self.headers:
            return False
        return bool(respond(self.status, self.encoded_headers(), self.body))

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        if not self.is_sent(scope):
            start: Any = {"type": "http.response.start", "status": self.status, "headers": [*self.encoded_headers()]}
            await send(start)
            await send({"type": "http.response.body", "body": self.body, "more_body": False})


def private_headers(etag: str) -> dict[str, str]:
    """The headers of a response that depends on the caller: only private caches store it, and revalidate each use."""
    return {"ETag": etag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Invite"}


def content_etag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:32]}"'


def matches(if_none_match: str, etag: str) -> bool:
    """Whether the value of `If-None-Match` covers the ETag (RFC 9110, 13.1.2)."""
    return any(part.strip().removeprefix("W/") in (etag, "*") for part in if_none_match.split(","))


def not_modified(if_none_match: str | None, etag: str) -> RawResponse | None:
    """The response to a client that has the private representation with this ETag; None if it needs it."""
    if if_none_match is None or not matches(if_none_match, etag):
        return None
    return RawResponse(status=304, headers=private_headers(etag))
