"""Regression tests of bugs that schemathesis found. The current document would no longer lead it to them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Service, in_process, problem

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with in_process(tmp_path / "games.db") as running:
        yield running


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_move_with_a_forbidden_perspective_is_not_made(service: Service, ruleset: str) -> None:
    players = await service.guests(*"ABCDEFGH"[: min(RULESETS[ruleset].seats)])
    game = await service.table(ruleset, players)
    before = await players[0].look(game)
    mover = players[before["to_act"][0]]
    chosen = (await mover.moves(game))[0]
    problem(await mover.post(f"{game}/moves", chosen, as_="all"), 403, "forbidden")
    assert (await players[0].look(game))["version"] == before["version"]


async def test_options_names_all_methods_of_a_path(service: Service) -> None:
    answer = await service.stranger.send("OPTIONS", "/v1/players/me")
    assert {"GET", "PATCH", "OPTIONS"} <= set(answer.headers["allow"].split(", "))
