"""Which addresses the service sends requests to: only public ones, and those that the operator allows.

The URL is checked when a webhook is created: its form, and that the host is a name. A name may resolve to anything,
and to something else a moment later, so each attempt checks the addresses that it is about to connect to.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from service.settings import InvalidSettings, items

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

MAX_URL = 2048
"""Characters."""

_VISIBLE = re.compile(r"[!-~]+")
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""The last label of what programs read as an IPv4 address: `127.1`, `2130706433`, `0x7f000001`."""

_GLOBAL = IPv6Network("2000::/3")
_DOCUMENTATION = IPv6Network("3fff::/20")
"""Not public (RFC 9637), which Python 3.11 does not know."""
_NAT64 = IPv6Network("64:ff9b::/96")


class EndpointRefused(Exception):
    """The service sends no requests to this URL. The message says what is wrong with its form."""


def networks(text: str) -> tuple[Network, ...]:
    """The networks of a list with commas. Raises `InvalidSettings`."""
    try:
        return tuple(map(ip_network, items(text)))
    except ValueError as error:
        raise InvalidSettings(f"STAMMTISCH_WEBHOOK_NETWORKS: {error}") from None


def check_url(url: str, allowed: Sequence[Network] = ()) -> SplitResult:
    """The parts of a URL that a webhook can have. Raises `EndpointRefused`.

    `allowed` networks: the operator's own machines, which may be reached by plain HTTP and by names without a dot.
    """
    if len(url) > MAX_URL:
        raise EndpointRefused(f"The URL has more than {MAX_URL} characters.")
    if not _VISIBLE.fullmatch(url) or "\\" in url:
        raise EndpointRefused("The URL has characters that must be percent-encoded; write the host in Punycode.")
    try:
        parts, port = urlsplit(url), urlsplit(url).port
    except ValueError:
        raise EndpointRefused("The URL is not valid.") from None
    schemes = {"https": 443} | ({"http": 80} if allowed else {})
    if parts.scheme not in schemes:
        raise EndpointRefused("The URL must start with https://.")
    if "@" in parts.netloc:
        raise EndpointRefused("The URL must not contain a user or a password.")
    if parts.fragment:
        raise EndpointRefused("The URL must not contain a fragment.")
    if port is not None and not (port == schemes[parts.scheme] or 1024 <= port <= 65535):
        raise EndpointRefused("The port must be 443, or 1024 or higher.")
    host = "" if "[" in parts.netloc else parts.hostname or ""
    if not _HOST.fullmatch(host) or _NUMBER.fullmatch(host.rpartition(".")[2]):
        raise EndpointRefused("The host must be a domain name, not an IP address.")
    if "." not in host and not allowed:
        raise EndpointRefused("The host must be a public domain name.")
    return parts


def is_allowed(text: str, allowed: Sequence[Network] = ()) -> bool:
    """Whether requests may go to this IP address: it is public, or in one of the networks."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    addresses = _embedded(address)
    if addresses and all(any(each in network for network in allowed) for each in addresses):
        return True
    return bool(addresses) and all(_is_public(each) for each in addresses)


def _embedded(address: Address) -> list[Address]:
    """The address, or the IPv4 addresses to which it leads in the end. Empty if that depends on the network."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.scope_id is not None:
        return []
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.sixtofour is not None:
        return [address.sixtofour]
    if address.teredo is not None:
        return [*address.teredo]
    return [address]


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and (address not in _GLOBAL or address in _DOCUMENTATION):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)
