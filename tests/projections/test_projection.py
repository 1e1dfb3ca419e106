"""Every event is applied exactly once, also after repetitions, interruptions and rebuilds."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Engine, MetaData, Text, event
from sqlalchemy import Table as SchemaTable
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import NoResultFound
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from projections.lobby import LOBBY, Search, invited_games, page
from projections.players import activity, games_of, unfinished, unfinished_games
from projections.projection import Projection, Projections, RecordedEvent
from projections.registry import PROJECTIONS
from projections.schema import METADATA, checkpoints, isolated, stored_bytes
from projections.storage import STORAGE, stored_bytes_of
from service import databases
from tests.projections.conftest import Given
from tests.projections.histories import Table, contents, history, recorded

SEEDS = range(3)


def batches(random: Random, log: Sequence[RecordedEvent]) -> list[tuple[list[RecordedEvent], int, int]]:
    """The log, divided at random: also within an append, and at positions without an event."""
    cuts = sorted({0, log[-1].position, *(random.randint(0, log[-1].position) for _ in range(25))})
    return [([each for each in log if a < each.position <= b], a, b) for a, b in pairwise(cuts)]


@pytest.mark.by_default("sqlite-0", "sqlite-1", "postgresql-2")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_rebuilt_projection_equals_an_updated_one(engine: Engine, projections: Projections, seed: int) -> None:
    log = recorded(*history(Random(seed), games=25))
    for batch, after, upto in batches(Random(seed), log):
        assert projections.apply(batch, after, upto) == upto
    updated = contents(engine)
    assert all(updated.values())
    projections.rebuild()
    assert not any(contents(engine).values())
    assert projections.position() == 0
    projections.apply(log, 0, log[-1].position)
    assert contents(engine) == updated


@pytest.mark.by_default("sqlite-0", "sqlite-1", "postgresql-2")
@pytest.mark.parametrize("seed", SEEDS)
def test_repeated_batches_change_nothing(engine: Engine, projections: Projections, seed: int) -> None:
    random = Random(seed)
    log = recorded(*history(random, games=10))
    cut = batches(random, log)
    for number, (batch, after, upto) in enumerate(cut):
        projections.apply(batch, after, upto)
        once = contents(engine)
        for batch, after, earlier in random.sample(cut[: number + 1], k=min(3, number + 1)):
            assert projections.apply(batch, after, earlier) == upto
        assert contents(engine) == once


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)  # the plans of PostgreSQL depend on the contents
def test_no_query_scans_a_whole_table(engine: Engine, projections: Projections) -> None:
    statements: dict[str, Any] = {}

    @event.listens_for(engine, "before_cursor_execute")
    def _(_c: object, _u: object, text: str, values: Any, _x: object, many: bool) -> None:
        statements[text] = values[0] if many else values

    log = recorded(*history(Random(1), games=30))
    for batch, after, upto in batches(Random(1), log):
        projections.apply(batch, after, upto)
    activity(engine, "id-player0", "id-player0")
    for query in (unfinished, unfinished_games, games_of):
        query(engine, "id-player0")
    invited_games(engine, "id-player0", Search(player="id-player1", open=True), None, 20)
    queries = {text: values for text, values in statements.items() if text.startswith(("SELECT", "UPDATE", "DELETE"))}
    for start in ("UPDATE games", "DELETE FROM members", "DELETE FROM invitations", "DELETE FROM standings"):
        assert any(text.startswith(start) for text in queries)
    scans = tuple(f"SCAN {table.name}" for each in databases.derived() for table in each.tables)
    for text, values in queries.items():
        assert not [step for step in plan(engine, text, values) if step.startswith(scans)], text


def plan(engine: Engine, text: str, values: Any) -> list[str]:
    """The steps of SQLite's query plan."""
    with engine.begin() as connection:
        return [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)]


def test_a_batch_that_overlaps_the_checkpoint_is_applied_from_there(engine: Engine, projections: Projections) -> None:
    table = Table("g")
    log = recorded(table.open("ada", seats=3), table.join("bob"))
    projections.apply(log[:2], 0, log[1].position)
    assert projections.apply(log[1:], log[0].position, log[2].position) == log[2].position
    assert page(engine, Search(open=True, player="id-bob"), None).items[0].open == 1


def test_a_batch_after_a_gap_is_not_applied(engine: Engine, projections: Projections) -> None:
    """A runner that was active during a rebuild starts again at the beginning."""
    log = recorded(Table("g").open("ada", sit=False), Table("h").open("bob", sit=False))
    assert projections.apply(log[1:], log[0].position, log[1].position) == 0
    assert page(engine, Search(), None).items == ()


def test_a_failed_batch_leaves_nothing_half_applied(engine: Engine, projections: Projections, given: Given) -> None:
    class Crash(OSError):
        """An error that the events do not cause. For errors that they cause see `test_isolation`."""

    def crash(connection: Connection, batch: Sequence[RecordedEvent]) -> None:
        STORAGE.apply(connection, batch)
        raise Crash

    given(Table("before").open("ada"))
    before, position = contents(engine), projections.position()
    assert any(before.values())
    projections.prepare()
    assert contents(engine) == before, "preparing again keeps the contents"
    position = projections.apply([], position, position + 1000)  # it advances without events
    table = Table("g")
    log = recorded(table.open("bob", seats=2), table.join("ada"), after=position)
    with pytest.raises(Crash):
        Projections(engine, (LOBBY, replace(STORAGE, apply=crash))).apply(log, position, log[-1].position)
    assert contents(engine) == before
    assert projections.position() == position
    projections.apply(log, position, log[-1].position)
    assert page(engine, Search(status="running"), None).items[0].id == "g"


def test_a_projection_of_another_version_is_rebuilt_alone(engine: Engine, projections: Projections) -> None:
    log = recorded(Table("g").open("bob"))
    projections.apply(log, 0, log[-1].position)
    lobby = page(engine, Search(), None)
    changed = Projections(engine, (LOBBY, replace(STORAGE, version=2)))
    stored = stored_bytes_of(engine, "id-bob")
    assert stored
    changed.prepare()
    assert stored_bytes_of(engine, "id-bob") == 0
    assert page(engine, Search(), None) == lobby
    assert changed.position() == 0
    changed.apply(log, 0, log[-1].position)
    assert stored_bytes_of(engine, "id-bob") == stored
    assert page(engine, Search(), None) == lobby


def test_an_older_release_does_not_write_to_newer_tables(engine: Engine, projections: Projections) -> None:
    Projections(engine, (LOBBY, replace(STORAGE, version=2))).prepare()
    log = recorded(Table("g").open("ada"))
    with pytest.raises(NoResultFound):
        projections.apply(log, 0, log[-1].position)


def test_concurrent_runners_apply_every_event_once(engine: Engine, projections: Projections) -> None:
    log = recorded(*history(Random(1), games=10))
    cut = batches(Random(1), log)

    def follow() -> None:
        for batch, after, upto in cut:
            assert projections.apply(batch, after, upto) >= upto

    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(follow) for _ in range(3)]:
            done.result()
    at_once = contents(engine)
    projections.rebuild()
    follow()
    assert contents(engine) == at_once


def shape(tables: Iterable[SchemaTable]) -> str:
    """A digest of what creates the tables on both databases."""
    made: list[ExecutableDDLElement] = []
    for table in tables:
        made += [CreateTable(table), *map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))]
    text = [str(each.compile(dialect=dialect)) for each in made for dialect in (sqlite.dialect(), postgresql.dialect())]
    return sha256("".join(text).encode()).hexdigest()[:12]


SHAPES = {
    # Written when `version` is raised: tables of another shape with the same version would be used as they are.
    "lobby": (11, "2858628788a9"),
    "storage": (1, "4bbf799f37df"),
    "deadlines": (3, "5b6111f05f5b"),
}


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.name)
def test_a_changed_table_has_a_new_version(projection: Projection) -> None:
    version, known = SHAPES[projection.name]
    if version == projection.version:
        assert shape(projection.tables) == known, f"raise the version of the projection {projection.name}"
    assert (projection.version, shape(projection.tables)) == (version, known), "write both into SHAPES"


def test_the_tables_of_the_checkpoints_have_no_version() -> None:
    """They hold the versions of the others, so nothing would notice another shape: give changed ones new names."""
    assert shape((checkpoints, isolated)) == "23e946d5803b"


def test_every_table_belongs_to_a_projection() -> None:
    owned = [table for projection in PROJECTIONS for table in projection.tables]
    assert {*owned, checkpoints, isolated} == {*METADATA.tables.values()}


def test_a_changed_column_changes_the_shape() -> None:
    changed = stored_bytes.to_metadata(MetaData())
    assert shape([changed]) == shape([stored_bytes])
    changed.append_column(Column("more", Text))
    assert shape([changed]) != shape([stored_bytes])
