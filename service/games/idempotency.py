"""Idempotency keys: a request with a key takes effect once, and a repeated request gets the first response again.

The log is the only memory of keys: the first entry of each append carries the command that caused it.
"""

from hashlib import sha256
from typing import Any

from domain.codec import canonical
from domain.log import Command
from domain.messages import Value


class IdempotentRequest(Value):
    """An idempotency key, and the hash of the request that it stands for (128 bits in hex)."""

    key: str
    body: str


def request_of(key: str | None, *content: Any) -> IdempotentRequest | None:
    """The request with this key and content; None without a key.

    The hash covers the decoded content, so that whitespace in a body makes no difference.
    """
    return None if key is None else IdempotentRequest(key, sha256(canonical(content)).hexdigest()[:32])


def command_of(player: str, request: IdempotentRequest | None) -> Command | None:
    """The command that the append for this request records; None for a request without a key."""
    return None if request is None else Command(player, request.key, request.body)
