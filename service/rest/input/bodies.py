"""Reads the bodies of requests, by the contracts of their handlers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Request

from domain.game import Rules
from service.api.contract import Contract, contract_of
from service.api.decoding import parsed
from service.api.problems import ProblemError, TooLarge, Unavailable, UnsupportedMediaType, malformed_request
from service.live.shares import NoPlace, Shares
from service.server.auth import address
from service.server.cycle import WHOLE_BODY
from service.server.request import HEADERS

_JSON = b"application/json"


async def body(request: Request[Any, Any, Any], rules: Rules | None = None) -> Any:
    """The request body, of the type in the handler's contract. Raises `ProblemError`."""
    stated = contract_of(request.scope["route_handler"], rules)  # type: ignore[arg-type]
    _check_media(request, stated)
    text = _whole(request, stated.max_body)
    return parsed(stated, await _read(request, stated.max_body) if text is None else text)


async def text_of(request: Request[Any, Any, Any]) -> bytes:
    """The JSON of the body, up to the size in the handler's contract, not decoded. Raises `ProblemError`."""
    return await _text(request, contract_of(request.scope["route_handler"]))  # type: ignore[arg-type]


class LargeBodies:
    """The bodies that are read at a time of an operation whose bodies are large, `most` at most. When all places are
    taken, the network with the most gives one up: that request is 503."""

    def __init__(self, most: int = 16) -> None:
        self._reading = Shares[asyncio.Future[bytes]](most)

    @asynccontextmanager
    async def read(self, request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
        """The body, as `text_of`. Its memory counts until the context ends. Raises `ProblemError`."""
        network = address(request)  # type: ignore[arg-type]
        try:
            self._reading.check(network)
        except NoPlace:
            raise self._refused() from None
        reading = asyncio.ensure_future(text_of(request))
        if (evicted := self._reading.take(network, reading)) is not None:
            evicted.cancel()
        try:
            await asyncio.wait([reading])
            if reading.cancelled():
                raise self._refused()
            yield reading.result()
        finally:
            reading.cancel()
            self._reading.remove(reading)

    def _refused(self) -> ProblemError:
        return ProblemError(Unavailable(detail="Too many large bodies are being sent."), {"Retry-After": "10"})


def _text(request: Request[Any, Any, Any], stated: Contract) -> Awaitable[bytes]:
    _check_media(request, stated)
    return _read(request, stated.max_body)


def _check_media(request: Request[Any, Any, Any], stated: Contract) -> None:
    sent: bytes = request.scope[HEADERS].get(b"content-type", b"")  # type: ignore[literal-required]
    if sent != _JSON and sent.partition(b";")[0].strip().lower().decode("latin-1") not in stated.body_media:
        raise ProblemError(UnsupportedMediaType())


def _whole(request: Request[Any, Any, Any], most: int) -> bytes | None:
    """The bytes of the body, `most` at most, if all of it has arrived at a server that can say so."""
    whole_body: Any = (request.scope.get("extensions") or {}).get(WHOLE_BODY)
    text: bytes | None = None if whole_body is None else whole_body()
    if text is not None and len(text) > most:
        raise ProblemError(TooLarge())
    return text


async def _read(request: Request[Any, Any, Any], most: int) -> bytes:
    """The bytes of the body, `most` at most. (Litestar's own reader takes as long as deciding a move.)"""
    text = bytearray()  # joined in place: a body can arrive in thousands of parts
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise malformed_request("$", "The connection was closed before the end of the body")
        text += message.get("body", b"")  # type: ignore[arg-type]
        if len(text) > most:
            raise ProblemError(TooLarge())
        if not message.get("more_body"):
            return bytes(text)
