"""A database of projections: in an SQLite file of its own, and in a real PostgreSQL, which has its tables already."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from projections.database import open_engine
from projections.projection import Projections
from projections.registry import PROJECTIONS
from service.store.event_store import Row
from tests.projections.histories import facts


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    own = f"sqlite:///{tmp_path / 'projections.db'}"
    engine = open_engine(own if request.param == "sqlite" else request.getfixturevalue("migrated_url"))
    yield engine
    engine.dispose()


@pytest.fixture
def projections(engine: Engine) -> Projections:
    kept = Projections(engine, PROJECTIONS)
    kept.prepare()
    return kept


Given = Callable[..., None]


@pytest.fixture
def given(projections: Projections) -> Given:
    """given(rows, rows, ...): this is what happened next."""

    def happened(*appends: list[Row]) -> None:
        after = projections.position()
        batch = facts(*appends, after=after)
        assert projections.apply(batch, after, batch[-1].position) == batch[-1].position

    return happened
