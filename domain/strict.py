"""JSON that has one meaning (R1): no object has a key twice. Readers differ in which of the two they use."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec


def only_once(text: bytes) -> Any:
    """The JSON value in the text. Raises `msgspec.DecodeError` if an object has a key twice."""
    try:
        return json.loads(text.decode(), object_pairs_hook=_unique)
    except ValueError as error:
        raise msgspec.DecodeError(str(error)) from None


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"An object has the key {max(counts, key=counts.__getitem__)!r} twice")
    return made
