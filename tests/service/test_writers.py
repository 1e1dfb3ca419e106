"""The process that writes to the log's file: real processes and real files, on either event loop. Whatever becomes of
it, an append is recorded wholly or not at all, ends in a moment, and the next one succeeds.

What it does as the thread does is told in `test_store`.
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
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest

from service.settings import read
from service.store.bulk_insert import BulkInsert
from service.store.databases import written_apart
from service.store.event_store import Row, Store
from service.store.framing import FrameDecoder, framed
from service.store.group_commit import Conflict, Outcome, Unavailable
from service.store.writer import _outcome
from service.store.writer_process import told as told_by_the_process
from tests.projections.histories import renamed
from tests.service.test_store import open_files, opened, outcomes, told, versions
from tests.support.servers import children, full_disk, stopped, writers

pytestmark = pytest.mark.anyio

MOMENT = 10
"""Seconds; it takes milliseconds, but machines of tests are busy."""


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return "asyncio", {"use_uvloop": request.param}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


@pytest.fixture
async def store(log: Path) -> AsyncIterator[Store]:
    """Nothing is left of its processes when it is closed."""
    before = children(os.getpid())
    async with opened(log, apart=True) as store:
        yield store
    assert children(os.getpid()) == before


def writer() -> int:
    """The process that writes at the moment."""
    (pid,) = writers(os.getpid())
    return pid


async def killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    await gone(pid)


def exists(pid: int) -> bool:
    """So it does until its parent has waited for it."""
    return Path(f"/proc/{pid}").exists()


async def gone(pid: int) -> None:
    async with asyncio.timeout(MOMENT):
        while exists(pid):  # noqa: ASYNC110 - nobody rings
            await asyncio.sleep(0.002)
    await asyncio.sleep(0.002)  # another thread may have waited for it: the event loop, too, has to notice


def files(pid: int) -> list[str]:
    """What the process has open."""
    return [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]


def recorded(log: Path, stream: str = "id-ada") -> list[int]:
    """The versions that anybody finds in the file."""
    with closing(sqlite3.connect(log)) as connection:
        asked = "SELECT originator_version FROM stored_events WHERE originator_id = ? ORDER BY 1"
        return [version for (version,) in connection.execute(asked, [stream])]


# --- begun and ended ----------------------------------------------------------------------------------------------


async def test_it_begins_with_the_first_append_and_ends_with_the_store(log: Path) -> None:
    async with opened(log, apart=True) as store:
        assert await store.read("id-ada") == []
        assert writers(os.getpid()) == []
        await store.append(versions(1))
        first = writer()
        await store.append(versions(2))
        assert writer() == first
    assert not exists(first)


async def test_what_comes_in_one_turn_of_the_event_loop_is_one_commit(store: Store) -> None:
    for number in (1, 2):
        await asyncio.gather(*(store.append(versions(number, of=f"p{player}")) for player in range(60)))
        assert (store.batches, store.rows) == (number, number * 60)


async def test_it_is_closed_twice_and_also_without_any_append(log: Path) -> None:
    async with opened(log, apart=True) as store:
        await store.close()
        await store.close()
    async with opened(log, apart=True) as store:
        await store.append(versions(1))
        await store.close()
        await store.close()
    assert writers(os.getpid()) == []


async def test_it_does_what_waits_before_it_ends_also_where_it_has_yet_to_begin(log: Path) -> None:
    async with opened(log, apart=True) as store:
        waiting = [asyncio.create_task(store.append(versions(number))) for number in range(1, 101)]
        await asyncio.sleep(0)
        await store.close()
        assert recorded(log) == [*range(1, 101)]
        assert await outcomes(*waiting) == [None] * 100


async def test_it_needs_nothing_that_its_parent_has_open(store: Store, tmp_path: Path) -> None:
    """Else a socket would stay bound for as long as it lives, and a file on the disk."""
    with (tmp_path / "other").open("w"):
        await store.append(versions(1))
        names = files(writer())
    assert str(tmp_path / "other") not in names
    assert len({name for name in names if name.startswith("socket:")}) == 1


async def test_it_is_begun_from_any_working_directory(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies there is not imported."""
    for name in ("service", "msgspec"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise Exception('something else of this name')")
    monkeypatch.chdir(tmp_path)
    await store.append(versions(1))


# --- lost ---------------------------------------------------------------------------------------------------------


async def test_it_is_killed_while_nobody_waits_and_the_next_append_begins_another_one(store: Store, log: Path) -> None:
    for number in range(1, 4):
        await store.append(versions(number))
        await killed(writer())
    await store.append(versions(4))
    assert recorded(log) == [1, 2, 3, 4]


async def test_it_is_killed_and_the_next_one_does_not_write_to_another_file(store: Store, log: Path) -> None:
    other = log.with_name("other.db")
    async with opened(other, apart=True) as another:
        await another.append(versions(1, of="bob"))
    await store.append(versions(1))
    await killed(writer())
    other.replace(log)
    assert await outcomes(store.append(versions(2)), store.append(versions(3))) == [Unavailable] * 2
    assert await outcomes(store.append(versions(2))) == [Unavailable]
    with closing(sqlite3.connect(f"file:{log}?immutable=1", uri=True)) as connection:
        assert connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall() == [("id-bob",)]


@pytest.mark.parametrize(
    ("asked", "cores", "workers", "apart"),
    [
        ("auto", 1, 1, False),
        ("auto", 2, 1, True),
        ("auto", 2, 2, False),
        ("process", 1, 4, True),
        ("thread", 8, 1, False),
    ],
)
def test_it_is_there_where_there_is_a_core_for_it_or_as_asked(
    asked: str, cores: int, workers: int, apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    assert written_apart(read({}, sqlite_writer=asked, workers=workers)) is apart


async def test_it_is_killed_and_those_who_wait_are_told_in_a_moment(store: Store, log: Path) -> None:
    """Those also whose append came while nobody knew yet; the ones that come behind succeed."""
    await store.append(versions(1))
    pid = writer()
    with stopped([pid]):
        waiting = [asyncio.create_task(store.append(versions(1, of=f"p{number}"))) for number in range(20)]
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        begun = monotonic()
        assert await outcomes(*waiting) == [Unavailable] * 20
    assert monotonic() - begun < MOMENT
    await store.append(versions(2))
    assert recorded(log) == [1, 2]
    assert writer() != pid


async def test_it_is_killed_at_any_moment_and_every_append_is_recorded_wholly_or_not_at_all(
    store: Store, log: Path
) -> None:
    """And once it is acknowledged, for good."""
    for number in range(15):
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


async def test_it_is_killed_again_and_again_and_nothing_is_used_up(store: Store) -> None:
    await store.append(versions(1))
    before = open_files()
    for number in range(2, 22):
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


async def test_it_cannot_be_begun_and_afterwards_it_can(
    store: Store, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, processes = open_files(), children(os.getpid())
    for wrong in ("/missing", str(log), "/bin/false"):  # not there, no program, one that ends at once
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", wrong)
            for _ in range(3):
                ended = await asyncio.wait_for(outcomes(store.append(versions(1)), store.append(versions(2))), MOMENT)
                assert ended == [Unavailable] * 2
    assert recorded(log) == []
    assert writers(os.getpid()) == []
    await store.append(versions(1))
    assert len(children(os.getpid())) <= len(processes) + 1
    assert open_files() <= before + 6  # one for the socket, three for the log that was not open yet


async def test_half_an_answer_is_none(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what the next one answers is read from its beginning."""
    dying = tmp_path / "dying"
    dying.write_text("#!/bin/sh\nhead --bytes=1 >/dev/null\nprintf '\\0\\0' >&0\n")
    dying.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(dying))
        assert await outcomes(store.append(versions(1))) == [Unavailable]
    assert await asyncio.wait_for(outcomes(store.append(versions(1))), MOMENT) == [None]


async def test_where_no_more_files_can_be_opened_it_is_said(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_: Any) -> Any:
        raise OSError("Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr("service.store.writer.socketpair", no_more)
        assert await outcomes(store.append(versions(1))) == [Unavailable]
    await store.append(versions(1))


async def test_it_cannot_be_begun_and_is_closed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(log, apart=True) as store:
        monkeypatch.setattr(sys, "executable", "/missing")
        waiting = asyncio.create_task(store.append(versions(1)))
        await asyncio.sleep(0)
        await asyncio.wait_for(store.close(), MOMENT)
        assert await outcomes(waiting) == [Unavailable]


async def test_whoever_stops_the_service_does_not_stop_it(store: Store) -> None:
    """It ends when the serving process has, which finishes what it has accepted."""
    await store.append(versions(1))
    pid = writer()
    for number, asked_to_stop in enumerate((signal.SIGINT, signal.SIGTERM), start=2):
        os.kill(pid, asked_to_stop)
        await store.append(versions(number))
    assert writer() == pid


async def test_a_key_on_the_keyboard_does_not_reach_it(store: Store) -> None:
    """Not even while it begins: it is of another process group than whoever runs in the foreground."""
    await store.append(versions(1))
    assert os.getpgid(writer()) != os.getpgid(0)


# --- slow, and full -----------------------------------------------------------------------------------------------


async def test_it_stands_still_and_appends_wait_while_reads_go_on(store: Store, log: Path) -> None:
    await store.append(versions(1))
    with stopped([writer()]):
        waiting = [asyncio.create_task(store.append(versions(number))) for number in (2, 3)]
        await asyncio.sleep(0.1)
        assert await store.read("id-ada") == told(versions(1))
        assert len(await store.follow(0, 100)) == 1
        assert not any(task.done() for task in waiting)
    assert await outcomes(*waiting) == [None, None]
    assert recorded(log) == [1, 2, 3]


async def test_whoever_goes_away_does_not_stop_an_append(store: Store, log: Path) -> None:
    """The cancelled task ends when the append does, so whoever comes next finds the log as it will be."""
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


async def test_whoever_goes_away_also_ends_when_it_is_lost(store: Store) -> None:
    await store.append(versions(1))
    pid = writer()
    with stopped([pid]):
        task = asyncio.create_task(store.append(versions(2)))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.sleep(0.02)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, MOMENT)


async def test_on_a_full_disk_it_goes_on_afterwards(store: Store, log: Path) -> None:
    """One that has begun before, and one that begins while it is full."""
    for number in (1, 2):
        await store.append(versions(number))
        with full_disk(os.getpid()):
            for _ in range(3):
                assert await outcomes(store.append(versions(9))) == [Unavailable]
                assert await store.read("id-ada") == told(versions(*range(1, number + 1)))
            await killed(writer())
            assert await outcomes(store.append(versions(9))) == [Unavailable]
    await store.append(versions(3))
    assert recorded(log) == [1, 2, 3]


@pytest.mark.parametrize("rows", [1, BulkInsert.ROWS, BulkInsert.ROWS + 1, 3 * BulkInsert.ROWS])
async def test_an_append_of_any_length_is_one(store: Store, log: Path, rows: int) -> None:
    await store.append(versions(*range(1, rows + 1)))
    assert recorded(log) == [*range(1, rows + 1)]
    assert await outcomes(store.append(versions(*range(rows + 2, 2 * rows + 2), 1))) == [Conflict]
    await store.append(versions(rows + 1))
    assert recorded(log) == [*range(1, rows + 2)]


async def test_an_append_of_any_size_is_one(store: Store, log: Path) -> None:
    """More than goes through a socket at once; others wait in front of it and behind."""
    large = [renamed("eve", version, "x" * 1_000_000) for version in range(1, 9)]
    appends = versions(1), large, versions(2), versions(1)
    assert await outcomes(*map(store.append, appends)) == [None, None, None, Conflict]
    assert recorded(log, "id-eve") == [*range(1, 9)]


async def test_an_append_that_cannot_be_sent_harms_no_later_one(store: Store) -> None:
    """Answers still come to those whose they are."""
    unwritable = Row("\ud800", 1, *versions(1)[0][2:])
    await store.append(versions(1))
    assert await asyncio.wait_for(outcomes(store.append([unwritable])), MOMENT) == [Unavailable]
    assert await asyncio.wait_for(outcomes(store.append(versions(1)), store.append(versions(2))), MOMENT) == [
        Conflict, None,
    ]  # fmt: skip


# --- what the process does by itself ------------------------------------------------------------------------------


class Alone:
    """The process, with the other end of its socket in our hands."""

    def __init__(self, log: Path) -> None:
        command = [sys.executable, "-m", "service.store.writer_process", f"{log.as_uri()}?mode=rw", "1"]
        self.ours, theirs = socketpair()
        with theirs:
            self.process = subprocess.Popen(command, stdin=theirs.fileno(), stderr=subprocess.PIPE)
        self.ours.settimeout(MOMENT)
        self._frames = FrameDecoder()

    def send(self, *appends: list[Row]) -> None:
        self.ours.sendall(message(*appends))

    def answers(self) -> list[Any]:
        """The next ones."""
        while True:
            for frame in self._frames.of(self.ours.recv(65536)):
                return list(msgspec.msgpack.decode(frame))

    def ends(self) -> None:
        """By itself, in order and without a word."""
        _, errors = self.process.communicate(timeout=MOMENT)
        assert (self.process.returncode, errors) == (0, b"")


def message(*appends: list[Row]) -> bytes:
    rows = [[(row.stream, row.version, row.topic, b"{}") for row in append] for append in appends]
    return framed(msgspec.msgpack.encode(rows))


@pytest.fixture
def alone(log: Path) -> Iterator[Alone]:
    asyncio.run(appended(log))
    alone = Alone(log)
    yield alone
    alone.ours.close()
    alone.process.kill()
    alone.process.wait()


async def appended(log: Path, *appends: list[Row]) -> None:
    """By another process; without any, the tables are made."""
    async with opened(log) as store:
        for append in appends:
            await store.append(append)


def test_each_append_is_answered_in_its_turn(alone: Alone, log: Path) -> None:
    alone.send(versions(1), versions(2))
    assert alone.answers() == [None, None]
    alone.send(versions(3), versions(2), versions(4))
    first, (kind, _), last = alone.answers()
    assert (first, kind, last) == (None, "Conflict", None)
    alone.ours.close()
    alone.ends()
    assert recorded(log) == [1, 2, 3, 4]


def test_what_comes_in_pieces_is_committed_when_it_is_whole(alone: Alone, log: Path) -> None:
    sent = message(versions(1))
    for place in (1, 3, 4, 5, len(sent) - 1):
        alone.ours.sendall(sent[:place])
        sleep(0.02)
        alone.ours.sendall(sent[place:])
        alone.answers()
    assert recorded(log) == [1]


def test_what_has_come_is_committed_when_the_other_end_is_gone_and_half_a_message_is_not(
    alone: Alone, log: Path
) -> None:
    """Whoever is killed reads no answers any more, nor sends the rest of what he was about to."""
    alone.send(versions(1))
    alone.answers()
    with stopped([alone.process.pid]):
        for number in range(2, 50):
            alone.send(versions(number))
        alone.ours.sendall(message(versions(50))[:-1])
        alone.ours.close()
    alone.ends()
    assert recorded(log) == [*range(1, 50)]


def test_answers_that_nobody_has_read_do_not_keep_it(alone: Alone, log: Path) -> None:
    for number in range(1, 20):
        alone.send(versions(number))
    while recorded(log) != [*range(1, 20)]:
        sleep(0.01)
    alone.ours.close()
    alone.ends()


def test_when_it_has_ended_another_process_may_write_at_once(alone: Alone, log: Path) -> None:
    alone.send(versions(1))
    alone.ours.shutdown(SHUT_WR)
    assert alone.answers() == [None]
    alone.ends()
    asyncio.run(appended(log, versions(2)))
    assert recorded(log) == [1, 2]


# --- parts --------------------------------------------------------------------------------------------------------


def test_frames_are_found_wherever_they_are_cut() -> None:
    messages = [b"", b"a", b"\0" * 300, b"bc"]
    sent = b"".join(map(framed, messages))
    for first in range(len(sent) + 1):
        for second in range(first, len(sent) + 1):
            frames = FrameDecoder()
            pieces = sent[:first], sent[first:second], sent[second:]
            assert [found for piece in pieces for found in frames.of(piece)] == messages


@pytest.mark.parametrize("outcome", [None, Conflict("at that version"), Unavailable("full")])
def test_an_outcome_is_told_as_it_is(outcome: Outcome) -> None:
    again = _outcome(told_by_the_process(outcome))
    assert (type(again), str(again)) == (type(outcome), str(outcome))
