"""A pairing is opened as a whole, whenever the service is stopped."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.codec import encode
from domain.fairness.record import decode
from domain.fairness.verification import flawless, verify
from service.extensions.pairings import pairings, rows
from service.extensions.pairings.pairings import Pairings
from service.games.commands import Commands
from tests.extensions.pairings.tables import BOT, ask, challenge, kept, look, play_out
from tests.support.clients import done, in_process

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("after", [0, 1, 3, 4])
async def test_missing_tables_are_opened_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """All of them, none twice, without anybody asking. `after`: tables that were open when the process ended."""
    real, opened = Pairings._open, []

    async def until_stopped(self: Pairings, of: Any, table: Any, **how: Any) -> Any:
        if len(opened) >= after:
            raise RuntimeError("stopped")
        opened.append(table.game)
        return await real(self, of, table, **how)

    async with in_process(tmp_path / "games.db") as service:
        olga, *people = await service.guests("Olga", "Ann", "Bob", "Cem", "Dan")
        body = {"ruleset": "scout", "tables": [[*kept(who), BOT] for who in people]}
        with monkeypatch.context() as patch:
            patch.setattr(Pairings, "_open", until_stopped)

            patch.setattr(service.http, "event_hooks", {})
            answer = await olga.post("/v1/pairings", body, headers={"Idempotency-Key": "k"})
            assert answer.status_code == 500 if after < 4 else 201
    async with in_process(tmp_path / "games.db") as service:
        (pairing,) = done(await olga.at(service).get("/v1/pairings", key="k"))["items"]
        async with asyncio.timeout(60):
            while True:
                tables = (await look(olga.at(service), pairing))["tables"]
                if all("status" in table for table in tables):
                    break
                await asyncio.sleep(0.05)
        assert len(tables) == 4
        for who in people:
            (invited,) = await who.at(service).every("/v1/games", invited="me")
            assert f"/v1/games/scout/{invited['id']}" in [table["game"] for table in tables]


def stopped(*_: Any, **__: Any) -> Any:
    raise RuntimeError("stopped")


async def not_opened(*_: Any, **__: Any) -> Any:
    stopped()


async def test_a_try_is_opened_by_the_next_request_after_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        made = await challenge(ann)
        with monkeypatch.context() as patch:
            patch.setattr(Pairings, "_open", not_opened)
            patch.setattr(service.http, "event_hooks", {})
            assert (await ann.post(f"/v1/pairings/{made['id']}/tables")).status_code == 500
    async with in_process(tmp_path / "games.db") as service:
        own = await ask(ann.at(service), made, 200)
        seen = await look(ann.at(service), made)
        assert (seen["count"], seen["you"]["game"]) == (1, own["game"])
        assert (await ann.at(service).look(own["game"]))["status"] == "running"


@pytest.mark.by_default("1", "2")
@pytest.mark.parametrize("after", [0, 1, 2], ids=str)
async def test_a_deal_that_was_half_revealed_is_revealed_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Each game once, and only then the pairing is over. `after`: games that were revealed when the process ended."""
    real, revealed = Commands.reveal, []

    async def until_stopped(self: Commands, cached: Any) -> None:
        if len(revealed) >= after:
            raise RuntimeError("stopped")
        revealed.append(cached.game.id)
        await real(self, cached)

    async with in_process(tmp_path / "games.db", days="none") as service:
        people = await service.guests("Ann", "Bob")
        made = await challenge(people[0])
        games = [(await ask(who, made, invite=made["code"]))["game"] for who in people]
        with monkeypatch.context() as patch:
            patch.setattr(Commands, "reveal", until_stopped)
            patch.setattr(rows, "settle", stopped if after == 2 else rows.settle)
            patch.setattr(pairings, "AT_ONCE", 1)
            patch.setattr(service.http, "event_hooks", {})
            for who, game in zip(people, games, strict=True):
                await play_out(who, game)
            assert (await people[0].get(f"/v1/pairings/{made['id']}")).status_code == 500
            assert len(revealed) == after
    async with in_process(tmp_path / "games.db", days="none") as service:
        ann = people[0].at(service)
        async with asyncio.timeout(60):
            while (seen := await look(ann, made))["state"] != "over":  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        for table in seen["tables"]:
            events = await ann.events(table["game"], invite=table["invite"])
            assert [each["event"]["type"] for each in events].count("revealed") == 1
            record = done(await ann.get(f"{table['game']}/record", invite=table["invite"]))
            assert flawless(verify(decode(encode(record))))
