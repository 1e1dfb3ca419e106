"""Responses that are compressed with gzip if they are large and the client accepts that.

Compression reveals secrets by its length if an attacker can put text of their own into a response that somebody else
requests with their credentials. Browsers do not add bearer tokens by themselves, so an attacker cannot do that here.
"""

import gzip
import re
from collections.abc import Iterable, Mapping

from litestar.types import Receive, Scope, Send

from service.paying import PAYING
from service.server.rate_limit import Payer, refusal
from service.server.raw_response import JSON, RawResponse, content_etag, matches
from service.server.request import LazyRequest
from service.tasks import computed

MIN_SIZE = 2 * 1024
"""Smaller bodies gain too little."""
MIN_THREAD_SIZE = 32 * 1024
"""Larger bodies are compressed in a thread, so that other requests do not wait."""
LEVEL = 5

BYTES = 64 * 1024
"""Bytes of a body that cost as much as a request. The largest document has 1.8 MB."""

_CODING = re.compile(r"\s*([a-z0-9-]+|\*)\s*(?:;\s*q=([0-9.]+)\s*)?")


def accepts(headers: Iterable[tuple[bytes, bytes]], coding: str = "gzip") -> bool:
    """Whether `Accept-Encoding` allows the coding (RFC 9110, 12.5.3). `*` allows gzip, which every client knows."""
    weights: dict[str, bool] = {}
    for name, value in headers:
        if name == b"accept-encoding":
            for part in value.decode("latin-1").lower().split(","):
                if found := _CODING.fullmatch(part):
                    weights[found[1].removeprefix("x-")] = found[2] is None or found[2].strip("0.") != ""
    return weights.get(coding, coding == "gzip" and weights.get("*", False))


class CompressedResponse(RawResponse):
    """Like `RawResponse`. The compressed body is kept, so an object that is returned again compresses once.

    `compressed`: the body, if it is compressed already. It is used if it is smaller, however small the body is.
    """

    __slots__ = ("_compressed",)

    def __init__(
        self, body: bytes, *, headers: Mapping[str, str] | None = None, media_type: str = JSON,
        compressed: bytes | None = None,
    ) -> None:  # fmt: skip
        super().__init__(body, headers=headers, media_type=media_type)
        self._compressed = compressed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = self._compressed
        if len(self.body) < MIN_SIZE if known is None else len(self.body) <= len(known):
            await super().__call__(scope, receive, send)
            return
        headers, body = dict(self.headers) | varied(self.headers), self.body
        if accepts(scope["headers"]):
            body = await self._compress()
            headers["Content-Encoding"] = "gzip"
            if headers.get("ETag", "").startswith('"'):
                headers["ETag"] = "W/" + headers["ETag"]  # the same content in other bytes
        response = RawResponse(body, status=self.status, headers=headers, media_type=self.media_type)
        refused = await _charged(PAYING.get(), len(body) // BYTES)
        await (refused or response)(scope, receive, send)

    async def _compress(self) -> bytes:
        compressed = self._compressed
        if compressed is None:
            arguments = self.body, LEVEL
            if len(self.body) < MIN_THREAD_SIZE:
                compressed = gzip.compress(*arguments, mtime=0)
            else:
                compressed = await computed(gzip.compress, *arguments, mtime=0)
            self._compressed = compressed
        return compressed


async def _charged(payer: Payer | None, cost: int) -> RawResponse | None:
    """Count this many requests more. The response in place of the body if the limit rejects that."""
    counted = None if payer is None or cost < 1 else await payer.charge(cost)
    return await refusal(counted) if counted is not None and counted.refuses_rest else None


def document_response(body: bytes) -> CompressedResponse:
    """The response for a document that is the same for every caller while the service runs."""
    return CompressedResponse(body, headers={"Cache-Control": "no-cache", "ETag": content_etag(body)})


def current_document(request: LazyRequest, document: CompressedResponse) -> RawResponse:
    """The document, or 304 if the client has it."""
    return unchanged(request.headers.get("if-none-match"), document.headers) or document


def unchanged(if_none_match: str | None, headers: Mapping[str, str]) -> RawResponse | None:
    """304 if the client has the `CompressedResponse` with these headers; None if it needs it.

    The ETag is that of the representation that the client has, compressed or not.
    """
    etag = headers["ETag"]
    if if_none_match is None or not matches(if_none_match, etag):
        return None
    has = {"ETag": f"W/{etag}"} if f"W/{etag}" in if_none_match else {}
    return RawResponse(status=304, headers={**headers, **varied(headers), **has})


def varied(headers: Mapping[str, str]) -> dict[str, str]:
    """The header of a response that depends on what the client accepts, besides what these headers say."""
    names = [name for name in headers.get("Vary", "").split(", ") if name and name != "Accept-Encoding"]
    return {"Vary": ", ".join((*names, "Accept-Encoding"))}
