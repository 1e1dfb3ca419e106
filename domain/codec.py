"""JSON of domain values: as it is sent, and in the canonical form (RFC 8785) that is hashed."""

from typing import Any

import msgspec

from domain.deck import Deck, UnknownDeck


def _plain(value: Any) -> Any:
    if isinstance(value, Deck):
        return value.name
    if isinstance(value, UnknownDeck):
        return value.data
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = msgspec.json.Encoder(enc_hook=_plain)
_sorted = msgspec.json.Encoder(enc_hook=_plain, order="sorted")

encode = _encoder.encode
"""The JSON bytes of a value."""

canonical = _sorted.encode
"""The bytes that are hashed. With only objects, arrays, strings, integers, booleans and null, and only ASCII keys,
msgspec with sorted keys writes exactly the form of RFC 8785 (a test compares)."""


def builtins(value: Any) -> Any:
    """The value as dicts, lists, strings, numbers, booleans and None."""
    return msgspec.to_builtins(value, enc_hook=_plain)


def is_storable(text: str) -> bool:
    """Whether every database can store the text: PostgreSQL refuses NUL, UTF-8 has no unpaired surrogates."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
