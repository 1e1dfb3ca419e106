"""The current version of each game, and rendered responses for it, cached in Redis for all processes.

Two guarantees hold while Redis is reachable:

* A process stores a new version in the cache (`publish`, `fill`) before it acknowledges the move or shows the game.
* A process never shows a version older than the one that was in the cache when the request came in (`ask`).

Together they give read-your-writes and monotonic reads across processes. Without an entry, or without Redis, the
process reads the log instead. So the cache may be emptied or lost at any time:

* Entries are created in one way only. A process that finds no entry leaves a lease token, reads the log, and fills the
  entry if its token is still there. `publish` and a flush of Redis remove the token, so a value that was read earlier
  never overwrites a later one. `publish` updates an entry and never creates one.
* Keys contain the run id of the Redis server (see `redis_client`). A server that restarts with an old dump is empty.
* After a restart of Redis, processes that have not reconnected cannot publish. No entry is valid until every process
  has had time to reconnect. A process that loses its connection publishes again over the next one.
* A process that is cut off from a Redis that others still reach cannot publish its moves. So an entry is valid for
  `VALIDITY_MS` only; after that it is checked against the log. A read can be stale for that long at most. Moves are
  never affected: they are decided against the log.

Cached responses lie beside the version that they belong to, under the part of their ETag that names the viewer and the
revision of the players' names, and are deleted with it. `drop` deletes responses with names that have changed. The
`GameHeader` in the same entry decides who may read them.
"""

import os
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from domain.codec import encode
from domain.messages import Value
from projections.header import GameHeader
from service.cluster.scripts import RedisUnavailable, Script

if TYPE_CHECKING:
    from service.cluster.redis_client import RedisClient


VALIDITY_MS = 2_000
"""Milliseconds for which an entry is valid without a check against the log."""
EXPIRY_MS = 3_600_000
"""Milliseconds after the last write until an entry expires."""
LEASE_MS = 5_000
"""Milliseconds for which a lease token is valid."""
DECODED_HEADERS = 4096
"""How many decoded headers stay in memory, by their JSON: most requests find the header of the request before."""


class CachedVersion(Value):
    """What the cache knows about a game. `version` is 0 without an entry; `sure` says that the entry is valid."""

    version: int = 0
    sure: bool = False
    token: bytes = b""
    header: GameHeader | None = None
    answer: bytes | None = None

    def confirms(self, version: int) -> bool:
        return self.sure and self.version == version

    @property
    def known(self) -> int:
        """The valid version; 0 without one."""
        return self.version if self.sure else 0


UNKNOWN = CachedVersion()
"""Stands for no cache, or no Redis."""

_NOW = """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

ASK = Script(
    f"local lease = {LEASE_MS}"
    + _NOW
    + """
    -- ARGV: a token, the field of a response or an empty string, and the version that the caller knows.
    local found = redis.call('HMGET', KEYS[1], 'version', 'until', 'token', 'header', ARGV[2])
    if found[1] then
        local sure = now < tonumber(found[2]) and 1 or 0
        if ARGV[2] == '' or found[1] == ARGV[3] then return {found[1], sure} end
        return {found[1], sure, found[4], found[5]}
    end
    if found[3] then return {'0', 0, found[3]} end
    redis.call('HSET', KEYS[1], 'token', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], lease)
    return {'0', 0, ARGV[1]}
"""
)

PUBLISH = Script(
    _NOW
    + """
    -- ARGV: version, header, validity and expiry in milliseconds.
    local known = tonumber(redis.call('HGET', KEYS[1], 'version'))
    if known and known >= tonumber(ARGV[1]) then return 0 end
    redis.call('DEL', KEYS[1])
    if not known then return 0 end
    redis.call('HSET', KEYS[1], 'version', ARGV[1], 'header', ARGV[2], 'until', now + ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return 1
"""
)

FILL = Script(
    _NOW
    + """
    -- ARGV: as for PUBLISH, and the token that was found before the log was read.
    local found = redis.call('HMGET', KEYS[1], 'version', 'until', 'token', 'header')
    local known, version = tonumber(found[1]), tonumber(ARGV[1])
    if known and known > version then
        -- The entry has expired and the log is shorter: the log was restored from a backup.
        if tonumber(found[2]) < now then redis.call('DEL', KEYS[1]) end
        return 0
    end
    if not known and found[3] ~= ARGV[5] then return 0 end
    if known ~= version or found[4] ~= ARGV[2] then redis.call('DEL', KEYS[1]) end
    redis.call('HSET', KEYS[1], 'version', ARGV[1], 'header', ARGV[2], 'until', now + ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return 1
"""
)

KEEP = Script("""
    -- ARGV: the field of a response, its version, and the response.
    if redis.call('HGET', KEYS[1], 'version') ~= ARGV[2] then return 0 end
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
    return 1
""")

DROP = Script("""
    for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
        if string.sub(field, 1, 7) == 'answer:' then redis.call('HDEL', KEYS[1], field) end
    end
    return 1
""")

CHANNEL = "games"


class VersionCache:
    """The cache as one process uses it. Without Redis every call succeeds, and no game has an entry."""

    def __init__(self, redis: "RedisClient") -> None:
        self.redis = redis
        self.hits = 0
        self.misses = 0
        """Lookups that found an entry, and lookups that did not."""
        self.answers = 0
        """Requests that were served from a cached response."""
        self._own = os.urandom(8).hex().encode()
        self._looks = count()
        self._decode = lru_cache(maxsize=DECODED_HEADERS)(msgspec.json.Decoder(GameHeader).decode)

    async def ask(self, game_id: str, variant: str = "", known: int = 0) -> CachedVersion:
        """The entry of a game. With a `variant` also its header and cached response, unless the version is `known`."""
        token = b"%b:%d" % (self._own, next(self._looks))
        field = _field(variant) if variant else b""
        try:
            version, sure, *more = await self.redis.run(ASK, _key(game_id), token, field, b"%d" % known)
        except RedisUnavailable:
            return UNKNOWN
        if version == b"0":
            self.misses += 1
            return CachedVersion(token=more[0])
        self.hits += 1
        seen = self._header(more[0]) if more else None
        return CachedVersion(int(version), bool(sure), header=seen, answer=more[1] if seen else None)

    def _header(self, written: bytes) -> GameHeader | None:
        try:
            return self._decode(written)
        except msgspec.ValidationError:  # written by another release
            return None

    async def publish(self, game_id: str, at: GameHeader) -> None:
        """Store a new version and notify the other processes. Returns when the entry is updated."""
        arguments = b"%d" % at.version, encode(at), *self._times()

        async def publish() -> None:
            self.redis.publish(CHANNEL, b"%b %b %d" % (self._own, game_id.encode(), at.version))
            await self.redis.run(PUBLISH, _key(game_id), *arguments)

        with suppress(RedisUnavailable):
            await self.redis.run_with_retry(publish)

    async def fill(self, game_id: str, cached: CachedVersion, at: GameHeader) -> None:
        """Store a header that was read from the log after `cached` was found. Returns when it is stored."""
        if cached is not UNKNOWN:
            with suppress(RedisUnavailable):
                arguments = b"%d" % at.version, encode(at), *self._times(), cached.token
                await self.redis.run(FILL, _key(game_id), *arguments)

    def keep(self, game_id: str, variant: str, version: int, answer: bytes) -> None:
        """Cache a response beside its version. Does not wait."""
        self.redis.run_nowait(KEEP, _key(game_id), _field(variant), b"%d" % version, answer)

    def drop(self, game_id: str) -> None:
        """Delete the cached responses of a game. Does not wait."""
        self.redis.run_nowait(DROP, _key(game_id))

    def _times(self) -> tuple[bytes, bytes]:
        """Validity and expiry of an entry, in milliseconds."""
        return b"%d" % (VALIDITY_MS if self.redis.settled else 0), b"%d" % EXPIRY_MS

    async def listen(self) -> AsyncIterator[tuple[str, int] | None]:
        """Game and version of each publication by another process, endlessly. None when messages may have been lost."""
        async for lines in self.redis.listen(CHANNEL):
            if lines is None:
                yield None
                continue
            for line in lines:
                with suppress(ValueError):  # not one of our messages
                    sender, game_id, version = line.split(b" ")
                    if sender != self._own:
                        yield game_id.decode(), int(version)


def _key(game_id: str) -> str:
    return f"game:{{{game_id}}}"  # a Redis Cluster keeps keys with the same hash tag together


def _field(variant: str) -> bytes:
    return b"answer:" + variant.encode()
