"""Fixtures of tests in Chromium. Modules that run one after another share a browser and a service."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.clients import Server
from tests.web.browsers import Visitor, kept

expect.set_options(timeout=60_000)  # milliseconds, on a loaded machine


@pytest.fixture(scope="package")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    with kept(pytestconfig) as found:
        yield found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`games.test` is its name for visitors with another `host`: on loopback it refuses names that it does not know."""
    database = tmp_path_factory.mktemp("web") / "games.db"
    with Server(database, rate_limit="off", public_url="http://games.test") as started:
        yield started


@pytest.fixture(scope="package")
def warm() -> Iterator[list[Visitor]]:
    """Browsers that have loaded the pages before, and that no test uses: a visit costs half of what it costs in a new
    one."""
    free: list[Visitor] = []
    yield free
    for visitor in free:
        visitor.close()


@pytest.fixture
def guests(browser: Browser, server: Server, warm: list[Visitor]) -> Iterator[Callable[[str], Visitor]]:
    """Guests by name, or without one (""), each in a browser that tests share. It may change its window, its routes and
    what it stores; a test that changes or hears more, or breaks something on purpose, makes a visitor of its own."""
    taken: list[Visitor] = []

    def guest(name: str) -> Visitor:
        taken.append(warm.pop() if warm else Visitor(browser, server.url, drawn=False))
        taken[-1].renew(name)
        return taken[-1]

    yield guest
    warm += taken[::-1]
    for visitor in taken:
        visitor.assert_content()


@pytest.fixture
def ann(guests: Callable[[str], Visitor]) -> Visitor:
    """Ann, whom nobody knows yet."""
    return guests("Ann")


@pytest.fixture
def visitors() -> Iterator[list[Visitor]]:
    """Those who were made in the test; in the end none of them has anything to complain of."""
    found: list[Visitor] = []
    yield found
    for visitor in found:
        visitor.assert_content()
        visitor.close()
