"""Decodes JSON as strictly as the documents state. (Litestar also accepts "4" for 4.)"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from service.api.contract import MAX_BODY, Contract
from service.api.decode_errors import explained
from service.api.problems import malformed_request

EXACT = 2**53
"""From here on, numbers with a fraction are too coarse to tell integers apart."""

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[-+.0-9eE]+')
"""A string, or a run of the characters of numbers: so no number within a string or a malformed number is found."""
_FRACTION = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?")


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


def _paths_of_nul(value: Any, path: str = "$") -> Iterator[str]:
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
