"""Times in which no process of the service could take a move: who notices them, and what players get back."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, insert, update

from domain.game.clock import SECOND
from service import databases
from service.games import outages as module
from service.games.outages import Outages, outage
from service.live.projection_runner import ProjectionRunner
from service.log.errors import Unavailable
from service.settings import read
from service.tables.mutable import Mutable
from service.tables.schema import uptimes
from service.tables.uptimes import MOST, Uptime, known
from tests.support import clocks
from tests.support.clients import Caller, any_of, done, in_process
from tests.support.clocks import WallClock

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "postgresql"])
def tables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Mutable]:
    database = str(tmp_path / "games.db")
    if request.param == "postgresql":
        database = request.getfixturevalue("migrated_url")
    else:
        Path(database).touch()
    settings = read({}, database=database)
    engine = databases.projections(settings)
    mutable = databases.mutable(settings, engine)
    mutable.migrate()
    yield mutable
    engine.dispose()


class Away:
    """Lets time pass in which none of these processes, or only some, leave a sign."""

    def __init__(self, mutable: Mutable, monkeypatch: pytest.MonkeyPatch) -> None:
        self._mutable = mutable
        self.passed = 0.0
        steady = module._steady
        monkeypatch.setattr(module, "_steady", lambda: steady() + self.passed)

    async def sleep(self, seconds: float) -> None:
        def earlier(connection: Connection) -> None:
            back = {each: each - round(seconds * SECOND) for each in (uptimes.c.begun, uptimes.c.until)}
            connection.execute(update(uptimes).values(back))

        self.passed += seconds
        await self._mutable.change(earlier)


async def outages_of(tables: Mutable) -> list[int]:
    """Their lengths in whole seconds."""
    rows = await tables.query(known)
    return [(after.begun - before.until) // SECOND for before, after in pairwise(rows)]


async def test_a_process_that_starts_again_notices_for_how_long_none_was_there(
    tables: Mutable, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, first = Away(tables, monkeypatch), Outages(tables)
    await first.sweep()
    await away.sleep(100)
    again, other = Outages(tables), Outages(tables)
    await again.sweep()
    await other.sweep()
    assert await outages_of(tables) == [100]
    (_, now) = await tables.query(known)
    for each in (again, other):
        assert 99 * SECOND < await each.between(now.begun - 500 * SECOND, now.begun + 500 * SECOND) < 101 * SECOND
        assert await each.between(now.begun, now.begun + 500 * SECOND) == 0


async def test_a_process_that_was_cut_off_notices_it_before_it_takes_time_from_a_player(
    tables: Mutable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database was away, or the machine asleep. `between` leaves the sign that the next sweep would have left."""
    away, first = Away(tables, monkeypatch), Outages(tables)
    await first.sweep()
    await away.sleep(60)
    (before,) = await tables.query(known)
    assert 59 * SECOND < await first.between(before.until, before.until + 500 * SECOND) < 61 * SECOND


async def test_one_process_that_stays_is_enough(tables: Mutable, monkeypatch: pytest.MonkeyPatch) -> None:
    away, killed, stays = Away(tables, monkeypatch), Outages(tables), Outages(tables)
    await killed.sweep()
    for _ in range(10):
        await stays.sweep()
        await away.sleep(4)
    again = Outages(tables)
    await again.sweep()
    assert await outages_of(tables) == []
    assert await again.between(0, 2**62) == 0


async def test_a_clock_that_is_set_is_no_outage(tables: Mutable, monkeypatch: pytest.MonkeyPatch) -> None:
    """In either direction: the process could take moves all the time."""
    away, first = Away(tables, monkeypatch), Outages(tables)
    for seconds in (0, 3600, -7200, 100):
        await away.sleep(seconds)
        away.passed = 0.0
        await first.sweep()
    assert await outages_of(tables) == []


async def test_the_table_stays_small(tables: Mutable, monkeypatch: pytest.MonkeyPatch) -> None:
    away = Away(tables, monkeypatch)
    rows = [{"begun": 10 * number, "until": 10 * number + 1} for number in range(MOST)]
    await tables.change(lambda connection: connection.execute(insert(uptimes), rows) and None)
    for _ in range(2):
        await Outages(tables).sweep()
        await away.sleep(10)
    assert len(await tables.query(known)) == MOST


async def test_without_the_database_nobody_is_judged(tmp_path: Path) -> None:
    """A command of a game with a clock fails, and the next one tries again."""
    gone = databases.mutable(
        read({}, database=str(tmp_path / "none.db")), databases.projections(read({}, database="x"))
    )
    with pytest.raises(Unavailable):
        await Outages(gone).between(0, 1)


def test_only_what_lies_between_two_uptimes_counts():
    rows = [Uptime(0, 10), Uptime(20, 30), Uptime(35, 40)]
    assert outage(rows, 0, 100) == 15
    assert outage(rows, 10, 20) == 10
    assert outage(rows, 15, 37) == 10
    assert outage(rows, 12, 18) == 6
    assert outage(rows, 30, 32) == 2
    assert outage(rows, 35, 100) == 0
    assert outage(rows, 40, 100) == outage(rows[:1], 0, 100) == outage([], 0, 100) == 0


# --- in games -----------------------------------------------------------------------------------------------------


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Iterator[WallClock]:
    yield from clocks.set_forward(monkeypatch)


async def test_after_a_stop_nobody_loses_a_seat_for_it(
    database: Path, wall: WallClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one game a player moves at once, in the other one only much later. Until the service has started it cannot
    take moves either."""
    clocks.no_sweeps(monkeypatch)
    wall.stop()
    clock = {"bank": 60}
    async with in_process(database) as house:
        ann, bob = players = await house.guests("Ann", "Bob")
        moved, left = [await house.table("skyjo", players, clock=clock, absent="abort") for _ in range(2)]
        seat = (await ann.look(moved))["to_act"][0]
        tokens = [each.token for each in players]
    start = ProjectionRunner.start

    async def slow_start(runner: ProjectionRunner) -> None:
        wall.sleep(100)
        await start(runner)

    monkeypatch.setattr(ProjectionRunner, "start", slow_start)
    wall.sleep(900)
    async with in_process(database) as house:
        ann, bob = (Caller(house.http, token) for token in tokens)
        who = (ann, bob)[seat]
        before = await who.look(moved)
        after = (await who.move(moved, any_of(before["legal_moves"], Random(1))))["game"]
        assert after["status"] == "running"
        (given,) = [each for each in await ann.events(moved) if each["event"]["type"] == "resumed"]
        assert (given["by"], given["version"]) == (None, before["version"] + 1)
        assert given["event"]["milliseconds"] == 1_000_000
        assert {each["ok"] for each in done(await ann.get(f"{moved}/audit"))["checks"]} <= {True, None}
        wall.sleep(30)
        seats = done(await ann.post(f"{left}/time", {"seat": 1, "seconds": 5}))["clock"]["seats"]
        assert all(dial["reserve"] > 999_000 for dial in seats if dial["runs_out"])
