"""A service and a deliverer in this process, on one database, and an endpoint that receives."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from service.settings import Settings, read
from tests.support.clients import Caller, Json, Service, done, in_process
from tests.support.receivers import NETWORKS, Receiver, receiving

ISSUER_KEY = "issuer" * 6


def with_networks(settings: Settings, **given: Any) -> Settings:
    return read(
        settings.environment(), webhook_networks=NETWORKS, secret="x" * 32, issuer_key=ISSUER_KEY, rate_limit="off",
        access_log=False, **given,
    )  # fmt: skip


@pytest.fixture(scope="session")
def given(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of service and deliverer: a file that all tests share, unless the database matters."""
    return file_settings(tmp_path_factory.mktemp("webhooks") / "games.db")


@pytest.fixture(scope="session")
async def service(given: Settings) -> AsyncIterator[Service]:
    async with serving(given) as running:
        yield running


@asynccontextmanager
async def serving(given: Settings) -> AsyncIterator[Service]:
    values = {name: value for name, value in given.values().items() if name != "database"}
    async with in_process(given.database, **values) as running:
        yield running


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as running:
        yield running


async def until(true: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until a coroutine function returns something true."""
    async with asyncio.timeout(seconds):
        while not await true():  # noqa: ASYNC110 - a database sends no notification
            await asyncio.sleep(0.02)


async def live(owner: Caller, receiver: Receiver, **terms: Any) -> Json:
    """A new webhook to the receiver that has answered its ping."""
    made = done(await owner.post("/v1/webhooks", {"url": receiver.url, **terms}), 201)

    async def is_live() -> bool:
        return bool(done(await owner.get(f"/v1/webhooks/{made['id']}"))["status"] == "live")

    await until(is_live)
    return made


def file_settings(path: Path, **given: Any) -> Settings:
    return with_networks(read({}, database=str(path)), **given)
