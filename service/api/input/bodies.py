"""Request bodies, read as strictly as the OpenAPI document says. (Litestar's own reading takes "4" for 4.)"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from litestar import Request

from service.api.contract import Contract, contract_of
from service.api.problems import Refusal, TooLarge, UnsupportedMediaType, malformed

MAX_BODY = 64 * 1024

_JSON = b"application/json"
_FAULT = re.compile(r"(?s)(?P<message>.*?)(?: - at (?:`key` in )?`(?P<path>\$.*)`)?")


async def body(request: Request[Any, Any, Any]) -> Any:
    """The body, of the type that the handler's contract names. Raises `Refusal`."""
    if not _is_json(request):
        raise Refusal(UnsupportedMediaType())
    text = await _read(request)
    try:
        value = decoded(contract_of(request.scope["route_handler"]), text)  # type: ignore[arg-type]
    except RecursionError:
        raise malformed("$", "The body is nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        fault = _FAULT.fullmatch(str(error))
        assert fault is not None
        raise malformed(fault["path"] or "$", fault["message"]) from None
    if rb"\u0000" in text:  # JSON allows it, text in PostgreSQL does not
        for path in _nuls(msgspec.to_builtins(value, str_keys=True)):
            raise malformed(path, "NUL is not allowed in strings")
    return value


def decoded(stated: Contract, text: bytes) -> Any:
    """The body in that text, of the type that the contract names. Raises `msgspec.MsgspecError`.

    In a move, null means the same as an absent field: clients in many languages cannot tell the two apart. Where the
    types do not admit null, the move is read once more without it. So only what would be refused takes longer.
    """
    try:
        return stated.decoder.decode(text)
    except msgspec.ValidationError:
        if not stated.optional or b"null" not in text:
            raise
    return stated.decoder.decode(msgspec.json.encode(_without_nulls(msgspec.json.decode(text), stated.optional)))


def _without_nulls(sent: Any, optional: Mapping[str, frozenset[str]]) -> Any:
    """The move without those of its optional fields that are null."""
    if not isinstance(sent, dict) or not isinstance(sent.get("type"), str):
        return sent
    names = optional.get(sent["type"], frozenset())
    return {name: value for name, value in sent.items() if value is not None or name not in names}


def _is_json(request: Request[Any, Any, Any]) -> bool:
    for name, sent in request.scope["headers"]:
        if name == b"content-type":
            return sent == _JSON or sent.partition(b";")[0].strip().lower() == _JSON
    return False


async def _read(request: Request[Any, Any, Any]) -> bytes:
    """The bytes of the body, up to `MAX_BODY`. (Litestar's reading of them costs as much as deciding a move.)"""
    text, more = b"", True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise malformed("$", "The body has not come to its end")  # what was meant to follow, nobody knows
        text += message.get("body", b"")  # type: ignore[operator]
        if len(text) > MAX_BODY:
            raise Refusal(TooLarge())
        more = message.get("more_body", False)  # type: ignore[assignment]
    return text


def _nuls(value: Any, path: str = "$") -> Iterator[str]:
    """The places of strings with a NUL."""
    match value:
        case str() if "\0" in value:
            yield path
        case list():
            for number, item in enumerate(value):
                yield from _nuls(item, f"{path}[{number}]")
        case dict():
            for key, item in value.items():
                yield from _nuls(key, path)
                yield from _nuls(item, f"{path}.{key}")
