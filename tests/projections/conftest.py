"""A database of projections: a new SQLite file, and a real PostgreSQL database with all tables."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from projections import database
from projections.projection import Projections
from service import databases
from service.log.mapper import Row
from service.settings import read
from tests.projections.histories import recorded
from tests.support.statements import remember_statements

remember_statements()

pytestmark = [pytest.mark.turns("rulesets", "databases")]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    own = f"sqlite:///{tmp_path / 'projections.db'}"
    if request.param == "sqlite":
        engine = database.open_engine(own)
    else:
        engine = databases.projections(read({}, database=request.getfixturevalue("migrated_url")))
    yield engine
    engine.dispose()


@pytest.fixture
def projections(engine: Engine) -> Projections:
    created = Projections(engine, databases.derived())
    created.prepare()
    return created


Given = Callable[..., None]


@pytest.fixture
def given(projections: Projections) -> Given:
    """`given(rows, rows, ...)` appends these rows to the log and applies them."""

    def append(*appends: list[Row]) -> None:
        after = projections.position()
        batch = recorded(*appends, after=after)
        assert projections.apply(batch, after, batch[-1].position) == batch[-1].position
        assert projections.left_out() == [], "no game is isolated"

    return append
