"""Appends to PostgreSQL by many writers at once: against a lock of the table, and beside what keeps the table small."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from time import monotonic, perf_counter
from typing import Any, NamedTuple

import psycopg
from psycopg.rows import tuple_row

from service import databases, settings
from service.extensions.archive.archiver import MAX_ROWS
from service.log import postgres
from service.log.elsewhere import FIRST
from service.log.mapper import StoredRow
from tests.support import servers
from tests.support.servers import Postgres

WRITERS = 8
DELAY = 5_000
"""Microseconds that a commit takes longer, as one for which a standby waits."""
STATE = b"x" * 460
"""An event of Skyjo has this size."""
LENGTH = 100
"""Rows of a game."""

_streams = count()


class Locking(postgres.Recorder):
    """Locks the table for each append, as the library does."""

    def _append(self, connection: psycopg.Connection[Any], columns: Sequence[Sequence[Any]]) -> Sequence[int]:
        with connection.pipeline(), connection.cursor(binary=True, row_factory=tuple_row) as inserted:
            connection.execute(b"BEGIN")
            connection.execute(b"LOCK TABLE stammtisch_events IN EXCLUSIVE MODE")
            inserted.execute(self._insert, [None, *columns], prepare=True)
            connection.execute(b"COMMIT")
            return [position for (position,) in inserted.fetchall()]


@contextmanager
def recorder(url: str, kind: type[postgres.Recorder] = postgres.Recorder) -> Iterator[postgres.Recorder]:
    factory = postgres.Factory({**postgres.environment(url, 1), "ORIGINATOR_ID_TYPE": "text"})
    try:
        yield kind(factory.datastore)
    finally:
        factory.close()


@contextmanager
def durable() -> Iterator[Postgres]:
    with servers.postgres(durable=True) as server:
        databases.migrate(settings.read({}, database=server.url()))
        yield server


def appended(url: str, seconds: float, kind: type[postgres.Recorder] = postgres.Recorder) -> list[float]:
    """The seconds of each append of two events by all writers."""
    found: list[float] = []
    ready, until = threading.Barrier(WRITERS), monotonic() + seconds

    def write() -> None:
        with recorder(url, kind) as own:
            stream, version, taken = f"written-{next(_streams)}", 0, list[float]()
            own.insert_events(_rows(stream, 1, 1))  # connects and prepares
            ready.wait()
            while monotonic() < until:
                begun = perf_counter()
                own.insert_events(_rows(stream, version + 2, version + 3))
                taken.append(perf_counter() - begun)
                version += 2
        found.extend(taken)

    _run([write] * WRITERS)
    return found


def _rows(stream: str, first: int, last: int) -> Any:
    return [StoredRow(stream, version, "t", STATE) for version in range(first, last + 1)]


def _run(works: Sequence[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


class Commits(NamedTuple):
    """Commits for a second."""

    ours: float
    locked: float


def commits(seconds: float, rounds: int) -> Iterator[Commits]:
    """In turns, while a commit takes `DELAY` longer."""
    with durable() as server:
        for name, value in (("commit_delay", DELAY), ("commit_siblings", 0)):
            server.execute(f"ALTER SYSTEM SET {name} = {value}")
        server.execute("SELECT pg_reload_conf()")
        for _ in range(rounds):
            ours, locked = (len(appended(server.url(), seconds, kind)) for kind in (postgres.Recorder, Locking))
            yield Commits(ours / seconds, locked / seconds)


class Longest(NamedTuple):
    """The seconds of the longest append and of one in a hundred, and how often the upkeep was done meanwhile."""

    longest: float
    p99: float
    times: int


def upkeep(games: int, seconds: float, rounds: int) -> Iterator[dict[str, Longest]]:
    """In turns, beside nothing and beside each kind of upkeep without a pause. The log has this number of archived
    games."""
    with durable() as server, ExitStack() as stack:
        server.execute(
            "INSERT INTO stammtisch_events (originator_id, originator_version, topic, state, notification_id) "
            f"SELECT 'old-' || game, version, 't', repeat('x', {len(STATE)})::bytea, -(game::bigint * 1000 + version) "
            f"FROM generate_series(1, {games}) AS game, generate_series(1, {LENGTH}) AS version"
        )
        archived, old = stack.enter_context(recorder(server.url())), iter(range(1, games + 1))

        def delete() -> None:
            """As the archiver does, which pauses for a second after each batch."""
            batch = [f"old-{next(old)}" for _ in range(MAX_ROWS // LENGTH)]
            rows = [StoredRow(stream, 1, FIRST, STATE) for stream in batch]
            archived.replace_rows(rows, [(stream, 1, LENGTH - 1) for stream in batch])

        kinds: dict[str, Callable[[], object]] = {
            "nothing": lambda: None,
            "VACUUM": lambda: server.execute("VACUUM stammtisch_events"),
            "ANALYZE": lambda: server.execute("ANALYZE stammtisch_events"),
            "deletions": delete,
        }
        for _ in range(rounds):
            yield {name: _beside(server.url(), seconds, work) for name, work in kinds.items()}


def _beside(url: str, seconds: float, work: Callable[[], object]) -> Longest:
    over, times = threading.Event(), 0

    def keep_up() -> None:
        nonlocal times
        while not over.wait(0.02):
            work()
            times += 1

    beside = threading.Thread(target=keep_up)
    beside.start()
    try:
        taken = sorted(appended(url, seconds))
    finally:
        over.set()
        beside.join()
    return Longest(taken[-1], taken[len(taken) * 99 // 100], times)
