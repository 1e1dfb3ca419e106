"""What limits count as one address, and as one caller."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address


def network(address: str) -> str:
    """The unit that limits count: an IPv4 address, or the /64 network of an IPv6 address."""
    if ":" not in address:
        return address
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


@lru_cache(maxsize=16_384)
def wide_network(network: str) -> str:
    """The network that the holder of a unit (see `network`) may have as a whole: /48 of IPv6, /24 of IPv4."""
    if ":" not in network:
        return network.rpartition(".")[0] or network
    try:
        return f"{IPv6Address(int(IPv6Address(network)) >> 80 << 80)}/48"
    except ValueError:
        return network


def budget_key(player: str | None, address: str) -> str:
    """One key per player, or per address for callers without a token. The two kinds never collide."""
    return f"address:{address}" if player is None else f"player:{player}"
