"""Pairings count for what they cost, and their tables as the games that they are."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from service.api.contract import QUERY
from service.extensions.pairings.routes import SHOWN
from service.server import rate_limit
from tests.extensions.pairings.tables import BOT, challenge, kept, pair
from tests.service.api.test_charges import cost
from tests.support.clients import Service, in_process, problem

pytestmark = pytest.mark.anyio

GAMES = 10
"""That an address may open."""


@pytest.fixture
async def limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """No quota is restored, so every charge stays visible."""
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 0.0))
    given: Any = {"rate_limit": "1/5000", "address_rate_limit": "off", "opening_rate_limit": f"1/{GAMES}"}
    async with in_process(tmp_path / "games.db", days="none", **given) as running:
        yield running


async def test_an_address_opens_no_more_games_by_pairings(limited: Service) -> None:
    """However many guests it registers: with the tables of a list, and with tries."""
    ann, bob, eve = await limited.guests("Ann", "Bob", "Eve")
    made = await challenge(ann)
    await pair(bob, tables=[[*kept(eve), BOT] for _ in range(8)])
    path = f"/v1/pairings/{made['id']}/tables"
    assert (await ann.post(path)).status_code == 201
    body = {"ruleset": "scout", "tables": [["open", BOT]] * 2}
    problem(await eve.post("/v1/pairings", body, headers={"Idempotency-Key": "k"}), 429, "too-many-requests")
    problem(await eve.post(path, invite=made["code"]), 429, "too-many-requests")
    problem(await eve.post("/v1/games/scout", {"seats": 2}), 429, "too-many-requests")


async def test_a_pairing_costs_by_its_tables(limited: Service) -> None:
    ann, bob = await limited.guests("Ann", "Bob")
    body = {"ruleset": "scout", "tables": [[*kept(bob), BOT] for _ in range(8)]}
    sent = ann.post("/v1/pairings", body, headers={"Idempotency-Key": "k"})
    assert await cost(ann, sent) == QUERY * (1 + 8)
    (found,) = (await ann.get("/v1/pairings")).json()["items"]
    assert await cost(ann, ann.get(f"/v1/pairings/{found['id']}")) == QUERY + SHOWN * 8
