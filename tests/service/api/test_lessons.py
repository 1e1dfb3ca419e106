"""Guided first games over REST: a game of one player, with cards that everybody can know, which counts nowhere."""

from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Caller, Service, done, in_process, play_to_the_end, problem

pytestmark = pytest.mark.anyio


async def opened(who: Caller, ruleset: str, **headers: str) -> Any:
    return done(await who.post(f"/v1/games/{ruleset}/lesson", headers=headers), 201)


async def test_everybody_can_read_a_lesson_and_open_its_game(
    service: Service, ann: Caller, bob: Caller, ruleset: str
) -> None:
    lesson = done(await service.stranger.get(f"/v1/rulesets/{ruleset}/lesson"))
    listed = done(await service.stranger.get("/v1/rulesets"))["items"]
    assert all(each["lesson"] == (RULESETS[each["name"]].lesson is not None) for each in listed)
    games = [await opened(who, ruleset) for who in (ann, bob)]
    assert games[0]["id"] != games[1]["id"]
    assert games[0]["view"] == games[1]["view"]
    for found, who in zip(games, (ann, bob), strict=True):
        assert (found["parent"]["id"], found["parent"]["root"]) == (lesson["id"], lesson["id"])
        assert (found["status"], found["hotseat"], found["private"]) == ("running", True, True)
        assert {seat["player"]["id"] for seat in found["seats"]} == {who.id}
        for step in lesson["steps"]:
            if step.get("move") is None:
                continue
            turns = ((0, step["move"]), *((each["seat"], each["move"]) for each in step.get("reply", ())))
            for seat, move in turns:
                done(await who.post(f"{found['links']['self']}/moves", move, as_=seat))
    problem(await service.stranger.post(f"/v1/games/{ruleset}/lesson"), 401, "unauthenticated")


async def test_the_game_of_a_lesson_is_nowhere_listed_and_counts_nowhere(
    ann: Caller, bob: Caller, ruleset: str
) -> None:
    """Played to its end, its record is verified, and says that it is a lesson."""
    game = await opened(ann, ruleset)
    path, seats = game["links"]["self"], len(game["seats"])
    assert game["id"] not in [each["id"] for each in done(await bob.get("/v1/games"))["items"]]
    problem(await bob.get(path), 404, "not-found")
    problem(await bob.post(f"{path}/seats", {}), 404, "not-found")
    problem(await ann.post(f"{path}/seats", {}), 409, "not-waiting")
    await play_to_the_end([ann] * seats, path)
    assert ann.id not in [each["player"]["id"] for each in done(await bob.get(f"/v1/standings/{ruleset}"))["items"]]
    assert done(await ann.get(f"{path}/audit"))["ok"]
    record = done(await ann.get(f"{path}/record"))
    lesson = RULESETS[ruleset].lesson
    assert lesson is not None
    assert (record["parent"]["id"], record["events"][0]["event"]["secret"]) == (lesson.id, lesson.secret)
    problem(await ann.post(f"{path}/rematch", {}), 409, "no-rematch")


async def test_with_a_key_it_is_opened_once_and_nobody_can_open_many(database: Path, ruleset: str) -> None:
    async with in_process(database, max_open_games=2) as service:
        (ann,) = await service.guests("Ann")
        key = {"Idempotency-Key": "lesson"}
        first = await opened(ann, ruleset, **key)
        assert (await opened(ann, ruleset, **key))["id"] == first["id"]
        await opened(ann, ruleset)
        done(await ann.get("/v1/games"))  # the projections are up to date
        problem(await ann.post(f"/v1/games/{ruleset}/lesson"), 409, "too-many-games")
        done(await ann.post(f"{first['links']['self']}/votes", {"on": "abort", "yes": True}))
        done(await ann.get("/v1/games"))
        await opened(ann, ruleset)
