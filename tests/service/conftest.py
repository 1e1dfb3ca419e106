"""A real log and real projections, each in an SQLite file of its own; tests run in asyncio."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from domain.log import stored_type
from domain.player import PlayerEvent
from domain.rulesets import VERSIONS
from projections.following import Projections
from projections.tables import open_engine
from service.feed import PROJECTIONS
from service.store import Store

KINDS = {rules: stored_type(ruleset) for rules, ruleset in VERSIONS.items()} | {"player": PlayerEvent}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def open_store(tmp_path: Path) -> AsyncIterator[Callable[[], Store]]:
    """Opens the log once more, as another process would."""
    stores = []

    def opened(name: str = "log.db") -> Store:
        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(tmp_path / name)}
        stores.append(Store(env, KINDS))
        return stores[-1]

    yield opened
    for store in stores:
        await store.close()


@pytest.fixture
async def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'projections.db'}")
    yield engine
    engine.dispose()


@pytest.fixture
def projections(engine: Engine) -> Projections:
    return Projections(engine, PROJECTIONS)
