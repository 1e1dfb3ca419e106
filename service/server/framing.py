"""Checks the headers that delimit and route a request (RFC 9112), which the parser leaves to its callers.

Proxies and servers that read these headers differently can be made to disagree about where a request ends, or for which
host it is. That is why doubtful requests are refused and the connection is closed.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_address
from typing import TypeAlias

from service.server.problems import Malformed, Problem, UnsupportedTransferCoding

UNUSUAL = frozenset((b"transfer-encoding", b"expect"))
"""The headers that few requests have and that are checked, in lower case."""

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]
"""Those of a request, with names in lower case."""

_HOST = re.compile(rb"([A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.vV]+\])(:[0-9]*)?")


@lru_cache(1024)
def _is_host(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None


def is_ordinary(named: Mapping[bytes, bytes], number: int) -> bool:
    """Whether there is one valid `Host`, no unusual header, and none twice, so that `problem` need not be called.

    `named` are the headers of the request by name, `number` is how many it has.
    """
    host = named.get(b"host")
    return host is not None and len(named) == number and UNUSUAL.isdisjoint(named) and _is_host(host)


@lru_cache(1024)
def is_for(host: bytes, names: frozenset[str]) -> bool:
    """Whether a `Host` is an address, a name of the loopback interface, or one of these names in lower case."""
    name = host.decode("latin-1").lower()
    name = name if name.endswith("]") else name.rpartition(":")[0] or name
    if name in ("", "localhost") or name.endswith(".localhost") or name in names:
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def problem(headers: Headers, version: str) -> Problem | None:
    """What is wrong with the headers in a request of this version of HTTP."""
    hosts = [value for name, value in headers if name == b"host"]
    if len(hosts) > 1 or (not hosts and version != "1.0"):
        return Malformed(detail="A request must have exactly one Host header.")
    if not all(_is_host(value) for value in hosts):
        return Malformed(detail="The Host header is not valid.")
    codings = [each.strip() for each in _joined(headers, b"transfer-encoding").split(b",")]
    if codings in ([b""], [b"chunked"]) and (version != "1.0" or codings == [b""]):
        return None
    if version != "1.0" and codings[-1] == b"chunked" and codings.count(b"chunked") == 1:
        return UnsupportedTransferCoding()
    return Malformed(detail="The end of the body cannot be determined by the Transfer-Encoding header.")


def expects_continue(headers: Headers, version: str) -> bool:
    """Whether the client waits for `100 Continue` before it sends the body. HTTP/1.0 does not have this."""
    return version != "1.0" and _joined(headers, b"expect") == b"100-continue"


def _joined(headers: Headers, wanted: bytes) -> bytes:
    """The values of all headers with that name in lower case, as a list (RFC 9110, 5.3)."""
    return b",".join(value for name, value in headers if name == wanted).lower()
