"""The steps of the page about installation: backups are taken while games are played, and put back."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from service import settings
from tests.docs.pages import DOCS
from tests.support.clients import Caller, Json, Server, done, served
from tests.support.crowd import Cluster, Crowd, Served, crowd, wait_for_answers
from tests.support.servers import Postgres

SECRET = "signs the tokens of two services in turn"
STEP = re.compile(r"<!-- A test (?:runs|reads) this block: (.*) -->\n```sh\n([^`]*)```")
STEPS = dict(STEP.findall((DOCS / "install.md").read_text()))
"""The blocks of the page that are meant to be run, by name."""


def check(server: Server, folder: Path) -> None:
    """Run the page's check of a running service."""
    assert STEPS["check"].count("http://127.0.0.1:8000/") == 1
    run(STEPS["check"].replace("http://127.0.0.1:8000", server.url), folder)


def run(script: str, folder: Path, **environment: str) -> None:
    path = ":".join([str(Path(sys.executable).parent), environment.pop("PATH", ""), os.environ["PATH"]])
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=os.environ | environment | {"PATH": path},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def of(database: str) -> dict[str, str]:
    return {"STAMMTISCH_DATABASE": database}


class Players(Crowd):
    """They remember the token of the first one."""

    token = ""

    async def players(self, number: int) -> list[Json]:
        found = await super().players(number)
        self.token = found[0]["token"]
        return found


@asynccontextmanager
async def playing(service: Served) -> AsyncIterator[Players]:
    """Players who finish their last game at the end."""
    async with crowd(service, Players) as players, asyncio.timeout(120), asyncio.TaskGroup() as tasks:
        tasks.create_task(players.play_on("skyjo", over := asyncio.Event()))
        yield players
        over.set()


def acknowledged(players: Players) -> list[Json]:
    return [moved | {"path": path} for path, moves in players.moves.items() for _, moved in moves]


async def backed_up(server: Server, backup: Callable[[], None]) -> tuple[list[Json], str]:
    """What was acknowledged before the backup began, which is taken while games go on; and a player's token."""
    async with playing(server) as players:
        await wait_for_answers(players, 50)
        before = acknowledged(players)
        await asyncio.to_thread(backup)
        await wait_for_answers(players, 20)
    return before, players.token


async def restored(url: str, acknowledged: list[Json], token: str) -> None:
    async with served(url) as service:
        ann = Caller(service.http, token)
        assert done(await ann.get("/v1/players/me"))["name"] == "Player 0", "the key was restored as well"
        lobby = {item["id"] for item in await ann.every("/v1/games")}
        for game in {move["path"] for move in acknowledged}:
            heads = {entry["version"]: entry["head"] for entry in await ann.events(game)}
            for move in acknowledged:
                if move["path"] == game:
                    assert heads[move["version"]] == move["head"]
            assert game.rpartition("/")[2] in lobby, "the projections were made anew"
            audit = (await ann.get(f"{game}/audit")).json()
            assert audit["ok"], audit


def test_a_snapshot_of_the_file_is_restored_with_everything_acknowledged_before(tmp_path: Path) -> None:
    database = tmp_path / "stammtisch.db"
    assert str(settings.read({}).sqlite_path) == database.name, "the page names the default file"
    with Server(database) as server:
        before, token = asyncio.run(backed_up(server, lambda: run(STEPS["back up SQLite"], tmp_path)))
    run(STEPS["restore SQLite"], tmp_path)
    with Server(database, output=tmp_path / "restored") as server:
        check(server, tmp_path)
        asyncio.run(restored(server.url, before, token))


@pytest.mark.by_default()  # that of the file is the same with other programs
def test_a_dump_of_postgresql_is_restored_to_another_server_with_everything_acknowledged_before(
    tmp_path: Path, postgres: Postgres, migrated_url: str
) -> None:
    # Beside a server of our own lie the programs of its version; for another one they must be installed.
    programs = "" if os.environ.get("TEST_POSTGRES_URL") else str(postgres.own.program.parent)
    with Server(migrated_url, output=tmp_path / "first", secret=SECRET) as server:
        before, token = asyncio.run(
            backed_up(server, lambda: run(STEPS["back up PostgreSQL"], tmp_path, PATH=programs, **of(migrated_url)))
        )
    other = Postgres()  # its transaction ids begin again
    try:
        with other.database() as name:
            url = other.url(name)
            run(STEPS["restore PostgreSQL"], tmp_path, PATH=programs, **of(url))
            with Server(url, output=tmp_path / "restored", secret=SECRET) as server:
                check(server, tmp_path)
                asyncio.run(restored(server.url, before, token))
    finally:
        other.remove()


@pytest.mark.by_default("never: four starts of a service take 4 s")
def test_a_rolling_upgrade_of_two_processes_loses_no_move(tmp_path: Path, migrated_url: str) -> None:
    """Migrate, then restart one process after the other, while a client plays against both."""

    def start(name: str) -> Server:
        return Server(migrated_url, output=tmp_path / name, secret=SECRET)

    servers = [start("one"), start("two")]

    async def rolled() -> None:
        async with playing(Cluster(servers)) as players:
            await wait_for_answers(players, 20)
            await asyncio.to_thread(run, STEPS["migrate"], tmp_path, **of(migrated_url))
            for number in range(2):
                await asyncio.to_thread(servers[number].stop)
                servers[number] = await asyncio.to_thread(start, f"new-{number}")
                await wait_for_answers(players, 20)
        await restored(servers[0].url, acknowledged(players), players.token)

    try:
        asyncio.run(rolled())
    finally:
        for server in servers:
            server.stop()
