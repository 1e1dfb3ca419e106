"""Webhooks tell organisers how their pairings go, and nothing of a deal that is sealed."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from typing import Any, get_args

import jwt
import pytest
from sqlalchemy import Engine

from projections.database import reading
from service.cli.database import open_mutable
from service.extensions.webhooks import outbox
from service.settings import Settings
from service.tables import notices
from tests.extensions.pairings.tables import BOT, ask, challenge, kept, look, pair, play_out
from tests.extensions.webhooks.conftest import ISSUER_KEY, file_settings, serving
from tests.extensions.webhooks.test_following import following, make_live
from tests.support.clients import Caller, Json, Service, done

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return file_settings(tmp_path_factory.mktemp("notices") / "games.db")


@pytest.fixture(scope="module")
async def service(given: Settings) -> AsyncIterator[Service]:
    async with serving(given) as running:
        yield running


def rows(engine: Engine, hook: str, *types: str) -> list[outbox.Delivery]:
    with reading(engine) as connection:
        chosen = outbox.deliveries.c.hook == hook, outbox.deliveries.c.type.in_(types)
        found = connection.execute(outbox.deliveries.select().where(*chosen).order_by(outbox.deliveries.c.created))
        return [outbox.Delivery(*row) for row in found]


def told(engine: Engine, hook: str) -> list[Json]:
    return [json.loads(each.body) for each in rows(engine, hook, *get_args(notices.NoticeType))]


async def test_an_organiser_is_told_of_each_table_once(given: Settings, service: Service) -> None:
    olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
    hook = await make_live(given, olga)
    bobs = await make_live(given, bob)
    made = await pair(olga, tables=[[*kept(ann), BOT], [*kept(bob), BOT]])
    games = [table["game"] for table in made["tables"]]
    done(await ann.post(f"{games[0]}/seats", {"entropy": "0" * 32}))
    done(await olga.delete(f"/v1/pairings/{made['id']}"))  # the table of Bob is over, that of Ann goes on
    await play_out(ann, games[0])
    assert (await look(olga, made))["state"] == "cancelled"
    async with following(given) as (one, engine), following(given) as (other, _):
        await asyncio.gather(one.take_notices(), other.take_notices())
        async with open_mutable(given) as mutable:
            assert await mutable.query(notices.oldest, 10) == []
        events = told(engine, hook)
        assert told(engine, bobs) == []
    pairing = {"id": made["id"], "url": f"https://games.example/v1/pairings/{made['id']}"}
    shared = {"pairing": pairing, "ruleset": "scout"}
    ended = {**shared, "state": "cancelled"}
    assert sorted([(each["type"], each["data"].get("table"), each["data"]) for each in events]) == [
        ("pairing.opened", None, {**shared, "state": "open"}),
        ("pairing.over", None, ended),
        ("pairing.table_over", 1, {**ended, "table": 1, "game": games[0]}),
        ("pairing.table_over", 2, {**ended, "table": 2, "game": games[1]}),
    ]
    page = done(await olga.get(f"/v1/webhooks/{hook}/deliveries", limit=100))["items"]
    assert Counter(each["type"] for each in page)["pairing.table_over"] == 2


async def test_nobody_is_told_when_a_table_of_a_sealed_deal_is_over(given: Settings, service: Service) -> None:
    ann, bob = await service.guests("Ann", "Bob")
    hook = await make_live(given, ann)
    made = await challenge(ann)
    for who, query in ((ann, {}), (bob, {"invite": made["code"]})):
        await play_out(who, (await ask(who, made, **query))["game"])
        async with following(given) as (follower, engine):
            await follower.catch_up()
            await follower.take_notices()
            before = told(engine, hook)
        if who is ann:
            assert [each["type"] for each in before] == ["pairing.opened"]
    opened = await look(ann, made)
    async with following(given) as (follower, engine):
        await follower.take_notices()
        events = told(engine, hook)
    assert [each["type"] for each in events] == ["pairing.opened", "pairing.over"]
    assert opened["deal"]["secret"] not in json.dumps(events)
    assert all({*each["data"]} == {"pairing", "ruleset", "state"} for each in events)


async def test_invitations_of_organisers_are_all_delivered(given: Settings, service: Service) -> None:
    """A tournament has more rounds than a player may invite somebody to in a day."""
    claims = {"sub": "club", "exp": int(time.time()) + 600, "site": True}
    club = Caller(service.http, jwt.encode(claims, ISSUER_KEY, algorithm="HS256"), "site:club", "club")
    ann, eve = await service.guests("Ann", "Eve")
    hook = await make_live(given, ann)

    async def invited(by: Iterable[Caller]) -> Counter[Any]:
        for who in by:
            await pair(who, "round-1", tables=[[*kept(ann), BOT] for _ in range(7)])
        async with following(given) as (follower, engine):
            await follower.catch_up()
            return Counter(each.opener for each in rows(engine, hook, "game.invited"))

    assert (await pair(club, "larger", tables=[["open", BOT]] * 9))["count"] == 9
    assert await invited([club]) == {None: 7}
    assert await invited([eve]) == {None: 7, eve.id: 5}
