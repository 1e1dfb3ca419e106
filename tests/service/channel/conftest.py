"""The application on our server in this process, on an SQLite file that all tests share."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support import servers
from tests.support.clients import Service
from tests.support.listening import over_http


@pytest.fixture(scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with over_http(tmp_path_factory.mktemp("service") / "games.db") as running:
        yield running


@pytest.fixture(params=["one process", "two processes", "two processes with Redis"])
async def pair(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Service, Service]]:
    """A service to play at, and one to follow at: the same one, or another one on the same PostgreSQL."""
    async with AsyncExitStack() as stack:
        if request.param == "one process":
            service = await stack.enter_async_context(over_http(tmp_path / "games.db"))
            yield service, service
            return
        postgres, migrated = request.getfixturevalue("postgres"), request.getfixturevalue("migrated")
        database = postgres.url(stack.enter_context(postgres.database(migrated)))
        given = {"secret": "x" * 32}
        if request.param.endswith("Redis"):
            given["redis"] = stack.enter_context(servers.redis()).url
        one = await stack.enter_async_context(over_http(database, **given))
        yield one, await stack.enter_async_context(over_http(database, **given))
