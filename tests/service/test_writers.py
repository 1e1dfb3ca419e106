"""The writer process: real processes and real files, on both event loops. Whatever happens to it, an append is recorded
completely or not at all, its caller gets an answer soon, and the next append succeeds.

`test_store` tests what it has in common with the writer thread.
"""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from socket import SHUT_WR, socketpair
from time import sleep
from typing import Any

import msgspec
import pytest

from service.databases import has_writer_process
from service.log.bulk_insert import BulkInsert
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from service.log.group_commit import Outcome
from service.log.mapper import Row
from service.log.writer import decode_outcome
from service.log.writer_process import FrameDecoder, encode_outcome, framed
from service.settings import read
from tests.projections.histories import edited
from tests.service.test_store import open_files, opened, outcomes, values, versions
from tests.support.servers import children, full_disk, stopped, writers

pytestmark = pytest.mark.anyio

SOON = 60
"""Seconds. It takes milliseconds, but the machine may be busy."""


@pytest.fixture(params=[pytest.param(False, marks=pytest.mark.by_default()), True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return "asyncio", {"use_uvloop": request.param}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


@pytest.fixture
async def store(log: Path) -> AsyncIterator[GameLog]:
    """Leaves no processes when it is closed."""
    before = children(os.getpid())
    async with opened(log, writer_process=True) as store:
        yield store
    assert children(os.getpid()) == before


def writer() -> int:
    """The id of the writer process."""
    (pid,) = writers(os.getpid())
    return pid


async def killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    await gone(pid)


def exists(pid: int) -> bool:
    """A process exists until its parent has waited for it."""
    return Path(f"/proc/{pid}").exists()


async def gone(pid: int) -> None:
    async with asyncio.timeout(SOON):
        while exists(pid):  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.002)
    await asyncio.sleep(0.002)  # another thread may have waited for it: give the event loop time to notice


def files(pid: int) -> list[str]:
    """The files that the process has open."""
    return [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]


def recorded(log: Path, stream: str = "id-ada") -> list[int]:
    """The versions of the stream in the file."""
    with closing(sqlite3.connect(log)) as connection:
        query = "SELECT originator_version FROM stored_events WHERE originator_id = ? ORDER BY 1"
        return [version for (version,) in connection.execute(query, [stream])]


# --- start and end ------------------------------------------------------------------------------------------------


async def test_the_process_starts_with_the_first_append_and_ends_with_the_store(log: Path) -> None:
    async with opened(log, writer_process=True) as store:
        assert await store.read("id-ada") == []
        assert writers(os.getpid()) == []
        await store.append(versions(1))
        first = writer()
        await store.append(versions(2))
        assert writer() == first
        await store.stop()  # the second time, nothing is left to stop
    assert not exists(first)
    async with opened(log, writer_process=True) as store:
        await store.stop()


async def test_appends_of_one_iteration_of_the_event_loop_are_one_commit(store: GameLog) -> None:
    for number in (1, 2):
        await asyncio.gather(*(store.append(versions(number, of=f"p{player}")) for player in range(60)))
        assert (store.batches, store.rows) == (number, number * 60)


async def test_the_process_inherits_no_open_files(store: GameLog, tmp_path: Path) -> None:
    """Else it would keep sockets bound and deleted files on the disk."""
    with (tmp_path / "other").open("w"):
        await store.append(versions(1))
        names = files(writer())
    assert str(tmp_path / "other") not in names
    assert len({name for name in names if name.startswith("socket:")}) == 1


async def test_the_process_starts_in_any_working_directory(
    store: GameLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It imports no modules from there."""
    for name in ("service", "msgspec"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise Exception('another module of this name')")
    monkeypatch.chdir(tmp_path)
    await store.append(versions(1))


# --- lost ---------------------------------------------------------------------------------------------------------


async def test_after_the_idle_process_is_killed_the_next_append_starts_another_one(store: GameLog, log: Path) -> None:
    for number in range(1, 4):
        await store.append(versions(number))
        await killed(writer())
    await store.append(versions(4))
    assert recorded(log) == [1, 2, 3, 4]


async def test_after_the_process_is_killed_the_next_one_does_not_write_to_a_replaced_file(
    store: GameLog, log: Path
) -> None:
    other = log.with_name("other.db")
    async with opened(other, writer_process=True) as another:
        await another.append(versions(1, of="bob"))
    await store.append(versions(1))
    await killed(writer())
    other.replace(log)
    assert await outcomes(store.append(versions(2)), store.append(versions(3))) == [Unavailable] * 2
    assert await outcomes(store.append(versions(2))) == [Unavailable]
    with closing(sqlite3.connect(f"file:{log}?immutable=1", uri=True)) as connection:
        assert connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall() == [("id-bob",)]


@pytest.mark.parametrize(
    ("writer", "cores", "workers", "expected"),
    [
        ("auto", 1, 1, False),
        ("auto", 2, 1, True),
        ("auto", 2, 2, False),
        ("process", 1, 4, True),
        ("thread", 8, 1, False),
    ],
)
def test_the_writer_is_a_process_if_set_or_if_there_is_a_core_for_it(
    writer: str, cores: int, workers: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    assert has_writer_process(read({}, sqlite_writer=writer, workers=workers)) is expected


async def test_when_the_process_is_killed_waiting_appends_fail_soon(store: GameLog, log: Path) -> None:
    """Including appends that arrive before the loss is noticed. Later ones succeed."""
    await store.append(versions(1))
    pid = writer()
    with stopped([pid]):
        waiting = [asyncio.create_task(store.append(versions(1, of=f"p{number}"))) for number in range(20)]
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        assert await asyncio.wait_for(outcomes(*waiting), SOON) == [Unavailable] * 20
    await store.append(versions(2))
    assert recorded(log) == [1, 2]
    assert writer() != pid


async def test_whenever_the_process_is_killed_every_append_is_recorded_completely_or_not_at_all(
    store: GameLog, log: Path, everything: bool
) -> None:
    """An acknowledged append stays recorded."""
    for number in range(0, 15, 1 if everything else 4):
        await store.append(versions(1, of=f"first {number}"))
        pairs = [f"{number} {each}" for each in range(40)]
        waiting = [asyncio.create_task(store.append(versions(1, 2, of=pair))) for pair in pairs]
        await asyncio.sleep(number / 5000)
        pid = writer()
        os.kill(pid, signal.SIGKILL)
        for pair, outcome in zip(pairs, await outcomes(*waiting), strict=True):
            assert outcome in (None, Unavailable)
            assert recorded(log, f"id-{pair}") in ([[1, 2]] if outcome is None else [[], [1, 2]])
        await gone(pid)


async def test_repeated_losses_leak_no_files_and_no_processes(store: GameLog) -> None:
    await store.append(versions(1))
    before = open_files()
    for number in range(2, 8):
        pid = writer()
        with stopped([pid]):
            waiting = asyncio.create_task(store.append(versions(number)))
            await asyncio.sleep(0.01)
            os.kill(pid, signal.SIGKILL)
            assert await outcomes(waiting) == [Unavailable]
        await store.append(versions(number))
        await gone(pid)
    assert len(writers(os.getpid())) == 1
    assert open_files() <= before + 1


async def test_appends_fail_while_the_process_cannot_start_and_succeed_afterwards(
    store: GameLog, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, processes = open_files(), children(os.getpid())
    for wrong in ("/missing", str(log), "/bin/false"):  # missing, no program, one that exits at once
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", wrong)
            for _ in range(3):
                appends = outcomes(store.append(versions(1)), store.append(versions(2)))
                assert await asyncio.wait_for(appends, SOON) == [Unavailable] * 2
    assert recorded(log) == []
    assert writers(os.getpid()) == []
    await store.append(versions(1))
    assert len(children(os.getpid())) <= len(processes) + 1
    assert open_files() <= before + 6  # one for the socket, three for the log


async def test_an_incomplete_answer_counts_as_no_answer(
    store: GameLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers of the next process are read from their beginning."""
    dying = tmp_path / "dying"
    dying.write_text("#!/bin/sh\nhead --bytes=1 >/dev/null\nprintf '\\0\\0' >&0\n")
    dying.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(dying))
        assert await outcomes(store.append(versions(1))) == [Unavailable]
    assert await asyncio.wait_for(outcomes(store.append(versions(1))), SOON) == [None]


async def test_appends_fail_while_no_socket_can_be_opened(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise OSError("Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr("service.log.writer.socketpair", fail)
        assert await outcomes(store.append(versions(1))) == [Unavailable]
    await store.append(versions(1))


async def test_a_store_closes_if_the_process_cannot_start(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(log, writer_process=True) as store:
        monkeypatch.setattr(sys, "executable", "/missing")
        waiting = asyncio.create_task(store.append(versions(1)))
        await asyncio.sleep(0)
        await asyncio.wait_for(store.stop(), SOON)
        assert await outcomes(waiting) == [Unavailable]


async def test_signals_to_stop_do_not_stop_the_process(store: GameLog) -> None:
    """It ends after the serving process, which finishes accepted requests first."""
    await store.append(versions(1))
    pid = writer()
    for number, stop_signal in enumerate((signal.SIGINT, signal.SIGTERM), start=2):
        os.kill(pid, stop_signal)
        await store.append(versions(number))
    assert writer() == pid
    assert os.getpgid(pid) != os.getpgid(0), "Ctrl-C does not reach it, not even while it starts"


# --- slow, and full -----------------------------------------------------------------------------------------------


async def test_while_the_process_is_stopped_appends_wait_and_reads_succeed(store: GameLog, log: Path) -> None:
    await store.append(versions(1))
    with stopped([writer()]):
        waiting = [asyncio.create_task(store.append(versions(number))) for number in (2, 3)]
        await asyncio.sleep(0.1)
        assert await store.read("id-ada") == values(versions(1))
        assert len(await store.follow(0, 100)) == 1
        assert not any(task.done() for task in waiting)
    assert await outcomes(*waiting) == [None, None]
    assert recorded(log) == [1, 2, 3]


async def test_cancelling_a_task_does_not_cancel_its_append(store: GameLog, log: Path) -> None:
    """The cancelled task ends with the append, so the next reader finds the log as it will be."""
    await store.append(versions(1))
    with stopped([writer()]):
        task = asyncio.create_task(store.append(versions(2)))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.sleep(0.05)
        assert not task.done()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert recorded(log) == [1, 2]


async def test_a_cancelled_task_ends_when_the_process_is_lost(store: GameLog) -> None:
    await store.append(versions(1))
    pid = writer()
    with stopped([pid]):
        task = asyncio.create_task(store.append(versions(2)))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.sleep(0.02)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, SOON)


async def test_appends_succeed_after_the_disk_was_full(store: GameLog, log: Path) -> None:
    """With a process that was running before, and with one that starts while the disk is full."""
    for number in (1, 2):
        await store.append(versions(number))
        with full_disk(os.getpid()):
            for _ in range(3):
                assert await outcomes(store.append(versions(9))) == [Unavailable]
                assert await store.read("id-ada") == values(versions(*range(1, number + 1)))
            await killed(writer())
            assert await outcomes(store.append(versions(9))) == [Unavailable]
    await store.append(versions(3))
    assert recorded(log) == [1, 2, 3]


@pytest.mark.parametrize("rows", [1, BulkInsert.ROWS, BulkInsert.ROWS + 1, 3 * BulkInsert.ROWS])
async def test_an_append_with_any_number_of_rows_is_one_transaction(store: GameLog, log: Path, rows: int) -> None:
    await store.append(versions(*range(1, rows + 1)))
    assert recorded(log) == [*range(1, rows + 1)]
    assert await outcomes(store.append(versions(*range(rows + 2, 2 * rows + 2), 1))) == [Conflict]
    await store.append(versions(rows + 1))
    assert recorded(log) == [*range(1, rows + 2)]


async def test_an_append_of_any_size_is_one_transaction(store: GameLog, log: Path) -> None:
    """More bytes than a socket takes at once; there are other appends before and after it."""
    large = [edited("eve", version, "x" * 1_000_000) for version in range(1, 9)]
    appends = versions(1), large, versions(2), versions(1)
    assert await outcomes(*map(store.append, appends)) == [None, None, None, Conflict]
    assert recorded(log, "id-eve") == [*range(1, 9)]


async def test_an_append_that_cannot_be_sent_fails_no_later_one(store: GameLog) -> None:
    """Each answer still goes to its own append."""
    invalid = Row("\ud800", 1, *versions(1)[0][2:])
    await store.append(versions(1))
    assert await asyncio.wait_for(outcomes(store.append([invalid])), SOON) == [Unavailable]
    assert await asyncio.wait_for(outcomes(store.append(versions(1)), store.append(versions(2))), SOON) == [
        Conflict, None,
    ]  # fmt: skip


# --- the process without a store ----------------------------------------------------------------------------------


class WriterClient:
    """A writer process and the other end of its socket."""

    def __init__(self, log: Path) -> None:
        command = [sys.executable, "-m", "service.log.writer_process", f"{log.as_uri()}?mode=rw", "1"]
        self.socket, theirs = socketpair()
        with theirs:
            self.process = subprocess.Popen(command, stdin=theirs.fileno(), stderr=subprocess.PIPE)
        self.socket.settimeout(SOON)
        self._frames = FrameDecoder()

    def send(self, *appends: list[Row]) -> None:
        self.socket.sendall(message(*appends))

    def answers(self) -> list[Any]:
        """The next answers."""
        while True:
            for frame in self._frames.feed(self.socket.recv(65536)):
                return list(msgspec.msgpack.decode(frame))

    def ends(self) -> None:
        """It exits by itself with status 0 and writes nothing to stderr."""
        _, errors = self.process.communicate(timeout=SOON)
        assert (self.process.returncode, errors) == (0, b"")


def message(*appends: list[Row]) -> bytes:
    rows = [[(row.stream, row.version, row.topic, b"{}") for row in append] for append in appends]
    return framed(msgspec.msgpack.encode(rows))


@pytest.fixture
def client(log: Path) -> Iterator[WriterClient]:
    asyncio.run(appended(log))
    client = WriterClient(log)
    yield client
    client.socket.close()
    client.process.kill()
    client.process.wait()


async def appended(log: Path, *appends: list[Row]) -> None:
    """Append with another store. Without appends it only creates the tables."""
    async with opened(log) as store:
        for append in appends:
            await store.append(append)


def test_appends_are_answered_in_order(client: WriterClient, log: Path) -> None:
    client.send(versions(1), versions(2))
    assert client.answers() == [None, None]
    client.send(versions(3), versions(2), versions(4))
    first, (kind, _), last = client.answers()
    assert (first, kind, last) == (None, "Conflict", None)
    client.socket.close()
    client.ends()
    assert recorded(log) == [1, 2, 3, 4]


def test_a_message_in_pieces_is_committed_when_it_is_complete(client: WriterClient, log: Path) -> None:
    sent = message(versions(1))
    for cut in (1, 3, 4, 5, len(sent) - 1):
        client.socket.sendall(sent[:cut])
        sleep(0.02)
        client.socket.sendall(sent[cut:])
        client.answers()
    assert recorded(log) == [1]


def test_complete_messages_are_committed_after_the_other_end_closes_and_an_incomplete_one_is_not(
    client: WriterClient, log: Path
) -> None:
    """As when the serving process is killed: it reads no answers and sends no rest of a message."""
    client.send(versions(1))
    client.answers()
    with stopped([client.process.pid]):
        for number in range(2, 50):
            client.send(versions(number))
        client.socket.sendall(message(versions(50))[:-1])
        client.socket.close()
    client.ends()
    assert recorded(log) == [*range(1, 50)]


def test_unread_answers_do_not_keep_the_process_alive(client: WriterClient, log: Path) -> None:
    for number in range(1, 20):
        client.send(versions(number))
    while recorded(log) != [*range(1, 20)]:
        sleep(0.01)
    client.socket.close()
    client.ends()


def test_another_process_can_write_as_soon_as_this_one_has_ended(client: WriterClient, log: Path) -> None:
    client.send(versions(1))
    client.socket.shutdown(SHUT_WR)
    assert client.answers() == [None]
    client.ends()
    asyncio.run(appended(log, versions(2)))
    assert recorded(log) == [1, 2]


# --- parts --------------------------------------------------------------------------------------------------------


def test_messages_are_reassembled_from_any_chunks() -> None:
    messages = [b"", b"a", b"\0" * 300, b"bc"]
    sent = b"".join(map(framed, messages))
    for first in range(len(sent) + 1):
        for second in range(first, len(sent) + 1):
            frames = FrameDecoder()
            pieces = sent[:first], sent[first:second], sent[second:]
            assert [found for piece in pieces for found in frames.feed(piece)] == messages


@pytest.mark.parametrize("outcome", [None, Conflict("at that version"), Unavailable("full")])
def test_an_outcome_is_the_same_after_encoding_and_decoding(outcome: Outcome) -> None:
    decoded = decode_outcome(encode_outcome(outcome))
    assert (type(decoded), str(decoded)) == (type(outcome), str(outcome))
