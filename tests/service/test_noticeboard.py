"""The board: nobody is shown less than what has been acknowledged, whatever is delayed, lost, emptied or set back."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count
from random import Random

import pytest

from service import noticeboard, remote
from service.doors import Door
from service.noticeboard import UNKNOWN, Notice, Noticeboard
from service.remote import Away, Remote, Script
from tests import servers
from tests.servers import Redis

pytestmark = pytest.mark.anyio

GAME = "a-game"


def door(version: int, head: str = "") -> Door:
    return Door("any", version, head or f"head {version}", "ann", ("ann", None), (), False, False, False, "")


Open = Callable[[str], Awaitable[Noticeboard]]


@pytest.fixture
async def open_board() -> AsyncIterator[Open]:
    """As another process would."""
    remotes = []

    async def opened(url: str) -> Noticeboard:
        remotes.append(Remote(url))
        await remotes[-1].start()
        return Noticeboard(remotes[-1])

    yield opened
    for each in remotes:
        await each.stop()


@pytest.fixture
async def board(redis_url: str, open_board: Open) -> Noticeboard:
    return await open_board(redis_url)


@pytest.fixture
def own() -> Iterator[Redis]:
    with servers.redis() as server:
        yield server


async def known(board: Noticeboard) -> tuple[int, bool]:
    notice = await board.ask(GAME)
    return notice.version, notice.sure


async def filled(board: Noticeboard, version: int) -> None:
    await board.fill(GAME, await board.ask(GAME), door(version))
    assert await known(board) == (version, True)


async def test_what_was_read_in_the_log_is_known_from_then_on(board: Noticeboard):
    assert await known(board) == (0, False)
    await filled(board, 5)
    assert (board.hits, board.misses) == (1, 2)


async def test_what_is_published_moves_on_what_is_known(board: Noticeboard):
    await filled(board, 5)
    await board.publish(GAME, door(7))
    await board.publish(GAME, door(6))
    assert await known(board) == (7, True)


async def test_what_is_published_of_a_game_that_is_not_known_stays_unknown(board: Noticeboard):
    """For it may be late, and what came after it may have been forgotten."""
    await board.publish(GAME, door(7))
    assert await known(board) == (0, False)


async def test_what_was_read_before_redis_was_emptied_comes_too_late(redis: Redis, board: Noticeboard):
    notice = await board.ask(GAME)
    redis.execute("FLUSHALL")
    await board.fill(GAME, notice, door(5))
    assert await known(board) == (0, False)


async def test_what_was_read_before_somebody_has_moved_comes_too_late(board: Noticeboard):
    notice = await board.ask(GAME)
    await board.publish(GAME, door(6))
    await board.fill(GAME, notice, door(5))
    assert await known(board) == (0, False)


async def test_two_may_read_at_once(board: Noticeboard):
    first, second = await board.ask(GAME), await board.ask(GAME)
    await board.fill(GAME, second, door(6))
    await board.fill(GAME, first, door(5))
    assert await known(board) == (6, True)


async def test_an_answer_lies_there_as_long_as_its_version(board: Noticeboard):
    await filled(board, 5)
    board.keep(GAME, "0", 5, b"five")
    assert await board.ask(GAME, "0") == Notice(5, True, door=door(5), answer=b"five")
    assert (await board.ask(GAME, "1")).answer is None
    assert await board.ask(GAME, "0", known=5) == Notice(5, True)
    await board.publish(GAME, door(6))
    board.keep(GAME, "0", 5, b"five, once more")
    assert await board.ask(GAME, "0") == Notice(6, True, door=door(6))


async def test_what_nobody_has_confirmed_for_some_time_is_not_believed(
    board: Noticeboard, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(noticeboard, "TRUST", 30)
    await filled(board, 5)
    board.keep(GAME, "0", 5, b"five")
    await asyncio.sleep(0.04)
    notice = await board.ask(GAME, "0")
    assert notice == Notice(5, False, door=door(5), answer=b"five")
    await board.fill(GAME, notice, door(5))
    assert await board.ask(GAME, "0") == Notice(5, True, door=door(5), answer=b"five")


async def test_what_a_lost_connection_did_not_tell_is_told_over_the_next_one(
    redis: Redis, board: Noticeboard, open_board: Open
):
    other = await open_board(redis.url)
    await filled(board, 5)
    redis.execute("CLIENT", "KILL", "TYPE", "normal")
    await other.publish(GAME, door(6))
    with suppress(Away):  # the first to ask finds out that the connection is of no use
        await board.remote.run(noticeboard.ASK, "another", b"", b"", b"0")
    while not board.remote.up:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert await known(board) == (6, True)


async def test_nothing_is_believed_until_all_may_have_come_back_to_a_server(
    own: Redis, open_board: Open, monkeypatch: pytest.MonkeyPatch
):
    """Whoever has not come back cannot tell of his moves."""
    monkeypatch.setattr(remote, "SETTLED", 1.5)
    board = await open_board(own.url)
    for told in (board.publish(GAME, door(6)), board.fill(GAME, await board.ask(GAME), door(6))):
        await told
        assert not (await board.ask(GAME)).sure
    while not board.remote.settled:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await filled(board, 6)


async def test_where_the_log_was_set_back_the_board_forgets(board: Noticeboard, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(noticeboard, "TRUST", 30)
    await filled(board, 9)
    await asyncio.sleep(0.04)
    await board.fill(GAME, await board.ask(GAME), door(7))
    assert await known(board) == (0, False)
    await filled(board, 7)
    board.keep(GAME, "0", 7, b"before")
    await board.fill(GAME, await board.ask(GAME, "0"), door(7, "another history"))
    assert (await board.ask(GAME, "0")).answer is None


async def test_what_another_release_has_written_is_read_by_nobody(redis: Redis, board: Noticeboard):
    await filled(board, 5)
    (key,) = redis.execute("KEYS", "*game*")
    redis.execute("HSET", key, "door", '{"of":"another time"}')
    assert (await board.ask(GAME, "0")).door is None


async def test_nothing_is_kept_for_ever(redis: Redis, board: Noticeboard):
    await board.ask("asked for")
    await filled(board, 5)
    board.keep(GAME, "0", 5, b"five")
    await board.publish(GAME, door(6))
    board.keep(GAME, "0", 6, b"six")
    await board.ask(GAME)
    keys = redis.execute("KEYS", "*")
    assert len(keys) == 2
    assert all(0 < redis.execute("PTTL", key) <= noticeboard.KEPT for key in keys)


async def test_a_cluster_keeps_a_game_together(redis: Redis, board: Noticeboard):
    """What is in braces decides where a key lies."""
    await filled(board, 5)
    assert [key.decode().endswith(f"{{{GAME}}}") for key in redis.execute("KEYS", "*")] == [True]


async def test_a_redis_that_is_full_knows_nothing_rather_than_something_old(own: Redis, open_board: Open):
    board = await open_board(own.url)
    await filled(board, 5)
    own.execute("CONFIG", "SET", "maxmemory", "1")
    await board.publish(GAME, door(6))
    assert await known(board) in ((6, True), (0, False))
    assert await board.ask("another game") is UNKNOWN


async def test_others_hear_of_what_is_published(redis_url: str, board: Noticeboard, open_board: Open):
    heard: list[list[tuple[str, int] | None]] = [[], []]

    async def listen(ear: Noticeboard, notes: list[tuple[str, int] | None]) -> None:
        async for news in ear.listen():
            notes.append(news)  # noqa: PERF401 - it never ends

    boards = board, await open_board(redis_url)
    ears = [asyncio.ensure_future(listen(*each)) for each in zip(boards, heard, strict=True)]
    async with asyncio.timeout(5):
        while heard != [[None], [None]]:  # noqa: ASYNC110 - it rings no bell
            await asyncio.sleep(0.01)
        await board.publish(GAME, door(5))
        board.remote.say(noticeboard.CHANNEL, b"what is no news")
        await board.publish("another", door(1))
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

    def __init__(self, board: Noticeboard, redis: Redis, seed: int) -> None:
        self._board, self._redis = board, redis
        self._dice = Random(seed)
        self._log = 1
        self._acknowledged = 1
        self._moves: list[int] = []  # committed, but not yet published
        self._looks: list[tuple[int, Notice, int]] = []  # begun: what had been acknowledged, was known, was in the log
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
                await self._board.publish(GAME, door(version))
                self._acknowledged = max(self._acknowledged, version)

    async def _begin(self) -> None:
        before = self._acknowledged
        notice = await self._board.ask(GAME)
        if notice.sure:
            self._show(before, notice.version)
        else:
            self._looks.append((before, notice, 0))

    async def _read(self) -> None:
        """Of those who have to, one reads the log now."""
        waiting = [number for number, (_, _, read) in enumerate(self._looks) if not read]
        if waiting:
            number = self._dice.choice(waiting)
            self._looks[number] = *self._looks[number][:2], self._log

    async def _end(self) -> None:
        done = [number for number, (_, _, read) in enumerate(self._looks) if read]
        if done:
            before, notice, read = self._looks.pop(self._dice.choice(done))
            await self._board.fill(GAME, notice, door(read))
            self._show(before, read)

    def _show(self, before: int, version: int) -> None:
        if version < before:
            raise Shown(f"{version} after {before}")
        self._acknowledged = max(self._acknowledged, version)  # what one has seen, others must not miss


async def test_nobody_is_ever_shown_less_than_what_was_acknowledged(board: Noticeboard, redis: Redis):
    for seed in range(8):
        redis.execute("FLUSHALL")
        await World(board, redis, seed).run(400)
    assert board.hits > 100


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
    board: Noticeboard, redis: Redis, monkeypatch: pytest.MonkeyPatch, name: str, right: str, wrong: str
):
    source = getattr(noticeboard, name).source
    assert right in source
    monkeypatch.setattr(noticeboard, name, Script(source.replace(right, wrong)))
    with pytest.raises(Shown):
        for seed in count():
            assert seed < 20
            redis.execute("FLUSHALL")
            await World(board, redis, seed).run(400)


async def test_without_redis_nothing_is_known():
    nobody = Remote("redis://127.0.0.1:1")
    await nobody.start()
    board = Noticeboard(nobody)
    assert await board.ask(GAME) is UNKNOWN
    await board.publish(GAME, door(1))
    await board.fill(GAME, UNKNOWN, door(1))
    board.keep(GAME, "0", 1, b"one")
    await nobody.stop()
