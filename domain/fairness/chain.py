"""The hashes that make a game's record tamper-evident (protocol `stammtisch/1`).

Every event has a public hash (of what a bystander sees), a secret hash (salted, of everything, the move included) and a
head that chains both to all earlier events. All hashes are 32 bytes here and lower-case hex in JSON.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

from msgspec import UNSET, UnsetType

from domain.codec import canonical
from domain.fairness.chance import PROTOCOL
from domain.fairness.hashes import hmac_sha256
from domain.messages import Value


class Link(Value):
    """The three hashes of one event."""

    public: bytes
    secret: bytes
    head: bytes


def commitment(secret: bytes) -> bytes:
    """The hash of the secret, published before the first seat is taken."""
    return sha256(secret).digest()


def root(game_id: str) -> bytes:
    """The head before the first event."""
    return sha256(f"{PROTOCOL}\n{game_id}".encode()).digest()


def entry(
    version: int, at: str, by: int | None, event: Any, more: int,
    acting: Sequence[int] | UnsetType = UNSET, move: Any = UNSET,
) -> bytes:  # fmt: skip
    """The canonical bytes of an entry as they go into its hashes. Fields that the entry does not have are absent."""
    chosen = None if move is UNSET else canonical(move)
    return joined(around(by, more, acting), version, canonical(at), canonical(event), chosen)


Around: TypeAlias = tuple[bytes, bytes, bytes]
"""The canonical bytes of an entry before its time, between time and event, and between event and move."""


def around(by: int | None, more: int, acting: Sequence[int] | UnsetType) -> Around:
    first = b"{" if acting is UNSET else b'{"acting":%b,' % canonical(acting)
    return b'%b"at":' % first, b',"by":%b,"event":' % canonical(by), b',"more":%d' % more


@lru_cache(maxsize=1024)
def around_recurring(by: int | None, more: int, acting: tuple[int, ...] | UnsetType) -> Around:
    """`around`, remembered. Not for records from elsewhere, whose fields can be large."""
    return around(by, more, acting)


def joined(around: Around, version: int, at: bytes, event: bytes, move: bytes | None = None) -> bytes:
    """The canonical bytes of an entry from those of its parts. An event that is hashed twice is thus encoded once."""
    before, between, behind = around
    chosen = b"" if move is None else b',"move":' + move
    return b"".join((before, at, between, event, behind, chosen, b',"version":%d}' % version))


def link(head: bytes, secret: bytes, version: int, shown: bytes, full: bytes) -> Link:
    """The hashes after `head`. `shown` and `full` are the canonical entries of the public and of the full event."""
    public_hash = sha256(shown).digest()
    # Without the salt a hidden card could be found by trying: a deck of fifteen numbers needs fifteen tries.
    salt = hmac_sha256(secret, f"salt:{version}".encode())
    secret_hash = sha256(salt + full).digest()
    return Link(public_hash, secret_hash, sha256(head + public_hash + secret_hash).digest())
