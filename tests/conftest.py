"""Configuration of the test suite: hypothesis profiles, selection and order of tests, shared real servers.

Three sizes: `--quick` (`make test-quick`), the default (`make test`) and `--everything` (`make test-all`). QUICK
chooses the first one. The default omits repetitions (see `is_repetition`) and these parameter sets:

    @pytest.mark.by_default("skyjo/1", "scout/1")  # omits those whose id contains neither
    @pytest.mark.by_default()                      # omits all
"""

import gc
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from httpx._transports import default as transports
from hypothesis import HealthCheck, settings

from domain.rulesets import RULESETS
from service import databases
from service import settings as service_settings
from tests.support import servers
from tests.support.servers import Postgres, Redis

pytest.register_assert_rewrite("stammtisch.testing.laws", "stammtisch.testing.spec")

# Derandomized: every machine tries the same examples, so a failure is reproducible.
# `pytest --hypothesis-profile=search` tries new ones. A random game takes longer than hypothesis allows an example.
settings.register_profile(
    "build", derandomize=True, max_examples=20, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
settings.register_profile("quick", parent=settings.get_profile("build"))
settings.register_profile("everything", parent=settings.get_profile("build"), max_examples=100)
settings.register_profile("search", parent=settings.get_profile("build"), derandomize=False, max_examples=1000)
settings.load_profile("build")


for phase in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, phase, 60.0)  # seconds; httpx has 5, which a busy machine exceeds
transports.create_ssl_context = cache(transports.create_ssl_context)  # 20 ms, for each client

gc.set_threshold(200_000, 20, 20)  # by default, a tenth of the time of tests would be spent on garbage collection

TESTS = Path(__file__).parent

QUICK = (
    "conftest.py", "domain", "golden", "projections", "service/conftest.py", "service/api", "service/test_games.py",
    "service/test_store.py",
)  # fmt: skip
"""Files and folders of `--quick`. Of their tests those run that need no server; see `is_slow`."""
NOT_QUICK = (
    "domain/test_worlds.py", "projections/test_announcements.py", "projections/test_isolation.py",
    *(
        f"service/api/test_{name}.py"
        for name in (
            "callers", "clocks", "compression", "cors", "crowds", "decks", "events", "films", "hints", "house_players",
            "lobby", "lobby_stream", "memory", "operations", "players_that_are_programs", "private",
            "records", "restarts", "reviews", "sealed", "searches", "secrecy", "served", "standings", "streams",
            "tokens", "turns", "two_processes", "undo", "versions", "waiting",
        )
    ),
)  # fmt: skip
"""Except these: they start servers or many services, wait, or take most of the time."""

GENERIC = ("service/api", "service/test_archive.py", "service/test_replay.py", "openapi/test_schemathesis.py")
"""Tests of routes and commands that are generated in the same way for every ruleset. Other tests play whole games of
each ruleset."""
ALIKE = ("campaigns/leaks/test_work.py", "openapi/test_document.py", "projections", "verifiers")
"""Tests that are much alike for every ruleset: one of each runs, for a ruleset by its place in the module, so that all
have their turn; with `--everything` all run."""
ON_EITHER = (
    "projections", "service/test_games.py", "service/test_moderation.py",
    "service/test_projection_runner.py", "e2e/test_archiving.py", "service/test_archiving.py", "service/test_ready.py",
    "service/test_rebuild.py",
)  # fmt: skip
"""Tests of what SQLite and PostgreSQL do alike: each runs on one of them, in turns; with `--everything` on both, and
with `--quick` on SQLite."""
FIRST, *_, LAST = RULESETS
"""A GENERIC test runs for the first or for the last ruleset, which needs more players; for all with `--everything`."""
ON_SERVERS = {"test_lobby", "test_moving", "test_opening", "test_seats", "test_standings"}
"""In these modules of GENERIC every other test runs on PostgreSQL and Redis instead of SQLite. Together they cover each
way through the databases, in seconds."""
SERVERS = {"servers", "postgresql"}
"""Values of parameters that stand for a database server."""

LONGEST = (
    "openapi", "e2e", "verifiers", "campaigns", "chaos", "leaks", "docs", "web", "clients", "test_archive",
    "test_isolation", "test_laws", "test_postgres", "test_undo", "test_worlds",
)  # fmt: skip
"""Folders and modules that start first, so that no worker waits for one of them at the end."""
SHORTEST = ("agents", "domain", "golden", "projections")
"""Folders of many short modules that start last."""


@cache
def within(path: Path, places: tuple[str, ...]) -> bool:
    """Whether the path is one of these places, or below one of them. Places are relative to `tests/`."""
    return any(path.is_relative_to(TESTS / place) for place in places)


def parameters(item: pytest.Item) -> dict[str, Any]:
    return getattr(getattr(item, "callspec", None), "params", {})


def variants(items: list[pytest.Item]) -> dict[tuple[Path, str], set[str]]:
    """The databases, rulesets and other names that the parameters of each test can be."""
    found = defaultdict[tuple[Path, str], set[str]](set)
    for item in items:
        found[item.path, item.name.partition("[")[0]] |= names(item)
    return found


def names(item: pytest.Item) -> set[str]:
    values = [getattr(each, "name", each) for each in parameters(item).values()]
    return {each for each in values if isinstance(each, str)}


def is_repetition(item: pytest.Item, offered: set[str], *, quick: bool) -> bool:
    """The test repeats another one for one more ruleset or database: only `--everything` runs it."""
    chosen = item.get_closest_marker("by_default")
    if chosen is not None and not any(part in item.name for part in chosen.args):
        return True
    if chosen is not None and any(ruleset in part for part in chosen.args for ruleset in RULESETS):
        return False
    parts = None if chosen is None else chosen.args
    return is_of_other_database(item, offered, parts, quick=quick) or is_of_other_ruleset(item, offered)


def is_other(item: pytest.Item, choice: Sequence[str], offered: set[str]) -> bool:
    """Another one of the offered variants runs: by the test's place in its module, so that variants take turns. It is
    the same whatever else is selected, and all other parameters of the test meet the same variant."""
    assert isinstance(item, pytest.Function)
    possible = [each for each in choice if each in offered]
    if len(possible) < 2 or names(item).isdisjoint(choice):
        return False
    tests = [name for name in vars(item.module) if name.startswith("test_")]
    return possible[tests.index(item.originalname) % len(possible)] not in names(item)


def is_of_other_database(item: pytest.Item, offered: set[str], chosen: tuple[str, ...] | None, *, quick: bool) -> bool:
    """`chosen`: the parts of a mark that names the parameters that run."""
    either, generic = ("sqlite", "postgresql"), ("sqlite", "servers")
    if within(item.path, ON_EITHER):
        named = any(kind in part for part in chosen or () for kind in either)
        return not quick and not named and is_other(item, either, offered)
    if within(item.path, GENERIC) and chosen is None:
        if item.path.stem not in ON_SERVERS:
            return "servers" in names(item)
        return not quick and is_other(item, generic, offered)
    return False


def is_of_other_ruleset(item: pytest.Item, offered: set[str]) -> bool:
    if not {"ruleset", "rules"} & parameters(item).keys():
        return False
    if within(item.path, GENERIC):
        both = (FIRST, LAST)
        return is_other(item, both, offered) or (names(item).isdisjoint(both) and not offered.isdisjoint(both))
    return within(item.path, ALIKE) and is_other(item, [*RULESETS], offered)


def is_slow(item: pytest.Item) -> bool:
    """The test needs a server, or replays a golden game of a ruleset other than the first: `--quick` omits it."""
    given = parameters(item)
    fixtures = set(getattr(item, "fixturenames", ()))
    if fixtures & {"postgres", "postgres_url", "migrated_url", "redis", "redis_url"}:
        return True
    if any(isinstance(value, str) and value in SERVERS for value in given.values()):
        return True
    file = given.get("file")
    return isinstance(file, Path) and within(item.path, ("golden",)) and file != min(file.parent.glob("*.jsonl"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that the options leave out are not even imported."""
    if not config.getoption("--quick") or collection_path.is_dir():
        return None
    return not within(collection_path, QUICK) or within(collection_path, NOT_QUICK) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    omitted: set[pytest.Item] = set()
    if not config.getoption("--everything"):
        quick = config.getoption("--quick")
        offered = variants(items)
        for item in items:
            if is_repetition(item, offered[item.path, item.name.partition("[")[0]], quick=quick):
                omitted.add(item)
    if config.getoption("--quick"):
        omitted |= {item for item in items if is_slow(item)}
    if omitted:
        config.hook.pytest_deselected(items=[*omitted])
        items[:] = [item for item in items if item not in omitted]
    items.sort(key=place)


def place(item: pytest.Item) -> int:
    if item.path.parent.name in LONGEST or item.path.stem in LONGEST:
        return 0
    return 2 if item.path.parent.name in SHORTEST else 1


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection: they live until the end."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--everything", action="store_true",
        help="run all tests on every database and for every ruleset, and random tests longer",
    )  # fmt: skip
    parser.addoption(
        "--quick", action="store_true", help="run the rules, the laws, the API on SQLite, one golden game per ruleset"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.args.sort()  # pytest 9.1 loses the conftest.py of a folder if files of others are named between its own
    config.addinivalue_line(
        "markers", "by_default(*parts): without --everything, run parameter sets whose id contains one"
    )
    config.addinivalue_line(
        "markers", "planted(*laws): shows that a fault is found by the checks of laws of the web table"
    )
    if config.getoption("--everything") and config.getoption("--quick"):
        raise pytest.UsageError("--quick and --everything exclude each other")
    if not config.getoption("--hypothesis-profile"):
        for size in ("quick", "everything"):
            if config.getoption(f"--{size}"):
                settings.load_profile(size)


@pytest.fixture(scope="session", autouse=True)
def without_servers(request: pytest.FixtureRequest) -> Iterator[None]:
    """With `--quick` a test that starts a server fails."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--quick"):
            patch.setattr(servers, "Started", refused)
            patch.setattr("tests.support.clients.Server.__init__", refused)
        yield


def refused(*_: object, **__: object) -> None:
    pytest.fail("a test of `--quick` starts a server: see `is_slow` in tests/conftest.py", pytrace=False)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Coroutines run in asyncio. Its loop is that of uvloop where that matters: see `service/test_writers.py`."""
    return "asyncio"


@pytest.fixture(scope="session")
def everything(request: pytest.FixtureRequest) -> bool:
    """Whether random tests run at full length."""
    return bool(request.config.getoption("--everything"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server that all tests of this process share. A test that stops a server starts its own."""
    server = Postgres(os.environ.get("TEST_POSTGRES_URL", ""))
    yield server
    server.remove()


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The URL of an empty database."""
    with postgres.database() as name:
        yield postgres.url(name)


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> Iterator[str]:
    """The name of a template database: all tables, no rows."""
    with postgres.database() as name:
        databases.migrate(service_settings.read({}, database=postgres.url(name)))
        yield name


@pytest.fixture
def migrated_url(postgres: Postgres, migrated: str) -> Iterator[str]:
    """The URL of a database with all tables and no rows."""
    with postgres.database(migrated) as name:
        yield postgres.url(name)


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """The server that all tests of this process share. A test that stops a server starts its own."""
    server = Redis(os.environ.get("TEST_REDIS_URL", ""))
    yield server
    server.remove()


@pytest.fixture
def redis_url(redis: Redis) -> str:
    """The URL of an empty Redis database."""
    redis.execute("FLUSHDB")
    return redis.url
