"""An event that cannot be applied costs its own game its place, and nobody else anything: on SQLite and PostgreSQL."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from domain.game import Ended, Joined, Opened
from domain.ruleset import Result
from projections.lobby import LOBBY, Search, page
from projections.players import PLAYERS
from projections.projection import Projections, RecordedEvent
from projections.registry import PROJECTIONS
from projections.standings import STANDINGS
from service.store.event_store import Row
from tests.projections.histories import Table, contents, facts, history

BAD = "the-bad-one"


def renamed(row: Row, **fields: str) -> Row:
    """The row with another id or name for the player whom it names."""
    event = row.value.event
    match event:
        case Opened(opener=player):
            event = msgspec.structs.replace(event, opener=msgspec.structs.replace(player, **fields))
        case Joined(player=player):
            event = msgspec.structs.replace(event, player=msgspec.structs.replace(player, **fields))
    return row._replace(value=msgspec.structs.replace(row.value, event=event))


def unreadable(_: Row) -> Row:
    return Row(BAD, 1, "skyjo/1.opened", ValueError("JSON is malformed: invalid character (byte 7)"))


SPOILT: dict[str, Callable[[Row], Row]] = {
    "a name with half a character": lambda row: renamed(row, name="\ud800"),
    "an id with half a character": lambda row: renamed(row, id="\ud800"),
    "an event that cannot be read": unreadable,
}
"""What no database takes, or nobody can read."""

SPOILT_FOR_A_SERVER: dict[str, Callable[[Row], Row]] = {
    "a name with NUL": lambda row: renamed(row, name="A\0nn"),
    "an id with NUL": lambda row: renamed(row, id="ann\0"),
    # Random, for what is repeated is compressed and then fits.
    "an id of 24,000 characters": lambda row: renamed(row, id=f"{Random(1).getrandbits(24_000 * 4):024000x}"),
}
"""What SQLite takes and PostgreSQL does not."""

every_spoilt = pytest.mark.parametrize(
    ("spoil", "on_sqlite"),
    [(how, True) for how in SPOILT.values()] + [(how, False) for how in SPOILT_FOR_A_SERVER.values()],
    ids=[*SPOILT, *SPOILT_FOR_A_SERVER],
)


def log_with(spoil: Callable[[Row], Row]) -> list[RecordedEvent]:
    """Games by the dozen, and one in their midst of which the first event is spoilt, and more follow."""
    appends = list(history(Random(1), games=25))
    table = Table(BAD)
    opened, later = table.open("ada"), table.join("bob")
    appends.insert(len(appends) // 2, [spoil(opened[0]), *map(spoil if spoil is not unreadable else _same, opened[1:])])
    appends.append(later)
    return facts(*appends)


def _same(row: Row) -> Row:
    return row


def without(log: Sequence[RecordedEvent]) -> list[RecordedEvent]:
    return [fact for fact in log if fact.stream != BAD]


def cut(log: Sequence[RecordedEvent], seed: int) -> list[tuple[list[RecordedEvent], int, int]]:
    random, last = Random(seed), log[-1].position
    places = sorted({0, last, *(random.randint(0, last) for _ in range(15))})
    return [([fact for fact in log if a < fact.position <= b], a, b) for a, b in pairwise(places)]


def expected(engine: Engine, projections: Projections, log: Sequence[RecordedEvent]) -> dict[str, set[tuple[Any, ...]]]:
    """What the projections tell of the log without the bad game."""
    projections.rebuild()
    projections.apply(without(log), 0, log[-1].position)
    assert projections.left_out() == []
    found = contents(engine)
    assert all(found[name] for name in ("games", "members", "announcements", "players", "standings"))
    projections.rebuild()
    return found


def same_for_all_others(engine: Engine, projections: Projections, told: dict[str, set[tuple[Any, ...]]]) -> None:
    """What came before the bad event stays, so the bad game itself may be in some of the tables."""
    found = contents(engine)
    assert projections.left_out()
    assert {row for row in found["games"] if BAD not in row} == told["games"]
    assert found["standings"] == told["standings"]
    number = {row[0] for row in found["games"] if BAD in row}
    assert {row for row in found["members"] if not number & set(row)} == told["members"]
    assert {row for row in found["contests"] if BAD not in row} == told["contests"]


@pytest.mark.by_default("-0-")  # the first seed
@every_spoilt
@pytest.mark.parametrize("seed", range(2))
def test_all_others_are_applied_exactly_once(
    engine: Engine, projections: Projections, spoil: Callable[[Row], Row], on_sqlite: bool, seed: int
) -> None:
    if engine.dialect.name == "sqlite" and not on_sqlite:
        projections.apply(log := log_with(spoil), 0, log[-1].position)
        assert projections.left_out() == []
        return
    log = log_with(spoil)
    told = expected(engine, projections, log)
    for batch, after, upto in cut(log, seed):
        assert projections.apply(batch, after, upto) == upto
        assert projections.apply(batch, after, upto) == upto
    same_for_all_others(engine, projections, told)
    assert {each.stream for each in projections.left_out()} == {BAD}
    assert projections.isolated == 1


@every_spoilt
def test_many_processes_leave_out_the_same(
    engine: Engine, projections: Projections, spoil: Callable[[Row], Row], on_sqlite: bool
) -> None:
    if engine.dialect.name == "sqlite" and not on_sqlite:
        spoil = SPOILT["a name with half a character"]
    log = log_with(spoil)
    told = expected(engine, projections, log)

    def follow(seed: int) -> int:
        mine = Projections(engine, PROJECTIONS)
        for batch, after, upto in cut(log, seed):
            assert mine.apply(batch, after, upto) >= 0
        # Who was overtaken begins where the others are, as a feed does.
        while (at := mine.position()) < log[-1].position:
            mine.apply([fact for fact in log if fact.position > at], at, log[-1].position)
        return mine.isolated

    with ThreadPoolExecutor() as pool:
        assert [done.result() for done in [pool.submit(follow, seed) for seed in range(3)]] == [1, 1, 1]
    same_for_all_others(engine, projections, told)


def test_it_is_said_once_with_the_game_and_the_cause_in_one_line(
    projections: Projections, caplog: pytest.LogCaptureFixture
) -> None:
    log = log_with(lambda row: renamed(row, name="\ud800\x1b[2J\n"))
    with caplog.at_level(logging.WARNING):
        for batch, after, upto in cut(log, 1):
            projections.apply(batch, after, upto)
    said = [record.message for record in caplog.records]
    assert len(said) == len({each.projection for each in projections.left_out()})
    for line in said:
        assert line.startswith(f"{BAD} is left out of the projection ")
        assert line.isprintable() and line.isascii()
        assert "UnicodeEncodeError" in line


def test_a_restart_changes_nothing_and_a_rebuild_tries_again(engine: Engine, projections: Projections) -> None:
    spoilt = log_with(SPOILT["a name with half a character"])
    projections.apply(spoilt, 0, spoilt[-1].position)
    restarted = Projections(engine, PROJECTIONS)
    restarted.prepare()
    assert (restarted.position(), restarted.isolated) == (spoilt[-1].position, 1)
    more = Table("later")
    log = facts(more.open("ada"), after=spoilt[-1].position)
    restarted.apply([*log, RecordedEvent(log[-1].position + 1, *_left(BAD))], spoilt[-1].position, log[-1].position + 1)
    assert page(engine, Search(), None).items[0].id == "later"
    assert restarted.isolated == 1
    # Once the cause is gone a rebuild takes the game in.
    right = log_with(_same)
    restarted.rebuild()
    assert restarted.left_out() == []
    restarted.apply(right, 0, right[-1].position)
    assert restarted.isolated == 0
    assert BAD in {listed.id for listed in page(engine, Search(), None, limit=100).items}


def _left(stream: str) -> Row:
    table = Table(stream)
    table.open("ada")
    return table.leave(0)[0]


def test_another_version_of_a_projection_tries_again_alone(engine: Engine, projections: Projections) -> None:
    log = log_with(SPOILT["an event that cannot be read"])
    projections.apply(log, 0, log[-1].position)
    assert {each.projection for each in projections.left_out()} == {"lobby", "players", "standings"}
    Projections(engine, (LOBBY, replace(PLAYERS, version=2), STANDINGS)).prepare()
    assert {each.projection for each in projections.left_out()} == {"lobby", "standings"}


def test_a_result_that_no_table_can_hold_leaves_the_game_out_of_the_standings_alone(
    engine: Engine, projections: Projections
) -> None:
    table = Table(BAD)
    rows = [*table.open("ada", seats=2), *table.join("bob"), *table.play(Random(1))]
    for number, row in enumerate(rows):
        if isinstance(row.value.event, Ended):
            huge = msgspec.structs.replace(row.value, event=Ended(Result((2**70, 0), (0,))))
            rows[number] = row._replace(value=huge)
    log = facts(*history(Random(2), games=25), rows, Table("later").open("ada"))
    told = expected(engine, projections, log)
    projections.apply(log, 0, log[-1].position)
    assert {(each.projection, each.stream) for each in projections.left_out()} >= {("standings", BAD)}
    assert contents(engine)["standings"] == told["standings"]
    assert page(engine, Search(), None).items[0].id == "later"


@pytest.mark.parametrize(
    "error", [OperationalError("INSERT", {}, Exception("disk full")), OSError("no"), MemoryError()]
)
def test_a_database_that_is_in_trouble_isolates_nobody(
    engine: Engine, projections: Projections, error: Exception
) -> None:
    def fails(connection: Connection, batch: Sequence[RecordedEvent]) -> None:
        PLAYERS.apply(connection, batch)
        raise error

    log = log_with(_same)
    with pytest.raises(type(error)):
        Projections(engine, (LOBBY, replace(PLAYERS, apply=fails))).apply(log, 0, log[-1].position)
    assert not any(contents(engine).values())
    assert projections.left_out() == []
    assert projections.position() == 0


def test_tables_without_that_of_isolated_games_are_outdated(engine: Engine, projections: Projections) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE isolated")
    assert projections.outdated() == ["lobby", "players", "standings"]
    projections.prepare()
    assert projections.outdated() == []
