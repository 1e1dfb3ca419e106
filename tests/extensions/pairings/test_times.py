"""The times of a pairing, and what organisers may: the clock is moved, nothing waits."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from domain.codec import encode
from domain.fairness.record import decode
from domain.fairness.verification import flawless, verify
from service.clock import now
from service.extensions.pairings import command, pairings
from service.extensions.pairings.pairings import HOUR, Pairings, later
from service.settings import read
from tests.extensions.pairings.tables import BOT, ask, challenge, kept, look, pair, play_out
from tests.support.clients import Caller, Service, done, in_process, problem
from tests.support.clocks import WallClock, set_forward
from tests.support.runtimes import runtimes

pytestmark = pytest.mark.anyio


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Iterator[WallClock]:
    yield from set_forward(monkeypatch)


@asynccontextmanager
async def swept(folder: Path) -> AsyncIterator[tuple[Service, Any]]:
    """A service, and what looks after a pairing."""
    with runtimes() as made:
        async with in_process(folder / "games.db", days="none") as service:
            use_cases = Pairings(made[0])

            async def advance(pairing: str) -> None:
                await use_cases.advance(await use_cases.find(pairing))

            yield service, advance


async def test_tables_open_at_their_time_and_not_before(tmp_path: Path, wall: WallClock) -> None:
    async with swept(tmp_path) as (service, advance):
        olga, ann = await service.guests("Olga", "Ann")
        made = await pair(olga, tables=[[*kept(ann), BOT]], opens_at=later(now(), HOUR))
        await advance(made["id"])
        seen = await look(ann, made)
        assert (seen["state"], "status" in seen["tables"][0]) == ("planned", False)
        assert await ann.every("/v1/games", invited="me") == []
        wall.sleep(HOUR)
        await advance(made["id"])
        seen = await look(ann, made)
        assert (seen["state"], seen["tables"][0]["status"]) == ("open", "waiting")
        assert len(await ann.every("/v1/games", invited="me")) == 1


async def test_who_does_not_sit_down_in_time_finds_the_table_aborted(tmp_path: Path, wall: WallClock) -> None:
    async with swept(tmp_path) as (service, advance):
        olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
        tables = [[*kept(ann), BOT], [*kept(bob), BOT]]
        made = await pair(olga, tables=tables, sit_until=later(now(), HOUR / 6))
        await ann.sit(made["tables"][0]["game"])
        await advance(made["id"])
        assert [each["status"] for each in (await look(olga, made))["tables"]] == ["running", "waiting"]
        wall.sleep(HOUR / 5)
        await advance(made["id"])
        seen = await look(olga, made)
        assert [(each["status"], each.get("cause")) for each in seen["tables"]] == [
            ("running", None), ("aborted", "expired"),
        ]  # fmt: skip
        assert seen["state"] == "open"  # her table goes on


async def test_at_its_end_a_deal_is_revealed_whoever_still_plays(tmp_path: Path, wall: WallClock) -> None:
    async with swept(tmp_path) as (service, advance):
        ann, bob = await service.guests("Ann", "Bob")
        made = await challenge(ann, until=later(now(), HOUR))
        games = [(await ask(who, made, invite=made["code"]))["game"] for who in (ann, bob)]
        await play_out(ann, games[0])
        await advance(made["id"])
        assert (await look(ann, made))["deal"]["secret"] is None
        wall.sleep(2 * HOUR)
        await advance(made["id"])
        seen = await look(ann, made)
        assert [(each["status"], each.get("cause")) for each in seen["tables"]] == [
            ("finished", None), ("aborted", "expired"),
        ]  # fmt: skip
        assert (seen["state"], seen["results"]) == ("over", 1)
        assert [each["compared"][0]["ahead_of"] for each in seen["tables"]] == [None, 0]
        for table in seen["tables"]:
            record = done(await ann.get(f"{table['game']}/record", invite=table["invite"]))
            assert record["secret"] == seen["deal"]["secret"]
            assert flawless(verify(decode(encode(record))))


@pytest.fixture
async def limited(tmp_path: Path) -> AsyncIterator[tuple[Caller, Path]]:
    database = tmp_path / "games.db"
    async with in_process(database, days="none") as service:
        yield await service.guest("Olga"), database


async def test_who_is_named_an_organiser_opens_larger_pairings(
    limited: tuple[Caller, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    olga, database = limited
    body = {"ruleset": "scout", "tables": [["open", BOT]] * 9}

    async def opened(key: str, **more: Any) -> Any:
        return await olga.post("/v1/pairings", {**body, **more}, headers={"Idempotency-Key": key})

    problem(await opened("a"), 400, "malformed")
    given = read({}, database=str(database))
    assert await command.apply(given, [olga.id, "00000000-0000-4000-8000-000000000009"], remove=False) == [
        "00000000-0000-4000-8000-000000000009"
    ]
    done(await opened("a"), 201)
    monkeypatch.setattr(pairings, "ORGANISER", (3, 30, 20))
    done(await opened("b"), 201)
    assert "within an hour" in problem(await opened("c"), 409, "too-many-pairings")["detail"]
    monkeypatch.setattr(pairings, "ORGANISER", (3, 20, 100))
    assert "may have 20 tables" in problem(await opened("c"), 409, "too-many-pairings")["detail"]
    monkeypatch.setattr(pairings, "ORGANISER", (2, 100, 100))
    assert "2 pairings" in problem(await opened("c"), 409, "too-many-pairings")["detail"]
    assert await command.apply(given, [olga.id], remove=True) == []
    problem(await opened("c"), 400, "malformed")
