"""HMAC-SHA-256 for many short texts under one key."""

from functools import lru_cache
from hashlib import sha256
from typing import Any

_BLOCK = 64  # bytes: SHA-256's


def hmac_sha256(key: bytes, text: bytes) -> bytes:
    """As in RFC 2104; the key has at most 64 bytes.

    The standard library's gives up the interpreter's lock for each of these few bytes, and a server that moves games
    while it writes to its database waits longer to get it back than the hash takes. This one also takes a third.
    """
    inner, outer = _prepared(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(text)
    outer.update(inner.digest())
    return bytes(outer.digest())


@lru_cache(maxsize=16_384)
def _prepared(key: bytes) -> tuple[Any, Any]:
    """The two hashes of HMAC, each fed with the padded key."""
    assert len(key) <= _BLOCK
    padded = key.ljust(_BLOCK, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in padded)), sha256(bytes(byte ^ 0x5C for byte in padded))
