"""The event store on real databases. An append is on disk completely or not at all, whatever happens to the disk."""

import asyncio
import os
import sqlite3
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteConnection
from msgspec import ValidationError

from domain.codec import encode
from service.log.batch_worker import BatchWorker
from service.log.bulk_insert import BulkInsert
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from service.log.mapper import Logged, Row
from service.log.sqlite import environment
from service.log.writer import SMALL_BATCH, all_answered
from service.settings import Settings
from tests.projections.histories import Table, edited, noted
from tests.service.conftest import KINDS, POSTGRES, by_name, on_sqlite
from tests.support.servers import full_disk

pytestmark = pytest.mark.anyio

MOST = BulkInsert.ROWS


@pytest.fixture(params=["sqlite", POSTGRES])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Settings]]:
    with by_name(request, tmp_path) as found:
        yield found


LOCK_TIMEOUT = 1
"""Seconds that the stores of these tests wait for a lock."""


@asynccontextmanager
async def opened(path: Path, *, lock_timeout: float = LOCK_TIMEOUT) -> AsyncIterator[GameLog]:
    store = GameLog(environment(path, lock_timeout=lock_timeout), KINDS)
    try:
        yield store
    finally:
        await store.stop()


def versions(*numbers: int, of: str = "ada") -> list[Row]:
    return [edited(of, number, f"{of} {number}") for number in numbers]


def values(rows: list[Row]) -> list[Any]:
    """The values of the rows, as `read` returns them."""
    return [row.value for row in rows]


async def outcomes(*appends: Any) -> list[type[BaseException] | None]:
    """Runs appends and reads concurrently: the type of the exception of each, None for one that succeeded."""
    results = await asyncio.gather(*appends, return_exceptions=True)
    return [type(result) if isinstance(result, BaseException) else None for result in results]


# --- appending ----------------------------------------------------------------------------------------------------


@on_sqlite
async def test_the_writer_syncs_every_commit_to_disk(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection that commits has a write-ahead log and synchronous FULL (2)."""
    pragmas: list[Any] = []
    insert = BulkInsert.insert

    def read_pragmas_and_insert(bulk_insert: BulkInsert, rows: Any) -> Any:
        for pragma in ("journal_mode", "synchronous"):
            pragmas.extend(bulk_insert._connection.execute(f"PRAGMA {pragma}").fetchone())
        return insert(bulk_insert, rows)

    monkeypatch.setattr(BulkInsert, "insert", read_pragmas_and_insert)
    await store.append([noted("ada")])
    assert pragmas == ["wal", 2]


async def test_another_store_reads_an_append_at_once(store: GameLog, open_store: Callable[[], GameLog]) -> None:
    rows = [noted("ada"), *versions(2, 3)]
    await store.append(rows)
    assert await open_store().read("id-ada") == values(rows)


async def test_waiting_appends_share_a_commit(store: GameLog) -> None:
    await asyncio.gather(*(store.append([noted(f"p{number}")]) for number in range(60)))
    assert store.rows == 60
    assert store.batches < 30  # the writer may have taken the first appends before the others arrived


@pytest.mark.parametrize(
    ("last_batch", "waits"), [(1, False), (2, True), (SMALL_BATCH, True), (SMALL_BATCH + 1, False)]
)
async def test_an_append_waits_one_iteration_for_others_after_a_small_shared_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_batch: int, waits: bool
) -> None:
    """A lone client and large batches do not wait."""
    sent: list[int] = []
    put = BatchWorker[Any].put

    def spy(worker: BatchWorker[Any], items: list[Any]) -> None:
        sent.append(len(items))
        put(worker, items)

    monkeypatch.setattr(BatchWorker, "put", spy)
    async with opened(tmp_path / "log.db") as store:
        await asyncio.gather(*(store.append([noted(f"p{number}")]) for number in range(last_batch)))
        store.put([store.mapper.to_stored_event(noted("ada"))], Mock())
        await asyncio.sleep(0)
        store.put([store.mapper.to_stored_event(noted("bo"))], Mock())
        await asyncio.sleep(0)
        assert sent[1:] == [2] if waits else sent[1:2] == [1]


async def test_an_append_is_recorded_completely_or_not_at_all(store: GameLog) -> None:
    await store.append(versions(1, 2))
    with pytest.raises(Conflict):
        await store.append(versions(2, 3, 4))
    assert await store.read("id-ada") == values(versions(1, 2))


@pytest.mark.parametrize(("rows", "of_a_statement"), [(1, MOST), (MOST, MOST), (65, 64), (192, 64)])
async def test_an_append_with_any_number_of_rows_is_one_transaction(
    store: GameLog, rows: int, of_a_statement: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BulkInsert, "ROWS", of_a_statement)
    await store.append(versions(*range(1, rows + 1)))
    assert len(await store.read("id-ada")) == rows
    assert await outcomes(store.append(versions(*range(rows + 2, 2 * rows + 2), 1))) == [Conflict]
    await store.append(versions(rows + 1))
    assert len(await store.read("id-ada")) == rows + 1


async def test_a_conflict_fails_only_its_own_append(store: GameLog) -> None:
    await store.append(versions(1))
    late = store.append(versions(1, 2, of="bob")), store.append(versions(1)), store.append(versions(1, of="eve"))
    assert await outcomes(*late) == [None, Conflict, None]
    assert await store.read("id-ada") == values(versions(1))
    assert await store.read("id-bob") == values(versions(1, 2, of="bob"))
    assert await store.read("id-eve") == values(versions(1, of="eve"))


async def test_one_of_several_appends_at_the_same_version_succeeds(
    store: GameLog, open_store: Callable[[], GameLog]
) -> None:
    other = open_store()
    for number in range(1, 20):
        found = await outcomes(*(each.append(versions(number)) for each in (store, store, other)))
        assert sorted(map(str, found)) == sorted(map(str, (None, Conflict, Conflict)))
    assert await store.read("id-ada") == values(versions(*range(1, 20)))


async def test_cancelling_a_task_does_not_cancel_its_append(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cancelled task ends with the append, so the next reader finds the log as it will be."""
    insert, proceed = store.recorder.insert_events, threading.Event()

    def slowly(events: Sequence[StoredEvent]) -> None:
        assert proceed.wait(60)
        insert(events)

    monkeypatch.setattr(store.recorder, "insert_events", slowly)
    task = asyncio.create_task(store.append(versions(1)))
    await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.sleep(0.02)
    assert not task.done()
    proceed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.read("id-ada") == values(versions(1))
    assert (store.batches, store.rows) == (1, 1)


async def test_a_row_that_cannot_be_encoded_fails_only_its_own_append(store: GameLog) -> None:
    invalid = Row("id-eve", 1, "note.noted", object())
    appends = outcomes(store.append([invalid]), store.append(versions(1)))
    assert await asyncio.wait_for(appends, 60) == [TypeError, None]
    await store.append(versions(2))


async def test_an_append_wakes_readers_of_the_log(store: GameLog) -> None:
    assert not store.appended.is_set()
    await store.append(versions(1))
    assert store.appended.is_set()


# --- reading ------------------------------------------------------------------------------------------------------


async def test_a_stream_can_be_read_from_any_version(store: GameLog) -> None:
    await store.append(versions(1, 2, 3))
    await store.append(versions(1, of="bob"))
    assert await store.read("id-ada", after=1) == values(versions(2, 3))
    assert await store.read("id-ada", after=3) == []
    assert await store.read("unknown") == []


async def test_the_sizes_of_streams_are_measured_up_to_a_version(store: GameLog) -> None:
    appends = [Table(name).open(hotseat=True) for name in "ab"]
    for rows in appends:
        await store.append(rows)
    lengths = [[len(encode(row.value)) for row in rows] for rows in appends]
    spans = [("b", 2), ("a", len(appends[0])), ("a", 1), ("unknown", 9)]
    expected = [sum(lengths[1][:2]), sum(lengths[0]), lengths[0][0], 0]
    assert await store.sizes(spans) == expected
    assert await store.sizes([]) == []


async def test_the_last_events_of_streams_are_read_together(store: GameLog) -> None:
    await store.append(versions(1, 2, 3))
    await store.append(versions(1, of="bob"))
    ada, bob = (encode(value) for value in (*values(versions(3)), *values(versions(1, of="bob"))))
    assert await store.last(["id-ada", "unknown", "id-bob", "id-ada"], bytes) == [ada, None, bob, ada]
    assert await store.last([], bytes) == []


async def test_a_stream_is_loaded_through_a_function(store: GameLog) -> None:
    await store.append(versions(1, 2, 3))
    assert await store.load("id-ada", tuple) == tuple(values(versions(1, 2, 3)))
    assert await store.load("unknown", len) == await store.load("\0", len) == 0


async def test_an_error_of_the_function_reaches_only_its_caller(store: GameLog) -> None:
    def fail(_: list[Any]) -> None:
        raise ZeroDivisionError

    await store.append(versions(1))
    assert await outcomes(store.load("id-ada", fail), store.load("id-ada", len)) == [ZeroDivisionError, None]


async def test_a_value_that_cannot_be_decoded_fails_only_the_reads_of_its_stream(store: GameLog) -> None:
    await store.append([*versions(1), Row("id-eve", 1, "note.edited", ["invalid"])])
    reads = outcomes(store.read("id-eve"), store.read("id-ada"), store.load("id-eve", len), store.load("id-ada", len))
    assert await reads == [ValidationError, None, ValidationError, None]


async def test_a_value_that_cannot_be_decoded_is_followed_as_an_exception(store: GameLog) -> None:
    rows = [*versions(1), Row("id-eve", 1, "note.edited", ["invalid"]), *versions(1, of="fay")]
    await store.append(rows)
    followed = [logged.row for logged in await store.follow(0, 9)]
    assert isinstance(followed[1].value, ValidationError)
    assert [row._replace(value=None) for row in followed] == [row._replace(value=None) for row in rows]
    assert (followed[0], followed[2]) == (rows[0], rows[2])


async def test_the_log_of_all_streams_has_the_order_of_the_commits(
    store: GameLog, open_store: Callable[[], GameLog]
) -> None:
    other = open_store()
    assert await store.position() == 0
    for number in range(1, 6):
        await (store if number % 2 else other).append(versions(number))
    everything = await store.follow(0, 100)
    assert [logged.row for logged in everything] == versions(*range(1, 6))
    positions = [logged.position for logged in everything]
    assert positions == sorted(set(positions))
    assert await store.position() == positions[-1]


async def test_the_log_can_be_read_in_parts(store: GameLog) -> None:
    await store.append([noted("ada"), *versions(2, 3, 4)])
    (first, second, *_) = everything = await store.follow(0, 100)
    assert await store.follow(0, 1) == [first]
    assert await store.follow(first.position, 1) == [second]
    assert await store.follow(0, 100, upto=second.position) == [first, second]
    assert await store.follow(0, 100, tags=["noted"]) == [first]
    assert await store.follow(everything[-1].position, 100) == []


async def test_a_conflict_leaves_no_trace_in_the_log(store: GameLog) -> None:
    await store.append(versions(1))
    await outcomes(*(store.append(versions(1)) for _ in range(10)))
    assert await store.follow(0, 100) == [Logged(await store.position(), versions(1)[0])]


# --- stopping -----------------------------------------------------------------------------------------------------


async def test_closing_commits_waiting_appends(tmp_path: Path) -> None:
    async with opened(tmp_path / "log.db") as store:
        waiting = [asyncio.create_task(store.append([noted(f"p{number}")])) for number in range(100)]
        await asyncio.sleep(0)
        await store.stop()
        assert await outcomes(*waiting) == [None] * 100
    async with opened(tmp_path / "log.db") as store:
        assert len(await store.follow(0, 1000)) == 100


async def test_a_closed_store_refuses_appends(tmp_path: Path) -> None:
    async with opened(tmp_path / "log.db") as store:
        await store.stop()
        with pytest.raises(Unavailable):
            await store.append(versions(1))


async def test_closing_waits_for_queries_of_cancelled_tasks(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite crashes when a connection in use is closed."""
    began, end = threading.Event(), threading.Event()
    select, found = store.recorder.max_notification_id, []

    def slow() -> None:
        began.set()
        end.wait(60)
        found.append(select())

    monkeypatch.setattr(store.recorder, "max_notification_id", slow)
    reading = asyncio.create_task(store.position())
    await asyncio.to_thread(began.wait, 60)
    reading.cancel()
    asyncio.get_running_loop().call_later(0.05, end.set)
    await store.stop()
    assert len(found) == 1


async def test_a_closed_store_refuses_reads(store: GameLog) -> None:
    await store.append(versions(1))
    await store.stop()
    reads = store.read("id-ada"), store.load("id-ada", len), store.follow(0, 1), store.position()
    assert await asyncio.wait_for(outcomes(*reads), 60) == [Unavailable] * 4


# --- the disk -----------------------------------------------------------------------------------------------------


class Disk(NamedTuple):
    """A path for the log, and a context in which its disk is full."""

    path: Path
    full: Callable[[], AbstractContextManager[None]]


@pytest.fixture(params=["quota", "small disk"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    if request.param == "quota":
        yield Disk(tmp_path / "log.db", lambda: full_disk(os.getpid()))
        return
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], capture_output=True)
    if mounted.returncode:
        pytest.skip("this machine does not allow mounting a disk")

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


async def test_appends_fail_on_a_full_disk_and_succeed_afterwards(disk: Disk) -> None:
    async with opened(disk.path) as store:
        await store.append(versions(1))
        with disk.full():
            for _ in range(3):
                appends = store.append(versions(2, 3)), store.append(versions(1, of="bob"))
                assert await outcomes(*appends) == [Unavailable, Unavailable]
            assert await store.read("id-ada") == values(versions(1))
        await store.append(versions(2, 3))
        assert [logged.row for logged in await store.follow(0, 100)] == versions(1, 2, 3)
    async with opened(disk.path) as store:
        assert await store.read("id-ada") == values(versions(1, 2, 3))


async def test_a_store_closes_on_a_full_disk(disk: Disk) -> None:
    async with opened(disk.path) as store:
        await store.append(versions(1))
        with disk.full():
            waiting = [asyncio.create_task(store.append(versions(2))) for _ in range(5)]
            await asyncio.sleep(0)
            await asyncio.wait_for(store.stop(), 60)
            assert await outcomes(*waiting) == [Unavailable] * 5
    async with opened(disk.path) as store:
        assert await store.read("id-ada") == values(versions(1))


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


async def test_failures_leak_no_files(tmp_path: Path) -> None:
    async with opened(tmp_path / "log.db") as store:
        await store.append(versions(1))
        with full_disk(os.getpid()):
            assert await outcomes(*(store.append(versions(2)) for _ in range(5))) == [Unavailable] * 5
            before = open_files()
            for _ in range(50):
                assert await outcomes(store.append(versions(2))) == [Unavailable]
            assert open_files() <= before + 5


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process is in the middle of a transaction."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO stored_events VALUES ('id-ada', 99, 'note.edited', '')")
    try:
        yield
    finally:
        connection.rollback()
        connection.close()


async def test_after_a_failed_append_the_store_is_ready_only_when_it_can_write(tmp_path: Path) -> None:
    """An append without rows, as cancelled tasks make it, does not prove that."""
    async with opened(tmp_path / "log.db") as store:
        await store.append(versions(1))
        with locked(tmp_path / "log.db"):
            await store.ready()
            assert await outcomes(store.append(versions(2))) == [Unavailable]
            await all_answered(store._writer)
            with pytest.raises(Unavailable):
                await store.ready()
        await store.ready()
        assert len(await store.follow(0, 9)) == 1


async def test_an_append_waits_for_the_lock_of_another_process(tmp_path: Path) -> None:
    async with opened(tmp_path / "log.db", lock_timeout=60) as store:
        with locked(tmp_path / "log.db"):
            waiting = asyncio.create_task(store.append(versions(1)))
            await asyncio.sleep(0.25)
            assert not waiting.done()
        await waiting


async def test_a_locked_database_can_be_read_and_accepts_appends_afterwards(tmp_path: Path) -> None:
    async with opened(tmp_path / "log.db") as store:
        await store.append(versions(1))
        with locked(tmp_path / "log.db"):
            assert await outcomes(store.append(versions(2))) == [Unavailable]
            assert await store.read("id-ada") == values(versions(1))
        await store.append(versions(2))
        assert await store.read("id-ada") == values(versions(1, 2))


@pytest.mark.parametrize("conflict", [False, True])
async def test_appends_that_wait_for_a_lock_share_a_timeout(
    conflict: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after a conflict in a batch, when each append has its own transaction."""
    tried: list[int] = []
    async with opened(tmp_path / "log.db") as store:
        await store.append(versions(1))
        insert = store.recorder.insert_events

        def insert_or_conflict(events: Sequence[StoredEvent]) -> None:
            tried.append(len(events))
            if conflict and len(events) > 1:
                raise IntegrityError("injected")
            insert(events)

        monkeypatch.setattr(store.recorder, "insert_events", insert_or_conflict)
        with locked(tmp_path / "log.db"):
            waiting = [store.append(versions(1, of=f"p{number}")) for number in range(20)]
            assert await outcomes(*waiting) == [Unavailable] * 20
    assert tried == ([20, 1] if conflict else [20])


async def test_appends_and_reads_fail_after_the_file_is_removed(tmp_path: Path) -> None:
    """SQLite does not notice. No new log is created: it would lack the beginnings of the games in memory."""
    log = tmp_path / "log.db"
    async with opened(log) as store:
        await store.append(versions(1))
        log.unlink()
        await outcomes(*(store.read("id-ada") for _ in range(20)))  # some on new connections
        assert not log.exists()
        assert await outcomes(store.append(versions(2)), store.append(versions(1, of="bob"))) == [Unavailable] * 2
        assert await outcomes(store.append(versions(2))) == [Unavailable]
        assert await outcomes(*(store.read("id-ada") for _ in range(20))) == [Unavailable] * 20
        assert not log.exists()


async def test_a_store_recovers_when_the_removed_file_is_back(tmp_path: Path) -> None:
    log = tmp_path / "log.db"
    async with opened(log) as store:
        await store.append(versions(1))
        log.rename(tmp_path / "aside")
        for _ in range(3):
            assert await outcomes(store.append(versions(2))) == [Unavailable]
        (tmp_path / "aside").rename(log)
        assert await outcomes(store.append(versions(2))) in ([None], [Conflict])  # it may have been recorded
        assert await store.read("id-ada") == values(versions(1, 2))
        await store.append(versions(3))
    async with opened(log) as store:
        assert await store.read("id-ada") == values(versions(1, 2, 3))


@pytest.mark.parametrize("before", [True, False], ids=["before the first append", "after it"])
async def test_a_replaced_file_is_not_written_to(tmp_path: Path, before: bool) -> None:
    """It has other games than those in memory. A restart reads them."""
    log = tmp_path / "log.db"
    async with opened(tmp_path / "other.db") as other:
        await other.append(versions(1, of="bob"))
    async with opened(log) as store:
        if not before:
            await store.append(versions(1))
        (tmp_path / "other.db").rename(log)
        assert await outcomes(store.append(versions(2))) == [Unavailable]
        assert await outcomes(store.append(versions(2))) == [Unavailable]
        with pytest.raises(Unavailable):
            await store.read("id-ada")
    with closing(sqlite3.connect(f"file:{log}?immutable=1", uri=True)) as connection:
        assert connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall() == [("id-bob",)]


@pytest.mark.parametrize("name", ["missing/log.db", "."])
async def test_opening_fails_where_no_file_can_be_created(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unavailable):
        async with opened(tmp_path / name):
            pass


async def test_opening_fails_without_write_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite would open the file for reading, and never write to it."""
    async with opened(tmp_path / "log.db"):
        pass
    (tmp_path / "log.db").chmod(0o400)
    if os.geteuid() == 0:  # root ignores modes
        monkeypatch.setattr(Path, "open", Mock(side_effect=PermissionError))
    with pytest.raises(Unavailable):
        async with opened(tmp_path / "log.db"):
            pass


async def test_opening_fails_if_the_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "log.db").write_text("Dear diary, " * 100)
    with pytest.raises(Unavailable):
        async with opened(tmp_path / "log.db"):
            pass


async def test_a_path_may_have_any_characters(tmp_path: Path) -> None:
    log = tmp_path / "50% of ü?b#r.db"
    async with opened(log) as store:
        await store.append(versions(1))
    assert log.exists()
    async with opened(log) as store:
        assert await store.read("id-ada") == values(versions(1))


@on_sqlite
async def test_a_commit_that_fails_halfway_does_not_block_the_next_one(
    store: GameLog, open_store: Callable[[], GameLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch with more rows than a statement takes is several statements and a commit."""
    monkeypatch.setattr(BulkInsert, "ROWS", 1)
    await store.append(versions(1))
    for _ in range(3):
        assert await outcomes(store.append(versions(2, 1))) == [Conflict]
    await store.append(versions(2))
    await open_store().append(versions(3))
    assert await store.read("id-ada") == values(versions(1, 2, 3))


@on_sqlite
async def test_every_failure_of_a_read_raises_unavailable(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: SQLiteConnection) -> None:
        raise sqlite3.OperationalError("injected")

    monkeypatch.setattr(SQLiteConnection, "cursor", fail)
    assert await outcomes(store.read("id-ada"), store.follow(0, 1), store.position()) == [Unavailable] * 3
