"""Limits for each player: unfinished games, and storage."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from projections.storage import stored_bytes_of
from service import databases, settings
from tests.support.clients import Caller, Service, done, fewest, in_process, play, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def opens(who: Caller, ruleset: str, key: str = "", **terms: object) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await who.post(f"/v1/games/{ruleset}", {"seats": fewest(ruleset), **terms}, headers=headers)


async def caught_up(service: Service) -> None:
    """Wait until the projections are up to date. The lobby waits for that, the limits do not."""
    done(await service.stranger.get("/v1/games"))


async def test_a_player_at_the_limit_can_neither_open_a_game_nor_sit_down(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=3) as service:
        ann, bob = await service.guests("Ann", "Bob")
        tables = [await ann.open(ruleset), await ann.open(ruleset, private=True), await ann.open(ruleset, sit=False)]
        await caught_up(service)
        for terms in ({}, {"private": True}, {"hotseat": True}, {"sit": False}):
            refused = problem(await opens(ann, ruleset, **terms), 409, "too-many-games")
            assert refused["detail"] == "You have 3 games that are not over."
        elsewhere = await bob.open(ruleset)
        problem(await ann.post(f"{elsewhere}/seats", {}), 409, "too-many-games")
        assert (await ann.look(elsewhere))["seats"][1:] == (await bob.look(elsewhere))["seats"][1:]
        assert len(await ann.every("/v1/games", player=ann.id)) == 3
        await ann.stand(tables[0], 0)
        await caught_up(service)
        await ann.sit(elsewhere)


async def test_a_repeated_request_is_replayed_at_the_limit(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=2) as service:
        ann, bob = await service.guests("Ann", "Bob")
        first = done(await opens(ann, ruleset, "key"), 201)
        game = await bob.open(ruleset, 3 if fewest(ruleset) < 3 else None)
        keyed = {"headers": {"Idempotency-Key": "seat"}}
        sat = done(await ann.post(f"{game}/seats", {}, **keyed))
        await caught_up(service)
        problem(await opens(ann, ruleset, "another-key"), 409, "too-many-games")
        again = await opens(ann, ruleset, "key")
        assert (done(again, 201), again.headers["idempotency-replayed"]) == (first, "true")
        assert done(await ann.post(f"{game}/seats", {}, **keyed)) == sat
        problem(await ann.post(f"{game}/seats", {}), 409, "already-seated")


async def test_finished_games_do_not_count(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=1) as service:
        ann = await service.guest("Ann")
        for _ in range(2):
            game = await ann.open(ruleset, hotseat=True)
            await caught_up(service)
            problem(await opens(ann, ruleset), 409, "too-many-games")
            await play_to_the_end([ann] * fewest(ruleset), game)
            await caught_up(service)
        await ann.stand(await ann.open(ruleset), 0)
        await caught_up(service)
        branch = done(await ann.post(f"{game}/branches", {"at": 8}), 201)
        await caught_up(service)
        problem(await ann.post(f"{game}/branches", {"at": 8}), 409, "too-many-games")
        assert branch["hotseat"]


async def test_concurrent_requests_do_not_exceed_the_limit(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=5) as service:
        ann, bob = await service.guests("Ann", "Bob")
        elsewhere = [await bob.open(ruleset, sit=False) for _ in range(5)]
        responses = await asyncio.gather(
            *(opens(ann, ruleset, f"key-{number}" if number % 2 else "") for number in range(20)),
            *(ann.post(f"{game}/seats", {}) for game in elsewhere),
        )
        refused = [response for response in responses if response.status_code not in (200, 201)]
        assert len(responses) - len(refused) == 5
        for response in refused:
            problem(response, 409, "too-many-games")
        await caught_up(service)
        assert len(await ann.every("/v1/games", player=ann.id)) == 5


async def test_concurrent_repetitions_of_a_request_get_the_same_response(database: Path, ruleset: str) -> None:
    """Even at a limit of one game."""
    async with in_process(database, max_open_games=1) as service:
        ann, bob, cem = await service.guests("Ann", "Bob", "Cem")
        responses = await asyncio.gather(*(opens(ann, ruleset, "the-key") for _ in range(8)))
        assert len({done(response, 201)["id"] for response in responses}) == 1
        game = await bob.open(ruleset, 4)
        keyed = {"Idempotency-Key": "the-seat"}
        responses = await asyncio.gather(*(cem.post(f"{game}/seats", {}, headers=keyed) for _ in range(8)))
        assert len({done(response)["version"] for response in responses}) == 1


async def test_several_processes_exceed_the_limit_at_most_by_what_each_admits(database: Path, ruleset: str) -> None:
    async with (
        in_process(database, max_open_games=5, workers=2) as one,
        in_process(database, workers=2, max_open_games=5) as two,
    ):
        ann = await one.guest("Ann")
        callers = [ann, ann.at(two)]
        responses = await asyncio.gather(*(opens(who, ruleset) for _ in range(20) for who in callers))
        assert 5 <= sum(response.status_code == 201 for response in responses) <= 10
        await caught_up(one)
        await caught_up(two)
        for who in callers:
            problem(await opens(who, ruleset), 409, "too-many-games")


async def test_cancelled_games_do_not_hide_waiting_ones_from_the_count(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=5) as service:
        ann = await service.guest("Ann")
        for _ in range(4):
            await ann.open(ruleset, sit=False)
        for number in range(30):
            done(await ann.delete(await ann.open(ruleset, sit=number % 2 == 0)))
        await ann.open(ruleset)
        problem(await opens(ann, ruleset), 409, "too-many-games")


# --- storage ----------------------------------------------------------------------------------------------------------


def stored(database: Path, player: Caller) -> int:
    """The bytes in the event log of the games that the player opened."""
    with closing(sqlite3.connect(database)) as log:
        rows = log.execute("SELECT originator_id, topic, state FROM stored_events").fetchall()
    opened = {game for game, topic, state in rows if topic.endswith(".opened") and opener(state) == player.id}
    return sum(len(state) for game, _, state in rows if game in opened)


def opener(state: bytes) -> str:
    found: str = json.loads(state)["event"]["opener"]
    return found


async def test_branches_do_not_exceed_the_limit_of_storage(database: Path, ruleset: str) -> None:
    """With many concurrent requests, and after a restart."""
    async with in_process(database, max_storage_mib=1, max_open_games=1000) as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await ann.open(ruleset, hotseat=True)
        seen = await play_to_the_end([ann] * fewest(ruleset), game)
        events = await ann.events(game)
        moves = [item["version"] for item in events if item["by"] is not None]
        at = max(moves[0], moves[-1] - 30)
        branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)
        size = stored(database, ann)
        requests = 3 * 2**20 // (size // 2)
        responses = await asyncio.gather(*(ann.post(f"{game}/branches", {"at": at}) for _ in range(requests)))
        refused = [response for response in responses if response.status_code != 201]
        assert 0 < len(refused) < requests
        for response in refused:
            document = problem(response, 409, "storage-exhausted")
            assert 2**20 == document["allowed"] <= document["used"]
        assert 2**20 <= stored(database, ann) <= 2**20 + size
        problem(await opens(ann, ruleset), 409, "storage-exhausted")
        waiting = await bob.open(ruleset, sit=False)
        await ann.sit(waiting)  # games count for their opener
        place = branch["links"]["self"]
        done(await ann.post(f"{place}/moves", branch["legal_moves"][0], as_=branch["to_act"][0]))
    async with in_process(database, max_storage_mib=1) as service:
        assert problem(await opens(ann.at(service), ruleset), 409, "storage-exhausted")["used"] >= 2**20
    async with in_process(database, max_storage_mib=100) as service:
        done(await opens(ann.at(service), ruleset), 201)
    assert seen["status"] == "finished"


async def test_finished_and_aborted_games_count_with_their_stored_size(database: Path, ruleset: str) -> None:
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        await play_to_the_end([ann] * fewest(ruleset), await ann.open(ruleset, hotseat=True))
        done(await ann.delete(await ann.open(ruleset)))
        await ann.open(ruleset, 3)
        await caught_up(service)
        engine = databases.projections(settings.read({}, database=str(database)))
        assert stored_bytes_of(engine, ann.id) == stored(database, ann)
        engine.dispose()


async def test_a_game_that_reaches_the_maximum_length_is_aborted(database: Path, ruleset: str) -> None:
    """In the same append as the move that reaches it, so no reader sees a longer running game."""
    async with in_process(database, max_game_events=50) as service:
        ann = await service.guest("Ann")
        game = await ann.open(ruleset, hotseat=True)
        async for _ in play([ann] * fewest(ruleset), game, Random(1)):
            seen = await ann.look(game)
            if seen["version"] < 50 and seen["status"] == "finished":
                return  # games of this ruleset are shorter
            assert seen["status"] == ("running" if seen["version"] < 50 else "aborted")
        assert (seen["status"], seen["cause"], seen["legal_moves"]) == ("aborted", "longest", [])
        assert done(await ann.get(f"{game}/record"))["events"][0]["event"]["longest"] == 50
        audit = done(await ann.get(f"{game}/audit"))
        assert all(check["ok"] for check in audit["checks"]), audit
        at = next(e["version"] for e in await ann.events(game) if e["event"]["type"] == "begun") + 3
        branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)
        first, *_ = await ann.events(branch["links"]["self"])
        assert first["event"]["longest"] == 50
