"""The whole application on a real SQLite file, and on PostgreSQL and Redis. One serves all tests that do not need one
of their own.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from tests.support.clients import Caller, Service, fewest, in_process

pytestmark = [pytest.mark.turns("ends")]
"""Routes are generated alike for every ruleset; other tests play whole games of each."""


@pytest.fixture(scope="session")
def common_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service") / "games.db"


SERVERS = pytest.param("servers", marks=[pytest.mark.slow, pytest.mark.repetition])


@pytest.fixture(scope="session", params=["sqlite", SERVERS])
async def service(request: pytest.FixtureRequest, common_database: Path) -> AsyncIterator[Service]:
    if request.param == "sqlite":
        async with in_process(common_database) as running:
            yield running
        return
    postgres, redis = request.getfixturevalue("postgres"), request.getfixturevalue("redis")
    redis.execute("FLUSHDB")
    with postgres.database(request.getfixturevalue("migrated")) as name:
        async with in_process(postgres.url(name), redis=redis.url, secret="x" * 32) as running:
            yield running


@pytest.fixture
def stranger(service: Service) -> Caller:
    return service.stranger


@pytest.fixture(params=RULESETS)
def ruleset(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def rules(ruleset: str) -> Rules:
    return RULESETS[ruleset]


@pytest.fixture
async def players(service: Service, ruleset: str, ann: Caller, bob: Caller) -> list[Caller]:
    """Ann, Bob, and the other players that a game needs."""
    return [ann, bob, *await service.guests(*("Cem", "Dora", "Emil")[: fewest(ruleset) - 2])]


@pytest.fixture
async def game(service: Service, ruleset: str, players: list[Caller]) -> str:
    """They play."""
    return await service.table(ruleset, players)


@pytest.fixture(autouse=True)
def no_error_is_logged() -> Iterator[None]:
    errors: list[logging.LogRecord] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = errors.append  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    yield
    logging.getLogger().removeHandler(handler)
    assert not errors, [record.getMessage() for record in errors]
