"""The system under fault: processes on one database, and the faults that can be injected into it."""

import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import TypeVar

import psycopg

from service import databases, settings
from tests.campaigns.chaos import clock
from tests.support import servers
from tests.support.clients import Server
from tests.support.receivers import NETWORKS, Deliverers
from tests.support.servers import START_TIMEOUT, children, full_disk, stopped

GIVEN = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, "webhook_networks": NETWORKS}

UNEXPECTED = "a request failed", "a stream failed", "Exception in", "never retrieved", "Fatal"
"""Log texts of bugs. Logging an unavailable database or a full disk is correct."""


class Deployment:
    """Equal processes on one database. Requests are distributed in turn. All methods block."""

    allows_stale_reads = False
    """Whether a read may be stale for a moment, because processes announce moves to each other through Redis."""

    def __init__(self, folder: Path, database: Path | str, processes: int, **given: str) -> None:
        self.database = database
        self._folder = folder
        self._given = GIVEN | given
        self._written: list[str] = []
        for number in range(processes):
            clock.make(self._clock(number))
        self.servers = [self._started(number) for number in range(processes)]
        self.deliverers = Deliverers(folder, database=database, **self._given)
        self._turns = cycle(range(processes))

    @property
    def url(self) -> str:
        return self.servers[next(self._turns)].url

    def pid(self, number: int) -> int:
        return self.servers[number].pid

    def processes(self) -> list[int]:
        """The ids of the servers and of the processes that they started."""
        serving = [self.pid(number) for number in range(len(self.servers))]
        return serving + [child for pid in serving for child in children(pid)]

    def states(self) -> list[bytes]:
        """All rows of the log."""
        raise NotImplementedError

    def _clock(self, number: int) -> Path:
        return self._folder / f"server-{number}.clock"

    def _started(self, number: int) -> Server:
        """Start repeatedly, as a supervisor would: a server cannot start without its database."""
        output, begun = self._folder / f"server-{number}", time.monotonic()
        while True:
            try:
                return Server(self.database, output=output, clock=self._clock(number), **self._given)
            except AssertionError:
                if time.monotonic() > begun + START_TIMEOUT:
                    raise

    # --- faults of a process ---

    def crash(self, number: int, _: Random) -> None:
        """SIGKILL to what serves. Its parent replaces it."""
        self.servers[number].crash()

    def kill(self, number: int, _: Random) -> None:
        """SIGKILL to the parent, so to all of its processes, then start a replacement."""
        self.servers[number].process.kill()
        self.servers[number].process.wait()
        self._replace(number)

    def stop(self, number: int, _: Random) -> None:
        """SIGTERM, then start a replacement."""
        self.servers[number].stop()
        self._replace(number)

    def _replace(self, number: int) -> None:
        self._written.append(self.servers[number].errors)
        self.servers[number] = self._started(number)

    def unexpected(self) -> list[str]:
        """The error output of all processes that logged an unexpected error so far."""
        written = (*self._written, self.deliverers.written, *(server.errors for server in self.servers))
        return [text for text in written if any(sign in text for sign in UNEXPECTED)]

    def stall(self, number: int, dice: Random) -> None:
        """SIGSTOP, and SIGCONT after a while."""
        with stopped([self.pid(number)]):
            time.sleep(dice.uniform(0.05, 0.8))

    def set_clock(self, number: int, dice: Random) -> None:
        """Set the clock back an hour, ahead a day, slightly wrong, or right."""
        clock.set_wrong(self._clock(number), dice.choice((-3600, -2, -0.01, 0, 2, 3600, 86_400)))

    def kill_deliverer(self, _: Random) -> None:
        """SIGKILL what delivers to webhooks, then start a replacement."""
        self.deliverers.kill()

    # --- the end ---

    def close(self) -> None:
        self.deliverers.abandon()
        for server in self.servers:
            server.stop()

    def abandon(self) -> None:
        self.deliverers.abandon()
        for server in self.servers:
            server.process.kill()
            server.process.wait()


class OnSqlite(Deployment):
    """One process on an SQLite file."""

    def states(self) -> list[bytes]:
        with closing(sqlite3.connect(self.database)) as connection:
            return [state for (state,) in connection.execute("SELECT state FROM stored_events")]

    def fill_disk(self, number: int, dice: Random) -> None:
        """The process cannot write to any file."""
        with full_disk(self.pid(number)):
            time.sleep(dice.uniform(0.05, 0.5))

    def slow_disk(self, dice: Random) -> None:
        """All writes wait for a transaction of another process."""
        log = Path(self.database)
        file = dice.choice((log, log.with_suffix(".projections.db")))
        with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(dice.uniform(0.05, 1))


class OnPostgres(Deployment):
    """Processes on PostgreSQL, with Redis."""

    allows_stale_reads = True

    def __init__(
        self,
        folder: Path,
        database: servers.Postgres | servers.Pair,
        redis: servers.Redis,
        processes: int,
        **given: str,
    ) -> None:
        self._pair = database if isinstance(database, servers.Pair) else None
        self._alone = None if isinstance(database, servers.Pair) else database
        self.redis = redis
        url = database.url if isinstance(database, servers.Pair) else database.url()
        super().__init__(folder, url, processes, redis=redis.url, **given)

    @property
    def postgres(self) -> servers.Postgres:
        """The server that takes writes."""
        server = self._alone if self._pair is None else self._pair.primary
        assert server is not None
        return server

    @property
    def has_standby(self) -> bool:
        return self._pair is not None

    def fail_over(self, dice: Random) -> None:
        """Lose the primary and promote its synchronous standby. The lost server comes back as the next standby.

        Begins when the standby has everything. After a crash of the primary, commits that nobody has acknowledged are
        visible before the standby has them.
        """
        assert self._pair is not None
        self._pair.caught_up()
        self._pair.fail_over(dice.uniform(0, 3))
        time.sleep(dice.uniform(0, 0.5))
        self._pair.rejoin()

    def states(self) -> list[bytes]:
        return [bytes(state) for (state,) in self.postgres.execute("SELECT state FROM stammtisch_events")]

    def crash_database(self, dice: Random) -> None:
        """Crash PostgreSQL, start it again after a while."""
        self._restart_database(signal.SIGQUIT, dice)

    def stop_database(self, dice: Random) -> None:
        """Stop PostgreSQL in order, start it again after a while."""
        self._restart_database(signal.SIGINT, dice)

    def _restart_database(self, how: signal.Signals, dice: Random) -> None:
        self.postgres.stop(how)
        time.sleep(dice.uniform(0, 0.5))
        self.postgres.start()

    def cut_database(self, _: Random) -> None:
        """Terminate all connections to PostgreSQL."""
        with suppress(psycopg.OperationalError):
            self.postgres.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )

    def slow_disk(self, dice: Random) -> None:
        """PostgreSQL keeps its connections and does not answer, as if it waited for the disk."""
        with self.postgres.frozen():
            time.sleep(dice.uniform(0.05, 1))

    def flush_redis(self, _: Random) -> None:
        self.redis.execute("FLUSHALL")

    def kill_redis(self, dice: Random) -> None:
        """Kill Redis, start it empty after a while."""
        self.redis.stop()
        time.sleep(dice.uniform(0, 0.5))
        self.redis.start()

    def stall_redis(self, dice: Random) -> None:
        """Redis keeps its connections and does not answer."""
        with self.redis.frozen():
            time.sleep(dice.uniform(0.05, 1))


H = TypeVar("H", bound=Deployment)


@contextmanager
def on_sqlite(folder: Path) -> Iterator[OnSqlite]:
    with _kept(lambda: OnSqlite(folder, folder / "games.db", processes=1)) as deployment:
        yield deployment


@contextmanager
def on_postgres(folder: Path, processes: int = 2) -> Iterator[OnPostgres]:
    with servers.postgres() as postgres, servers.redis() as redis:
        databases.migrate(settings.read({}, database=postgres.url()))
        with _kept(lambda: OnPostgres(folder, postgres, redis, processes)) as deployment:
            yield deployment


@contextmanager
def with_standby(folder: Path, processes: int = 4) -> Iterator[OnPostgres]:
    with servers.pair(synchronous=True) as pair, servers.redis() as redis:
        databases.migrate(settings.read({}, database=pair.url))
        with _kept(lambda: OnPostgres(folder, pair, redis, processes)) as deployment:
            yield deployment


@contextmanager
def _kept(made: Callable[[], H]) -> Iterator[H]:
    with ExitStack() as until_then:
        deployment = made()
        until_then.callback(deployment.abandon)
        yield deployment
        deployment.close()
