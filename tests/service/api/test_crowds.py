"""Nobody fills the house alone: a player has so many games that are not over, and no more."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from projections.storage import used
from service import settings
from service.store import databases
from tests.support.clients import Caller, Service, done, fewest, in_process, play, play_to_the_end, problem

pytestmark = pytest.mark.anyio


async def opens(who: Caller, ruleset: str, key: str = "", **terms: object) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await who.post(f"/v1/games/{ruleset}", {"seats": fewest(ruleset), **terms}, headers=headers)


async def settled(service: Service) -> None:
    """The count is of a moment ago; the lobby is of now."""
    done(await service.stranger.get("/v1/games"))


async def test_who_has_so_many_games_may_neither_open_another_nor_sit_down(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=3) as house:
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
    async with in_process(database, max_open_games=2) as house:
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
    async with in_process(database, max_open_games=1) as house:
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
    async with in_process(database, max_open_games=1) as house:
        ann, bob = await house.guests("Ann", "Bob")
        await asyncio.gather(ann.open(ruleset), bob.open(ruleset))


async def test_requests_at_once_do_not_exceed_the_limit(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=5) as house:
        ann, bob = await house.guests("Ann", "Bob")
        elsewhere = [await bob.open(ruleset, sit=False) for _ in range(5)]
        answers = await asyncio.gather(
            *(opens(ann, ruleset, f"key-{number}" if number % 2 else "") for number in range(20)),
            *(ann.post(f"{game}/seats", {}) for game in elsewhere),
        )
        refused = [answer for answer in answers if answer.status_code not in (200, 201)]
        assert len(answers) - len(refused) == 5
        for answer in refused:
            problem(answer, 409, "too-many-games")
        await settled(house)
        assert len(await ann.every("/v1/games", player=ann.id)) == 5


async def test_one_request_that_is_sent_several_times_at_once_is_answered_alike(database: Path, ruleset: str) -> None:
    """Though there is room for one game only."""
    async with in_process(database, max_open_games=1) as house:
        ann, bob, cem = await house.guests("Ann", "Bob", "Cem")
        answers = await asyncio.gather(*(opens(ann, ruleset, "the-key") for _ in range(8)))
        assert len({done(answer, 201)["id"] for answer in answers}) == 1
        game = await bob.open(ruleset, 4)
        keyed = {"Idempotency-Key": "the-seat"}
        answers = await asyncio.gather(*(cem.post(f"{game}/seats", {}, headers=keyed) for _ in range(8)))
        assert len({done(answer)["version"] for answer in answers}) == 1


async def test_several_processes_exceed_it_at_most_by_what_each_may_admit(database: Path, ruleset: str) -> None:
    async with (
        in_process(database, max_open_games=5, workers=2) as one,
        in_process(database, workers=2, max_open_games=5) as two,
    ):
        ann = await one.guest("Ann")
        houses = [ann, ann.at(two)]
        answers = await asyncio.gather(*(opens(who, ruleset) for _ in range(20) for who in houses))
        assert 5 <= sum(answer.status_code == 201 for answer in answers) <= 10
        await settled(one)
        await settled(two)
        for who in houses:
            problem(await opens(who, ruleset), 409, "too-many-games")


async def test_what_was_opened_and_given_up_since_does_not_hide_what_waits(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=5) as house:
        ann = await house.guest("Ann")
        for _ in range(4):
            await ann.open(ruleset, sit=False)
        for _ in range(30):
            done(await ann.delete(await ann.open(ruleset)))
        await ann.open(ruleset)
        problem(await opens(ann, ruleset), 409, "too-many-games")


async def test_a_place_is_free_as_soon_as_a_game_is_cancelled(database: Path, ruleset: str) -> None:
    """Also where the opener does not sit. Nobody has to wait for the lobby."""
    async with in_process(database, max_open_games=1) as house:
        ann = await house.guest("Ann")
        for _ in range(5):
            game = await ann.open(ruleset, sit=False)
            problem(await opens(ann, ruleset), 409, "too-many-games")
            done(await ann.delete(game))


# --- storage ----------------------------------------------------------------------------------------------------------


def stored(database: Path, player: Caller) -> int:
    """The bytes in the log of the games that the player opened."""
    with closing(sqlite3.connect(database)) as log:
        rows = log.execute("SELECT originator_id, topic, state FROM stored_events").fetchall()
    opened = {game for game, topic, state in rows if topic.endswith(".opened") and opener(state) == player.id}
    return sum(len(state) for game, _, state in rows if game in opened)


def opener(state: bytes) -> str:
    found: str = json.loads(state)["event"]["opener"]["id"]
    return found


async def test_branches_take_no_more_storage_than_is_allowed(database: Path, ruleset: str) -> None:
    """However many are asked for at once, after a restart too, and each by a tiny request."""
    async with in_process(database, max_storage_mib=1, max_open_games=1000) as house:
        ann, bob = await house.guests("Ann", "Bob")
        game = await ann.open(ruleset, hotseat=True)
        seen = await play_to_the_end([ann] * fewest(ruleset), game)
        events = await ann.events(game)
        at = max(e["version"] for e in events if e["by"] is not None) - 30
        branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)
        size = stored(database, ann)
        asked = 3 * 2**20 // (size // 2)
        answers = await asyncio.gather(*(ann.post(f"{game}/branches", {"at": at}) for _ in range(asked)))
        refused = [answer for answer in answers if answer.status_code != 201]
        assert 0 < len(refused) < asked
        for answer in refused:
            document = problem(answer, 409, "storage-exhausted")
            assert 2**20 == document["allowed"] <= document["used"]
        assert 2**20 <= stored(database, ann) <= 2**20 + size
        problem(await opens(ann, ruleset), 409, "storage-exhausted")
        waits = await bob.open(ruleset, sit=False)
        await ann.sit(waits)  # what others opened is theirs
        place = branch["links"]["self"]
        done(await ann.post(f"{place}/moves", branch["legal_moves"][0], as_=branch["to_act"][0]))
    async with in_process(database, max_storage_mib=1) as house:
        assert problem(await opens(ann.at(house), ruleset), 409, "storage-exhausted")["used"] >= 2**20
    async with in_process(database, max_storage_mib=100) as house:
        done(await opens(ann.at(house), ruleset), 201)
    assert seen["status"] == "finished"


async def test_what_counts_is_what_the_games_take_that_are_over(database: Path, ruleset: str) -> None:
    async with in_process(database) as house:
        ann = await house.guest("Ann")
        await play_to_the_end([ann] * fewest(ruleset), await ann.open(ruleset, hotseat=True))
        done(await ann.delete(await ann.open(ruleset)))
        await ann.open(ruleset, 3)
        await settled(house)
        engine = databases.projections(settings.read({}, database=str(database)))
        assert used(engine, ann.id) == stored(database, ann)
        engine.dispose()


async def test_a_game_without_end_is_aborted_at_its_greatest_length(database: Path, ruleset: str) -> None:
    """In the append of the move that reached it: nobody sees it longer and running."""
    async with in_process(database, max_game_events=50) as house:
        ann = await house.guest("Ann")
        game = await ann.open(ruleset, hotseat=True)
        async for _ in play([ann] * fewest(ruleset), game, Random(1)):
            seen = await ann.look(game)
            assert seen["status"] == ("running" if seen["version"] < 50 else "aborted")
        assert (seen["status"], seen["cause"], seen["legal_moves"]) == ("aborted", "longest", [])
        assert done(await ann.get(f"{game}/record"))["events"][0]["event"]["longest"] == 50
        audit = done(await ann.get(f"{game}/audit"))
        assert all(check["ok"] for check in audit["checks"]), audit
        at = next(e["version"] for e in await ann.events(game) if e["event"]["type"] == "begun") + 3
        branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)
        first, *_ = await ann.events(branch["links"]["self"])
        assert first["event"]["longest"] == 50
