"""Idempotency keys: a request with a key takes effect once, and a repeated request gets the first response again.

The log is the only memory of keys: the first entry of each append carries the command that caused it.
"""

from hashlib import sha256
from typing import Any

from domain.codec import canonical
from domain.log import Command


def command_of(player: str, key: str | None, *content: Any) -> Command | None:
    """The command that an append records for a request of the player with this key and content; None without a key.

    The hash covers the decoded content, so that whitespace in a body makes no difference.
    """
    return None if key is None else Command(player, key, sha256(canonical(content)).hexdigest()[:32])
