"""The migrations of the tables lead every earlier shape to the tables of this release, and keep the rows.

`unversioned/` has the statements with which databases were created before the first migration.
"""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from setuptools import find_packages
from sqlalchemy import BigInteger, Boolean, Column, Connection, Engine, Integer, MetaData, Text, inspect, text

from service import databases as opening
from service.log import postgres as _postgres  # noqa: F401 - it reads the time-out of connections when it is imported
from service.log.errors import Unavailable
from service.settings import InvalidSettings, Settings, read
from service.tables import migrations, pairings
from service.tables.mutable import Mutable
from tests.support.servers import Postgres

METADATA = pairings.organisers.metadata

REVISIONS = sorted(path.name[:4] for path in Path(migrations.__file__).with_name("versions").glob("[0-9]*.py"))

UNVERSIONED = "unversioned"


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """An empty database."""
    if request.param == "sqlite":
        (tmp_path / "games.db").touch()
        yield read({}, database=str(tmp_path / "games.db"))
        return
    server: Postgres = request.getfixturevalue("postgres")
    with server.database() as name:
        yield read({}, database=server.url(name))


@pytest.fixture
def tables(settings: Settings) -> Iterator[Mutable]:
    projections = opening.projections(settings)
    yield opening.mutable(settings, projections)
    projections.dispose()


def run(tables: Mutable, work: Callable[[Connection], Any]) -> Any:
    """The result of `work`, in one transaction."""

    def transaction(connection: Connection) -> Any:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        result = work(connection)
        connection.commit()
        return result

    return tables._run(transaction)


def shaped(shape: str, connection: Connection) -> None:
    """Create the tables as they were after this migration, or before the first one."""
    if shape == UNVERSIONED:
        file = Path(__file__).parent / UNVERSIONED / f"{connection.dialect.name}.sql"
        for statement in file.read_text(encoding="utf-8").split(";\n"):
            if statement:
                connection.execute(text(statement))
    else:
        migrations.upgrade(connection, shape)


def filled(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Insert two rows into each of the tables that exist. Returns them."""
    found = MetaData()
    found.reflect(connection)
    rows = {}
    for name, table in found.tables.items():
        if name in METADATA.tables:
            connection.execute(table.insert(), [{c.name: value(c, number) for c in table.c} for number in (1, 2)])
            rows[name] = [dict(row) for row in connection.execute(table.select()).mappings()]
    return rows


def value(column: Column[Any], number: int) -> object:
    if column.nullable and number == 2:
        return None
    if isinstance(column.type, Boolean):
        return number == 1
    return number if isinstance(column.type, Integer | BigInteger) else f"{column.name} {number}"


def differences(connection: Connection, metadata: MetaData = METADATA) -> list[Any]:
    """What a migration would have to change, beside indexes with other conditions: see `indexes`."""
    context = MigrationContext.configure(connection, opts={"version_table": migrations.VERSION.name})
    return list(compare_metadata(context, metadata))


def indexes(connection: Connection) -> set[str]:
    """The definitions of all indexes, with their conditions, which Alembic does not compare."""
    of_sqlite = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    of_postgres = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
    return {*connection.execute(text(of_sqlite if connection.dialect.name == "sqlite" else of_postgres)).scalars()}


def test_there_is_a_migration():
    assert [f"{number:04}" for number in range(1, len(REVISIONS) + 1)] == REVISIONS
    assert REVISIONS


@pytest.mark.parametrize(
    "shape",
    [UNVERSIONED, *[pytest.param(each, marks=pytest.mark.checked) for each in REVISIONS[:-2]], *REVISIONS[-2:]],
)
def test_every_earlier_shape_is_upgraded_and_keeps_its_rows(shape: str, tables: Mutable) -> None:
    def kept(connection: Connection) -> None:
        found = MetaData()
        found.reflect(connection)
        for name, rows in before.items():
            after = [dict(row) for row in connection.execute(found.tables[name].select()).mappings()]
            assert [{key: row[key] for key in rows[0].keys() & row.keys()} for row in after] == [
                {key: row[key] for key in row.keys() & after[0].keys()} for row in rows
            ]
        assert len(before) == len(METADATA.tables) or shape in (UNVERSIONED, *REVISIONS[:-1])

    run(tables, partial(shaped, shape))
    before = run(tables, filled)
    assert tables.outdated() == (shape != REVISIONS[-1])
    tables.migrate()
    assert not tables.outdated()
    assert run(tables, differences) == []
    run(tables, kept)


def test_the_migrations_create_what_an_empty_database_gets_at_once(tables: Mutable) -> None:
    def undone(connection: Connection) -> None:
        METADATA.drop_all(connection)
        migrations.VERSION.drop(connection)

    def both(connection: Connection) -> tuple[list[Any], set[str], str | None, Any]:
        versions = inspect(connection).get_columns(migrations.VERSION.name)
        columns = [(column["name"], str(column["type"]), column["nullable"]) for column in versions]
        return differences(connection), indexes(connection), migrations.current(connection), columns

    run(tables, partial(shaped, "head"))
    migrated = run(tables, both)
    run(tables, undone)
    tables.migrate()
    assert run(tables, both) == migrated
    assert migrated[0] == []


@pytest.mark.turns("databases")
@pytest.mark.parametrize(
    "change",
    [
        lambda metadata: metadata.tables["stammtisch_players"].append_column(Column("born", Text)),
        lambda metadata: metadata.remove(metadata.tables["stammtisch_invites"]),
        lambda metadata: setattr(metadata.tables["stammtisch_players"].c.name, "nullable", False),
        lambda metadata: setattr(metadata.tables["stammtisch_players"].c.renames, "type", Text()),
        lambda metadata: metadata.tables["stammtisch_codes"].indexes.pop(),
    ],
    ids=["a column", "no table", "not null", "a type", "no index"],
)
def test_a_change_without_a_migration_is_noticed(change: Callable[[MetaData], Any], tables: Mutable) -> None:
    changed = MetaData()
    for table in METADATA.tables.values():
        table.to_metadata(changed)
    tables.migrate()
    assert run(tables, partial(differences, metadata=changed)) == []
    change(changed)
    assert run(tables, partial(differences, metadata=changed)) != []


@pytest.mark.parametrize("shape", [UNVERSIONED, None])
def test_processes_that_start_together_take_turns(shape: str | None, settings: Settings, tables: Mutable) -> None:
    if shape:
        run(tables, partial(shaped, shape))
    engines: list[Engine] = [opening.projections(settings) for _ in range(6)]
    failed = []

    def start(engine: Engine, together: threading.Barrier) -> None:
        together.wait()
        try:
            opening.mutable(settings, engine).migrate()
        except Exception as error:
            failed.append(error)

    together = threading.Barrier(len(engines))
    threads = [threading.Thread(target=start, args=(engine, together)) for engine in engines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for engine in engines:
        engine.dispose()
    assert failed == []
    assert run(tables, differences) == []


def test_a_migration_that_fails_changes_nothing(tables: Mutable, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no space")

    run(tables, partial(shaped, UNVERSIONED))
    before = run(tables, indexes)
    with monkeypatch.context() as patch:
        patch.setattr(op, "create_index", fail)
        with pytest.raises(RuntimeError):
            tables.migrate()
    assert run(tables, lambda connection: (migrations.current(connection), indexes(connection))) == (None, before)
    tables.migrate()


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_a_migration_may_take_longer_than_a_request(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request gives up when the server is silent; a migration of large tables is silent for long."""
    create = migrations.create

    def slow(connection: Connection) -> None:
        connection.execute(text("SELECT pg_sleep(2)"))
        create(connection)

    monkeypatch.setattr("service.log.connection.SILENCE_TIMEOUT", 0.5)
    monkeypatch.setattr(migrations, "create", slow)
    opening.migrate(settings)
    opening.check(settings)


def test_tables_of_a_newer_release_are_refused(settings: Settings, tables: Mutable) -> None:
    tables.migrate()
    run(tables, lambda connection: connection.execute(migrations.VERSION.update(), {"version_num": "9999"}))
    with pytest.raises(Unavailable, match="newer release"):
        tables.migrate()
    if settings.uses_postgres:
        with pytest.raises(InvalidSettings, match="newer release"):
            opening.migrate(settings)


def test_the_package_contains_the_migrations():
    found = find_packages(str(Path(__file__).parents[2]), include=["service*"])
    assert {"service.tables.migrations", "service.tables.migrations.versions"} <= {*found}


def test_each_migration_has_its_own_number() -> None:
    assert [*dict.fromkeys(REVISIONS)] == REVISIONS
