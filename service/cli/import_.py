"""The command `import`: verifies records and stores their games.

An imported game keeps its id and is read-only, because it is over. Each of its rows is marked as imported. The names in
a record are stored for players who are unknown here. Records that differ only in names are the same.
"""

import asyncio
from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from msgspec import Raw
from msgspec.structs import asdict, replace

from domain.codec import canonical, encode
from domain.fairness import record
from domain.fairness.record import Record, Unreadable
from domain.fairness.verification import verify
from domain.game import Revealed
from domain.game.log import Stored
from service import settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.cli.import_rules import InvalidField, check_fields
from service.cli.progress import progress_bar
from service.cli.record_files import size, stream_files
from service.cli.transfer import RecordRejected, Summary, report
from service.games.topics import tag
from service.log.errors import Conflict
from service.log.game_log import GameLog
from service.log.mapper import Row
from service.process import packages
from service.settings import Settings
from service.tables import players
from service.tables.mutable import Mutable

CONCURRENT_IMPORTS = 64
"""Games that are appended concurrently, so that they share commits."""

NAMES_AT_ONCE = 500
"""Names of players that are stored at once."""

PARALLEL_BYTES = 2**20
"""The size of the input from which several processes verify it."""


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    return report(asyncio.run(import_games(given, arguments.files)), "imported")


async def import_games(settings: Settings, files: Sequence[str]) -> Summary:
    """Import all valid records of the files. A rejected record or file does not affect the others.

    Raises `InvalidSettings`.
    """
    imported = existing = 0
    rejected: list[str] = []
    pending: set[asyncio.Task[bool]] = set()

    def count(tasks: set[asyncio.Task[bool]]) -> None:
        nonlocal imported, existing
        for task in tasks:
            try:
                imported, existing = (imported + 1, existing) if task.result() else (imported, existing + 1)
            except RecordRejected as error:
                rejected.append(f"{task.get_name()}: {error}")

    total = sum(map(size, files))
    names: dict[str, str] = {}
    async with open_store(settings, create=True) as store, open_mutable(settings) as mutable:
        with verifier_pool(total) as pool, progress_bar("importing", total) as advance, cancelling(pending):
            for place, text, bytes_read in stream_files(files):
                if isinstance(text, Unreadable):
                    rejected.append(f"{place}: {text}")
                    continue
                pending.add(asyncio.create_task(import_record(store, pool, text, names), name=place))
                if len(pending) >= CONCURRENT_IMPORTS:
                    done, _ = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                    pending -= done
                    count(done)
                if len(names) >= NAMES_AT_ONCE:
                    await store_names(mutable, names)
                advance(bytes_read)
            if pending:
                count((await asyncio.wait(pending))[0])
            await store_names(mutable, names)
    return Summary(imported, existing, tuple(rejected))


@contextmanager
def cancelling(tasks: set[asyncio.Task[bool]]) -> Iterator[None]:
    """Cancel the tasks that are still running at the end of the block, after an exception."""
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


@contextmanager
def verifier_pool(total: int) -> Iterator[Executor]:
    """An executor for verification: one thread for small inputs, otherwise one process per processor."""
    if total < PARALLEL_BYTES:
        with ThreadPoolExecutor(1) as thread:
            yield thread
    else:
        # Spawned, not forked: the store has threads.
        with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=packages.load) as processes:
            yield processes


async def store_names(mutable: Mutable, names: dict[str, str]) -> None:
    """Store the names of players who are unknown here, and empty `names`."""
    if names:
        await mutable.change(players.add, names.copy())
        names.clear()


async def import_record(store: GameLog, pool: Executor, text: bytes, names: dict[str, str]) -> bool:
    """Verify and store a record, and add its names to `names`. Returns False if the same record is stored already.

    Raises `RecordRejected`, also if another record or game has the same id.
    """
    game_id, rows, found = await asyncio.get_running_loop().run_in_executor(pool, prepare, text)
    try:
        await store.append([Row(game_id, version, topic, Raw(state)) for version, topic, state in rows])
    except Conflict:
        log = await store.read(game_id)
        if not isinstance(log[0], Stored) or not is_same(record.complete(record.of(game_id, log)), record.decode(text)):
            raise RecordRejected("Another record, or another game, has the same id.") from None
        names.update(found)
        return False
    names.update(found)
    return True


def is_same(one: Record[Any, Any, Any, Any], other: Record[Any, Any, Any, Any]) -> bool:
    return canonical(replace(one, names={})) == canonical(replace(other, names={}))


def prepare(text: bytes) -> tuple[str, list[tuple[int, str, bytes]], dict[str, str]]:
    """The id of the game, version, topic and state of each of its rows, and the names. Raises `RecordRejected`."""
    found = validate(text)
    entries = [Stored(**asdict(entry), imported=True) for entry in record.hashed(found).events]
    rows = [(entry.version, f"{found.rules}.{tag(entry.event)}", encode(entry)) for entry in entries]
    return found.id, rows, found.names


def validate(text: bytes) -> Record[Any, Any, Any, Any]:
    """The record after all checks. Raises `RecordRejected`."""
    try:
        found = record.decode(text)
    except Unreadable as error:
        raise RecordRejected(f"Not a record: {error}") from None
    try:
        check_fields(found)
    except InvalidField as error:
        raise RecordRejected(f"A field is not valid: {error}.") from None
    if not found.events or not isinstance(found.events[-1].event, Revealed):
        raise RecordRejected("The game is not over, or the record is incomplete.")
    for check in verify(found):
        if not check.ok:
            at = "" if check.version is None else f" at version {check.version}"
            fails = "cannot be made" if check.ok is None else "fails"
            raise RecordRejected(f"The check `{check.name}` {fails}{at}: {check.detail}")
    return found
