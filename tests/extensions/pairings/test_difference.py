"""The first choice where two tables of a deal differ, and what is none."""

from typing import Any

import pytest

from domain.rulesets import RULESETS
from domain.rulesets.skyjo.rules import DRAW, TAKE, Flip, Swap
from service.extensions.pairings.difference import MOST, Choice, Difference, difference
from tests.extensions.pairings.tables import BOT, ask, challenge, look
from tests.support.clients import Caller, Json, Service, done, problem

pytestmark = pytest.mark.anyio

SKYJO = RULESETS["skyjo"]


async def first(one: list[Any], other: list[Any]) -> tuple[Difference, int]:
    """The difference, and how many views it took."""
    looked = []

    async def view(choice: Choice) -> Any:
        looked.append(choice)

    games = [[Choice(0, version, move) for version, move in enumerate(moves)] for moves in (one, other)]
    return await difference(SKYJO, *games, view), len(looked)  # type: ignore[call-arg,arg-type]


async def test_turning_up_another_card_makes_no_difference() -> None:
    found, _ = await first([Flip(0), Flip(1), DRAW, Swap(3)], [Flip(4), Flip(1), DRAW, Swap(5)])
    assert found == Difference(3, (Choice(0, 3, Swap(3)), Choice(0, 3, Swap(5))))
    assert (await first([Flip(0), TAKE], [Flip(1), DRAW]))[0].same == 1
    assert (await first([Flip(0), DRAW], [Flip(1), DRAW, Swap(1)]))[0] == Difference(2, None)


async def test_the_number_of_views_is_bounded() -> None:
    found, looked = await first([Flip(0)] * 1000, [Flip(1)] * 1000)
    assert (found.same, looked) == (MOST, MOST)


async def play(who: Caller, game: str, picks: int, then: int) -> Json:
    """The first legal move for a number of choices, then another one."""
    seen, number = await who.look(game), 0
    while seen["status"] == "running":
        legal = seen["legal_moves"]
        seen = (await who.move(game, legal[0 if number < picks else then % len(legal)]))["game"]
        number += 1
    return seen


async def test_two_players_of_a_challenge_see_where_they_differ(service: Service) -> None:
    ann, bob, eve = await service.guests("Ann", "Bob", "Eve")
    made = await challenge(ann)
    path, query = f"/v1/pairings/{made['id']}/difference", {"one": 1, "other": 2}
    games = [(await ask(who, made, invite=made["code"]))["game"] for who in (ann, bob)]
    await play(ann, games[0], 1000, 0)
    problem(await ann.get(path, **query), 404, "not-found")  # while the deal is sealed
    await play(bob, games[1], 2, -1)
    seen = await look(ann, made)
    assert seen["state"] == "over"
    found = done(await bob.get(path, **query))
    assert (found["seat"], found["same"] >= 2) == (0, True)
    items = []
    for game, version, table in zip(games, found["versions"], seen["tables"], strict=True):
        code = {"invite": table["invite"]}
        before = done(await eve.get(game, at=version, **{"as": 0}, **code))
        assert before["to_act"] == [0]
        assert len(before["legal_moves"]) in (0, found["legal"])  # one cannot move in the past
        items.append(done(await eve.get(f"{game}/events", after=version, limit=1, **code))["items"][0])
    assert items[0]["move"] != items[1]["move"]
    assert done(await ann.get(path, one=1, other=1)) == {
        "same": found["same"] + _later(await ann.events(games[0]), found["versions"][0]),
        "seat": None, "legal": None, "versions": None,
    }  # fmt: skip
    for wrong in ({"one": 1, "other": 3}, {"one": 9, "other": 2}):
        problem(await ann.get(path, **wrong), 404, "not-found")
    problem(await ann.get(path, one=0, other=2), 400, "malformed")
    problem(await eve.get(path, **query), 404, "not-found")
    assert done(await eve.get(path, invite=made["code"], **query)) == found


def _later(events: list[Json], version: int) -> int:
    return sum("move" in each and each["by"] == 0 and each["version"] > version for each in events)


async def test_tables_of_their_own_deals_are_not_compared(service: Service) -> None:
    olga = await service.guest("Olga")
    body = {"ruleset": "scout", "tables": [["open", BOT]] * 2}
    made = done(await olga.post("/v1/pairings", body, headers={"Idempotency-Key": "own"}), 201)
    done(await olga.delete(f"/v1/pairings/{made['id']}"))
    problem(await olga.get(f"/v1/pairings/{made['id']}/difference", one=1, other=2), 404, "not-found")
