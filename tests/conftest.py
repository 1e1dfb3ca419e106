"""What all tests share: hypothesis without surprises, asserts that explain themselves in helpers as well, and real
servers, started for whoever asks for them first."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

import service.settings
from service import databases
from tests.servers import Postgres, Redis

pytest.register_assert_rewrite("tests.laws", "tests.spec")

# Derandomized: the same examples everywhere, so a red build is red at home too. `pytest --hypothesis-profile=search`
# looks for new ones. A game played by the laws takes longer than hypothesis thinks an example should.
settings.register_profile(
    "build", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", parent=settings.get_profile("build"), derandomize=False, max_examples=1000)
settings.load_profile("build")


LONGEST = ("openapi", "e2e", "verifiers", "chaos", "leaks")
"""Folders whose files begin, so that in the end no core waits for one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--everything", action="store_true", help="run all tests of the API on every database and for every ruleset"
    )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server that all tests of this process share; who stops one starts his own."""
    server = Postgres(os.environ.get("TEST_POSTGRES_URL", ""))
    yield server
    server.remove()


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """An empty database."""
    with postgres.database() as name:
        yield postgres.url(name)


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> Iterator[str]:
    """The name of a database with all tables and nothing in them, to be copied."""
    with postgres.database() as name:
        databases.migrate(service.settings.read({}, database=postgres.url(name)))
        yield name


@pytest.fixture
def migrated_url(postgres: Postgres, migrated: str) -> Iterator[str]:
    """A database with all tables and nothing in them."""
    with postgres.database(migrated) as name:
        yield postgres.url(name)


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """The server that all tests of this process share; who stops one starts his own."""
    server = Redis(os.environ.get("TEST_REDIS_URL", ""))
    yield server
    server.remove()


@pytest.fixture
def redis_url(redis: Redis) -> str:
    """With nothing in it."""
    redis.execute("FLUSHDB")
    return redis.url
