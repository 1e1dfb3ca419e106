"""Tests of extensions use what the tests of the pages and of the service use."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browsers import kept
from tests.web.conftest import *  # noqa: F403

# isort: split
# It comes last: `ann` is a caller here, and not a visitor.
from tests.service.conftest import *  # noqa: F403


@pytest.fixture(scope="module")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """For a module only: beside it no test can run an event loop, as most of these do."""
    with kept(pytestconfig) as found:
        yield found
