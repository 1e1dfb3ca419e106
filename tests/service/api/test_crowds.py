"""Nobody fills the house alone: a player has so many games that are not over, and no more."""

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.support.clients import Caller, Service, done, fewest, in_process, play_to_the_end, problem

pytestmark = pytest.mark.anyio


async def opens(who: Caller, ruleset: str, key: str = "", **terms: object) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await who.post(f"/v1/games/{ruleset}", {"seats": fewest(ruleset), **terms}, headers=headers)


async def settled(service: Service) -> None:
    """The count is of a moment ago; the lobby is of now."""
    done(await service.stranger.get("/v1/games"))


async def test_who_has_so_many_games_may_neither_open_another_nor_sit_down(database: Path, ruleset: str) -> None:
    async with in_process(database, open_games=3) as house:
        ann, bob = await house.guests("Ann", "Bob")
        tables = [await ann.open(ruleset), await ann.open(ruleset, private=True), await ann.open(ruleset, sit=False)]
        await settled(house)
        for terms in ({}, {"private": True}, {"hotseat": True}, {"sit": False}):
            refused = problem(await opens(ann, ruleset, **terms), 409, "too-many-games")
            assert refused["detail"] == "You have 3 games that are not over."
        elsewhere = await bob.open(ruleset)
        problem(await ann.post(f"{elsewhere}/seats", {}), 409, "too-many-games")
        assert (await ann.look(elsewhere))["seats"][1:] == (await bob.look(elsewhere))["seats"][1:]
        assert len(await ann.every("/v1/games", player=ann.id)) == 3
        await ann.stand(tables[0], 0)
        await settled(house)
        await ann.sit(elsewhere)


async def test_what_was_done_before_is_answered_as_before(database: Path, ruleset: str) -> None:
    async with in_process(database, open_games=2) as house:
        ann, bob = await house.guests("Ann", "Bob")
        first = done(await opens(ann, ruleset, "key"), 201)
        game = await bob.open(ruleset, 3 if fewest(ruleset) < 3 else None)
        asked = {"headers": {"Idempotency-Key": "seat"}}
        sat = done(await ann.post(f"{game}/seats", {}, **asked))
        await settled(house)
        problem(await opens(ann, ruleset, "another-key"), 409, "too-many-games")
        again = await opens(ann, ruleset, "key")
        assert (done(again, 201), again.headers["idempotency-replayed"]) == (first, "true")
        assert done(await ann.post(f"{game}/seats", {}, **asked)) == sat
        problem(await ann.post(f"{game}/seats", {}), 409, "already-seated")


async def test_games_that_are_over_do_not_count(database: Path, ruleset: str) -> None:
    async with in_process(database, open_games=1) as house:
        ann = await house.guest("Ann")
        for _ in range(2):
            game = await ann.open(ruleset, hotseat=True)
            await settled(house)
            problem(await opens(ann, ruleset), 409, "too-many-games")
            await play_to_the_end([ann] * fewest(ruleset), game)
            await settled(house)
        await ann.stand(await ann.open(ruleset), 0)
        await settled(house)
        branch = done(await ann.post(f"{game}/branches", {"at": 8}), 201)
        await settled(house)
        problem(await ann.post(f"{game}/branches", {"at": 8}), 409, "too-many-games")
        assert branch["hotseat"]


async def test_one_players_crowd_is_nobody_elses(database: Path, ruleset: str) -> None:
    async with in_process(database, open_games=1) as house:
        ann, bob = await house.guests("Ann", "Bob")
        await asyncio.gather(ann.open(ruleset), bob.open(ruleset))
