"""Only one service may use an SQLite file: two independent services would serve stale games."""

import errno
import fcntl
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.rulesets import RULESETS
from service.log import file_lock
from tests.support.clients import Server, fewest
from tests.support.forked import ROOT, run_command
from tests.support.servers import children, command

pytestmark = pytest.mark.waits

Start = Callable[..., Server]

RULESET = next(iter(RULESETS))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a service, on `games.db` by default."""
    started: list[Server] = []

    def server(database: str = "games.db", **given: Any) -> Server:
        output = tmp_path / f"server-{len(started)}"
        started.append(Server(tmp_path / database, output=output, rate_limit="off", **given))
        return started[-1]

    yield server
    for each in started:
        each.stop()


def stammtisch(*arguments: str | Path, folder: Path = ROOT, **given: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STAMMTISCH_")}
    environment |= {f"STAMMTISCH_{name.upper()}": value for name, value in given.items()}
    return run_command(*arguments, environment=environment, folder=folder)


def serve(*arguments: str | Path, folder: Path = ROOT, **given: str) -> subprocess.CompletedProcess[str]:
    return stammtisch("serve", "--port", "0", "--database", *arguments, folder=folder, **given)


def check_refused(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("STAMMTISCH_DATABASE: ")
    assert "is in use by another service" in line


def play(server: Server, moves: int = 1) -> str:
    """Play a number of moves. Returns the path of the game."""
    with httpx.Client(base_url=server.url, timeout=60) as http:  # workers may listen before they can answer
        http.headers["Authorization"] = f"Bearer {http.post('/v1/players', json={'name': 'Ann'}).json()['token']}"
        game = http.post(f"/v1/games/{RULESET}", json={"seats": fewest(RULESET), "hotseat": True}).json()
        path: str = game["links"]["self"]
        for _ in range(moves):
            made = http.post(f"{path}/moves", json=game["legal_moves"][0])
            assert made.status_code == 200, made.text
            game = made.json()["game"]
        return path


@pytest.mark.by_default("[1]")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_service_on_the_same_file_is_refused(tmp_path: Path, start: Start, workers: int) -> None:
    """By any path to the file, with any number of workers. The first service keeps running."""
    first = start(workers=workers)
    (tmp_path / "linked.db").symlink_to("games.db")
    (tmp_path / "folder").symlink_to(".")
    others = (
        (tmp_path / "games.db",), ("games.db", "--workers", "2"), (f"sqlite:///{tmp_path}/folder/games.db",),
        ("linked.db",),
    )  # fmt: skip
    with ThreadPoolExecutor() as pool:
        for done in pool.map(lambda other: serve(*other, folder=tmp_path), others):
            check_refused(done)
    play(first)
    first.stop()
    play(start())


@pytest.mark.by_default("[2]")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_new_service_starts_after_the_first_was_killed(start: Start, workers: int) -> None:
    first = start(workers=workers)
    path = play(first, 5)
    rest = children(first.process.pid)
    first.process.kill()
    first.process.wait()
    second = start()
    assert not any(b"service" in command(pid) or b"spawn" in command(pid) for pid in rest), (
        "no process of the first service is left"
    )
    assert httpx.get(second.url + path).json()["status"] == "running"
    play(second)


@pytest.mark.by_default()
def test_services_that_share_a_redis_share_the_file(start: Start, redis_url: str, tmp_path: Path) -> None:
    """They check the version before they answer. A service without Redis is refused."""
    first, second = start(redis=redis_url, secret="x" * 32), start(redis=redis_url, secret="x" * 32)
    for one, other in ((first, second), (second, first)):
        path = play(one, 3)
        assert httpx.get(one.url + path).json() == httpx.get(other.url + path).json()
    check_refused(serve(tmp_path / "games.db"))


@pytest.mark.checked
def test_commands_run_beside_a_service(start: Start, tmp_path: Path) -> None:
    first = start()
    play(first)
    given, archive = ("--database", tmp_path / "games.db"), tmp_path / "games.ndjson"
    for arguments in (
        ("rebuild", *given), ("export", "--output", archive, *given), ("import", archive, *given),
        ("verify", archive),
    ):  # fmt: skip
        done = stammtisch(*arguments)
        assert "in use" not in done.stderr
        # No game is over, so the export is empty: nothing to import, and not a record.
        assert done.returncode == (arguments[0] == "verify"), done.stderr
    play(first)


def test_a_file_system_without_locks_causes_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def flock(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    file_lock.claim(tmp_path / "games.db", shared=False)
    (line,) = capsys.readouterr().err.splitlines()
    assert "only one service" in line
    open_files = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    assert not any(name.endswith("games.db.lock") and str(tmp_path) in name for name in open_files)


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "circle.db").symlink_to("circle.db")
    for database, why in (("nowhere/games.db", "No such file"), ("circle.db", "ymbolic link|ymlink loop")):
        done = serve(tmp_path / database)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith("STAMMTISCH_DATABASE: ")
        assert re.search(why, line)
