"""A real process under load is killed or stopped at any moment: every acknowledged move is stored exactly once."""

import asyncio
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from domain.rulesets import RULESETS
from tests.campaigns.chaos import clock
from tests.support.clients import Json, Server, fewest
from tests.support.crowd import SHORT, Crowd, crowd, keys_in, keys_of, verify, wait_for_answers

pytestmark = pytest.mark.anyio


class RestartableService:
    """A database, and the process that currently serves it."""

    def __init__(self, database: Path, **given: Any) -> None:
        self.database = database
        self._given = {"rate_limit": "off", "access_log": False, **given}
        self.server = Server(database, **self._given)

    def restart(self) -> None:
        self.server = Server(self.database, **self._given)

    @property
    def url(self) -> str:
        return self.server.url


@contextmanager
def running_service(tmp_path: Path, **given: Any) -> Iterator[RestartableService]:
    service = RestartableService(tmp_path / "games.db", **given)
    try:
        yield service
    finally:
        service.server.stop()  # a killed supervisor leaves its workers behind


@pytest.mark.by_default()  # `tests/service/api/test_restarts.py` restarts in this process
async def test_games_continue_after_a_restart(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        async with crowd(service) as players:
            tables = {}
            for ruleset in RULESETS:
                seated = await players.players(fewest(ruleset))
                tables[await players.table(ruleset, seated)] = seated

            async def read_all() -> list[Json]:
                return [
                    await players.ask("GET", path, token=player["token"])
                    for game, seated in tables.items()
                    for path in (game, f"{game}/events", "/v1/players/me")
                    for player in seated
                ]

            before = await read_all()
            service.server.stop()
            service.restart()
            assert await read_all() == before
            await asyncio.gather(*(players.play_together(game, seated) for game, seated in tables.items()))
            for game in tables:
                await verify(players, game)
            finished = await players.ask("GET", "/v1/games?status=finished")
            assert {game["id"] for game in finished["items"]} == {game.rpartition("/")[2] for game in tables}


@pytest.mark.checked
@pytest.mark.by_default(f"[{signal.SIGTERM!r}]", "SIGTERM", "15")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_accepted_requests_are_answered_before_the_service_stops(tmp_path: Path, how: signal.Signals) -> None:
    """This includes requests that wait for a locked database."""
    with running_service(tmp_path) as service:
        async with crowd(service) as players:
            ending = asyncio.Event()
            tasks = [asyncio.create_task(players.play_on(next(iter(RULESETS)), ending)) for _ in range(8)]
            await wait_for_answers(players, 100)
            with closing(sqlite3.connect(service.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(0.2)
                answered = len(players.answers)
                players.retrying = False
                stopping = asyncio.create_task(asyncio.to_thread(service.server.stop, how=how))
                await asyncio.sleep(0.3)
            await stopping
            await asyncio.gather(*tasks, return_exceptions=True)
            assert len(players.answers) > answered
            assert keys_in(service.database) == dict.fromkeys(players.answers, 1)
            assert "cannot commit" not in service.server.errors
            assert service.server.process.returncode in (0, -signal.SIGTERM)
            assert "Traceback" not in service.server.errors
            players.retrying = True
            service.restart()
            for game, moves in players.moves.items():
                if moves:
                    last = max(moved["version"] for _, moved in moves)
                    assert (await players.ask("GET", game))["version"] >= last


class WithoutRefusals(httpx.AsyncHTTPTransport):
    """A connection may break off, but none is refused."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(request)
        except httpx.ConnectError as error:
            raise AssertionError("the port was closed") from error


@pytest.mark.by_default("sqlite-1")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("place", ["sqlite", "postgres"])
async def test_a_killed_process_is_replaced_behind_the_open_port(
    tmp_path: Path, place: str, workers: int, request: pytest.FixtureRequest
) -> None:
    """Moves go on at the same URL, each once. Clocks and house players go on as well, before anybody asks."""
    postgres = request.getfixturevalue("migrated_url") if place == "postgres" else ""
    database, offset = postgres or tmp_path / "games.db", tmp_path / "clock"
    clock.make(offset)
    given = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, "workers": workers}
    with Server(database, output=tmp_path / "server", clock=offset, **given) as server:
        async with httpx.AsyncClient(timeout=60, transport=WithoutRefusals()) as http:
            players, ending = Crowd(server, http, keep_alive=False), asyncio.Event()
            players.pause = 0.02
            seated = await players.players(2)
            late = await players.table("skyjo", seated, clock={"bank": 60}, absent="random/1")
            async with asyncio.TaskGroup() as tasks:
                for ruleset in SHORT:
                    tasks.create_task(players.play_on(ruleset, ending))
                for _ in range(3):
                    await wait_for_answers(players, 30)
                    await asyncio.to_thread(server.crash)
                ending.set()
                for hours in count(1):  # one in which all processes were away costs nobody a seat
                    clock.set_wrong(offset, 3600 * hours)
                    await asyncio.sleep(0.5)
                    if (await players.ask("GET", late))["status"] != "running":
                        break
            assert (await players.ask("GET", late))["cause"] == "absent"
            del players.moves[late]
            for game in players.moves:
                await verify(players, game)
            assert stored_keys(database) == Counter(dict.fromkeys(players.answers, 1))
    assert server.process.returncode == 0
    assert [server.errors.count(each) for each in ("listens at", "is replaced", "Traceback")] == [1, 3 * workers, 0]


def stored_keys(database: Path | str) -> Counter[str]:
    if isinstance(database, Path):
        return keys_in(database)
    with psycopg.connect(database) as connection:
        return keys_of(bytes(state) for (state,) in connection.execute("SELECT state FROM stammtisch_events"))
