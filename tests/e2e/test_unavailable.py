"""A full disk or a locked database: requests are answered 503, nothing changes, and the service recovers by itself."""

import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Server, done, fewest, problem
from tests.support.servers import full_disk

Json = dict[str, Any]

pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit exists on Linux only")

RULESET = next(iter(RULESETS))


class Table:
    """A server with a hotseat game and its player."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.server = Server(database, rate_limit="off")
        self.http = httpx.Client(base_url=self.server.url, timeout=60)
        self.game = ""

    def begin(self) -> None:
        player = done(self.http.post("/v1/players", json={"name": "Ann"}), 201)
        self.http.headers["Authorization"] = f"Bearer {player['token']}"
        self.game = done(self.open("the-game"), 201)["links"]["self"]

    def open(self, key: str) -> httpx.Response:
        terms = {"seats": fewest(RULESET), "hotseat": True}
        return self.http.post(f"/v1/games/{RULESET}", json=terms, headers={"Idempotency-Key": key})

    def look(self) -> httpx.Response:
        return self.http.get(self.game)

    def legal(self) -> list[Json]:
        moves: list[Json] = done(self.look())["legal_moves"]
        return moves

    def move(self, chosen: Json, key: str) -> httpx.Response:
        return self.http.post(f"{self.game}/moves", json=chosen, headers={"Idempotency-Key": key})

    def on_a_full_disk(self) -> AbstractContextManager[None]:
        """The server cannot write to any file, including its logs."""
        return full_disk(self.server.pid)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Another process holds a write transaction."""
        with closing(sqlite3.connect(self.database, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield


Broken = Callable[[Table], AbstractContextManager[None]]

broken = pytest.mark.parametrize("broken", [Table.on_a_full_disk, Table.locked], ids=["full disk", "locked"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "games.db")
    try:
        table.begin()
        yield table
    finally:
        table.http.close()
        table.server.process.kill()
        table.server.process.wait()


def unavailable(response: httpx.Response) -> None:
    problem(response, 503, "unavailable")
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.by_default("[full disk]")
@broken
def test_nothing_changes_and_the_same_requests_succeed_afterwards(table: Table, broken: Broken, tmp_path: Path) -> None:
    first, *_ = table.legal()
    before = table.look()
    with broken(table):
        unavailable(table.move(first, "key"))
        unavailable(table.open("another-game"))
        unavailable(table.http.post("/v1/players", json={"name": "Bob"}))
        assert (table.look().content, table.look().headers["ETag"]) == (before.content, before.headers["ETag"])
        assert table.http.get("/health/live").status_code == 200
    moved, opened = table.move(first, "key"), table.open("another-game")
    assert done(moved)["events"][0]["version"] == done(before)["version"] + 1
    assert done(opened, 201)["version"] == done(before)["version"]
    assert "idempotency-replayed" not in {**moved.headers, **opened.headers}
    again = table.move(first, "key")
    assert (done(again)["events"], again.headers["Idempotency-Replayed"]) == (done(moved)["events"], "true")
    done(table.http.post("/v1/players", json={"name": "Bob"}), 201)
    with broken(table):  # requests that need no commit are served
        assert done(table.move(first, "key"))["events"] == done(moved)["events"]
        refused = problem(table.move(first, "another-key"), 409, "illegal-move")
        assert refused["legal_moves"] == table.legal()
    another, deadline = done(opened, 201)["id"], monotonic() + 60
    while another not in [game["id"] for game in done(table.http.get("/v1/games"))["items"]]:  # the lobby catches up
        assert monotonic() < deadline
    before = table.look().content
    table.server.stop()
    table.server = Server(tmp_path / "games.db")
    table.http.base_url = table.server.url
    with broken(table):
        assert table.look().content == before, "a game that is not in memory can be read"
        unavailable(table.move(table.legal()[0], "last"))
        table.server.stop()
        assert table.server.process.returncode in (0, -signal.SIGTERM)
