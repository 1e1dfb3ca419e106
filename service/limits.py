"""What one player, address or process may take, how long the service waits, and how many connections it opens.

The defaults suit a site with thousands of players. The setting `LIMITS` changes single ones:
`max_streams=20000, max_connections=20000`.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

LIMIT = r"^(off|[1-9][0-9]{0,6}(\.[0-9]+)?(/[1-9][0-9]{0,6})?)$"
"""A limit: `off`, or requests per second, optionally with a slash and the burst."""

LIMIT_FORM = {"form": "`off`, or requests per second, with a slash and the burst if it differs, such as `200/400`"}
"""The form of a limit in error messages. Each setting with a pattern names its form."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of them, with their defaults."""

    address_rate_limit: Annotated[str, Meta(pattern=LIMIT, extra=LIMIT_FORM)] = "1000/2000"
    """Requests per second of an address, all callers together, and the burst after a slash. A /64 network of IPv6
    counts as one address. A limit below `RATE_LIMIT` is raised to it. Each process counts separately. `RATE_LIMIT=off`
    disables this limit and the next two, too."""
    registration_rate_limit: Annotated[str, Meta(pattern=LIMIT, extra=LIMIT_FORM)] = "1/60"
    """New guests per second from an address, and the burst after a slash. Each process counts separately."""
    opening_rate_limit: Annotated[str, Meta(pattern=LIMIT, extra=LIMIT_FORM)] = "2/1000"
    """New games per second from an address, branches, rematches and lessons included, and the burst after a slash. It
    bounds what one network stores, however many guests it registers. Each process counts separately."""
    max_open_games: Annotated[int, Meta(ge=1, le=1000)] = 500
    """Unfinished games per player: games where they have a seat, and games that they opened, with or without a seat. At
    the limit a player can continue to play, but can neither open nor join a game. The limit is exact within a process.
    With several processes a player can exceed it by the games that other processes admitted in the last half second."""
    max_storage_mib: Annotated[int, Meta(ge=1)] = 1024
    """MiB of the database per player, for the games and branches that they opened. At the limit a player can open
    neither a game nor a branch. The opening of a game counts at once, later events when the game is over."""
    max_waiting_days: Annotated[float, Meta(gt=0, le=3650)] = 7
    """Days that a game waits for its players. A game that has not begun by then is aborted with the cause `expired`."""
    max_game_events: Annotated[int, Meta(ge=50)] = 50_000
    """Events after which an unfinished game is aborted with the cause `longest`. Each game keeps the number that it was
    opened with."""
    max_connections: Annotated[int, Meta(ge=1)] = 12_000
    """Open client connections of each process. When all are taken, the network with the most gives one up; networks
    that have as many receive 503. A /48 network of IPv6 counts as one, as does a /24 of IPv4. The limit is lower if the
    limit of open files requires it."""
    max_connections_per_address: Annotated[int, Meta(ge=1)] = 3_000
    """Open client connections of an address in each process, idle ones and play channels included; further ones receive
    429. A /64 network of IPv6 counts as one address. `TRUSTED_PROXIES` have no limit."""
    client_timeout: Annotated[float, Meta(ge=1, le=3600)] = 20
    """Seconds until the connection of a client is closed that does not complete a request, or stops reading a
    response."""
    max_streams: Annotated[int, Meta(ge=1)] = 10_000
    """Open live streams of each process, open play channels included. When all are taken, the network with the most
    gives one up, as with connections; networks that have as many receive 503."""
    max_streams_per_caller: Annotated[int, Meta(ge=1)] = 500
    """Open live streams of a player, or of an address if the requests have no token; more receive 429."""
    max_streams_per_address: Annotated[int, Meta(ge=1)] = 2_000
    """Open live streams of an address, of all its callers together; more receive 429. A /64 network of IPv6 counts as
    one address. A limit below `max_streams_per_caller` is raised to it."""
    max_follows: Annotated[int, Meta(ge=1)] = 1_000
    """Games that one play channel follows at most; more receive 429. The channel and each follow count as a live
    stream."""
    channel_timeout: Annotated[float, Meta(ge=1, le=3600)] = 90
    """Seconds without data from the client until a play channel is closed. After a third of this time the service sends
    a ping, which every client answers by itself."""
    postgres_pool_size: Annotated[int, Meta(ge=2, le=100)] = 5
    """Connections to PostgreSQL that each process keeps open for the log. For the projections, such as the lobby, it
    opens up to as many again."""
    shutdown_timeout: Annotated[int, Meta(ge=1, le=300)] = 10
    """Seconds that accepted requests may take to finish after SIGTERM."""


def assignments(text: str) -> dict[str, str]:
    """The parts of `name=value, name=value`. Raises `ValueError` if one has no `=` or is there twice."""
    found: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        name, equals, value = part.partition("=")
        if not equals or name in found:
            raise ValueError
        found[name] = value
    return found


def limits(given: Mapping[str, Any]) -> Limits:
    """Raises `msgspec.ValidationError`."""
    return msgspec.convert(given, Limits, strict=False)


def written(limits: Limits) -> str:
    """Those that differ from the defaults, as in the setting."""
    defaults = Limits()
    changed = {name: getattr(limits, name) for name in Limits.__struct_fields__}
    return ", ".join(f"{name}={value}" for name, value in changed.items() if value != getattr(defaults, name))
