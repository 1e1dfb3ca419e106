"""A real log and real projections, in SQLite files of their own and in PostgreSQL; tests run in asyncio."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Engine

from domain.log import stored_type
from domain.player import PlayerEvent
from domain.rulesets import VERSIONS
from projections.projection import Projections
from projections.registry import PROJECTIONS
from service.cluster import redis_client
from service.live import projection_runner
from service.settings import Settings, read
from service.store.databases import log, written_apart
from service.store.databases import projections as open_engine
from service.store.event_store import Store
from tests.support.servers import Postgres

KINDS = {rules: stored_type(ruleset) for rules, ruleset in VERSIONS.items()} | {"player": PlayerEvent}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def settled() -> Iterator[None]:
    """No other process has to reconnect to the Redis of a test: it counts as settled at once.

    For the session, because services that many tests share connect before any single test begins.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redis_client, "SETTLED", 0.0)
        yield


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of the projections is never behind, however busy the machine is."""
    monkeypatch.setattr(projection_runner, "CATCH_UP_TIMEOUT", 30.0)


on_sqlite = pytest.mark.parametrize("databases", ["sqlite"], indirect=True)
"""What only SQLite does."""

on_postgres = pytest.mark.parametrize("databases", ["postgresql"], indirect=True)
"""What only PostgreSQL does."""


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Settings]]:
    """Databases by names."""
    with by_name(request, tmp_path) as found:
        yield found


@contextmanager
def by_name(request: pytest.FixtureRequest, folder: Path) -> Iterator[Callable[[str], Settings]]:
    """Databases of the kind that is asked for: `postgresql`, `sqlite`, or `apart`, which a process of its own writes
    to."""
    if request.param != "postgresql":
        yield lambda name: read(
            {}, database=folder / f"{name}.db", sqlite_writer="process" if request.param == "apart" else "thread"
        )
        return
    server: Postgres = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("migrated")
    with ExitStack() as until_then:

        @cache
        def copy(name: str) -> Settings:  # noqa: ARG001 - what it is called does not matter, only which one it is
            return read({}, database=server.url(until_then.enter_context(server.database(template))))

        yield copy


@pytest.fixture
async def open_store(databases: Callable[[str], Settings]) -> AsyncIterator[Callable[[], Store]]:
    """Opens the log once more, as another process would."""
    stores = []

    def opened(name: str = "log") -> Store:
        settings = databases(name)
        stores.append(Store(log(settings), KINDS, apart=written_apart(settings)))
        return stores[-1]

    yield opened
    for store in stores:
        await store.close()


@pytest.fixture
async def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


@pytest.fixture
def engine(databases: Callable[[str], Settings]) -> Iterator[Engine]:
    engine = open_engine(databases("log"))
    yield engine
    engine.dispose()


@pytest.fixture
def projections(engine: Engine) -> Projections:
    return Projections(engine, PROJECTIONS)
