"""The board: nobody is shown less than what has been acknowledged, whatever is delayed, lost, emptied or set back."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count
from random import Random

import pytest

from projections.header import GameHeader
from service.cluster import redis_client
from service.cluster import version_cache as module
from service.cluster.redis_client import RedisClient, RedisUnavailable, Script
from service.cluster.version_cache import UNKNOWN, CachedVersion, VersionCache
from tests.support import servers
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

GAME = "a-game"


def header(version: int, head: str = "") -> GameHeader:
    return GameHeader("any", version, head or f"head {version}", "ann", ("ann", None), (), False, False, False, "")


Open = Callable[[str], Awaitable[VersionCache]]


@pytest.fixture
async def open_board() -> AsyncIterator[Open]:
    """As another process would."""
    remotes = []

    async def opened(url: str) -> VersionCache:
        remotes.append(RedisClient(url))
        await remotes[-1].start()
        return VersionCache(remotes[-1])

    yield opened
    for each in remotes:
        await each.stop()


@pytest.fixture
async def version_cache(redis_url: str, open_board: Open) -> VersionCache:
    return await open_board(redis_url)


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


async def test_what_was_read_in_the_log_is_known_from_then_on(version_cache: VersionCache):
    assert await known(version_cache) == (0, False)
    await filled(version_cache, 5)
    assert (version_cache.hits, version_cache.misses) == (1, 2)


async def test_what_is_published_moves_on_what_is_known(version_cache: VersionCache):
    await filled(version_cache, 5)
    await version_cache.publish(GAME, header(7))
    await version_cache.publish(GAME, header(6))
    assert await known(version_cache) == (7, True)


async def test_what_is_published_of_a_game_that_is_not_known_stays_unknown(version_cache: VersionCache):
    """For it may be late, and what came after it may have been forgotten."""
    await version_cache.publish(GAME, header(7))
    assert await known(version_cache) == (0, False)


async def test_what_was_read_before_redis_was_emptied_comes_too_late(redis: Redis, version_cache: VersionCache):
    cached_version = await version_cache.ask(GAME)
    redis.execute("FLUSHALL")
    await version_cache.fill(GAME, cached_version, header(5))
    assert await known(version_cache) == (0, False)


async def test_what_was_read_before_somebody_has_moved_comes_too_late(version_cache: VersionCache):
    cached_version = await version_cache.ask(GAME)
    await version_cache.publish(GAME, header(6))
    await version_cache.fill(GAME, cached_version, header(5))
    assert await known(version_cache) == (0, False)


async def test_two_may_read_at_once(version_cache: VersionCache):
    first, second = await version_cache.ask(GAME), await version_cache.ask(GAME)
    await version_cache.fill(GAME, second, header(6))
    await version_cache.fill(GAME, first, header(5))
    assert await known(version_cache) == (6, True)


async def test_an_answer_lies_there_as_long_as_its_version(version_cache: VersionCache):
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", 5, b"five")
    assert await version_cache.ask(GAME, "0") == CachedVersion(5, True, header=header(5), answer=b"five")
    assert (await version_cache.ask(GAME, "1")).answer is None
    assert await version_cache.ask(GAME, "0", known=5) == CachedVersion(5, True)
    await version_cache.publish(GAME, header(6))
    version_cache.keep(GAME, "0", 5, b"five, once more")
    assert await version_cache.ask(GAME, "0") == CachedVersion(6, True, header=header(6))


async def test_what_nobody_has_confirmed_for_some_time_is_not_believed(
    version_cache: VersionCache, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "VALIDITY_MS", 30)
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", 5, b"five")
    await asyncio.sleep(0.04)
    cached_version = await version_cache.ask(GAME, "0")
    assert cached_version == CachedVersion(5, False, header=header(5), answer=b"five")
    await version_cache.fill(GAME, cached_version, header(5))
    assert await version_cache.ask(GAME, "0") == CachedVersion(5, True, header=header(5), answer=b"five")


async def test_what_a_lost_connection_did_not_tell_is_told_over_the_next_one(
    redis: Redis, version_cache: VersionCache, open_board: Open
):
    other = await open_board(redis.url)
    await filled(version_cache, 5)
    redis.execute("CLIENT", "KILL", "TYPE", "normal")
    await other.publish(GAME, header(6))
    with suppress(RedisUnavailable):  # the first to ask finds out that the connection is of no use
        await version_cache.redis.run(module.ASK, "another", b"", b"", b"0")
    while not version_cache.redis.up:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert await known(version_cache) == (6, True)


async def test_nothing_is_believed_until_all_may_have_come_back_to_a_server(
    own: Redis, open_board: Open, monkeypatch: pytest.MonkeyPatch
):
    """Whoever has not come back cannot tell of his moves."""
    monkeypatch.setattr(redis_client, "SETTLED", 1.5)
    version_cache = await open_board(own.url)
    for told in (
        version_cache.publish(GAME, header(6)),
        version_cache.fill(GAME, await version_cache.ask(GAME), header(6)),
    ):
        await told
        assert not (await version_cache.ask(GAME)).sure
    while not version_cache.redis.settled:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await filled(version_cache, 6)


async def test_where_the_log_was_set_back_the_board_forgets(
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


async def test_what_another_release_has_written_is_read_by_nobody(redis: Redis, version_cache: VersionCache):
    await filled(version_cache, 5)
    (key,) = redis.execute("KEYS", "*game*")
    redis.execute("HSET", key, "header", '{"of":"another time"}')
    assert (await version_cache.ask(GAME, "0")).header is None


async def test_nothing_is_kept_for_ever(redis: Redis, version_cache: VersionCache):
    await version_cache.ask("asked for")
    await filled(version_cache, 5)
    version_cache.keep(GAME, "0", 5, b"five")
    await version_cache.publish(GAME, header(6))
    version_cache.keep(GAME, "0", 6, b"six")
    await version_cache.ask(GAME)
    keys = redis.execute("KEYS", "*")
    assert len(keys) == 2
    assert all(0 < redis.execute("PTTL", key) <= module.EXPIRY_MS for key in keys)


async def test_a_cluster_keeps_a_game_together(redis: Redis, version_cache: VersionCache):
    """What is in braces decides where a key lies."""
    await filled(version_cache, 5)
    assert [key.decode().endswith(f"{{{GAME}}}") for key in redis.execute("KEYS", "*")] == [True]


async def test_a_redis_that_is_full_knows_nothing_rather_than_something_old(own: Redis, open_board: Open):
    version_cache = await open_board(own.url)
    await filled(version_cache, 5)
    own.execute("CONFIG", "SET", "maxmemory", "1")
    await version_cache.publish(GAME, header(6))
    assert await known(version_cache) in ((6, True), (0, False))
    assert await version_cache.ask("another game") is UNKNOWN


async def test_others_hear_of_what_is_published(redis_url: str, version_cache: VersionCache, open_board: Open):
    heard: list[list[tuple[str, int] | None]] = [[], []]

    async def listen(ear: VersionCache, notes: list[tuple[str, int] | None]) -> None:
        async for news in ear.listen():
            notes.append(news)  # noqa: PERF401 - it never ends

    boards = version_cache, await open_board(redis_url)
    ears = [asyncio.ensure_future(listen(*each)) for each in zip(boards, heard, strict=True)]
    async with asyncio.timeout(5):
        while heard != [[None], [None]]:  # noqa: ASYNC110 - it rings no bell
            await asyncio.sleep(0.01)
        await version_cache.publish(GAME, header(5))
        version_cache.redis.publish(module.CHANNEL, b"what is no news")
        await version_cache.publish("another", header(1))
        while heard != [[None], [None, (GAME, 5), ("another", 1)]]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    for ear in ears:
        ear.cancel()
    await asyncio.gather(*ears, return_exceptions=True)


# --- whatever happens in whatever order ---------------------------------------------------------------------------


class Shown(AssertionError):
    """Somebody was shown less than what had been acknowledged."""


class World:
    """A log, and processes that write to it and tell the board, each step of theirs at any time or never."""

    def __init__(self, version_cache: VersionCache, redis: Redis, seed: int) -> None:
        self._board, self._redis = version_cache, redis
        self._dice = Random(seed)
        self._log = 1
        self._acknowledged = 1
        self._moves: list[int] = []  # committed, but not yet published
        self._looks: list[
            tuple[int, CachedVersion, int]
        ] = []  # begun: what had been acknowledged, was known, was in the log
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
        """And acknowledge; or crash before."""
        if self._moves:
            version = self._moves.pop(self._dice.randrange(len(self._moves)))
            if self._dice.random() < 0.9:
                await self._board.publish(GAME, header(version))
                self._acknowledged = max(self._acknowledged, version)

    async def _begin(self) -> None:
        before = self._acknowledged
        cached_version = await self._board.ask(GAME)
        if cached_version.sure:
            self._show(before, cached_version.version)
        else:
            self._looks.append((before, cached_version, 0))

    async def _read(self) -> None:
        """Of those who have to, one reads the log now."""
        waiting = [number for number, (_, _, read) in enumerate(self._looks) if not read]
        if waiting:
            number = self._dice.choice(waiting)
            self._looks[number] = *self._looks[number][:2], self._log

    async def _end(self) -> None:
        done = [number for number, (_, _, read) in enumerate(self._looks) if read]
        if done:
            before, cached_version, read = self._looks.pop(self._dice.choice(done))
            await self._board.fill(GAME, cached_version, header(read))
            self._show(before, read)

    def _show(self, before: int, version: int) -> None:
        if version < before:
            raise Shown(f"{version} after {before}")
        self._acknowledged = max(self._acknowledged, version)  # what one has seen, others must not miss


async def test_nobody_is_ever_shown_less_than_what_was_acknowledged(version_cache: VersionCache, redis: Redis):
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
async def test_a_script_that_forgets_a_condition_is_noticed(
    version_cache: VersionCache, redis: Redis, monkeypatch: pytest.MonkeyPatch, name: str, right: str, wrong: str
):
    source = getattr(module, name).source
    assert right in source
    monkeypatch.setattr(module, name, Script(source.replace(right, wrong)))
    with pytest.raises(Shown):
        for seed in count():
            assert seed < 20
            redis.execute("FLUSHALL")
            await World(version_cache, redis, seed).run(400)


async def test_without_redis_nothing_is_known():
    nobody = RedisClient("redis://127.0.0.1:1")
    await nobody.start()
    version_cache = VersionCache(nobody)
    assert await version_cache.ask(GAME) is UNKNOWN
    await version_cache.publish(GAME, header(1))
    await version_cache.fill(GAME, UNKNOWN, header(1))
    version_cache.keep(GAME, "0", 1, b"one")
    await nobody.stop()
