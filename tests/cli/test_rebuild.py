"""`stammtisch rebuild`: projections follow from the log alone."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import text

from projections.projection import Projections, RecordedEvent
from service import databases, settings
from service.cli.exit_status import ExitStatus
from service.cli.rebuild import rebuild_all
from service.live import projection_runner
from service.settings import InvalidSettings
from tests.projections.histories import contents
from tests.support.clients import QUICKEST, Caller, Service, done, fewest, in_process, play_to_the_end
from tests.support.forked import run_command

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "games.db") if request.param == "sqlite" else request.getfixturevalue("migrated_url")


async def served(service: Service, players: Sequence[Caller]) -> list[object]:
    """The lobby, the standings and the profiles of the players."""
    return [
        await service.stranger.every("/v1/games"),
        await service.stranger.every(f"/v1/standings/{QUICKEST}"),
        *[done(await player.get("/v1/players/me")) for player in players],
    ]


async def test_a_rebuild_repairs_damaged_projections(database: str) -> None:
    async with in_process(database, secret="s" * 32) as service:
        seats = await service.guests(*("Ann", "Bob", "Cem")[: fewest(QUICKEST)])
        for seed in range(2):
            await play_to_the_end(seats, await service.table(QUICKEST, seats), seed)
        before = await served(service, seats)
        engine = databases.projections(settings.read({}, database=database))
        kept = contents(engine)
        with engine.begin() as connection:
            connection.execute(text("UPDATE standings SET wins = wins + 1"))
            connection.execute(text("DELETE FROM games"))
        assert await served(service, seats) != before
        # The service keeps running.
        ran = await asyncio.to_thread(run_command, "rebuild", "--database", database, environment=os.environ)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
        assert await served(service, seats) == before
        assert contents(engine) == kept
        engine.dispose()


async def test_a_rebuild_that_was_killed_goes_on_where_it_was(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = settings.read({}, database=database)
    async with in_process(database, secret="s" * 32) as service:
        seats = await service.guests(*("Ann", "Bob", "Cem")[: fewest(QUICKEST)])
        for seed in range(2):
            await play_to_the_end(seats, await service.table(QUICKEST, seats), seed)
    engine = databases.projections(given)
    await rebuild_all(given)
    kept = contents(engine)
    monkeypatch.setattr(projection_runner, "BATCH_SIZE", 3)
    applied: list[int] = []
    real = Projections.apply

    def apply(self: Projections, events: Sequence[RecordedEvent], after: int, upto: int) -> int:
        if len(applied) == 2:
            raise KeyboardInterrupt
        applied.append(after)
        return real(self, events, after, upto)

    with monkeypatch.context() as patch:
        patch.setattr(Projections, "apply", apply)
        with pytest.raises(KeyboardInterrupt):
            await rebuild_all(given)
    assert Projections(engine, databases.derived()).position() > 0
    assert contents(engine) != kept
    applied.clear()
    monkeypatch.setattr(Projections, "rebuild", lambda _: pytest.fail("it begins again"))
    assert await rebuild_all(given) == ExitStatus.OK
    assert "goes on at position" in capsys.readouterr().err
    assert contents(engine) == kept
    with pytest.raises(pytest.fail.Exception, match="begins again"):  # there is nothing left to go on with
        await rebuild_all(given)
    engine.dispose()


async def test_a_missing_database_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="there is no database"):
        await rebuild_all(settings.read({}, database=str(tmp_path / "none.db")))
    assert not settings.read({}, database=str(tmp_path / "none.db")).sqlite_path.exists()
