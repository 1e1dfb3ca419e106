"""Pairings are followed over SSE and in the play channel: both tell the same, and cost the same however many follow."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest

from service.extensions.pairings.rows import Pairing
from service.extensions.pairings.stream import Watches
from service.extensions.pairings.views import Views
from service.server import streaming
from tests.extensions.pairings.tables import BOT, ask, challenge, kept, pair, play_out
from tests.support.channels import channel
from tests.support.clients import Service, done
from tests.support.listening import listening, over_http, take

pytestmark = [pytest.mark.anyio, pytest.mark.waits]


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with over_http(tmp_path_factory.mktemp("following") / "games.db", days="none", max_follows=2) as running:
        yield running


async def test_both_streams_tell_the_same_until_everything_is_over(service: Service) -> None:
    ann, bob = await service.guests("Ann", "Bob")
    made = await challenge(ann)
    games = [(await ask(who, made, invite=made["code"]))["game"] for who in (ann, bob)]
    told, streamed = list[object](), list[object]()
    async with channel(bob) as client, listening(bob, f"/v1/pairings/{made['id']}/events") as stream:
        assert await client.did("follow_pairing", pairing=made["id"]) == {
            "type": "following_pairing", "id": 2, "pairing": made["id"]
        }  # fmt: skip
        first = await client.next()
        assert [table["number"] for table in first["tables"]] == [1, 2]
        assert (first["state"], "points" in first["tables"][0]) == ("open", False)
        for who, game in zip((ann, bob), games, strict=True):
            await play_out(who, game)
        while (message := await client.next())["type"] == "pairing":
            told.append(message)
        assert message == {"type": "end_pairing", "pairing": made["id"]}
        async with asyncio.timeout(60):
            async for each in stream:
                streamed.append(msgspec.json.decode(each.data))
    last = {"state": "over", "tables": 2}
    for messages in (told, streamed):
        final: dict[str, list[object]] = messages[-1]  # type: ignore[assignment]
        assert {"state": final["state"], "tables": len(final["tables"])} == last
        assert final["deal"]["secret"] is not None  # type: ignore[call-overload]


async def test_who_may_not_see_a_pairing_cannot_follow_it(service: Service) -> None:
    olga, ann, eve = await service.guests("Olga", "Ann", "Eve")
    made = await pair(olga, tables=[[*kept(ann), BOT]])
    async with channel(eve) as client, channel(service.stranger) as stranger:
        for each in (client, stranger):
            for fields in ({}, {"invite": "0" * 32}):
                await each.problem(404, "not-found", "follow_pairing", pairing=made["id"], **fields)
            await each.problem(404, "not-found", "follow_pairing", pairing="x")
            await each.did("follow_pairing", pairing=made["id"], invite=made["code"])
            assert (await each.next())["state"] == "open"
        await client.did("unfollow_pairing", pairing=made["id"])
        done(await olga.delete(f"/v1/pairings/{made['id']}"))
        assert (await stranger.next())["state"] == "cancelled"
        assert client.inbox.empty()


async def test_every_stream_ends_when_its_caller_signs_out_even_if_nothing_happens(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the next keep-alive comment at the latest."""
    monkeypatch.setattr(streaming, "KEEP_ALIVE", 0.05)
    ann = await service.guest("Ann")
    made = await challenge(ann)
    game = (await ask(ann, made))["game"]
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(listening(ann, path))
            for path in (f"/v1/pairings/{made['id']}/events", f"{game}/events", "/v1/games")
        ]
        for stream in streams[:2]:
            await take(stream, 1)
        assert (await ann.post("/v1/players/me/sign-out", {"code": "0" * 32})).status_code == 204
        async with asyncio.timeout(60):
            for stream in streams:
                async for _ in stream:
                    pass


async def test_follows_of_pairings_count_like_those_of_games(service: Service) -> None:
    ann = await service.guest("Ann")
    made = [await challenge(ann, f"k{number}") for number in range(3)]
    async with channel(ann) as client:
        for each in (*made[:2], made[0]):
            await client.did("follow_pairing", pairing=each["id"])
        await client.problem(429, "too-many-requests", "follow_pairing", pairing=made[2]["id"])


async def test_a_hundred_followers_cost_one_look(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are notified of changes: without one they read nothing."""
    ann = await service.guest("Ann")
    made = await challenge(ann)
    looks, reads = list[str](), list[str]()
    field, seen = Views.field, Watches.seen

    async def looked(self: Views, of: Pairing, age: float = 0) -> Any:
        looks.append(of.id)
        return await field(self, of, age)

    async def read(self: Watches, id: str, viewer: str | None, *, first: bool) -> Any:
        reads.append(id)
        return await seen(self, id, viewer, first=first)

    monkeypatch.setattr(Views, "field", looked)
    monkeypatch.setattr(Watches, "seen", read)
    async with channel(ann) as client, channel(ann) as other:
        for each in (client, other):
            await each.did("follow_pairing", pairing=made["id"])
            await each.next("pairing")
        before, begun = 0, 0
        async with asyncio.timeout(60):
            while len(reads) > before or len(looks) < begun + 3:
                if len(reads) > before:  # the first look notifies: something may have changed before it
                    before, begun = len(reads), len(looks)
                await asyncio.sleep(0.05)
        assert all(each.inbox.empty() for each in (client, other))
        assert [task.get_name() for task in asyncio.all_tasks()].count(f"pairing {made['id']}") == 1
