"""A real log and real projections, in new SQLite files and in PostgreSQL. Tests run in asyncio."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Engine

from domain.game.log import stored_type
from domain.rulesets import VERSIONS
from projections.projection import Projections
from service.databases import derived
from service.databases import open_store as open_log
from service.databases import projections as open_engine
from service.extensions.cluster import redis_client
from service.live import projection_runner
from service.log.game_log import GameLog
from service.settings import Settings, read
from tests.projections.histories import Edited, Noted
from tests.support.clients import Caller, Service
from tests.support.servers import Postgres

KINDS = {rules: stored_type(ruleset) for rules, ruleset in VERSIONS.items()} | {"note": Noted | Edited}


@pytest.fixture(scope="session", autouse=True)
def settled() -> Iterator[None]:
    """The Redis of a test is settled at once, because no other process has to reconnect.

    Session scope, because services that many tests share connect before the first test begins.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redis_client, "SETTLED", 0.0)
        yield


@pytest.fixture(autouse=True)
def long_catch_up_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queries never find the projections behind, also on a busy machine."""
    monkeypatch.setattr(projection_runner, "CATCH_UP_TIMEOUT", 30.0)


# --- for the folders that have a fixture `service` ---


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """For a service of the test's own."""
    return tmp_path / "games.db"


@pytest.fixture
async def ann(service: Service) -> Caller:
    return await service.guest("Ann")


@pytest.fixture
async def bob(service: Service) -> Caller:
    return await service.guest("Bob")


@pytest.fixture
async def eve(service: Service) -> Caller:
    """Sits nowhere."""
    return await service.guest("Eve")


# --- databases ---

on_sqlite = pytest.mark.parametrize("databases", ["sqlite"], indirect=True)
"""For tests that need SQLite."""

POSTGRES = pytest.param("postgresql", marks=pytest.mark.slow)

on_postgres = pytest.mark.parametrize("databases", [POSTGRES], indirect=True)
"""For tests that need PostgreSQL."""


@pytest.fixture(params=["sqlite", POSTGRES])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Settings]]:
    """Returns the settings of the database with a name."""
    with by_name(request, tmp_path) as found:
        yield found


@contextmanager
def by_name(request: pytest.FixtureRequest, folder: Path) -> Iterator[Callable[[str], Settings]]:
    """Databases of the kind of the parameter: `postgresql` or `sqlite`."""
    if request.param != "postgresql":
        yield lambda name: read({}, database=folder / f"{name}.db")
        return
    server: Postgres = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("migrated")
    with ExitStack() as stack:

        @cache
        def copy(name: str) -> Settings:  # noqa: ARG001 - the name is only the key of the cache
            return read({}, database=server.url(stack.enter_context(server.database(template))))

        yield copy


@pytest.fixture
async def open_store(databases: Callable[[str], Settings]) -> AsyncIterator[Callable[[], GameLog]]:
    """Opens the log again, as another process would."""
    stores = []

    def opened(name: str = "log") -> GameLog:
        stores.append(open_log(databases(name), KINDS))
        return stores[-1]

    yield opened
    for store in stores:
        await store.stop()


@pytest.fixture
async def store(open_store: Callable[[], GameLog]) -> GameLog:
    return open_store()


@pytest.fixture
def engine(databases: Callable[[str], Settings]) -> Iterator[Engine]:
    engine = open_engine(databases("log"))
    yield engine
    engine.dispose()


@pytest.fixture
def projections(engine: Engine) -> Projections:
    return Projections(engine, derived())
