"""Configuration of the test suite: hypothesis profiles, sizes, order, shared real servers.

Three sizes: `--quick` (`make test-quick`, which names the folders), the default (`make test`) and `--everything`
(`make test-all`). `--checked` (`make check`) runs what takes long beside the default: .ci/run runs both. Marks on
tests, on parameters and in modules say what runs where:

    @pytest.mark.slow                          # not with --quick; so are all that need a server
    @pytest.mark.checked                       # with --checked (`make check`) instead of the default
    @pytest.mark.by_default("skyjo/1", "scout/1")  # only --everything runs those whose id contains neither
    @pytest.mark.by_default()                  # only --everything runs any
    @pytest.mark.turns("rulesets")             # one ruleset runs, by the place of the test; --everything runs all
    pytest.param("servers", marks=pytest.mark.repetition)  # only --everything runs it, unless it takes turns

`pytestmark` in a conftest.py marks all tests of its folder.
"""

import difflib
import gc
import os
import re
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from httpx import Cookies
from httpx import _urlparse as parsing
from httpx import _urls as urls
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from httpx._transports import default as transports
from hypothesis import HealthCheck, settings

from domain.rulesets import RULESETS
from service import databases
from service import extensions as extensions  # registers them
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
# Half of the time of a request within this process: the same URL is parsed three times, and nobody sends cookies.
parsing.urlparse = urls.urlparse = lru_cache(10_000)(parsing.urlparse)
extract = Cookies.extract_cookies
Cookies.extract_cookies = lambda self, response: "set-cookie" in response.headers and extract(self, response)  # type: ignore[assignment, method-assign]

MOST_COMPARED = 50_000
"""Characters of texts whose difference a failed assertion explains."""


def explained(before: Sequence[str], after: Sequence[str], compare: Any = difflib.ndiff, **how: Any) -> Iterator[str]:
    """As `difflib.ndiff`, which takes minutes for a document of the contract."""
    size = sum(map(len, before)) + sum(map(len, after))
    if size <= MOST_COMPARED:
        yield from compare(before, after, **how)
    else:
        yield f"? {size} characters are too many to compare"


difflib.ndiff = explained  # type: ignore[assignment]

gc.set_threshold(200_000, 20, 20)  # by default, a tenth of the time of tests would be spent on garbage collection

TESTS = Path(__file__).parent

FIRST, *_, LAST = RULESETS
TURNS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "rulesets": ([*RULESETS], [*RULESETS]),
    "ends": ([*RULESETS], [FIRST, LAST]),  # the last one needs more players
    "databases": (["sqlite", "postgresql"],) * 2,
    "servers": (["sqlite", "servers"],) * 2,
}
"""For `turns`: the values of parameters that it decides about, and those that take turns."""
OF_RULESETS = ("rulesets", "ends")
"""They decide about parameters that are called `ruleset` or `rules`; other tests name a ruleset for what it has."""


def names(params: Mapping[str, Any]) -> set[str]:
    """The databases, rulesets and other words that parameters are."""
    values = [getattr(each, "name", each) for each in params.values()]
    return {each for each in values if isinstance(each, str)}


class Variant(NamedTuple):
    """A test with its parameters, before or after it is collected."""

    id: str
    params: Mapping[str, Any]
    marks: Sequence[pytest.Mark]
    """Those of its parameters, its own, and those of its module and folders, in this order."""
    function: Any
    module: Any
    fixtures: Sequence[str]

    def marked(self, name: str) -> pytest.Mark | None:
        return next((mark for mark in self.marks if mark.name == name), None)

    @property
    def is_slow(self) -> bool:
        """Whether `--quick` omits it."""
        return self.marked("slow") is not None or not SERVERS.isdisjoint(self.fixtures)

    def is_repetition(self, offered: set[str]) -> bool:
        """Whether only `--everything` runs it. `offered`: the words of all variants of the test."""
        chosen = self.marked("by_default")
        parts: Sequence[str] = chosen.args if chosen is not None else ()
        if chosen is not None and not any(part in self.id for part in parts):
            return True
        decided = False
        for kind in dict.fromkeys(kind for mark in self.marks if mark.name == "turns" for kind in mark.args):
            among, choice = TURNS[kind]
            own = names(self.of_rulesets if kind in OF_RULESETS else self.params).intersection(among)
            if not own or any(each in part for part in parts for each in among):
                continue
            decided = decided or kind not in OF_RULESETS
            possible = [each for each in choice if each in offered]
            if possible and possible[self.place % len(possible)] not in own:
                return True
        return self.marked("repetition") is not None and not decided

    @property
    def of_rulesets(self) -> Mapping[str, Any]:
        return {name: value for name, value in self.params.items() if name in ("ruleset", "rules")}

    @property
    def place(self) -> int:
        """The test's place in its module: the same whatever else is selected."""
        tests = [name for name in vars(self.module) if name.startswith("test_")]
        return tests.index(self.function.__name__) if self.function.__name__ in tests else 0


SERVERS = frozenset(("postgres", "postgres_url", "migrated", "migrated_url", "redis", "redis_url"))
"""Fixtures that start a server."""


def selected(variants: Sequence[Variant], config: pytest.Config) -> list[bool]:
    """Whether each of these variants of one test runs."""
    if config.getoption("--everything"):
        return [True] * len(variants)
    quick, checked = config.getoption("--quick"), config.getoption("--checked")
    of_size = [not (quick and each.is_slow) and (each.marked("checked") is not None) == checked for each in variants]
    possible = [each for each, runs in zip(variants, of_size, strict=True) if runs]
    offered = set[str]().union(*(names(each.params) for each in possible))
    return [runs and not each.is_repetition(offered) for each, runs in zip(variants, of_size, strict=True)]


WHOLLY_CHECKED = re.compile(r"^pytestmark = .*\bpytest\.mark\.checked\b", re.M)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that are `checked` as a whole, or whose folder is, are not even imported, which every worker would do."""
    if collection_path.suffix != ".py" or config.getoption("--checked") or config.getoption("--everything"):
        return None
    marked = collection_path, collection_path.with_name("conftest.py")
    return any(each.exists() and WHOLLY_CHECKED.search(each.read_text()) for each in marked) or None


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Mark a module with the marks of its folders."""
    if isinstance(collector, pytest.Module):
        for folder in collector.path.parents[: len(collector.path.relative_to(TESTS).parts) - 1]:
            conftest = sys.modules.get(".".join([*folder.relative_to(TESTS.parent).parts, "conftest"]))
            for mark in getattr(conftest, "pytestmark", ()):
                collector.add_marker(mark)


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, None, None]:
    """Variants that do not run are not even collected, unless none of them runs."""
    yield
    marks = [*metafunc.definition.iter_markers()]
    variants = [
        Variant(
            f"[{call.id}]",
            call.params,
            [*call.marks, *marks],
            metafunc.function,
            metafunc.module,
            metafunc.fixturenames,
        )
        for call in metafunc._calls
    ]
    running = [call for call, runs in zip(metafunc._calls, selected(variants, metafunc.config), strict=True) if runs]
    metafunc._calls[:] = running or metafunc._calls[:1]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    omitted = {item for item in items if not is_selected(item, config)}
    if omitted:
        config.hook.pytest_deselected(items=[*omitted])
        items[:] = [item for item in items if item not in omitted]
    files = [[*tests] for _, tests in groupby(items, lambda item: item.nodeid.partition("::")[0])]
    items[:] = chain.from_iterable(spread(files))


def spread(files: Sequence[list[pytest.Item]]) -> list[list[pytest.Item]]:
    """Files that wait start among the others, so that processes that work are as many as cores at any time. None starts
    late: then others would wait for it."""
    waiting = [tests for tests in files if tests[0].get_closest_marker("waits") is not None]
    order = [tests for tests in files if tests[0].get_closest_marker("waits") is None]
    step = 0.8 * len(order) / max(len(waiting), 1)
    for number, tests in enumerate(reversed(waiting)):
        order.insert(round(number * step) + number, tests)
    return order


def is_selected(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether the test runs. Of its variants, those that do not are not here, but one if none runs."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    function, module = getattr(item, "function", None), getattr(item, "module", None)
    fixtures = getattr(item, "fixturenames", ())
    (runs,) = selected([Variant(item.name, params, [*item.iter_markers()], function, module, fixtures)], config)
    return runs


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A process of several reports once of a test that passes, instead of six times: 0.8 ms less for each test."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection: they live until the end."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--everything", action="store_true",
        help="run all tests on every database and for every ruleset, and random tests longer",
    )  # fmt: skip
    parser.addoption("--checked", action="store_true", help="run only the tests that `make check` runs")
    parser.addoption(
        "--quick", action="store_true", help="run the rules, the laws, the API on SQLite, one golden game per ruleset"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.args.sort()  # pytest 9.1 loses the conftest.py of a folder if files of others are named between its own
    for mark in (
        "slow: --quick omits the test",
        "checked: `make check` runs the test, which builds, installs or takes long; `make test` does not",
        "by_default(*parts): without --everything, run parameter sets whose id contains one",
        "repetition: of a parameter; without --everything, it does not run unless it takes turns",
        "turns(*kinds): without --everything, one of these values of parameters runs; see TURNS",
        "waits: the file waits longer than it works, so it starts among others",
    ):
        config.addinivalue_line("markers", mark)
    config.addinivalue_line(
        "markers", "planted(*laws): shows that a fault is found by the checks of laws of the web table"
    )
    if config.getoption("--quick") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        raise pytest.UsageError("--quick needs the folders that have quick tests: see QUICK in the Makefile")
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
    pytest.fail("a test of `--quick` starts a server: mark it `slow`", pytrace=False)


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
