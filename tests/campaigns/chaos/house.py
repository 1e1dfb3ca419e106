"""What is under fault: processes on one database, with all the ways in which they can be hurt."""

import os
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

from service import settings
from service.store import databases
from tests.campaigns.chaos import clock
from tests.support import servers
from tests.support.clients import Server
from tests.support.servers import children, full_disk, stopped

GIVEN = {"rate_limit": "off", "access_log": False, "secret": "x" * 32}

UNFORESEEN = "a request failed", "a stream failed", "Exception in", "never retrieved", "Fatal"
"""What is written only of what should never happen. That a database is away, or a disk full, is to be said."""


class House:
    """Equal processes on one database. Each request goes to the next one. Everything here blocks."""

    tells_by_redis = False
    """Whether processes hear of each other's moves there."""

    def __init__(self, folder: Path, database: Path | str, processes: int, **given: str) -> None:
        self.database = database
        self._folder = folder
        self._given = GIVEN | given
        self._written: list[str] = []
        for number in range(processes):
            clock.make(self._clock(number))
        self.servers = [self._started(number) for number in range(processes)]
        self._turns = cycle(range(processes))

    @property
    def url(self) -> str:
        return self.servers[next(self._turns)].url

    def pid(self, number: int) -> int:
        return self.servers[number].process.pid

    def processes(self) -> list[int]:
        """Those that serve, and those that write for them."""
        serving = [self.pid(number) for number in range(len(self.servers))]
        return serving + [child for pid in serving for child in children(pid)]

    def states(self) -> list[bytes]:
        """All rows of the log."""
        raise NotImplementedError

    def _clock(self, number: int) -> Path:
        return self._folder / f"server-{number}.clock"

    def _started(self, number: int) -> Server:
        """Started as often as it takes, as whoever supervises it would: it cannot begin without its database."""
        program = ("tests.campaigns.chaos.clock", str(self._clock(number)))
        output, begun = self._folder / f"server-{number}", time.monotonic()
        while True:
            try:
                return Server(self.database, output=output, program=program, **self._given)
            except AssertionError:
                if time.monotonic() > begun + 30:
                    raise

    # --- what can happen to a process ---

    def kill(self, number: int, _: Random) -> None:
        """SIGKILL, and another one in its place."""
        self.servers[number].process.kill()
        self.servers[number].process.wait()
        self._replace(number)

    def stop(self, number: int, _: Random) -> None:
        """SIGTERM, and another one in its place."""
        self.servers[number].stop(30)
        self._replace(number)

    def _replace(self, number: int) -> None:
        self._written.append(self.servers[number].errors)
        self.servers[number] = self._started(number)

    def unforeseen(self) -> list[str]:
        """What processes have written, until now, that had come to an error that nobody had foreseen."""
        written = (*self._written, *(server.errors for server in self.servers))
        return [text for text in written if any(sign in text for sign in UNFORESEEN)]

    def stall(self, number: int, dice: Random) -> None:
        """It does nothing for a while, and goes on as if nothing had been."""
        with stopped([self.pid(number)]):
            time.sleep(dice.uniform(0.05, 0.8))

    def set_clock(self, number: int, dice: Random) -> None:
        """To an hour ago, into the next day, a little off, or right."""
        clock.set_wrong(self._clock(number), dice.choice((-3600, -2, -0.01, 0, 2, 3600, 86_400)))

    # --- in the end ---

    def close(self) -> None:
        for server in self.servers:
            server.stop(30)

    def abandon(self) -> None:
        for server in self.servers:
            server.process.kill()
            server.process.wait()


class OnSqlite(House):
    """One process, and a file."""

    def states(self) -> list[bytes]:
        with closing(sqlite3.connect(self.database)) as connection:
            return [state for (state,) in connection.execute("SELECT state FROM stored_events")]

    def writer(self, number: int) -> int:
        """The process that writes for this one. It is begun with the next move if there is none."""
        until = time.monotonic() + 30
        while not (found := servers.writers(self.pid(number))):
            assert time.monotonic() < until, "nobody writes"
            time.sleep(0.005)
        return found[-1]

    def kill_writer(self, number: int, _: Random) -> None:
        """SIGKILL; the next move begins another one."""
        os.kill(self.writer(number), signal.SIGKILL)

    def stall_writer(self, number: int, dice: Random) -> None:
        """It does nothing for a while, and goes on as if nothing had been."""
        with stopped([self.writer(number)]):
            time.sleep(dice.uniform(0.05, 0.8))

    def fill_disk(self, number: int, dice: Random) -> None:
        """The process may not write to any file, nor may the one that writes for it."""
        with full_disk(self.pid(number)):
            time.sleep(dice.uniform(0.05, 0.5))

    def slow_disk(self, dice: Random) -> None:
        """Whoever wants to write has to wait: another process is in the middle of a transaction."""
        log = Path(self.database)
        file = dice.choice((log, log.with_suffix(".projections.db")))
        with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(dice.uniform(0.05, 1))


class OnPostgres(House):
    """Processes on PostgreSQL, with Redis."""

    tells_by_redis = True

    def __init__(
        self, folder: Path, postgres: servers.Postgres, redis: servers.Redis, processes: int, **given: str
    ) -> None:
        self.postgres, self.redis = postgres, redis
        super().__init__(folder, postgres.url(), processes, redis=redis.url, **given)

    def states(self) -> list[bytes]:
        return [bytes(state) for (state,) in self.postgres.execute("SELECT state FROM stammtisch_events")]

    def crash_database(self, dice: Random) -> None:
        """It is gone from one moment to the next, and comes back after a while."""
        self._restart_database(signal.SIGQUIT, dice)

    def stop_database(self, dice: Random) -> None:
        """It ends in order, and comes back after a while."""
        self._restart_database(signal.SIGINT, dice)

    def _restart_database(self, how: signal.Signals, dice: Random) -> None:
        self.postgres.stop(how)
        time.sleep(dice.uniform(0, 0.5))
        self.postgres.start()

    def cut_database(self, _: Random) -> None:
        """Every connection to it."""
        with suppress(psycopg.OperationalError):
            self.postgres.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )

    def slow_disk(self, dice: Random) -> None:
        """As if PostgreSQL waited for it: it keeps its connections, and does not answer."""
        with self.postgres.frozen():
            time.sleep(dice.uniform(0.05, 1))

    def flush_redis(self, _: Random) -> None:
        self.redis.execute("FLUSHALL")

    def kill_redis(self, dice: Random) -> None:
        """It comes back after a while, with nothing."""
        self.redis.stop()
        time.sleep(dice.uniform(0, 0.5))
        self.redis.start()

    def stall_redis(self, dice: Random) -> None:
        """It keeps its connections, and does not answer."""
        with self.redis.frozen():
            time.sleep(dice.uniform(0.05, 1))


H = TypeVar("H", bound=House)


@contextmanager
def on_sqlite(folder: Path) -> Iterator[OnSqlite]:
    with _kept(lambda: OnSqlite(folder, folder / "games.db", processes=1)) as house:
        yield house


@contextmanager
def on_postgres(folder: Path, processes: int = 2) -> Iterator[OnPostgres]:
    with servers.postgres() as postgres, servers.redis() as redis:
        databases.migrate(settings.read({}, database=postgres.url()))
        with _kept(lambda: OnPostgres(folder, postgres, redis, processes)) as house:
            yield house


@contextmanager
def _kept(made: Callable[[], H]) -> Iterator[H]:
    with ExitStack() as until_then:
        house = made()
        until_then.callback(house.abandon)
        yield house
        house.close()
