"""Idempotency keys: a request with a key takes effect once, and a repeated request gets the first response again.

The log is the only memory of keys: the first entry of each append carries the key of the request that caused it.
"""

from hashlib import sha256
from typing import Any

from domain.codec import canonical
from domain.game.log import RequestKey


def request_key(player: str, key: str | None, *content: Any) -> RequestKey | None:
    """What an append records of a request of the player with this key and content; None without a key.

    The hash covers the decoded content, so that whitespace in a body makes no difference.
    """
    return None if key is None else RequestKey(player, key, sha256(canonical(content)).hexdigest()[:32])
