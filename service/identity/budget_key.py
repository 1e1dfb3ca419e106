"""The key under which a caller's requests and streams are counted."""


def budget_key(player: str | None, address: str) -> str:
    """The player's own budget, or that of the address for anonymous callers. The two never share a key."""
    return f"address:{address}" if player is None else f"player:{player}"
