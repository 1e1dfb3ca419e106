"""How far each game has come, and answers about it that are ready to be sent: kept in Redis, for all processes.

What it promises. Before anybody is told of a version, of a move that was made or of a game that was looked at, the
board knows that version (`publish`, `fill`); and nobody is shown less than what the board knew when he asked (`ask`).
So what one process has acknowledged every other one shows from then on, and nobody sees a game run back. Where the
board knows nothing, or Redis is away, the log is read, as if there were no board. So nothing can be lost with it, and:

* An entry comes into being in one way only: a process that finds none leaves its token, reads the log, and fills the
  entry if its token is still there. Whoever publishes meanwhile takes the token away, and so does whoever empties
  Redis: nothing that was read before can come in after. `publish` moves an entry on, and never makes one.
* What another run of the server has kept is out of reach (see `redis_client`): an old dump is an empty board.
* While some have come back to a server that was started again, and others have not, these cannot tell those of their
  moves: until it is settled nothing on it is believed. Who loses a connection tells over the next one.
* A process that is cut off from a Redis which others still reach cannot tell them of its moves. For this case alone an
  entry is believed for `VALIDITY_MS` milliseconds only; after that somebody looks whether the log still ends there. So long,
  at most, a look can be late. A move never is: it is judged against the log.

Ready answers lie beside the version that they are of, each under the part of its ETag that names the viewer, and go
when the version goes. Who may read which is decided by the `GameHeader` that lies there too, by the rules of every visit.
"""

import os
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import lru_cache
from itertools import count

import msgspec

from domain.codec import encode
from domain.messages import Value
from projections.header import GameHeader
from service.cluster.redis_client import RedisClient, RedisUnavailable, Script

VALIDITY_MS = 2_000
"""Milliseconds for which an entry is believed that nobody has looked up in the log."""
EXPIRY_MS = 3_600_000
"""Milliseconds for which an entry is kept that nobody writes to."""
LEASE_MS = 5_000
"""Milliseconds within which an entry has to be filled."""
DOORS = 4096
"""So many doors are known by how they are written: most looks find the one that the look before has found."""


class CachedVersion(Value):
    """What the board knows of a game: nothing (`version` is 0), or how far it has come. `sure`: it may be believed."""

    version: int = 0
    sure: bool = False
    token: bytes = b""
    header: GameHeader | None = None
    answer: bytes | None = None

    def confirms(self, version: int) -> bool:
        return self.sure and self.version == version

    @property
    def known(self) -> int:
        """The board knows of everything to that version."""
        return self.version if self.sure else 0


UNKNOWN = CachedVersion()
"""What is known without a board, or while Redis is away."""

_NOW = """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

ASK = Script(
    f"local lease = {LEASE_MS}"
    + _NOW
    + """
    -- ARGV: a token, the field of an answer (or nothing), and the version that is known already.
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
    -- ARGV: version, door, for how long it is believed, and kept.
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
    -- ARGV: as for publishing, and the token that was found before the log was read.
    local found = redis.call('HMGET', KEYS[1], 'version', 'until', 'token', 'header')
    local known, version = tonumber(found[1]), tonumber(ARGV[1])
    if known and known > version then
        -- Nobody has moved since, or we would be believed: the log has been set back.
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
    -- ARGV: the field of an answer, its version, and the answer.
    if redis.call('HGET', KEYS[1], 'version') ~= ARGV[2] then return 0 end
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
    return 1
""")

CHANNEL = "games"


class VersionCache:
    """The board of a house. All that it is asked is answered, also while Redis is away; then it knows nothing."""

    def __init__(self, remote: RedisClient) -> None:
        self.remote = remote
        self.hits = 0
        self.misses = 0
        """How often it knew a game that it was asked for, and how often it did not."""
        self.answers = 0
        """How many looks were answered with what lay ready."""
        self._own = os.urandom(8).hex().encode()
        self._looks = count()
        self._read = lru_cache(maxsize=DOORS)(msgspec.json.Decoder(GameHeader).decode)

    async def ask(self, game_id: str, viewer: str = "", known: int = 0) -> CachedVersion:
        """What there is of a game; for a `viewer` with the door and the ready answer, unless the version is `known`."""
        token = b"%b:%d" % (self._own, next(self._looks))
        field = _field(viewer) if viewer else b""
        try:
            version, sure, *more = await self.remote.run(ASK, _key(game_id), token, field, b"%d" % known)
        except RedisUnavailable:
            return UNKNOWN
        if version == b"0":
            self.misses += 1
            return CachedVersion(token=more[0])
        self.hits += 1
        seen = self._door(more[0]) if more else None
        return CachedVersion(int(version), bool(sure), header=seen, answer=more[1] if seen else None)

    def _door(self, written: bytes) -> GameHeader | None:
        try:
            return self._read(written)
        except msgspec.ValidationError:  # another release has written it
            return None

    async def publish(self, game_id: str, at: GameHeader) -> None:
        """The game has come to that door; say so to whoever follows it. Ends when the board knows it."""
        arguments = b"%d" % at.version, encode(at), *self._times()

        async def tell() -> None:
            self.remote.say(CHANNEL, b"%b %b %d" % (self._own, game_id.encode(), at.version))
            await self.remote.run(PUBLISH, _key(game_id), *arguments)

        with suppress(RedisUnavailable):
            await self.remote.run_with_retry(tell)

    async def fill(self, game_id: str, cached_version: CachedVersion, at: GameHeader) -> None:
        """The log has been read since `notice` was taken, and ends at that door. Ends when the board knows it."""
        if cached_version is not UNKNOWN:
            with suppress(RedisUnavailable):
                arguments = b"%d" % at.version, encode(at), *self._times(), cached_version.token
                await self.remote.run(FILL, _key(game_id), *arguments)

    def keep(self, game_id: str, viewer: str, version: int, answer: bytes) -> None:
        """Lay a ready answer beside the version that it is of."""
        self.remote.leave(KEEP, _key(game_id), _field(viewer), b"%d" % version, answer)

    def _times(self) -> tuple[bytes, bytes]:
        """For how long an entry is believed, and kept."""
        return b"%d" % (VALIDITY_MS if self.remote.settled else 0), b"%d" % EXPIRY_MS

    async def listen(self) -> AsyncIterator[tuple[str, int] | None]:
        """Which game another process has brought to which version, for ever; None whenever something may have been
        missed."""
        async for lines in self.remote.listen(CHANNEL):
            if lines is None:
                yield None
                continue
            for line in lines:
                with suppress(ValueError):  # somebody else has said it
                    sender, game_id, version = line.split(b" ")
                    if sender != self._own:
                        yield game_id.decode(), int(version)


def _key(game_id: str) -> str:
    return f"game:{{{game_id}}}"  # in braces: a cluster keeps together what is kept of one game


def _field(viewer: str) -> bytes:
    return b"answer:" + viewer.encode()
