"""Fixtures of tests in Chromium. Modules that run one after another share a browser and a service."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.clients import Server
from tests.web.browsers import Visitor, chromium

expect.set_options(timeout=60_000)  # milliseconds, on a loaded machine


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`games.test` is its name for visitors with another `host`: on loopback it refuses names that it does not know."""
    database = tmp_path_factory.mktemp("web") / "games.db"
    with Server(database, rate_limit="off", public_url="http://games.test") as started:
        yield started


@pytest.fixture(scope="package")
def warm(browser: Browser, server: Server) -> Iterator[Visitor]:
    """A browser that has loaded the pages before: a visit costs half of what it costs in a new one."""
    visitor = Visitor(browser, server.url)
    yield visitor
    visitor.close()


@pytest.fixture
def ann(warm: Visitor) -> Iterator[Visitor]:
    """Ann, whom nobody knows yet, in the browser that tests share. It may change its window, its routes and what it
    stores; a test that changes more, or breaks something on purpose, makes a visitor of its own."""
    warm.renew("Ann")
    yield warm
    warm.assert_content()


@pytest.fixture
def visitors() -> Iterator[list[Visitor]]:
    """Those who were made in the test; in the end none of them has anything to complain of."""
    found: list[Visitor] = []
    yield found
    for visitor in found:
        visitor.assert_content()
        visitor.close()
