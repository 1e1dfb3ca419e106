"""A process that archives games is killed again and again: no game is lost, and every answer stays the same."""

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import text

from domain.rulesets import RULESETS
from service import databases
from service.games.shelf import Shelf
from service.log import elsewhere
from service.settings import read
from tests.support.clients import Server
from tests.support.finished import fill

pytestmark = [pytest.mark.anyio, pytest.mark.checked, pytest.mark.turns("databases")]

RULESET = [*RULESETS][-1]
GAMES = 60
KILLS = 6


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "games.db") if request.param == "sqlite" else request.getfixturevalue("migrated_url")


async def test_kills_during_archiving_lose_nothing(database: str, tmp_path: Path) -> None:
    given, dice = read({}, database=database), Random(5)
    store = databases.open_store(given, Shelf().kinds())
    records = await fill(store, RULESET, GAMES)
    folder = tmp_path / "archive"
    folder.mkdir()
    asked = {"archive": folder, "archive_after_days": 0, "rate_limit": "off", "secret": "x" * 32}

    async def rows() -> tuple[int, int]:
        """The rows of archived games, and all others."""
        found = await store.scan(lambda row: row.topic, 0, 100_000)
        kept = sum(topic in (elsewhere.FIRST, elsewhere.LAST) for topic in found)
        return kept, len(found) - kept

    with Server(database, output=tmp_path / "server", **asked) as server:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:

            async def record(game: str) -> bytes:
                while True:
                    with suppress(httpx.TransportError):  # the process was killed
                        return (await http.get(f"/v1/games/{RULESET}/{game}/record?names=false")).content

            async def every_record() -> dict[str, bytes]:
                return {game: await record(game) for game in records}

            for _ in range(KILLS):
                await asyncio.sleep(dice.uniform(0.1, 1.0))
                await asyncio.to_thread(server.crash)
            async with asyncio.timeout(120):
                while await rows() != (2 * GAMES, 0):  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            assert await every_record() == records
            await asyncio.to_thread(server.crash)
            assert await every_record() == records, "nothing is in memory"
            lobby = (await http.get("/v1/games", params={"limit": 100})).json()["items"]
            assert {game["id"] for game in lobby} == {*records}
    await store.stop()
    assert len([*folder.rglob("*.zst")]) == GAMES
    engine = databases.projections(given)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM isolated")).scalar() == 0
    engine.dispose()
