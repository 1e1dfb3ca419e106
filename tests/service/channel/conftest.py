"""The application on our server in this process, on an SQLite file that all tests share."""

from collections.abc import AsyncIterator

import pytest

from tests.support.clients import Service
from tests.support.listening import over_http


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with over_http(tmp_path_factory.mktemp("service") / "games.db") as running:
        yield running
