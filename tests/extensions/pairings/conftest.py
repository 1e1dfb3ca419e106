"""A service for all tests of pairings, and one of the test's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.clients import Service, in_process


@pytest.fixture(scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with in_process(tmp_path_factory.mktemp("pairings") / "games.db") as running:
        yield running


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[Service]:
    async with in_process(tmp_path / "games.db") as running:
        yield running
