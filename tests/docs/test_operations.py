"""The backup of the operations page is taken while games are played, and put back."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from service import settings
from tests.docs.pages import DOCS
from tests.support.clients import Json, Server, any_of, fewest, served
from tests.support.servers import Postgres

SECRET = "signs the tokens of two services in turn"
MARK = "<!-- A test runs this block. -->\n```sh\n"


def steps() -> list[str]:
    """The blocks of the page that are meant to be run."""
    return [part.partition("```")[0] for part in (DOCS / "operations.md").read_text().split(MARK)[1:]]


def run(script: str, folder: Path, **environment: str) -> None:
    path = ":".join([str(Path(sys.executable).parent), environment.pop("PATH", ""), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=os.environ | environment | {"PATH": path},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


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
    async with asyncio.timeout(30):
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
    backup, restore, *_ = steps()
    database = tmp_path / "stammtisch.db"
    assert str(settings.read({}).sqlite_path) == database.name, "the page names the default file"
    server = Server(database)
    try:
        before, token = asyncio.run(backed_up(server.url, lambda: run(backup, tmp_path)))
    finally:
        server.stop()
    run(restore, tmp_path)
    server = Server(database, output=tmp_path / "restored")
    try:
        asyncio.run(restored(server.url, before, token))
    finally:
        server.stop()


def test_a_dump_of_postgresql_is_restored_with_everything_acknowledged_before(
    tmp_path: Path, postgres: Postgres, migrated_url: str, postgres_url: str
) -> None:
    *_, backup, restore = steps()
    # Beside a server of our own lie the programs of its version; for another one they must be installed.
    programs = "" if os.environ.get("TEST_POSTGRES_URL") else str(postgres.own.program.parent)
    server = Server(migrated_url, output=tmp_path / "first", secret=SECRET)
    try:
        before, token = asyncio.run(
            backed_up(server.url, lambda: run(backup, tmp_path, STAMMTISCH_DATABASE=migrated_url, PATH=programs))
        )
    finally:
        server.stop()
    run(restore, tmp_path, STAMMTISCH_DATABASE=postgres_url, PATH=programs)
    server = Server(postgres_url, output=tmp_path / "restored", secret=SECRET)
    try:
        asyncio.run(restored(server.url, before, token))
    finally:
        server.stop()
