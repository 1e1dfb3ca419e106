"""An event that cannot be applied isolates its own game and affects no other, on SQLite and PostgreSQL."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
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
from projections.projection import Projections, RecordedEvent
from projections.storage import STORAGE
from service import databases
from service.log.mapper import Row
from tests.projections.histories import Table, contents, history, recorded

pytestmark = pytest.mark.slow

DERIVED = databases.derived()

BAD = "the-bad-one"


def with_player(row: Row, player: str) -> Row:
    """The row with another player."""
    event = row.value.event
    match event:
        case Opened():
            event = msgspec.structs.replace(event, opener=player)
        case Joined():
            event = msgspec.structs.replace(event, player=player)
    return row._replace(value=msgspec.structs.replace(row.value, event=event))


def unreadable(_: Row) -> Row:
    return Row(BAD, 1, "skyjo/1.opened", ValueError("JSON is malformed: invalid character (byte 7)"))


SPOILT: dict[str, Callable[[Row], Row]] = {
    "an id with half a character": lambda row: with_player(row, "\ud800"),
    "an event that cannot be read": unreadable,
}
"""Events that no database accepts, or that cannot be decoded."""

SPOILT_FOR_A_SERVER: dict[str, Callable[[Row], Row]] = {
    "an id with NUL": lambda row: with_player(row, "ann\0"),
    # Random, because PostgreSQL compresses repetitions, which would then fit.
    "an id of 24,000 characters": lambda row: with_player(row, f"{Random(1).getrandbits(24_000 * 4):024000x}"),
}
"""Events that SQLite accepts and PostgreSQL does not."""

every_spoilt = pytest.mark.parametrize(
    ("spoil", "on_sqlite"),
    [(how, True) for how in SPOILT.values()] + [(how, False) for how in SPOILT_FOR_A_SERVER.values()],
    ids=[*SPOILT, *SPOILT_FOR_A_SERVER],
)


@cache
def _games() -> list[list[Row]]:
    return [*history(Random(1), games=5)]


def log_with(spoil: Callable[[Row], Row]) -> list[RecordedEvent]:
    """A log of many games. The first event of one of them is spoilt; more events of it follow."""
    appends = _games().copy()
    table = Table(BAD)
    opened, later = table.open("ada"), table.join("bob")
    appends.insert(len(appends) // 2, [spoil(opened[0]), *map(spoil if spoil is not unreadable else _same, opened[1:])])
    appends.append(later)
    return recorded(*appends)


def _same(row: Row) -> Row:
    return row


def without(log: Sequence[RecordedEvent]) -> list[RecordedEvent]:
    return [event for event in log if event.stream != BAD]


def cut(log: Sequence[RecordedEvent], seed: int) -> list[tuple[list[RecordedEvent], int, int]]:
    random, last = Random(seed), log[-1].position
    cuts = sorted({0, last, *(random.randint(0, last) for _ in range(15))})
    return [([event for event in log if a < event.position <= b], a, b) for a, b in pairwise(cuts)]


def expected(engine: Engine, projections: Projections, log: Sequence[RecordedEvent]) -> dict[str, set[tuple[Any, ...]]]:
    """The contents of the projections for the log without the bad game."""
    projections.rebuild()
    projections.apply(without(log), 0, log[-1].position)
    assert projections.left_out() == []
    found = contents(engine)
    assert all(found[name] for name in ("games", "members", "announcements", "standings"))
    projections.rebuild()
    return found


def assert_same_without_bad_game(
    engine: Engine, projections: Projections, reference: dict[str, set[tuple[Any, ...]]]
) -> None:
    """Compares all other games. Rows of the bad game from before the bad event stay."""
    actual = contents(engine)
    assert projections.left_out()
    assert {row for row in actual["games"] if BAD not in row} == reference["games"]
    assert actual["standings"] == reference["standings"]
    number = {row[0] for row in actual["games"] if BAD in row}
    assert {row for row in actual["members"] if not number & set(row)} == reference["members"]
    assert {row for row in actual["contests"] if BAD not in row} == reference["contests"]
    assert {row for row in actual["stored_games"] if BAD not in row} == reference["stored_games"]


@pytest.mark.by_default("sqlite-0-", "postgresql-0-an id with half")
@every_spoilt
@pytest.mark.parametrize("seed", range(2))
def test_all_other_events_are_applied_exactly_once(
    engine: Engine, projections: Projections, spoil: Callable[[Row], Row], on_sqlite: bool, seed: int
) -> None:
    if engine.dialect.name == "sqlite" and not on_sqlite:
        projections.apply(log := log_with(spoil), 0, log[-1].position)
        assert projections.left_out() == []
        return
    log = log_with(spoil)
    reference = expected(engine, projections, log)
    for batch, after, upto in cut(log, seed):
        assert projections.apply(batch, after, upto) == upto
        assert projections.apply(batch, after, upto) == upto
    assert_same_without_bad_game(engine, projections, reference)
    assert {each.stream for each in projections.left_out()} == {BAD}
    assert projections.isolated == 1


@pytest.mark.by_default("sqlite", "an id with NUL")
@every_spoilt
def test_all_processes_leave_out_the_same_streams(
    engine: Engine, projections: Projections, spoil: Callable[[Row], Row], on_sqlite: bool
) -> None:
    if engine.dialect.name == "sqlite" and not on_sqlite:
        spoil = SPOILT["an id with half a character"]
    log = log_with(spoil)
    reference = expected(engine, projections, log)

    def follow(seed: int) -> int:
        mine = Projections(engine, DERIVED)
        for batch, after, upto in cut(log, seed):
            assert mine.apply(batch, after, upto) >= 0
        # Continue at the position of the others, like the projection runner.
        while (at := mine.position()) < log[-1].position:
            mine.apply([event for event in log if event.position > at], at, log[-1].position)
        return mine.isolated

    with ThreadPoolExecutor() as pool:
        assert [done.result() for done in [pool.submit(follow, seed) for seed in range(3)]] == [1, 1, 1]
    assert_same_without_bad_game(engine, projections, reference)


def test_an_isolated_game_is_logged_once_with_its_cause_in_one_line(
    projections: Projections, caplog: pytest.LogCaptureFixture
) -> None:
    log = log_with(lambda row: with_player(row, "\ud800\x1b[2J\n"))
    with caplog.at_level(logging.WARNING):
        for batch, after, upto in cut(log, 1):
            projections.apply(batch, after, upto)
    logged = [record.message for record in caplog.records]
    assert len(logged) == len({each.projection for each in projections.left_out()})
    for line in logged:
        assert line.startswith(f"{BAD} is left out of the projection ")
        assert line.isprintable() and line.isascii()
        assert "UnicodeEncodeError" in line


def test_a_game_stays_isolated_after_a_restart_and_is_tried_again_by_a_rebuild(
    engine: Engine, projections: Projections
) -> None:
    spoilt = log_with(SPOILT["an id with half a character"])
    projections.apply(spoilt, 0, spoilt[-1].position)
    restarted = Projections(engine, DERIVED)
    restarted.prepare()
    assert (restarted.position(), restarted.isolated) == (spoilt[-1].position, 1)
    more = Table("later")
    log = recorded(more.open("ada"), after=spoilt[-1].position)
    restarted.apply([*log, RecordedEvent(log[-1].position + 1, *_left(BAD))], spoilt[-1].position, log[-1].position + 1)
    assert page(engine, Search(), None).items[0].id == "later"
    assert restarted.isolated == 1
    # A rebuild includes the game once the cause is removed.
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


def test_another_version_of_one_projection_is_tried_again_alone(engine: Engine, projections: Projections) -> None:
    log = log_with(SPOILT["an event that cannot be read"])
    projections.apply(log, 0, log[-1].position)
    assert {each.projection for each in projections.left_out()} == {each.name for each in DERIVED}
    Projections(engine, [replace(STORAGE, version=2) if each is STORAGE else each for each in DERIVED]).prepare()
    assert {each.projection for each in projections.left_out()} == {each.name for each in DERIVED} - {"storage"}


def test_a_result_that_is_too_large_isolates_the_game_in_the_standings_only(
    engine: Engine, projections: Projections
) -> None:
    table = Table(BAD)
    rows = [*table.open("ada", seats=2), *table.join("bob"), *table.play(Random(1))]
    for number, row in enumerate(rows):
        if isinstance(row.value.event, Ended):
            huge = msgspec.structs.replace(row.value, event=Ended(Result((2**70, 0), (0,))))
            rows[number] = row._replace(value=huge)
    log = recorded(*history(Random(2), games=4), rows, Table("later").open("ada"))
    reference = expected(engine, projections, log)
    projections.apply(log, 0, log[-1].position)
    assert {(each.projection, each.stream) for each in projections.left_out()} >= {("standings", BAD)}
    assert contents(engine)["standings"] == reference["standings"]
    assert page(engine, Search(), None).items[0].id == "later"


@pytest.mark.parametrize(
    "error", [OperationalError("INSERT", {}, Exception("disk full")), OSError("no"), MemoryError()]
)
def test_an_error_of_the_database_isolates_no_game(engine: Engine, projections: Projections, error: Exception) -> None:
    def fails(connection: Connection, batch: Sequence[RecordedEvent]) -> None:
        STORAGE.apply(connection, batch)
        raise error

    log = log_with(_same)
    with pytest.raises(type(error)):
        Projections(engine, (LOBBY, replace(STORAGE, apply=fails))).apply(log, 0, log[-1].position)
    assert not any(contents(engine).values())
    assert projections.left_out() == []
    assert projections.position() == 0


def test_tables_from_before_isolation_are_outdated(engine: Engine, projections: Projections) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE isolated")
    assert projections.outdated() == [each.name for each in DERIVED]
    projections.prepare()
    assert projections.outdated() == []
