"""HMAC-SHA-256 for many short texts under one key."""

from functools import lru_cache
from hashlib import sha256
from typing import Any

_BLOCK = 64  # bytes: SHA-256's


def hmac_sha256(key: bytes, text: bytes) -> bytes:
    """HMAC of RFC 2104 for keys of at most 64 bytes.

    The standard library's `hmac` releases the GIL for every call. A server that writes to its database at the same time
    then waits longer for the GIL than the hash takes. This implementation also takes a third of the time.
    """
    inner, outer = _prepared(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(text)
    outer.update(inner.digest())
    digest: bytes = outer.digest()
    return digest


@lru_cache(maxsize=16_384)
def _prepared(key: bytes) -> tuple[Any, Any]:
    """The inner and the outer hash, each fed with the padded key."""
    assert len(key) <= _BLOCK
    padded = key.ljust(_BLOCK, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in padded)), sha256(bytes(byte ^ 0x5C for byte in padded))
