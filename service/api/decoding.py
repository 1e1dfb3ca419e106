"""Decodes JSON as strictly as the documents state. (Litestar also accepts "4" for 4.)"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from math import isinf
from typing import Any

import msgspec

from service.api.contract import MAX_BODY, Contract
from service.api.decode_errors import explained
from service.api.problems import malformed_request

EXACT = 2**53
"""From here on, numbers with a fraction are too coarse to tell integers apart."""

MAX_FRACTIONS = 32
"""The largest number of numbers with a fraction or exponent in a body that are read as integers. No command has more;
without a limit, a body of nothing but such numbers costs as much as 100 moves."""

MAX_SEARCHED = 1000
"""The largest number of values that are searched for the one to name in a problem."""

_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?")


def parsed(stated: Contract, text: bytes, at: str = "$") -> Any:
    """The text as the type in the contract. `at` is its path in the request. Raises `ProblemError`."""
    try:
        value = stated.decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = _unusual(stated, text, at)
    if _has_nul(text):  # PostgreSQL cannot store NUL in text
        searched = islice(_paths_of_nul(msgspec.json.decode(text), at), MAX_SEARCHED)
        raise malformed_request(next(filter(None, searched), at), "NUL is not allowed in strings")
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
        if len(text) > MAX_BODY:  # no command
            raise
        sent = msgspec.json.Decoder(float_hook=_Integers()).decode(text)
    return stated.decoder.decode(msgspec.json.encode(_without_nulls(sent, stated.optional)))


class _Integers:
    """Reads the first numbers with a fraction or exponent as integers if they are whole, and the others as floats."""

    def __init__(self) -> None:
        self._left = MAX_FRACTIONS

    def __call__(self, text: str) -> float:
        self._left -= 1
        number = float(text)
        if isinf(number):
            raise ValueError("Number out of range")
        if self._left >= 0 and abs(number) < EXACT and _FRACTION.fullmatch(text) and (value := Decimal(text)) % 1 == 0:
            return int(value)
        return number


def _without_nulls(sent: Any, optional: Mapping[str, frozenset[str]]) -> Any:
    """The move without its optional fields that are null."""
    if not isinstance(sent, dict) or not isinstance(sent.get("type"), str):
        return sent
    names = optional.get(sent["type"], frozenset())
    return {name: value for name, value in sent.items() if value is not None or name not in names}


def _paths_of_nul(value: Any, path: str = "$") -> Iterator[str | None]:
    """For each value its path if it contains NUL, otherwise None."""
    yield path if isinstance(value, str) and "\0" in value else None
    match value:
        case list():
            for number, item in enumerate(value):
                yield from _paths_of_nul(item, f"{path}[{number}]")
        case dict():
            for key, item in value.items():
                yield from _paths_of_nul(key, path)
                yield from _paths_of_nul(item, f"{path}.{key}")


def _has_nul(text: bytes) -> bool:
    """Whether a string of the valid JSON text contains NUL, which is always escaped."""
    return rb"\u0000" in text and rb"\u0000" in text.replace(rb"\\", b"")
