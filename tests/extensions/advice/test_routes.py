"""Advice of the house: for the seats of a table that one player plays alone, from what the seat sees."""

import pytest

from service.extensions.advice import routes
from tests.support.clients import Caller, Service, done, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.turns("ends")]


async def test_the_house_plays_a_branch_to_its_end(service: Service, players: list[Caller], ruleset: str) -> None:
    game = await service.table(ruleset, players)
    await play_to_the_end(players, game)
    ann, at = players[0], len(await players[0].events(game)) // 2
    branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)
    path, left = branch["links"]["self"], 3000
    while branch["status"] == "running" and (left := left - 1):
        seat = branch["to_act"][-1]
        advice = done(await ann.get(f"{path}/advice", **{"as": seat}))
        assert (advice["version"], advice["seat"]) == (branch["version"], seat)
        branch = done(await ann.post(f"{path}/moves", advice["move"], **{"as": seat}))["game"]
    assert branch["status"] == "finished"
    assert done(await ann.get(f"{path}/advice", **{"as": 0}))["move"] is None


async def test_advice_is_for_the_player_of_a_hotseat_game(service: Service, ann: Caller, bob: Caller) -> None:
    alone = done(await ann.post("/v1/games/skyjo", {"seats": 2, "hotseat": True}), 201)["links"]["self"]
    problem(await bob.get(f"{alone}/advice", **{"as": 0}), 403, "not-seated")
    problem(await service.stranger.get(f"{alone}/advice"), 401, "unauthenticated")
    problem(await ann.get(f"{alone}/advice", **{"as": 7}), 400, "malformed")
    together = await service.table("skyjo", [ann, bob])
    problem(await ann.get(f"{together}/advice"), 403, "forbidden")


async def test_advice_sees_what_its_seat_sees(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy gets the view of the seat, where hidden cards are null."""
    from domain.rulesets import RULESETS

    rules, seen = RULESETS["scout"], []
    ruler = routes.ruler(rules)
    asked = rules.bots[ruler]
    monkeypatch.setitem(rules.bots, ruler, lambda view, *more: seen.append(view) or asked(view, *more))
    path = done(await ann.post("/v1/games/scout", {"seats": 3, "hotseat": True}), 201)["links"]["self"]
    assert done(await ann.get(f"{path}/advice", **{"as": 1}))["move"]
    [view] = seen
    assert [None in hand for hand in view.hands] == [True, False, True]
