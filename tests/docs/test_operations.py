"""The steps of the page about installation: backups are taken while games are played, and put back."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

import httpx
import pytest

from service import settings
from tests.docs.pages import DOCS
from tests.support.clients import Caller, Json, Server, any_of, done, fewest, served
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


async def play(url: str, until: asyncio.Event, told: list[Json]) -> str:
    """Hotseat games, one after the other; yields every acknowledged move with its game. Returns the player's token."""
    dice = Random(7)
    async with served(url) as service:
        ann = await service.guest("Ann")
        while not until.is_set():
            game = await ann.open("skyjo", fewest("skyjo"), hotseat=True)
            seen = await ann.look(game)
            while seen["legal_moves"] and not until.is_set():
                answer = await ann.move(game, any_of(seen["legal_moves"], dice))
                seen = answer["game"]
                told.append({"game": game, "version": answer["version"], "head": answer["head"]})
        return ann.token


async def enough(told: list[Json], moves: int, playing: asyncio.Task[str]) -> None:
    """Until that many moves have been acknowledged."""
    async with asyncio.timeout(60):
        while len(told) < moves:
            assert not playing.done(), playing
            await asyncio.sleep(0.01)


async def backed_up(url: str, backup: Callable[[], None]) -> tuple[list[Json], str]:
    """What was acknowledged before the backup began, which is taken while the game goes on; and the player's token."""
    told: list[Json] = []
    over = asyncio.Event()
    playing = asyncio.create_task(play(url, over, told))
    await enough(told, 50, playing)
    before = list(told)
    await asyncio.to_thread(backup)
    await enough(told, len(before) + 20, playing)
    over.set()
    return before, await playing


async def restored(url: str, acknowledged: list[Json], token: str) -> None:
    async with served(url) as service:
        ann = service.stranger
        ann.token = token
        me = await ann.get("/v1/players/me")
        assert (me.status_code, me.json()["name"]) == (200, "Ann"), "the key was restored as well"
        lobby = {item["id"] for item in await ann.every("/v1/games")}
        for game in {move["game"] for move in acknowledged}:
            heads = {entry["version"]: entry["head"] for entry in await ann.events(game)}
            for move in acknowledged:
                if move["game"] == game:
                    assert heads[move["version"]] == move["head"]
            assert game.rpartition("/")[2] in lobby, "the projections were made anew"
            audit = (await ann.get(f"{game}/audit")).json()
            assert audit["ok"], audit


def test_a_snapshot_of_the_file_is_restored_with_everything_acknowledged_before(tmp_path: Path) -> None:
    database = tmp_path / "stammtisch.db"
    assert str(settings.read({}).sqlite_path) == database.name, "the page names the default file"
    server = Server(database)
    try:
        before, token = asyncio.run(backed_up(server.url, lambda: run(STEPS["back up SQLite"], tmp_path)))
    finally:
        server.stop()
    run(STEPS["restore SQLite"], tmp_path)
    server = Server(database, output=tmp_path / "restored")
    try:
        check(server, tmp_path)
        asyncio.run(restored(server.url, before, token))
    finally:
        server.stop()


def test_a_dump_of_postgresql_is_restored_with_everything_acknowledged_before(
    tmp_path: Path, postgres: Postgres, migrated_url: str, postgres_url: str
) -> None:
    # Beside a server of our own lie the programs of its version; for another one they must be installed.
    programs = "" if os.environ.get("TEST_POSTGRES_URL") else str(postgres.own.program.parent)
    server = Server(migrated_url, output=tmp_path / "first", secret=SECRET)
    try:
        before, token = asyncio.run(
            backed_up(server.url, lambda: run(STEPS["back up PostgreSQL"], tmp_path, PATH=programs, **of(migrated_url)))
        )
    finally:
        server.stop()
    run(STEPS["restore PostgreSQL"], tmp_path, PATH=programs, **of(postgres_url))
    run(STEPS["migrate"], tmp_path, **of(postgres_url))
    server = Server(postgres_url, output=tmp_path / "restored", secret=SECRET)
    try:
        asyncio.run(restored(server.url, before, token))
    finally:
        server.stop()


async def insist(urls: list[str], token: str, path: str, body: Json, key: str) -> Json:
    """The answer of one of the processes. A request that fails is repeated, possibly elsewhere, with its key."""
    for attempt in count():
        try:
            async with served(urls[attempt % len(urls)]) as service:
                service.http.event_hooks = {"request": [], "response": []}  # a process that stops may answer 503
                headers = {"Idempotency-Key": key} if key else {}
                answer = await Caller(service.http, token).post(path, body, headers=headers)
                if answer.status_code != 503:
                    return done(answer, answer.status_code if answer.is_success else 200)
        except httpx.TransportError:
            await asyncio.sleep(0.02)
    raise AssertionError


async def play_on(urls: list[str], until: asyncio.Event, told: list[Json]) -> str:
    """As `play`, against two processes in turn."""
    dice, token = Random(7), (await insist(urls, "", "/v1/players", {"name": "Ann"}, ""))["token"]
    while not until.is_set():
        urls.reverse()
        opened = {"seats": fewest("skyjo"), "hotseat": True}
        seen = await insist(urls, token, "/v1/games/skyjo", opened, f"open-{len(told)}")
        game = seen["links"]["self"]
        while seen["legal_moves"] and not until.is_set():
            urls.reverse()
            chosen = any_of(seen["legal_moves"], dice)
            answer = await insist(urls, token, f"{game}/moves", chosen, f"move-{len(told)}")
            seen = answer["game"]
            told.append({"game": game, "version": answer["version"], "head": answer["head"]})
    return str(token)


@pytest.mark.by_default("never: four starts of a service take 4 s")
def test_a_rolling_upgrade_of_two_processes_loses_no_move(tmp_path: Path, migrated_url: str) -> None:
    """Migrate, then restart one process after the other, while a client plays against both."""

    def start(name: str) -> Server:
        return Server(migrated_url, output=tmp_path / name, secret=SECRET)

    servers = [start("one"), start("two")]
    urls, told = [server.url for server in servers], list[Json]()

    async def rolled() -> str:
        over = asyncio.Event()
        playing = asyncio.create_task(play_on(urls, over, told))
        await enough(told, 20, playing)
        await asyncio.to_thread(run, STEPS["migrate"], tmp_path, **of(migrated_url))
        for number in range(2):
            await asyncio.to_thread(servers[number].stop)
            old, servers[number] = servers[number], await asyncio.to_thread(start, f"new-{number}")
            urls[urls.index(old.url)] = servers[number].url
            await enough(told, len(told) + 20, playing)
        over.set()
        return await playing

    try:
        token = asyncio.run(rolled())
        asyncio.run(restored(urls[0], told, token))
    finally:
        for server in servers:
            server.stop()
