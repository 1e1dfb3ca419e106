"""JSON of everything in the domain: as it is sent, and in the canonical form (RFC 8785) that is hashed."""

from typing import Any

import msgspec

from domain.deck import Deck


def _plain(value: Any) -> Any:
    if isinstance(value, Deck):
        return value.name
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = msgspec.json.Encoder(enc_hook=_plain)
_sorted = msgspec.json.Encoder(enc_hook=_plain, order="sorted")

encode = _encoder.encode
"""The JSON bytes of a value."""

canonical = _sorted.encode
"""The bytes that are hashed. Where only objects, arrays, strings, integers, booleans and null occur, and all keys are
ASCII, msgspec with sorted keys writes exactly what RFC 8785 asks for (a test compares)."""


def builtins(value: Any) -> Any:
    """The value as dicts, lists, strings, numbers, booleans and None."""
    return msgspec.to_builtins(value, enc_hook=_plain)


def is_storable(text: str) -> bool:
    """Whether every database can keep the text: PostgreSQL keeps no NUL, nothing keeps half a character of UTF-16."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
