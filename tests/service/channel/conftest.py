"""The application on our server in this process, on an SQLite file that all tests share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.clients import Caller, Service
from tests.support.listening import over_http


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """For a service of the test's own."""
    return tmp_path / "games.db"


@pytest.fixture(scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with over_http(tmp_path_factory.mktemp("service") / "games.db") as running:
        yield running


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
