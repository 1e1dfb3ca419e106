"""The version cache never causes a stale read of an acknowledged move, also after delays, losses and flushes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count
from random import Random

import pytest

from projections.header import GameHeader
from service.cluster import redis_client
from service.cluster import version_cache as module
from service.cluster.redis_client import RedisClient
from service.cluster.scripts import RedisUnavailable, Script
from service.cluster.version_cache import UNKNOWN, CachedVersion, VersionCache
from tests.support import servers
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

GAME = "a-game"


def header(version: int, head: str = "") -> GameHeader:
    return GameHeader("any", version, head or f"head {version}", "ann", ("ann", None), (), False, False, False, (), "")


Open = Callable[[str], Awaitable[VersionCache]]


@pytest.fixture
async def open_cache() -> AsyncIterator[Open]:
    """Opens the cache as another process would."""
    clients = []

    async def opened(url: str) -> VersionCache:
        clients.append(RedisClient(url))
        await clients[-1].start()
        return VersionCache(clients[-1])

    yield opened
    for each in clients:
        await each.stop()


@pytest.fixture
async def version_cache(redis_url: str, open_cache: Open) -> VersionCache:
    return await open_cache(redis_url)


@pytest.fixture
def own() -> Iterator[Redis]:
    with servers.redis() as server:
        yield server


async def known(version_cache: VersionCache) -> tuple[int, bool]:
    cached_version = await version_cache.ask(GAME)
    return cached_version.version, cached_version.sure


async def filled(version_cache: VersionCache, version: int) -> None:
    await version_cache.fill(GAME, await version_cache.ask(GAME), header(version))
    assert await known(version_cache) == (version, True)


async def test_a_version_read_from_the_log_is_cached(version_cache: VersionCache):
    assert await known(version_cache) == (0, False)
    await filled(version_cache, 5)
    assert (version_cache.hits, version_cache.misses) == (1, 2)


async def test_a_publication_updates_the_entry(version_cache: VersionCache):
    await filled(version_cache, 5)
    await version_cache.publish(GAME, header(7))
    await version_cache.publish(GAME, header(6))
    assert await known(version_cache) == (7, True)


async def test_a_publication_creates_no_entry(version_cache: VersionCache):
    """It may be late, and a later version may have been in the cache before."""
    await version_cache.publish(GAME, header(7))
    assert await known(version_cache) == (0, False)


async def test_a_value_read_before_a_flush_of_redis_is_not_stored(redis: Redis, version_cache: VersionCache):
    cached_version = await version_cache.ask(GAME)
    redis.execute("FLUSHALL")
    await version_cache.fill(GAME, cached_version, header(5))
    assert await known(version_cache) == (0, False)


async def test_a_value_read_before_a_move_is_not_stored(version_cache: VersionCache):
    cached_version = await version_cache.ask(GAME)
    await version_cache.publish(GAME, header(6))
    await version_cache.fill(GAME, cached_version, header(5))
    assert await known(version_cache) == (0, False)


async def test_of_two_concurrent_reads_the_later_version_is_stored(version_cache: VersionCache):
    first, second = await version_cache.ask(GAME), await version_cache.ask(GAME)
    await version_cache.fill(GAME, second, header(6))
    await version_cache.fill(GAME, first, header(5))
    assert await known(version_cache) == (6, True)


async def test_a_cached_response_is_deleted_with_its_version(version_cache: VersionCache):
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", 5, b"five")
    assert await version_cache.ask(GAME, "0") == CachedVersion(5, True, header=header(5), answer=b"five")
    assert (await version_cache.ask(GAME, "1")).answer is None
    assert await version_cache.ask(GAME, "0", known=5) == CachedVersion(5, True)
    await version_cache.publish(GAME, header(6))
    version_cache.keep(GAME, "0", 5, b"five, once more")
    assert await version_cache.ask(GAME, "0") == CachedVersion(6, True, header=header(6))


async def test_an_entry_is_valid_for_a_limited_time(version_cache: VersionCache, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "VALIDITY_MS", 30)
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", 5, b"five")
    await asyncio.sleep(0.04)
    cached_version = await version_cache.ask(GAME, "0")
    assert cached_version == CachedVersion(5, False, header=header(5), answer=b"five")
    await version_cache.fill(GAME, cached_version, header(5))
    assert await version_cache.ask(GAME, "0") == CachedVersion(5, True, header=header(5), answer=b"five")


async def test_a_publication_is_repeated_over_the_next_connection(
    redis: Redis, version_cache: VersionCache, open_cache: Open
):
    other = await open_cache(redis.url)
    await filled(version_cache, 5)
    redis.execute("CLIENT", "KILL", "TYPE", "normal")
    await other.publish(GAME, header(6))
    with suppress(RedisUnavailable):  # the first command finds the connection broken
        await version_cache.redis.run(module.ASK, "another", b"", b"", b"0")
    while not version_cache.redis.up:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert await known(version_cache) == (6, True)


async def test_no_entry_is_valid_until_all_processes_have_had_time_to_reconnect(
    own: Redis, open_cache: Open, monkeypatch: pytest.MonkeyPatch
):
    """A process that has not reconnected cannot publish its moves."""
    monkeypatch.setattr(redis_client, "SETTLED", 1.5)
    version_cache = await open_cache(own.url)
    for stored in (
        version_cache.publish(GAME, header(6)),
        version_cache.fill(GAME, await version_cache.ask(GAME), header(6)),
    ):
        await stored
        assert not (await version_cache.ask(GAME)).sure
    while not version_cache.redis.settled:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await filled(version_cache, 6)


async def test_an_entry_is_deleted_if_the_log_was_restored_from_a_backup(
    version_cache: VersionCache, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "VALIDITY_MS", 30)
    await filled(version_cache, 9)
    await asyncio.sleep(0.04)
    await version_cache.fill(GAME, await version_cache.ask(GAME), header(7))
    assert await known(version_cache) == (0, False)
    await filled(version_cache, 7)
    version_cache.keep(GAME, "0", 7, b"before")
    await version_cache.fill(GAME, await version_cache.ask(GAME, "0"), header(7, "another history"))
    assert (await version_cache.ask(GAME, "0")).answer is None


async def test_an_entry_of_another_release_is_ignored(redis: Redis, version_cache: VersionCache):
    await filled(version_cache, 5)
    (key,) = redis.execute("KEYS", "*game*")
    redis.execute("HSET", key, "header", '{"of":"another time"}')
    assert (await version_cache.ask(GAME, "0")).header is None


async def test_every_key_expires(redis: Redis, version_cache: VersionCache):
    await version_cache.ask("another game")
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", 5, b"five")
    await version_cache.publish(GAME, header(6))
    version_cache.keep(GAME, "0", 6, b"six")
    await version_cache.ask(GAME)
    keys = redis.execute("KEYS", "*")
    assert len(keys) == 2
    assert all(0 < redis.execute("PTTL", key) <= module.EXPIRY_MS for key in keys)


async def test_keys_of_a_game_have_the_same_hash_tag(redis: Redis, version_cache: VersionCache):
    """In a Redis Cluster the part in braces decides where a key is stored."""
    await filled(version_cache, 5)
    assert [key.decode().endswith(f"{{{GAME}}}") for key in redis.execute("KEYS", "*")] == [True]


async def test_a_full_redis_has_no_entry_rather_than_a_stale_one(own: Redis, open_cache: Open):
    version_cache = await open_cache(own.url)
    await filled(version_cache, 5)
    own.execute("CONFIG", "SET", "maxmemory", "1")
    await version_cache.publish(GAME, header(6))
    assert await known(version_cache) in ((6, True), (0, False))
    assert await version_cache.ask("another game") is UNKNOWN


async def test_other_processes_receive_publications(redis_url: str, version_cache: VersionCache, open_cache: Open):
    notifications: list[list[tuple[str, int] | None]] = [[], []]

    async def listen(cache: VersionCache, received: list[tuple[str, int] | None]) -> None:
        async for notification in cache.listen():
            received.append(notification)  # noqa: PERF401 - the stream never ends

    caches = version_cache, await open_cache(redis_url)
    listeners = [asyncio.ensure_future(listen(*each)) for each in zip(caches, notifications, strict=True)]
    async with asyncio.timeout(60):
        while notifications != [[None], [None]]:  # noqa: ASYNC110 - nothing to wait for
            await asyncio.sleep(0.01)
        await version_cache.publish(GAME, header(5))
        version_cache.redis.publish(module.CHANNEL, b"not a publication")
        await version_cache.publish("another", header(1))
        while notifications != [[None], [None, (GAME, 5), ("another", 1)]]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)


# --- random schedules ---------------------------------------------------------------------------------------------


class StaleRead(AssertionError):
    """A client was shown an older version than an acknowledged one."""


class World:
    """A log, and processes that append to it and use the cache. Each of their steps happens at any time or never."""

    def __init__(self, version_cache: VersionCache, redis: Redis, seed: int) -> None:
        self._cache, self._redis = version_cache, redis
        self._dice = Random(seed)
        self._log = 1
        self._acknowledged = 1
        self._moves: list[int] = []  # committed, but not yet published
        # In progress: the version acknowledged before, the entry found, the version read from the log (0: not yet).
        self._reads: list[tuple[int, CachedVersion, int]] = []
        self.steps = 0

    async def run(self, steps: int) -> None:
        acts = [self._move, self._publish, self._publish, self._begin, self._begin, self._read, self._end, self._end]
        for self.steps in range(steps):
            await self._dice.choice(acts)()
            if self._dice.random() < 0.01:
                self._redis.execute("FLUSHALL")

    async def _move(self) -> None:
        self._log += 1
        self._moves.append(self._log)

    async def _publish(self) -> None:
        """Publish and acknowledge a move, or crash before."""
        if self._moves:
            version = self._moves.pop(self._dice.randrange(len(self._moves)))
            if self._dice.random() < 0.9:
                await self._cache.publish(GAME, header(version))
                self._acknowledged = max(self._acknowledged, version)

    async def _begin(self) -> None:
        before = self._acknowledged
        cached_version = await self._cache.ask(GAME)
        if cached_version.sure:
            self._show(before, cached_version.version)
        else:
            self._reads.append((before, cached_version, 0))

    async def _read(self) -> None:
        """One of the reads that need it reads the log now."""
        waiting = [number for number, (_, _, read) in enumerate(self._reads) if not read]
        if waiting:
            number = self._dice.choice(waiting)
            self._reads[number] = *self._reads[number][:2], self._log

    async def _end(self) -> None:
        done = [number for number, (_, _, read) in enumerate(self._reads) if read]
        if done:
            before, cached_version, read = self._reads.pop(self._dice.choice(done))
            await self._cache.fill(GAME, cached_version, header(read))
            self._show(before, read)

    def _show(self, before: int, version: int) -> None:
        if version < before:
            raise StaleRead(f"{version} after {before}")
        # A version that one client has seen must not be missing for another.
        self._acknowledged = max(self._acknowledged, version)


async def test_no_client_ever_sees_an_older_version_than_an_acknowledged_one(version_cache: VersionCache, redis: Redis):
    for seed in range(8):
        redis.execute("FLUSHALL")
        await World(version_cache, redis, seed).run(400)
    assert version_cache.hits > 100


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("FILL", "if not known and found[3] ~= ARGV[5] then return 0 end", ""),
        ("FILL", "if known and known > version then", "if false then"),
        ("PUBLISH", "if not known then return 0 end", ""),
        ("PUBLISH", "redis.call('DEL', KEYS[1])\n    if not known then return 0 end", "if not known then return 0 end"),
        ("PUBLISH", "if known and known >= tonumber(ARGV[1]) then return 0 end", ""),
    ],
)
async def test_a_script_without_one_of_its_conditions_causes_a_stale_read(
    version_cache: VersionCache, redis: Redis, monkeypatch: pytest.MonkeyPatch, name: str, right: str, wrong: str
):
    source = getattr(module, name).source
    assert right in source
    monkeypatch.setattr(module, name, Script(source.replace(right, wrong)))
    with pytest.raises(StaleRead):
        for seed in count():
            assert seed < 20
            redis.execute("FLUSHALL")
            await World(version_cache, redis, seed).run(400)


async def test_without_redis_there_is_no_entry():
    client = RedisClient("redis://127.0.0.1:1")
    await client.start()
    version_cache = VersionCache(client)
    assert await version_cache.ask(GAME) is UNKNOWN
    await version_cache.publish(GAME, header(1))
    await version_cache.fill(GAME, UNKNOWN, header(1))
    version_cache.keep(GAME, "0", 1, b"one")
    await client.stop()
