"""What a handler returns: an answer that is ready to be sent."""

from collections.abc import Mapping
from functools import cache

from litestar.types import Receive, Scope, Send

JSON = "application/json"


@cache
def _on_the_wire(name: str) -> bytes:
    return name.lower().encode("latin-1")


class Reply:
    """Status, headers and body, as an ASGI application. Litestar's `Response` does more, and takes its time for it."""

    __slots__ = ("_body", "_headers", "_status")

    def __init__(
        self, body: bytes = b"", *, status: int = 200, headers: Mapping[str, str] | None = None, media_type: str = JSON
    ) -> None:
        self._status = status
        self._body = body
        self._headers = [(_on_the_wire(name), value.encode("latin-1")) for name, value in (headers or {}).items()]
        if status != 304:
            self._headers.append((b"content-type", media_type.encode()))
            self._headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        await send({"type": "http.response.body", "body": self._body, "more_body": False})
