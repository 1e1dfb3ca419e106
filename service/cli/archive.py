"""Games in and out of a database, as a stream of records: one a line (NDJSON), compressed when a name ends in `.gz`.

Only games that are over leave: the log of one that runs knows what nobody at the table may know. A game that comes in
is verified first, keeps its id, and is read-only: nothing can happen in a game that is over. Every row of it says that
it was imported. Taken out again it is byte for byte what came in.
"""

import asyncio
import gzip
import os
import shutil
import sys
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from msgspec import MsgspecError, Raw
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from sqlalchemy.exc import SQLAlchemyError

from domain.codec import canonical, encode
from domain.fairness import record
from domain.fairness.record import Record, Unreadable
from domain.fairness.verification import verified
from domain.game import Revealed
from domain.log import Entry, Stored
from domain.rulesets import VERSIONS
from service.cli.import_rules import Inadmissible, admit
from service.games.games import tag
from service.runtime import kinds
from service.settings import InvalidSettings, Settings
from service.store import databases
from service.store.event_store import Row, Store
from service.store.group_commit import Conflict, Unavailable
from service.terminal import one_line

STDIO = "-"
"""The name of the standard input or output."""

WINDOW = 64
"""How many games are on their way into the log at once: they share commits."""

PAGE = 5_000

MUCH = 2**20
"""From so many bytes on it pays to have several processes verify."""


class RecordRejected(Exception):
    """The record cannot be imported, or the game cannot be exported. The message says why, in one line."""

    def __init__(self, why: str) -> None:
        super().__init__(one_line(why))


class Outcome(NamedTuple):
    """How many games came or went, how many were there already, and what was refused."""

    games: int
    known: int
    refused: tuple[str, ...]


# --- out ----------------------------------------------------------------------------------------------------------


async def export_games(settings: Settings, ids: Sequence[str], output: str) -> Outcome:
    """Write the records of these games, or of all that are over, to a file or the standard output."""
    async with opened(settings) as store:
        wanted = list(ids) or await over(store)
        done, refused = 0, []
        with sink(output) as out, bar("exporting", len(wanted)) as progress:
            for game_id in wanted:
                try:
                    out.write(await exported(store, game_id) + b"\n")
                    done += 1
                except RecordRejected as error:
                    refused.append(f"{game_id}: {error}")
                progress(1)
    return Outcome(done, 0, tuple(refused))


async def exported(store: Store, game_id: str) -> bytes:
    """The record of the game, as `GET .../record` gives it. Raises `RecordRejected`."""
    try:
        log = await store.read(game_id)
    except MsgspecError as error:
        raise RecordRejected(f"Its log cannot be read: {error}") from None
    if not log or not isinstance(log[0], Stored):
        raise RecordRejected("There is no such game.")
    if not isinstance(log[-1].event, Revealed):
        raise RecordRejected("The game is not over; its record would betray what is hidden.")
    return encode(record.of(game_id, log))


async def over(store: Store) -> list[str]:
    """The games that are over, in the order in which they ended."""
    topics, found, position = [f"{rules}.{tag(Revealed)}" for rules in VERSIONS], [], 0
    while page := await store.follow(position, PAGE, topics):
        found += [row.stream for _, row in page]
        position = page[-1].position
    return found


# --- in -----------------------------------------------------------------------------------------------------------


async def import_games(settings: Settings, files: Sequence[str]) -> Outcome:
    """Take in every record of the files that proves itself; whatever is refused does not keep out the others."""
    new = known = 0
    refused: list[str] = []
    waiting: set[asyncio.Task[bool]] = set()

    def settled(tasks: set[asyncio.Task[bool]]) -> None:
        nonlocal new, known
        for task in tasks:
            try:
                new, known = (new + 1, known) if task.result() else (new, known + 1)
            except RecordRejected as error:
                refused.append(f"{task.get_name()}: {error}")

    total = sum(map(size, files))
    async with opened(settings, new=True) as store:
        with verifiers(total) as pool, bar("importing", total) as progress, all_ended(waiting):
            for place, text, read in records(files, refused):
                waiting.add(asyncio.create_task(keep(store, pool, text), name=place))
                if len(waiting) >= WINDOW:
                    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                    waiting -= done
                    settled(done)
                progress(read)
            if waiting:
                settled((await asyncio.wait(waiting))[0])
    return Outcome(new, known, tuple(refused))


@contextmanager
def all_ended(tasks: set[asyncio.Task[bool]]) -> Iterator[None]:
    """Leaves none of them running when it is left by an exception."""
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


@contextmanager
def verifiers(total: int) -> Iterator[Executor]:
    """Where records are verified: much of them in as many processes as there are processors."""
    if total < MUCH:
        with ThreadPoolExecutor(1) as here:
            yield here
    else:
        # Begun anew, not forked: the store has threads.
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
            yield processes


async def keep(store: Store, pool: Executor, text: bytes) -> bool:
    """Whether the game was new. Raises `RecordRejected`, also where another one is kept under its id."""
    game_id, rows = await asyncio.get_running_loop().run_in_executor(pool, prepared, text)
    try:
        await store.append([Row(game_id, version, topic, Raw(state)) for version, topic, state in rows])
    except Conflict:
        log = await store.read(game_id)
        if isinstance(log[0], Stored) and canonical(record.of(game_id, log)) == canonical(record.decode(text)):
            return False
        raise RecordRejected("Another record, or another game, is kept under this id.") from None
    return True


def prepared(text: bytes) -> tuple[str, list[tuple[int, str, bytes]]]:
    """The id of the game with this record; version, topic and value of each of its rows. Raises `RecordRejected`."""
    found, ends = proven(text)
    return found.id, [
        (value.version, f"{found.rules}.{tag(value.event)}", encode(value)) for value in imported(found.events, ends)
    ]


def proven(text: bytes) -> tuple[Record[Any, Any, Any], Sequence[int]]:
    """The record, once everything in it has been verified, and the versions at which its appends end.

    Raises `RecordRejected`.
    """
    try:
        found = record.decode(text)
    except Unreadable as error:
        raise RecordRejected(f"This is no record: {error}") from None
    try:
        admit(found)
    except Inadmissible as error:
        raise RecordRejected(f"Nothing like this is accepted here: {error}.") from None
    if not found.events or not isinstance(found.events[-1].event, Revealed):
        raise RecordRejected("The game is not over, or this is not all of it.")
    checks, ends = verified(found)
    for check in checks:
        if not check.ok:
            at = "" if check.version is None else f" at version {check.version}"
            fails = "cannot be made" if check.ok is None else "fails"
            raise RecordRejected(f"The check `{check.name}` {fails}{at}: {check.detail}")
    assert ends[-1] == len(found.events), "a game was carried out again, but not to its end"
    return found, ends


def imported(events: Sequence[Entry[Any]], ends: Sequence[int]) -> Iterator[Stored[Any]]:
    """The events as they are stored, in the appends that end at these versions.

    Times do not separate appends: while a clock is behind, several appends have the same time.
    """
    begin = 0
    for end in ends:
        for entry in events[begin:end]:
            yield Stored(
                entry.version, entry.at, entry.by, entry.event, entry.public, entry.secret, entry.head,
                more=end - entry.version, imported=True,
            )  # fmt: skip
        begin = end


# --- files --------------------------------------------------------------------------------------------------------


def records(files: Sequence[str], refused: list[str]) -> Iterator[tuple[str, bytes, int]]:
    """Every record of the files: where it stands, its text, and how much of the files has been read for it."""
    for name in files:
        number, before = 0, 0
        try:
            with source(name) as (raw, text):
                for number, line in enumerate(text, 1):
                    position = raw.tell() if raw.seekable() else 0
                    if line.strip():
                        yield f"{name}:{number}", line, position - before
                    before = position
        except (OSError, EOFError, zlib.error) as error:
            refused.append(f"{name}:{number + 1}: {error}")


@contextmanager
def source(name: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The file as it is, and what stands in it."""
    if name == STDIO:
        yield sys.stdin.buffer, sys.stdin.buffer
        return
    with Path(name).open("rb") as raw:
        if not name.endswith(".gz"):
            yield raw, raw
            return
        with gzip.open(raw) as text:
            yield raw, cast("IO[bytes]", text)


@contextmanager
def sink(name: str) -> Iterator[IO[bytes]]:
    """Where records are written to. Raises `Faulty` when they cannot be.

    A regular file appears when it is complete, or stays what it was; symbolic links are followed. Devices, pipes and
    whatever else is there already are written to as they are, and so is all below /dev and /proc.
    """
    if name == STDIO:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        if is_stream(name):
            with Path(name).open("wb") as raw, compressed(name, raw) as out:
                yield out
            return
        target = Path(name).resolve()
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as raw:
                with compressed(name, raw) as out:
                    yield out
                raw.flush()
                os.fsync(raw.fileno())
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidSettings(f"{one_line(name)} cannot be written: {error.strerror or error}") from None


def is_stream(name: str) -> bool:
    """Whether something is there that is no regular file, or a place where the system shows none as files."""
    path = Path(name)
    return name.startswith(("/dev/", "/proc/")) or (path.exists() and not path.is_file())


@contextmanager
def compressed(name: str, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """What is written is compressed where the name ends in `.gz`."""
    if not name.endswith(".gz"):
        yield raw
        return
    # Without a name and a time in it: the same games, the same file.
    with gzip.GzipFile("", "wb", 6, raw, mtime=0) as text:
        yield cast("IO[bytes]", text)


def size(name: str) -> int:
    return Path(name).stat().st_size if name != STDIO and Path(name).is_file() else 0


# --- the command line ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def opened(settings: Settings, *, new: bool = False) -> AsyncIterator[Store]:
    """The database, which may be in use by a running service; made if it is to be a `new` one."""
    if not (new or settings.uses_postgres or settings.eventstore_module or settings.sqlite_path.exists()):
        raise InvalidSettings(f"There is no database at {settings.sqlite_path}.")
    try:
        databases.check(settings)
        store = Store(databases.log(settings), kinds())
    except (Unavailable, SQLAlchemyError) as error:
        raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.database_label} cannot be used: {error}") from None
    try:
        yield store
    except Unavailable as error:
        raise InvalidSettings(
            f"STAMMTISCH_DATABASE: {settings.database_label} cannot be read or written: {error}"
        ) from None
    finally:
        await store.close()


@contextmanager
def bar(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar that shows how far we are, on stderr if somebody looks at it; call what it yields to go on."""
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(label, total=total or None)
        yield lambda steps: progress.update(task, advance=steps)


def told(outcome: Outcome, done: str) -> int:
    """Say on stderr what has been done; the exit status."""
    for line in outcome.refused:
        sys.stderr.write(f"{one_line(line)}\n")
    known = f", {outcome.known} were there already" if outcome.known else ""
    refused = f", {len(outcome.refused)} refused" if outcome.refused else ""
    sys.stderr.write(f"{outcome.games} games {done}{known}{refused}\n")
    return 1 if outcome.refused else 0
