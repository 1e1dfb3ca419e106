"""The current time, and identifiers."""

import os
import time
import uuid
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256


def now() -> str:
    """The current time as RFC 3339 in UTC with 6 decimals: `2026-01-31T18:00:00.000000Z`."""
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    return f"{_to_the_second(seconds)}.{rest // 1000:06}Z"


def wall_clock() -> int:
    """The current time in microseconds from 1970."""
    return time.time_ns() // 1000


@lru_cache(maxsize=1)  # thousands of moves share a second
def _to_the_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def text_of(microseconds: int) -> str:
    """This many microseconds after 1970, in the format of `now`."""
    seconds, rest = divmod(microseconds, 1_000_000)
    return f"{_to_the_second(seconds)}.{rest:06}Z"


def earlier(at: str, seconds: float) -> str:
    """The time that many seconds before `at`. Both are in the format of `now`."""
    then = datetime.fromisoformat(at[:-1]) - timedelta(seconds=seconds)
    return then.isoformat(timespec="microseconds") + "Z"


def new_id() -> str:
    """A UUID of version 7. Its order in time places the rows of games opened one after another next to each other."""
    milliseconds = time.time_ns() // 1_000_000
    return _uuid(7, milliseconds.to_bytes(6, "big") + os.urandom(10))


def derived_id(*parts: str) -> str:
    """The id that follows from these parts: the same in every process. No part but the last contains a line break."""
    return _uuid(8, sha256("\n".join(parts).encode()).digest()[:16])


def keyed_id(player: str, key: str) -> str:
    """The id of the game that the player opens with this idempotency key: the same for each repetition."""
    return derived_id(player, key)


def rematch_id(game_id: str) -> str:
    """The id of the rematch of a game: there is at most one."""
    return derived_id("rematch", game_id)


def _uuid(version: int, octets: bytes) -> str:
    number = int.from_bytes(octets, "big") & ~(0xF << 76 | 0x3 << 62) | version << 76 | 0x2 << 62
    return str(uuid.UUID(int=number))
