"""The log on real databases: what is appended is on disk, wholly or not at all, whatever happens to the disk."""

import asyncio
import os
import sqlite3
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteConnection

from service.settings import Settings
from service.store.bulk_insert import BulkInsert
from service.store.errors import Conflict, Unavailable
from service.store.event_store import Store
from service.store.library import LibraryBackend
from service.store.rows import Logged, Row, RowMapper
from service.store.sqlite import SQLiteBackend
from tests.projections.histories import Table, registered, renamed
from tests.service.conftest import KINDS, by_name, on_sqlite
from tests.support.servers import full_disk

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "apart", "postgresql"])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Settings]]:
    with by_name(request, tmp_path) as found:
        yield found


@pytest.fixture(params=[False, True], ids=["thread", "process"])
def apart(request: pytest.FixtureRequest) -> bool:
    """Whether it is a process of its own that writes to the file."""
    return bool(request.param)


SECONDS = 1
"""How long the stores of these tests wait for a lock."""


@asynccontextmanager
async def opened(path: Path, *, apart: bool = False) -> AsyncIterator[Store]:
    store = Store(SQLiteBackend(path, RowMapper(KINDS), writer_process=apart, lock_timeout=SECONDS))
    try:
        yield store
    finally:
        await store.close()


def versions(*numbers: int, of: str = "ada") -> list[Row]:
    return [renamed(of, number, f"{of} {number}") for number in numbers]


def told(rows: list[Row]) -> list[Any]:
    """What the rows say, as it is read again."""
    return [row.value for row in rows]


async def outcomes(*appends: Any) -> list[type[BaseException] | None]:
    """How appends end that are made at once."""
    ended = await asyncio.gather(*appends, return_exceptions=True)
    return [None if end is None else type(end) for end in ended]


# --- appending ----------------------------------------------------------------------------------------------------


@on_sqlite
async def test_the_writer_waits_for_the_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked of the connection that commits: write-ahead log, and synchronous FULL (2)."""
    asked: list[Any] = []
    insert = BulkInsert.insert

    def look_and_insert(insertion: BulkInsert, events: Any) -> Any:
        for pragma in ("journal_mode", "synchronous"):
            asked.extend(insertion._connection.execute(f"PRAGMA {pragma}").fetchone())
        return insert(insertion, events)

    monkeypatch.setattr(BulkInsert, "insert", look_and_insert)
    await store.append([registered("ada")])
    assert asked == ["wal", 2]


async def test_what_is_appended_can_be_read_by_others_at_once(store: Store, open_store: Callable[[], Store]) -> None:
    rows = [registered("ada"), *versions(2, 3)]
    await store.append(rows)
    assert await open_store().read("id-ada") == told(rows)


async def test_appends_that_wait_together_are_one_commit(store: Store) -> None:
    await asyncio.gather(*(store.append([registered(f"p{number}")]) for number in range(60)))
    assert store.rows == 60
    assert store.batches <= 3  # the writer may have taken the first few before the others came


async def test_an_append_is_made_wholly_or_not_at_all(store: Store) -> None:
    await store.append(versions(3))
    with pytest.raises(Conflict):
        await store.append(versions(1, 2, 3, 4))
    assert await store.read("id-ada") == told(versions(3))


async def test_of_appends_that_wait_together_only_the_conflicting_one_fails(store: Store) -> None:
    await store.append(versions(1))
    late = store.append(versions(1, 2, of="bob")), store.append(versions(1)), store.append(versions(1, of="eve"))
    assert await outcomes(*late) == [None, Conflict, None]
    assert await store.read("id-ada") == told(versions(1))
    assert await store.read("id-bob") == told(versions(1, 2, of="bob"))
    assert await store.read("id-eve") == told(versions(1, of="eve"))


async def test_of_two_appends_at_one_version_one_wins(store: Store, open_store: Callable[[], Store]) -> None:
    other = open_store()
    for number in range(1, 20):
        ended = await outcomes(*(each.append(versions(number)) for each in (store, store, other)))
        assert sorted(map(str, ended)) == sorted(map(str, (None, Conflict, Conflict)))
    assert await store.read("id-ada") == told(versions(*range(1, 20)))


async def test_whoever_goes_away_while_it_is_appended_does_not_stop_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cancelled task ends when the append does, so whoever comes next finds the log as it will be."""
    insert, may_go_on = store._backend.recorder.insert_events, threading.Event()

    def slowly(events: Sequence[StoredEvent]) -> None:
        assert may_go_on.wait(10)
        insert(events)

    monkeypatch.setattr(store._backend.recorder, "insert_events", slowly)
    task = asyncio.create_task(store.append(versions(1)))
    await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.sleep(0.02)
    assert not task.done()
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.read("id-ada") == told(versions(1))


async def test_a_row_that_cannot_be_written_down_harms_nobody_else(store: Store) -> None:
    unwritable = Row("id-eve", 1, "player.registered", object())
    ended = await asyncio.wait_for(outcomes(store.append([unwritable]), store.append(versions(1))), 5)
    assert ended == [TypeError, None]
    await store.append(versions(2))


async def test_whoever_follows_is_woken(store: Store) -> None:
    assert not store.appended.is_set()
    await store.append(versions(1))
    assert store.appended.is_set()


# --- reading ------------------------------------------------------------------------------------------------------


async def test_a_stream_is_read_from_any_version_on(store: Store) -> None:
    await store.append(versions(1, 2, 3))
    await store.append(versions(1, of="bob"))
    assert await store.read("id-ada", after=1) == told(versions(2, 3))
    assert await store.read("id-ada", after=3) == []
    assert await store.read("nobody") == []


async def test_games_come_back_as_they_were_written(store: Store) -> None:
    rows = Table("g").open()
    await store.append(rows)
    assert await store.read("g") == told(rows)


async def test_the_log_is_followed_in_the_order_of_the_commits(store: Store, open_store: Callable[[], Store]) -> None:
    other = open_store()
    assert await store.position() == 0
    for number in range(1, 6):
        await (store if number % 2 else other).append(versions(number))
    everything = await store.follow(0, 100)
    assert [logged.row for logged in everything] == versions(*range(1, 6))
    positions = [logged.position for logged in everything]
    assert positions == sorted(set(positions))
    assert await store.position() == positions[-1]


async def test_the_log_is_followed_in_parts(store: Store) -> None:
    await store.append([registered("ada"), *versions(2, 3, 4)])
    (first, second, *_) = everything = await store.follow(0, 100)
    assert await store.follow(0, 1) == [first]
    assert await store.follow(first.position, 1) == [second]
    assert await store.follow(0, 100, upto=second.position) == [first, second]
    assert await store.follow(0, 100, topics=["player.registered"]) == [first]
    assert await store.follow(everything[-1].position, 100) == []


async def test_a_conflict_leaves_no_trace_in_the_log(store: Store) -> None:
    await store.append(versions(1))
    await outcomes(*(store.append(versions(1)) for _ in range(10)))
    assert await store.follow(0, 100) == [Logged(1, versions(1)[0])]


# --- stopping -----------------------------------------------------------------------------------------------------


async def test_what_waits_is_committed_before_it_closes(tmp_path: Path, apart: bool) -> None:
    async with opened(tmp_path / "log.db", apart=apart) as store:
        waiting = [asyncio.create_task(store.append([registered(f"p{number}")])) for number in range(100)]
        await asyncio.sleep(0)
        await store.close()
        assert await outcomes(*waiting) == [None] * 100
    async with opened(tmp_path / "log.db", apart=apart) as store:
        assert len(await store.follow(0, 1000)) == 100


async def test_after_closing_nothing_is_appended(tmp_path: Path, apart: bool) -> None:
    async with opened(tmp_path / "log.db", apart=apart) as store:
        await store.close()
        with pytest.raises(Unavailable):
            await store.append(versions(1))


# --- the disk -----------------------------------------------------------------------------------------------------


class Disk(NamedTuple):
    """A place for the log, and what fills it up for a while."""

    path: Path
    full: Callable[[], AbstractContextManager[None]]


@pytest.fixture(params=["quota", "small disk"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    if request.param == "quota":
        yield Disk(tmp_path / "log.db", lambda: full_disk(os.getpid()))
        return
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], capture_output=True)
    if mounted.returncode:
        pytest.skip("a disk cannot be mounted here")

    @contextmanager
    def filled() -> Iterator[None]:
        filler = tmp_path / "filler"
        with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
            while True:
                file.write(bytes(4096))
        yield
        filler.unlink()

    yield Disk(tmp_path / "log.db", filled)
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


async def test_on_a_full_disk_nothing_is_recorded_and_afterwards_everything_again(disk: Disk, apart: bool) -> None:
    async with opened(disk.path, apart=apart) as store:
        await store.append(versions(1))
        with disk.full():
            for _ in range(3):
                ended = await outcomes(store.append(versions(2, 3)), store.append(versions(1, of="bob")))
                assert ended == [Unavailable, Unavailable]
            assert await store.read("id-ada") == told(versions(1))
        await store.append(versions(2, 3))
        assert [logged.row for logged in await store.follow(0, 100)] == versions(1, 2, 3)
    async with opened(disk.path, apart=apart) as store:
        assert await store.read("id-ada") == told(versions(1, 2, 3))


async def test_on_a_full_disk_it_closes_all_the_same(disk: Disk, apart: bool) -> None:
    async with opened(disk.path, apart=apart) as store:
        await store.append(versions(1))
        with disk.full():
            waiting = [asyncio.create_task(store.append(versions(2))) for _ in range(5)]
            await asyncio.sleep(0)
            await asyncio.wait_for(store.close(), 2)
            assert await outcomes(*waiting) == [Unavailable] * 5
    async with opened(disk.path, apart=apart) as store:
        assert await store.read("id-ada") == told(versions(1))


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


async def test_many_failures_use_nothing_up(tmp_path: Path, apart: bool) -> None:
    async with opened(tmp_path / "log.db", apart=apart) as store:
        await store.append(versions(1))
        with full_disk(os.getpid()):
            assert await outcomes(*(store.append(versions(2)) for _ in range(5))) == [Unavailable] * 5
            before = open_files()
            for _ in range(50):
                assert await outcomes(store.append(versions(2))) == [Unavailable]
            assert open_files() <= before + 5


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Somebody else is in the middle of a transaction."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO stored_events VALUES ('id-ada', 99, 'player.renamed', '')")
    try:
        yield
    finally:
        connection.rollback()
        connection.close()


async def test_while_another_process_writes_it_waits_for_its_turn(tmp_path: Path, apart: bool) -> None:
    async with opened(tmp_path / "log.db", apart=apart) as store:
        with locked(tmp_path / "log.db"):
            waiting = asyncio.create_task(store.append(versions(1)))
            await asyncio.sleep(SECONDS / 4)
            assert not waiting.done()
        await waiting


async def test_a_locked_database_can_be_read_and_once_it_is_free_appended_to(tmp_path: Path, apart: bool) -> None:
    async with opened(tmp_path / "log.db", apart=apart) as store:
        await store.append(versions(1))
        with locked(tmp_path / "log.db"):
            assert await outcomes(store.append(versions(2))) == [Unavailable]
            assert await store.read("id-ada") == told(versions(1))
        await store.append(versions(2))
        assert await store.read("id-ada") == told(versions(1, 2))


@on_sqlite
async def test_nobody_waits_long_for_a_lock(tmp_path: Path, store: Store) -> None:
    """Not even those whose append came behind one that waits, or together with one that conflicts."""
    await store.append(versions(1))
    with locked(tmp_path / "log.db"):
        began = monotonic()
        first = asyncio.create_task(store.append(versions(2)))
        await asyncio.sleep(0.1)
        rest = [asyncio.create_task(store.append(versions(1, of=f"p{number}"))) for number in range(20)]
        assert await outcomes(first, *rest) == [Unavailable] * 21
        assert monotonic() - began < 5


async def test_after_a_conflict_nobody_waits_for_a_lock_once_more_for_each_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / "log.db") as store:
        await store.append(versions(1))
        insert = store._backend.recorder.insert_events

        def conflict_at_first(events: Sequence[StoredEvent]) -> None:
            if len(events) > 1:
                raise IntegrityError("the test says so")
            insert(events)

        monkeypatch.setattr(store._backend.recorder, "insert_events", conflict_at_first)
        with locked(tmp_path / "log.db"):
            began = monotonic()
            waiting = [store.append(versions(1, of=f"p{number}")) for number in range(20)]
            assert await outcomes(*waiting) == [Unavailable] * 20
            assert monotonic() - began < 3.5 * SECONDS


async def test_a_file_that_may_only_be_read_is_read(tmp_path: Path) -> None:
    async with opened(tmp_path / "log.db") as store:
        await store.append(versions(1))
        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"file:{tmp_path / 'log.db'}?mode=ro"}
        reading = Store(LibraryBackend(env, RowMapper(KINDS)))
        assert await outcomes(reading.append(versions(2))) == [Unavailable]
        assert await reading.read("id-ada") == told(versions(1))
        await reading.close()
        await store.append(versions(2))


async def test_nothing_is_acknowledged_that_goes_into_a_removed_file(tmp_path: Path, apart: bool) -> None:
    """SQLite would not notice. Nor is the log begun anew: that would part the games in memory from their beginnings."""
    log = tmp_path / "log.db"
    async with opened(log, apart=apart) as store:
        await store.append(versions(1))
        log.unlink()
        await outcomes(*(store.read("id-ada") for _ in range(20)))  # some of them on new connections
        assert not log.exists()
        assert await outcomes(store.append(versions(2)), store.append(versions(1, of="bob"))) == [Unavailable] * 2
        assert await outcomes(store.append(versions(2))) == [Unavailable]
        assert await outcomes(*(store.read("id-ada") for _ in range(20))) == [Unavailable] * 20
        assert not log.exists()


async def test_when_the_removed_file_is_back_it_goes_on(tmp_path: Path, apart: bool) -> None:
    log = tmp_path / "log.db"
    async with opened(log, apart=apart) as store:
        await store.append(versions(1))
        log.rename(tmp_path / "aside")
        for _ in range(3):
            assert await outcomes(store.append(versions(2))) == [Unavailable]
        (tmp_path / "aside").rename(log)
        assert await outcomes(store.append(versions(2))) in ([None], [Conflict])  # it may have been recorded wholly
        assert await store.read("id-ada") == told(versions(1, 2))
        await store.append(versions(3))
    async with opened(log, apart=apart) as store:
        assert await store.read("id-ada") == told(versions(1, 2, 3))


@pytest.mark.parametrize("before", [True, False], ids=["before the first append", "behind it"])
async def test_another_file_in_its_place_is_not_written_to(tmp_path: Path, apart: bool, before: bool) -> None:
    """It has other games in it than those that are in memory; a restart reads them."""
    log = tmp_path / "log.db"
    async with opened(tmp_path / "other.db", apart=apart) as other:
        await other.append(versions(1, of="bob"))
    async with opened(log, apart=apart) as store:
        if not before:
            await store.append(versions(1))
        (tmp_path / "other.db").rename(log)
        assert await outcomes(store.append(versions(2))) == [Unavailable]
        assert await outcomes(store.append(versions(2))) == [Unavailable]
        with pytest.raises(Unavailable):
            await store.read("id-ada")
    with closing(sqlite3.connect(f"file:{log}?immutable=1", uri=True)) as connection:
        assert connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall() == [("id-bob",)]


@pytest.mark.parametrize("place", ["missing/log.db", "."])
async def test_a_place_where_no_file_can_be_is_said_at_once(tmp_path: Path, place: str) -> None:
    with pytest.raises(Unavailable):
        async with opened(tmp_path / place):
            pass


async def test_a_file_that_cannot_be_written_to_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite would be content with reading it, also when it could be written to again."""
    async with opened(tmp_path / "log.db"):
        pass
    (tmp_path / "log.db").chmod(0o400)
    if os.geteuid() == 0:  # whom no mode stops
        monkeypatch.setattr(Path, "open", Mock(side_effect=PermissionError))
    with pytest.raises(Unavailable):
        async with opened(tmp_path / "log.db"):
            pass


async def test_a_file_that_is_no_database_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "log.db").write_text("Dear diary, " * 100)
    with pytest.raises(Unavailable):
        async with opened(tmp_path / "log.db"):
            pass


async def test_a_path_may_have_any_name(tmp_path: Path, apart: bool) -> None:
    log = tmp_path / "50% of ü?b#r.db"
    async with opened(log, apart=apart) as store:
        await store.append(versions(1))
    assert log.exists()
    async with opened(log, apart=apart) as store:
        assert await store.read("id-ada") == told(versions(1))


@on_sqlite
async def test_a_commit_that_fails_half_way_does_not_block_the_next_one(
    store: Store, open_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for more rows than a statement takes: with a statement for each part, and a commit."""
    monkeypatch.setattr(BulkInsert, "ROWS", 1)
    await store.append(versions(1))
    for _ in range(3):
        assert await outcomes(store.append(versions(2, 1))) == [Conflict]
    await store.append(versions(2))
    await open_store().append(versions(3))
    assert await store.read("id-ada") == told(versions(1, 2, 3))


@on_sqlite
async def test_whatever_goes_wrong_with_reading_is_said_in_one_way(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: SQLiteConnection) -> None:
        raise sqlite3.OperationalError("the test says so")

    monkeypatch.setattr(SQLiteConnection, "cursor", fail)
    assert await outcomes(store.read("id-ada"), store.follow(0, 1), store.position()) == [Unavailable] * 3
