"""Reads and decodes request bodies as strictly as the OpenAPI document states. (Litestar also accepts "4" for 4.)"""

import re
from collections.abc import Awaitable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec
from litestar import Request

from domain.game import Rules
from service.api.contract import MAX_BODY, Contract, contract_of
from service.api.input.decode_errors import explained
from service.api.problems import ProblemError, TooLarge, UnsupportedMediaType, malformed_request
from service.http.cycle import WHOLE_BODY
from service.http.request import HEADERS

EXACT = 2**53
"""From here on, numbers with a fraction are too coarse to tell integers apart."""

_JSON = b"application/json"

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[-+.0-9eE]+')
"""A string, or a run of the characters of numbers: so no number within a string or a malformed number is found."""
_FRACTION = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?")


async def body(request: Request[Any, Any, Any], rules: Rules | None = None) -> Any:
    """The request body, of the type in the handler's contract. Raises `ProblemError`."""
    stated = contract_of(request.scope["route_handler"], rules)  # type: ignore[arg-type]
    _check_media(request, stated)
    text = _whole(request, stated.max_body)
    return parsed(stated, await _read(request, stated.max_body) if text is None else text)


async def text_of(request: Request[Any, Any, Any]) -> bytes:
    """The JSON of the body, up to the size in the handler's contract, not decoded. Raises `ProblemError`."""
    return await _text(request, contract_of(request.scope["route_handler"]))  # type: ignore[arg-type]


def _text(request: Request[Any, Any, Any], stated: Contract) -> Awaitable[bytes]:
    _check_media(request, stated)
    return _read(request, stated.max_body)


def parsed(stated: Contract, text: bytes, at: str = "$") -> Any:
    """The text as the type in the contract. `at` is its path in the request. Raises `ProblemError`."""
    try:
        value = stated.decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = _unusual(stated, text, at)
    if rb"\u0000" in text:  # PostgreSQL cannot store NUL in text
        for path in _paths_of_nul(msgspec.json.decode(text), at):
            raise malformed_request(path, "NUL is not allowed in strings")
    return value


def _unusual(stated: Contract, text: bytes, at: str) -> Any:
    """The text in an unusual spelling. Raises `ProblemError`."""
    try:
        return decoded(stated, text)
    except RecursionError:
        raise malformed_request(at, "The body is nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        path, message = explained(error, stated.body)
        raise malformed_request(at + path[1:], message) from None


def decoded(stated: Contract, text: bytes) -> Any:
    """The text decoded as the type in the contract. Raises `msgspec.MsgspecError`.

    In a move, a null field means an absent field, because clients in many languages cannot tell the two apart. A number
    such as `5.0` is an integer in JSON Schema. If decoding fails, it is tried again with the usual spelling, so usual
    bodies pay nothing for this.
    """
    try:
        return stated.decoder.decode(text)
    except msgspec.ValidationError:
        if len(text) > MAX_BODY:  # the search for numbers takes too long
            raise
        sent = msgspec.json.decode(_TOKEN.sub(_with_integer, text))
    return stated.decoder.decode(msgspec.json.encode(_without_nulls(sent, stated.optional)))


def _with_integer(token: re.Match[bytes]) -> bytes:
    """The string or number of a JSON text, unless it is a whole number: then as an integer."""
    text = token[0]
    if _FRACTION.fullmatch(text) and abs(float(text)) < EXACT and (value := Decimal(text.decode())) % 1 == 0:
        return b"%d" % value
    return text


def _without_nulls(sent: Any, optional: Mapping[str, frozenset[str]]) -> Any:
    """The move without its optional fields that are null."""
    if not isinstance(sent, dict) or not isinstance(sent.get("type"), str):
        return sent
    names = optional.get(sent["type"], frozenset())
    return {name: value for name, value in sent.items() if value is not None or name not in names}


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
    text = b""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise malformed_request("$", "The connection was closed before the end of the body")
        text += message.get("body", b"")  # type: ignore[operator]
        if len(text) > most:
            raise ProblemError(TooLarge())
        if not message.get("more_body"):
            return text


def _paths_of_nul(value: Any, path: str = "$") -> Iterator[str]:
    """The paths of strings that contain NUL."""
    match value:
        case str() if "\0" in value:
            yield path
        case list():
            for number, item in enumerate(value):
                yield from _paths_of_nul(item, f"{path}[{number}]")
        case dict():
            for key, item in value.items():
                yield from _paths_of_nul(key, path)
                yield from _paths_of_nul(item, f"{path}.{key}")
