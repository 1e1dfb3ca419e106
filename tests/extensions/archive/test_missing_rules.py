"""Archived games whose rules are not loaded."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import RULESETS
from service import settings
from service.cli.exit_status import ExitStatus
from service.cli.rebuild import rebuild_all
from service.extensions.archive import archiver
from tests.service.test_missing_rules import _in_order as _in_order
from tests.service.test_missing_rules import begun, unload
from tests.support.clients import Caller, Service, done, in_process

pytestmark = pytest.mark.anyio


async def test_archived_games_are_read_and_rebuilt_without_their_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the description the hashes follow from the record, as if the rules were here."""
    folder, database = tmp_path / "archive", tmp_path / "games.db"
    folder.mkdir()
    monkeypatch.setattr(archiver, "PAUSE", 0.01)
    archiving: Any = {"archive": folder, "archive_after_days": 0}
    async with in_process(database) as service:
        players = await service.guests("Ann", "Ben")
        game = await begun(players, "skyjo", absent="abort")
        await players[0].delete(f"{game}/seats/0", running="true")
        before = await players[0].events(game), done(await players[0].get(f"{game}/record")), await lobby_of(service)
    async with in_process(database, **archiving), asyncio.timeout(60):
        while not [*folder.rglob("*.zst")]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    unload(monkeypatch, "skyjo")
    given = settings.read({}, database=str(database), **archiving)
    assert await rebuild_all(given) == ExitStatus.OK
    async with in_process(database, archive=folder) as service:
        ann = players[0].at(service)
        assert (await ann.events(game), done(await ann.get(f"{game}/record")), await lobby_of(service)) == before


async def lobby_of(service: Service) -> list[Any]:
    found: list[Any] = done(await service.stranger.get("/v1/games"))["items"]
    return found


async def test_finished_games_are_archived_when_their_rules_are_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of other rulesets do not wait for them, and are archived once."""
    monkeypatch.setattr(archiver, "PAUSE", 0.01)
    gone, stays = [*RULESETS][:2]
    folder = tmp_path / "archive"
    folder.mkdir()
    archiving: dict[str, Any] = {"archive": str(folder), "archive_after_days": 0}

    async def archived(games: int) -> None:
        async with asyncio.timeout(60):
            while len([*folder.rglob("*.zst")]) < games:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert len([*folder.rglob("*.zst")]) == games

    async def cancelled(caller: Caller, ruleset: str) -> str:
        game = await caller.open(ruleset, 2)
        done(await caller.delete(game))
        return game

    async with in_process(tmp_path / "games.db") as service:
        ann, *_ = await service.guests("Ann")
        first = await cancelled(ann, gone)
        record = (await ann.get(f"{first}/record?names=false")).content
    with monkeypatch.context() as without:
        unload(without, gone)
        for games in (1, 2):  # the second process finds the note of the first one
            async with in_process(tmp_path / "games.db", **archiving) as service:
                await cancelled(ann.at(service), stays)
                await archived(games)
    async with in_process(tmp_path / "games.db", **archiving) as service:
        await archived(3)
        assert (await ann.at(service).get(f"{first}/record?names=false")).content == record
    async with in_process(tmp_path / "games.db", **archiving) as service:
        await cancelled(ann.at(service), gone)
        await archived(4)
