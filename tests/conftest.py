"""What all tests share: hypothesis without surprises, asserts that explain themselves in helpers as well, and real
servers, started for whoever asks for them first."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import service.settings
from domain.rulesets import RULESETS
from service.store import databases
from tests.support.servers import Postgres, Redis

pytest.register_assert_rewrite("tests.kit.laws", "tests.kit.spec")

# Derandomized: the same examples everywhere, so a red build is red at home too. `pytest --hypothesis-profile=search`
# looks for new ones. A game played by the laws takes longer than hypothesis thinks an example should.
settings.register_profile(
    "build", derandomize=True, max_examples=48, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("everything", parent=settings.get_profile("build"), max_examples=100)
settings.register_profile("search", parent=settings.get_profile("build"), derandomize=False, max_examples=1000)
settings.load_profile("build")


ALIKE = [
    Path(__file__).parent / name
    for name in ("service/api", "service/test_archive.py", "service/test_replay.py", "openapi/test_schemathesis.py")
]
"""Where routes and commands are tested, which are made alike for every ruleset. Whole games of each are played
elsewhere."""
SELDOM = tuple(RULESETS)[1:-1]
"""Rulesets of which these tests run with `--everything` only; the last one needs more players than the first."""
ALWAYS = {"test_lobby", "test_opening", "test_seats", "test_standings", "test_text"}
"""Modules that run on PostgreSQL and Redis in any case: they look at each way through the databases, in seconds."""


def is_left_out(item: pytest.Item) -> bool:
    asked = getattr(item, "callspec", None)
    if asked is None or not any(item.path.is_relative_to(place) for place in ALIKE):
        return False
    on_servers = asked.params.get("service") == "servers" and item.path.stem not in ALWAYS
    rules = asked.params.get("rules")
    return on_servers or asked.params.get("ruleset", getattr(rules, "name", "")) in SELDOM


LONGEST = ("openapi", "e2e", "verifiers", "chaos", "leaks", "test_postgres")
"""Folders and modules that begin, so that in the end no core waits for one of them."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--everything"):
        left_out = {item for item in items if is_left_out(item)}
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.path.parent.name not in LONGEST and item.path.stem not in LONGEST)


def pytest_collection_finish() -> None:
    """What has been collected stays: there is no point in looking through it for garbage, again and again."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--everything", action="store_true",
        help="run all tests of the API on every database and for every ruleset, and whatever is tried at random longer",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--everything") and not config.getoption("--hypothesis-profile"):
        settings.load_profile("everything")


@pytest.fixture(scope="session")
def everything(request: pytest.FixtureRequest) -> bool:
    """Whether there is time for more of whatever is tried at random."""
    return bool(request.config.getoption("--everything"))


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
