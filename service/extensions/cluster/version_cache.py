"""The current version of each game, and rendered responses for it, cached in Redis for all processes.

Two guarantees hold while Redis is reachable:

* A process raises the version in the cache (`publish`, `fill`) before it acknowledges the move or shows the game.
* A process never shows a version older than the one that was in the cache when the request came in (`ask`).

Together they give read-your-writes and monotonic reads across processes. Without a valid version, or without Redis, the
process reads the log instead. So the cache may be emptied or lost at any time.

Each game has a register that only rises, for `VALIDITY_MS` after each write. A value that arrives late changes nothing
while the register remembers a later one. The register forgets a version `VALIDITY_MS` after it was written, or when
Redis loses its data. In both cases a late value must not become valid:

* A process notes the time and the epoch of the data (`redis_client`) before it reads or commits a version. The script
  accepts the version as valid only within `MAX_AGE_MS` of that time, and only if the epoch is still the same.
* Otherwise the version is written with a minus sign: it is not valid, but smaller versions do not replace it.
* Keys contain the run id of the Redis server. A server that restarts with an old dump is empty.
* After a restart of Redis, processes that have not reconnected cannot publish. No version is valid until every process
  has had time to reconnect. A process that loses its connection publishes again over the next one.

A read can be stale only in two cases, and by two seconds at most (`MAX_AGE_MS` and `VALIDITY_MS`): a process is cut off
from a Redis that others still reach, or Redis evicts a version that was written within the last `MAX_AGE_MS`. Moves are
never affected: they are decided against the log.

Cached responses contain the head of their version; their keys end like their ETag, with the viewer and the revision of
the players' names. `drop` deletes responses with names that have changed. The `GameHeader` decides who may read them.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import msgspec

from domain.codec import encode
from projections.header import GameHeader
from service.extensions.cluster.errors import RedisUnavailable
from service.versions import UNKNOWN, CachedVersion, News, Since

if TYPE_CHECKING:
    from service.extensions.cluster.redis_client import RedisClient


VALIDITY_MS = 1_500
"""Milliseconds for which a version is valid without a check against the log. Not less than `MAX_AGE_MS`."""
MAX_AGE_MS = 500
"""Milliseconds from the beginning of a read or commit within which its version becomes valid."""
EXPIRY_MS = 3_600_000
"""Milliseconds after which headers and responses expire."""
DECODED_HEADERS = 4096
"""How many decoded headers stay in memory, by their JSON: most requests find the header of the request before."""


RAISE = b"""
    -- KEYS: epoch, register, header. ARGV: version, header, epoch, until, validity and expiry in milliseconds.
    local time = redis.call('TIME')
    local version, known = tonumber(ARGV[1]), tonumber(redis.call('GET', KEYS[2]) or 0)
    local valid = redis.call('GET', KEYS[1]) == ARGV[3] and time[1] * 1000 + time[2] / 1000 < tonumber(ARGV[4])
    if version > math.abs(known) or valid and version == math.abs(known) then
        redis.call('DEL', KEYS[2])  -- a full Redis refuses the next command
        redis.call('SET', KEYS[2], valid and version or -version, 'PX', ARGV[5])
        redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[6])
    end
    return time
"""

DROP = "return redis.call('DEL', KEYS[1], unpack(redis.call('SMEMBERS', KEYS[1])))"


MAX_NEWS = 32_768
"""Bytes of rows in a message. Processes read more from the log."""

_decode_news = msgspec.msgpack.Decoder(News).decode


class VersionCache:
    """The cache as one process uses it. Without Redis every call succeeds, and no game has an entry."""

    def __init__(self, redis: "RedisClient") -> None:
        self.redis = redis
        self.hits = 0
        self.misses = 0
        """Lookups that found an entry, and lookups that did not."""
        self.answers = 0
        """Requests that were served from a cached response."""
        self._decode = lru_cache(maxsize=DECODED_HEADERS)(msgspec.json.Decoder(GameHeader).decode)

    @cached_property
    def _own(self) -> bytes:
        """The id of this process: chosen after the fork, or workers would take messages of others for their own."""
        return os.urandom(8).hex().encode()

    def since(self) -> Since:
        """For a version that is read or committed from now on."""
        return Since(self.redis.epoch, self.redis.time() + MAX_AGE_MS) if self.redis.settled else Since()

    async def ask(self, game_id: str, variant: str = "", known: int = 0) -> CachedVersion:
        """The entry of a game. With a `variant` also its header and cached response, unless a version is `known`."""
        since = self.since()
        keys = [self.redis.key(f"version:{game_id}")]
        if variant and not known:
            keys += [self.redis.key(f"header:{game_id}"), self.redis.key(_answer(game_id, variant))]
        try:
            register, *more = await self.redis.lookup(keys)
        except RedisUnavailable:
            return UNKNOWN
        version = int(register or 0)
        header = self._header(more[0]) if more and more[0] else None
        if version <= 0 and header is not None:
            version = -header.version  # not valid, but the log may confirm it
        if version == 0:
            self.misses += 1
            return CachedVersion(since=since)
        self.hits += 1
        if header is None or header.version != abs(version):
            return CachedVersion(abs(version), version > 0, since)
        head, _, answer = (more[1] or b"").partition(b" ")
        return CachedVersion(abs(version), version > 0, since, header, answer if head == header.head.encode() else None)

    def _header(self, written: bytes) -> GameHeader | None:
        try:
            return self._decode(written)
        except msgspec.ValidationError:  # written by another release
            return None

    async def publish(
        self, game_id: str, at: GameHeader, since: Since, before: str, rows: Sequence[tuple[str, int, str, bytes]]
    ) -> None:
        """Store a version that was committed or read `since`, and send its rows to the processes that follow the game.
        `before` is the head before them. Returns when it is stored."""
        short = sum([len(state) for _, _, _, state in rows]) <= MAX_NEWS
        sent = tuple([(topic, state) for _, _, topic, state in rows]) if short else ()
        message = msgspec.msgpack.encode(News(self._own, before, at.version, sent))

        async def publish() -> None:
            self.redis.announce(game_id, message)
            await self._raise(game_id, at, since)

        with suppress(RedisUnavailable):
            await self.redis.with_retry(publish)

    def announce(self, subjects: Iterable[str]) -> None:
        """Tell the processes that follow one of these subjects that the projections have changed. Does not wait."""
        message = msgspec.msgpack.encode(News(self._own))
        for subject in subjects:
            self.redis.announce(subject, message)

    def news(self, message: bytes) -> News | None:
        """The news in a message of another process."""
        try:
            found = _decode_news(message)
        except msgspec.MsgspecError:  # of another release
            return None
        return None if found.sender == self._own else found

    async def fill(self, game_id: str, cached: CachedVersion, at: GameHeader) -> None:
        """Store a header that was read from the log after `cached` was found. Returns when it is stored."""
        if cached is not UNKNOWN:
            with suppress(RedisUnavailable):
                await self._raise(game_id, at, cached.since)

    async def _raise(self, game_id: str, at: GameHeader, since: Since) -> None:
        key, (epoch, until) = self.redis.key, since
        keys = key("epoch"), key(f"version:{game_id}"), key(f"header:{game_id}")
        times = b"%d" % until, b"%d" % VALIDITY_MS, b"%d" % EXPIRY_MS
        self.redis.synchronize(
            *await self.redis.execute(b"EVAL", RAISE, b"3", *keys, b"%d" % at.version, encode(at), epoch, *times)
        )

    def keep(self, game_id: str, variant: str, head: str, answer: bytes) -> None:
        """Cache a response with the head of its version. Does not wait."""
        stored, listed = self.redis.key(_answer(game_id, variant)), self.redis.key(f"answers:{game_id}")
        self.redis.send("SET", stored, b"%b %b" % (head.encode(), answer), "PX", EXPIRY_MS)
        self.redis.send("SADD", listed, stored)
        self.redis.send("PEXPIRE", listed, EXPIRY_MS)

    def drop(self, game_id: str) -> None:
        """Delete the cached responses of a game. Does not wait."""
        self.redis.send("EVAL", DROP, 1, self.redis.key(f"answers:{game_id}"))


def _answer(game_id: str, variant: str) -> str:
    return f"answer:{game_id}:{variant}"
