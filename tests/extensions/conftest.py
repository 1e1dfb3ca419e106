"""Tests of extensions use what the tests of the service and of the pages use."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.service.conftest import *  # noqa: F403
from tests.web.browsers import chromium
from tests.web.conftest import *  # noqa: F403


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One of the module's own: beside it no test can run an event loop, as most of these do."""
    with chromium() as started:
        yield started
