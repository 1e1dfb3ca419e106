"""The key for rate limits and stream limits of a caller."""


def budget_key(player: str | None, address: str) -> str:
    """One key per player, or per address for callers without a token. The two kinds never collide."""
    return f"address:{address}" if player is None else f"player:{player}"
