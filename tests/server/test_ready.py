"""`/health/ready` is 200 only while the service can commit, and recovers by itself after a full disk."""

import os
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from domain.rulesets import RULESETS
from service.app import create_app
from service.settings import read
from tests.support.clients import _running, in_process
from tests.support.clocks import set_forward
from tests.support.servers import full_disk

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]


RULESET = next(iter(RULESETS))


class Disk:
    """A database, and a context in which its disk is full.

    `detected_by_probe`: the readiness probe detects the full disk before an append fails.
    """

    def __init__(
        self, database: str, full: Callable[[], AbstractContextManager[None]], *, detected_by_probe: bool
    ) -> None:
        self.database, self.full, self.detected_by_probe = database, full, detected_by_probe


@contextmanager
def no_space(url: str) -> Iterator[None]:
    """Every append fails with the error that PostgreSQL raises on a full disk."""
    raising = "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE FUNCTION full_disk() RETURNS trigger AS $$BEGIN {raising}; END$$ LANGUAGE plpgsql")
        connection.execute("CREATE TRIGGER f BEFORE INSERT ON stammtisch_events EXECUTE FUNCTION full_disk()")
        try:
            yield
        finally:
            connection.execute("DROP FUNCTION full_disk() CASCADE")


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(4096))
    yield
    filler.unlink()


@pytest.fixture(params=["quota", "small disk", "postgresql"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    if request.param == "quota":
        yield Disk(str(tmp_path / "log.db"), lambda: full_disk(os.getpid()), detected_by_probe=False)
    elif request.param == "postgresql":
        url = request.getfixturevalue("migrated_url")
        yield Disk(url, lambda: no_space(url), detected_by_probe=False)
    else:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", tmp_path], capture_output=True)
        if mounted.returncode:
            pytest.skip("mounting a disk is not permitted")
        yield Disk(str(tmp_path / "log.db"), lambda: filled(tmp_path), detected_by_probe=True)
        subprocess.run(["umount", "--lazy", tmp_path], check=True)


@pytest.fixture
async def client(disk: Disk) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(read({}, database=disk.database, rate_limit="off", access_log=False, secret="x" * 32))
    rest = app
    while hasattr(rest, "_app"):
        rest = rest._app
    async with _running(rest), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as http:  # type: ignore[arg-type]
        guest = (await http.post("/v1/players", json={"name": "Ann"})).json()
        http.headers["Authorization"] = f"Bearer {guest['token']}"
        yield http


async def status(client: httpx.AsyncClient, path: str) -> int:
    return (await client.get(path)).status_code


async def opened(client: httpx.AsyncClient) -> int:
    return (await client.post(f"/v1/games/{RULESET}", json={"seats": RULESETS[RULESET].seats[0]})).status_code


async def test_readiness_fails_while_commits_fail_and_recovers(client: httpx.AsyncClient, disk: Disk) -> None:
    assert await opened(client) == 201
    for _ in range(2):
        assert await status(client, "/health/ready") == 200
        with disk.full():
            if disk.detected_by_probe:
                assert await status(client, "/health/ready") == 503
            assert await opened(client) == 503
            for _ in range(3):
                assert await status(client, "/health/ready") == 503
            assert await status(client, "/health/live") == 200
        # No append has succeeded yet.
        assert await status(client, "/health/ready") == 200
        assert await opened(client) == 201


async def test_the_readiness_probe_writes_no_data(client: httpx.AsyncClient, disk: Disk) -> None:
    with disk.full():
        assert await opened(client) == 503
    assert await status(client, "/health/ready") == 200
    assert await opened(client) == 201
    assert len((await client.get("/v1/games")).json()["items"]) == 1


async def test_a_process_whose_clock_is_wrong_is_not_ready(migrated_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second from the clock of the database, in either direction. It recovers with the clock."""
    async with in_process(migrated_url, secret="x" * 32) as service:
        service.http.event_hooks = {}  # which would refuse the status 503
        for wall in set_forward(monkeypatch):
            for ahead, expected in ((0.0, 200), (0.4, 200), (0.8, 503), (-0.8, 503), (3600, 503), (0.0, 200)):
                wall.ahead = ahead
                assert (await service.stranger.get("/health/ready")).status_code == expected, ahead
            assert (await service.stranger.get("/health/live")).status_code == 200


async def test_an_sqlite_file_has_no_clock_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with in_process(tmp_path / "games.db") as service:
        for wall in set_forward(monkeypatch):
            wall.ahead = 3600
            assert (await service.stranger.get("/health/ready")).status_code == 200
