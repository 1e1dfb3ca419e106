"""The version cache never causes a stale read of an acknowledged move, also after delays, losses and flushes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count
from random import Random

import pytest

from projections.header import GameHeader
from service.extensions.cluster import redis_client
from service.extensions.cluster import version_cache as module
from service.extensions.cluster.errors import RedisUnavailable
from service.extensions.cluster.listener import Listener
from service.extensions.cluster.redis_client import RedisClient
from service.extensions.cluster.version_cache import VersionCache
from service.versions import UNKNOWN, CachedVersion, News, Since
from tests.support import servers
from tests.support.servers import Redis

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

GAME = "a-game"


def header(version: int, head: str = "") -> GameHeader:
    return GameHeader(
        "any", version, head or f"head-{version}", "ann", ("ann", None), (), False, False, False, (), "", False
    )


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
    """On a machine that stands still for half a second the version is too old to be valid, or Redis too late."""
    async with asyncio.timeout(60):
        await version_cache.fill(GAME, await version_cache.ask(GAME), header(version))
        while await known(version_cache) != (version, True):
            await version_cache.fill(GAME, await version_cache.ask(GAME), header(version))


async def test_a_version_read_from_the_log_is_cached(version_cache: VersionCache):
    assert await known(version_cache) == (0, False)
    await filled(version_cache, 5)
    assert (version_cache.hits, version_cache.misses) == (1, 2)


async def test_a_publication_raises_the_version_and_never_lowers_it(version_cache: VersionCache):
    since = version_cache.since()
    for version in (7, 6):
        await version_cache.publish(GAME, header(version), since, "", [])
        assert await known(version_cache) == (7, True)


@pytest.mark.parametrize("lost", ["data", "time"])
async def test_a_late_version_is_not_valid_but_remembered(
    redis: Redis, version_cache: VersionCache, lost: str, monkeypatch: pytest.MonkeyPatch
):
    """Redis may have forgotten a later version since it was read."""
    if lost == "time":
        monkeypatch.setattr(module, "MAX_AGE_MS", 0)
    cached_version, since = await version_cache.ask(GAME), version_cache.since()
    monkeypatch.undo()
    if lost == "data":
        redis.execute("FLUSHALL")
    await version_cache.fill(GAME, cached_version, header(5))
    assert await known(version_cache) == (5, False)
    await version_cache.publish(GAME, header(7), since, "", [])
    assert await known(version_cache) == (7, False)
    await version_cache.ask(GAME)  # finds the new epoch
    for version, found in ((6, (7, False)), (7, (7, True)), (8, (8, True))):
        await version_cache.publish(GAME, header(version), version_cache.since(), "", [])
        assert await known(version_cache) == found


async def test_a_cached_response_belongs_to_its_version(version_cache: VersionCache):
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", "head-5", b"five")
    found = await version_cache.ask(GAME, "0")
    assert (found.version, found.sure, found.header, found.answer) == (5, True, header(5), b"five")
    assert (await version_cache.ask(GAME, "1")).answer is None
    assert (await version_cache.ask(GAME, "0", known=5)).header is None
    await version_cache.publish(GAME, header(6), version_cache.since(), "", [])
    version_cache.keep(GAME, "0", "head-5", b"five, once more")
    found = await version_cache.ask(GAME, "0")
    assert (found.version, found.sure, found.header, found.answer) == (6, True, header(6), None)


async def test_a_version_is_valid_for_a_limited_time(version_cache: VersionCache, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr(module, "VALIDITY_MS", 30)
        await version_cache.publish(GAME, header(5), version_cache.since(), "", [])
    version_cache.keep(GAME, "0", "head-5", b"five")
    await asyncio.sleep(0.04)
    cached_version = await version_cache.ask(GAME, "0")
    assert (cached_version.sure, cached_version.header, cached_version.answer) == (False, header(5), b"five")
    await version_cache.fill(GAME, cached_version, header(5))
    found = await version_cache.ask(GAME, "0")
    assert (found.sure, found.header, found.answer) == (True, header(5), b"five")


async def test_a_publication_is_repeated_over_the_next_connection(
    redis: Redis, version_cache: VersionCache, open_cache: Open
):
    other = await open_cache(redis.url)
    await filled(version_cache, 5)
    redis.execute("CLIENT", "KILL", "TYPE", "normal")
    await other.publish(GAME, header(6), other.since(), "", [])
    with suppress(RedisUnavailable):  # the first command finds the connection broken
        await version_cache.redis.lookup([])
    while not version_cache.redis.up:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert await known(version_cache) == (6, True)


async def test_no_version_is_valid_until_all_processes_have_had_time_to_reconnect(
    own: Redis, open_cache: Open, monkeypatch: pytest.MonkeyPatch
):
    """A process that has not reconnected cannot publish its moves."""
    monkeypatch.setattr(redis_client, "SETTLED", 1.5)
    version_cache = await open_cache(own.url)
    for stored in (
        version_cache.publish(GAME, header(6), version_cache.since(), "", []),
        version_cache.fill(GAME, await version_cache.ask(GAME), header(6)),
    ):
        await stored
        assert not (await version_cache.ask(GAME)).sure
    while not version_cache.redis.settled:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await filled(version_cache, 6)


async def test_a_log_that_was_restored_from_a_backup_replaces_what_was_cached(
    version_cache: VersionCache, redis: Redis
):
    await filled(version_cache, 9)
    redis.execute("DEL", version_cache.redis.key(f"version:{GAME}"))  # as time does
    await filled(version_cache, 7)
    version_cache.keep(GAME, "0", "head-7", b"before")
    await version_cache.fill(GAME, await version_cache.ask(GAME, "0"), header(7, "another-history"))
    found = await version_cache.ask(GAME, "0")
    assert (found.header, found.answer) == (header(7, "another-history"), None)


async def test_an_entry_of_another_release_is_ignored(redis: Redis, version_cache: VersionCache):
    await filled(version_cache, 5)
    redis.execute("SET", version_cache.redis.key(f"header:{GAME}"), '{"of":"another time"}')
    assert (await version_cache.ask(GAME, "0")).header is None


async def test_every_key_expires_and_dropped_responses_are_deleted(redis: Redis, version_cache: VersionCache):
    await filled(version_cache, 5)
    for variant in ("0", "1.7"):
        version_cache.keep(GAME, variant, "head-5", b"five")
    await version_cache.ask(GAME)
    keys = redis.execute("KEYS", "*")
    assert len(keys) == len(("epoch", "version", "header", "answers", *"01"))
    for key in keys:
        longest = redis_client.EPOCH_EXPIRY_MS if key.endswith(b"epoch") else module.EXPIRY_MS
        assert 0 < redis.execute("PTTL", key) <= longest
    version_cache.drop(GAME)
    await version_cache.ask(GAME)
    assert not redis.execute("KEYS", "*answer*")
    version_cache.drop(GAME)
    assert await known(version_cache) == (5, True)


async def test_a_full_redis_has_no_version_rather_than_a_stale_one(own: Redis, open_cache: Open):
    version_cache = await open_cache(own.url)
    await filled(version_cache, 5)
    own.execute("CONFIG", "SET", "maxmemory", "1")
    await version_cache.publish(GAME, header(6), version_cache.since(), "", [])
    assert await known(version_cache) in ((6, True), (0, False))
    assert (await version_cache.ask("another game")).known == 0


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-lru", "volatile-ttl"])
async def test_a_redis_that_evicts_keys_causes_no_stale_read(own: Redis, open_cache: Open, policy: str):
    """The version is forgotten, and its epoch too sometimes: what the log says becomes valid again."""
    version_cache = await open_cache(own.url)
    own.execute("CONFIG", "SET", "maxmemory-policy", policy)
    own.execute("CONFIG", "SET", "maxmemory", str(own.execute("INFO", "memory")["used_memory"] + 300_000))
    for version in range(1, 60):
        await version_cache.publish(GAME, header(version), version_cache.since(), "", [])
        for number in range(20):
            version_cache.keep(f"another-{version}", str(number), "", bytes(5_000))
        found = await version_cache.ask(GAME, "0")
        assert found.known in (0, version)
        if found.header is not None and found.sure:
            assert found.header.version == version
    assert own.execute("INFO", "stats")["evicted_keys"] > 100


async def test_the_processes_that_follow_a_subject_hear_what_another_one_publishes(
    redis_url: str, version_cache: VersionCache, open_cache: Open
):
    caches = version_cache, await open_cache(redis_url)
    heard: list[list[tuple[str, News]]] = [[], []]

    def listener(cache: VersionCache, found: list[tuple[str, News]]) -> Listener:
        def on_message(subject: str, message: bytes) -> None:
            if (news := cache.news(message)) is not None:
                found.append((subject, news))

        listener = Listener(cache.redis)
        listener.on_message = on_message
        listener.follow(GAME)
        listener.follow("lobby")
        listener.start()
        return listener

    listeners = [listener(*each) for each in zip(caches, heard, strict=True)]
    rows = [(GAME, 4, "any.noted", b"four"), (GAME, 5, "any.noted", b"five")]
    long = [(GAME, 6, "any.noted", bytes(module.MAX_NEWS + 1))]
    async with asyncio.timeout(60):
        while not all(each.connected for each in listeners):  # noqa: ASYNC110 - nothing to wait for
            await asyncio.sleep(0.01)
        version_cache.redis.announce("another", b"not followed")
        await version_cache.publish(GAME, header(5), version_cache.since(), "head-3", rows)
        version_cache.redis.announce(GAME, b"not a publication")
        await version_cache.publish(GAME, header(6), version_cache.since(), "head-5", long)
        version_cache.announce(["lobby", "player:ann"])
        while len(heard[1]) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert heard[0] == [], "one's own"
    own = heard[1][0][1].sender
    assert heard[1] == [
        (GAME, News(own, "head-3", 5, (("any.noted", b"four"), ("any.noted", b"five")))),
        (GAME, News(own, "head-5", 6, ())),
        ("lobby", News(own)),
    ]
    for each in listeners:
        await each.stop()


# --- random schedules ---------------------------------------------------------------------------------------------


class StaleRead(AssertionError):
    """A client was shown an older version than an acknowledged one."""


class World:
    """A log, and processes that append to it and use the cache. Each of their steps happens at any time or never."""

    def __init__(self, caches: list[VersionCache], redis: Redis, seed: int) -> None:
        self._caches, self._redis = caches, redis
        self._dice = Random(seed)
        self._log = 1
        self._acknowledged = 1
        self._moves: list[tuple[Since, int]] = []  # committed, but not yet published
        # In progress: the version acknowledged before, the entry found, the version read from the log (0: not yet).
        self._reads: list[tuple[int, CachedVersion, int]] = []

    async def run(self, steps: int) -> None:
        acts = [self._move, self._publish, self._publish, self._begin, self._begin, self._read, self._end, self._end]
        for _ in range(steps):
            await self._dice.choice(acts)()
            if self._dice.random() < 0.03:
                self._redis.execute("FLUSHALL")
            if self._dice.random() < 0.03:
                await asyncio.sleep(module.VALIDITY_MS / 1000)

    @property
    def _cache(self) -> VersionCache:
        return self._dice.choice(self._caches)

    async def _move(self) -> None:
        self._moves.append((self._cache.since(), self._log + 1))
        self._log += 1

    async def _publish(self) -> None:
        """Publish and acknowledge a move, or crash before."""
        if self._moves:
            since, version = self._moves.pop(self._dice.randrange(len(self._moves)))
            if self._dice.random() < 0.9:
                await self._cache.publish(GAME, header(version), since, "", [])
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


@pytest.fixture
async def caches(redis: Redis, open_cache: Open, monkeypatch: pytest.MonkeyPatch) -> list[VersionCache]:
    """Of three processes. Validity is short, so that it often ends while a process is busy."""
    monkeypatch.setattr(module, "VALIDITY_MS", 40)
    monkeypatch.setattr(module, "MAX_AGE_MS", 30)
    return [await open_cache(redis.url) for _ in range(3)]


@pytest.mark.by_default()
async def test_no_client_ever_sees_an_older_version_than_an_acknowledged_one(caches: list[VersionCache], redis: Redis):
    for seed in range(8):
        redis.execute("FLUSHALL")
        await World(caches, redis, seed).run(400)
    assert sum(cache.hits for cache in caches) > 100


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("redis.call('GET', KEYS[1]) == ARGV[3] and", ""),
        ("time[1] * 1000 + time[2] / 1000 < tonumber(ARGV[4])", "true"),
        ("valid and version or -version", "version"),
        ("version > math.abs(known) or", "version > known or"),
        ("if version > math.abs(known) or valid and version == math.abs(known) then", "if true then"),
        ("if version > math.abs(known)", "if valid and version > math.abs(known)"),
    ],
)
async def test_a_script_without_one_of_its_conditions_causes_a_stale_read(
    caches: list[VersionCache], redis: Redis, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
):
    assert right.encode() in module.RAISE
    monkeypatch.setattr(module, "RAISE", module.RAISE.replace(right.encode(), wrong.encode()))
    with pytest.raises(StaleRead):
        for seed in count():
            assert seed < 50
            redis.execute("FLUSHALL")
            await World(caches, redis, seed).run(400)


async def test_without_redis_there_is_no_entry():
    client = RedisClient("redis://127.0.0.1:1")
    await client.start()
    version_cache = VersionCache(client)
    assert await version_cache.ask(GAME) is UNKNOWN
    await version_cache.publish(GAME, header(1), version_cache.since(), "", [])
    await version_cache.fill(GAME, UNKNOWN, header(1))
    version_cache.keep(GAME, "0", "head-1", b"one")
    await client.stop()
