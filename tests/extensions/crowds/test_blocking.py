"""Blocking: who is blocked cannot join, is not heard, and is not listed."""

import pytest

from domain.rulesets import RULESETS
from service.identity import players as module
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Service, done, fewest, problem

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))


async def listed(caller: Caller) -> set[str]:
    return {
        f"/v1/games/{each['ruleset']}/{each['id']}" for each in await caller.every("/v1/games?status=waiting&open=true")
    }


async def test_who_is_blocked_cannot_join_is_not_heard_and_is_not_listed(ann: Caller, bob: Caller, eve: Caller) -> None:
    block = f"/v1/players/me/blocks/{eve.id}"
    own, theirs = await ann.open(ANY, fewest(ANY) + 1), await eve.open(ANY, fewest(ANY) + 1)
    for _ in range(2):
        assert (await ann.send("PUT", block)).status_code == 204
    assert [each["id"] for each in done(await ann.get("/v1/players/me/blocks"))["items"]] == [eve.id]
    assert done(await eve.get("/v1/players/me/blocks"))["items"] == []
    seats = f"{own}/seats"
    problem(await eve.post(seats, {}), 403, "blocked-by-player")
    async with channel(eve) as hers:
        await hers.problem(403, "blocked-by-player", "join", game=game_name(own))
    assert theirs not in await listed(ann)
    assert {own, theirs} <= await listed(bob) & await listed(eve)
    async with channel(ann) as mine, channel(bob) as other:
        for client in (mine, other):
            await client.did("follow_lobby")
            await client.did("follow", game=game_name(theirs), presence=True)
        hidden = await eve.open(ANY, fewest(ANY) + 1)
        assert (await eve.post(f"{theirs}/phrases", {"phrase": "hello"})).status_code == 204
        assert (await other.next("phrase"))["seat"] == 0
        assert (await other.next("lobby"))["item"]["id"] in hidden
        shown = await bob.open(ANY, fewest(ANY) + 1)
        assert (await mine.next("lobby"))["item"]["id"] in shown
        assert not any('"phrase"' in text for text in mine.texts)
    assert (await ann.delete(block)).status_code == (await ann.delete(block)).status_code == 204
    assert done(await eve.post(seats, {}))["you"] == 1
    assert theirs in await listed(ann)


async def test_a_table_that_both_have_joined_stays(ann: Caller, bob: Caller, eve: Caller) -> None:
    """A block says who may come, not who must go. The own table of the blocker is listed for the blocker."""
    game = await bob.open(ANY, fewest(ANY) + 2)
    for caller in (ann, eve):
        done(await caller.post(f"{game}/seats", {}))
    assert (await ann.send("PUT", f"/v1/players/me/blocks/{eve.id}")).status_code == 204
    assert game in await listed(ann)
    assert done(await eve.get(game))["you"] is not None


async def test_blocks_are_few_and_of_others(
    service: Service, ann: Caller, bob: Caller, eve: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_BLOCKS", 1)
    problem(await ann.send("PUT", f"/v1/players/me/blocks/{ann.id}"), 403, "forbidden")
    problem(await ann.send("PUT", "/v1/players/me/blocks/nobody"), 404, "not-found")
    problem(await service.stranger.send("PUT", f"/v1/players/me/blocks/{ann.id}"), 401, "unauthenticated")
    assert (await ann.send("PUT", f"/v1/players/me/blocks/{bob.id}")).status_code == 204
    problem(await ann.send("PUT", f"/v1/players/me/blocks/{eve.id}"), 409, "too-many-blocks")
    assert (await ann.send("PUT", f"/v1/players/me/blocks/{bob.id}")).status_code == 204
    assert [each["id"] for each in done(await ann.get("/v1/players/me/blocks"))["items"]] == [bob.id]
