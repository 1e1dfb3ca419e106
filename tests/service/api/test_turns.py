"""My turns: `GET /v1/games?acting=me` lists the running games in which the caller must act."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Caller, Service, any_of, done, fewest, in_process, play_to_the_end

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

Json = dict[str, Any]
TURNS = "/v1/games"


@pytest.fixture
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service with no other games."""
    async with in_process(tmp_path_factory.mktemp("turns") / "games.db") as running:
        yield running


def path(listed: Json) -> str:
    return f"/v1/games/{listed['ruleset']}/{listed['id']}"


async def turns(who: Caller, **query: Any) -> dict[str, Json]:
    return {path(each): each for each in await who.every(TURNS, acting="me", **query)}


async def check(players: list[Caller], games: list[str]) -> int:
    """Law: exactly the games in which the player is among those to act, as each game itself says."""
    found = 0
    for who in players:
        listed = await turns(who)
        answers = {game: await who.get(game) for game in games}
        looks = {game: done(answer) for game, answer in answers.items() if answer.status_code != 404}  # private ones
        expected = {game for game, look in looks.items() if look["you"] in look["to_act"]}
        assert listed.keys() == expected
        for game in expected:
            assert listed[game]["to_act"] == looks[game]["to_act"]
            (last,) = done(await who.get(f"{game}/events", after=looks[game]["version"] - 1))["items"]
            assert listed[game]["changed_at"] == last["at"]
        found += len(expected)
    return found


async def test_the_turns_are_those_that_the_games_tell(house: Service) -> None:
    """Over random play at tables of all rulesets, private ones included."""
    players = await house.guests("Ann", "Bob", "Cem", "Dora")
    games = [
        await house.table(name, players[: fewest(name)], private=number % 2 == 0)
        for number, name in enumerate(RULESETS)
    ]
    games.append(await players[0].open(next(iter(RULESETS))))  # it waits
    dice, found = Random(1), 0
    for _ in range(8):
        found += await check(players, games)
        for game in games[:-1]:
            for who in players[: len((await players[0].look(game))["seats"])]:
                if legal := (await who.look(game))["legal_moves"]:
                    await who.move(game, any_of(legal, dice))
                    break
    assert found > 10
    await play_to_the_end(players[:2], games[0])
    assert games[0] not in await turns(players[0])


async def test_an_item_is_that_of_the_lobby(house: Service, ruleset: str) -> None:
    ann, bob = await house.guests("Ann", "Bob")
    players = [ann, bob, *await house.guests("Cem", "Dora")][: fewest(ruleset)]
    game = await house.table(ruleset, players)
    acting = (await ann.look(game))["to_act"]
    (item,) = (await turns(players[acting[0]])).values()
    (listed,) = [each for each in await ann.every(TURNS) if path(each) == game]
    assert item == listed | {"to_act": acting, "changed_at": item["changed_at"]}


async def test_turns_are_pages(house: Service) -> None:
    (ann,) = await house.guests("Ann")
    games = [await ann.open(name, hotseat=True) for name in RULESETS for _ in range(2)]
    assert list(await turns(ann)) == games[::-1]
    for limit in (1, 3, len(games)):
        assert list(await turns(ann, limit=limit)) == games[::-1]
    name = next(iter(RULESETS))
    assert list(await turns(ann, ruleset=name, limit=1)) == games[1::-1]
    assert await turns(ann, status="waiting") == {}
    assert await turns(ann, player="nobody") == {}
    answer = await ann.get(TURNS, acting="me", limit=1)
    assert "acting=me" in done(answer)["next"]
    assert answer.headers["link"] == f'<{done(answer)["next"]}>; rel="next"'


async def test_turns_are_current_in_another_process(database: Path) -> None:
    """Two processes on one log: the other one has an older game in memory."""
    name = next(iter(RULESETS))
    async with in_process(database, workers=2) as one, in_process(database, workers=2) as two:
        ann = await one.guest("Ann")
        bob = await one.guest("Bob")
        game = await one.table(name, [ann, bob])
        dice = Random(2)
        for number in range(12):
            for who in (ann, bob):
                elsewhere = who.at((one, two)[number % 2])
                look = await elsewhere.look(game)
                assert (game in await turns(who.at(two))) == (look["you"] in look["to_act"])
                assert (game in await turns(who.at(one))) == (look["you"] in look["to_act"])
                if look["legal_moves"]:
                    await elsewhere.move(game, any_of(look["legal_moves"], dice))


async def test_a_branch_and_a_lesson_wait_for_nobody(service: Service, ruleset: str) -> None:
    """Their player has all seats, and looks at something. The list of their games says what they continue."""
    players = await service.guests(*("Ann", "Bob", "Cem")[: fewest(ruleset)])
    ann, path = players[0], await service.table(ruleset, players)
    await play_to_the_end(players, path)
    branch = done(await ann.post(f"{path}/branches", {"at": len(await ann.events(path)) // 2}), 201)
    lesson = done(await ann.post(f"/v1/games/{ruleset}/lesson"), 201)
    assert await ann.every("/v1/games", acting="me") == []
    found = {each["id"]: each.get("parent") for each in await ann.every("/v1/games", player=ann.id)}
    assert found[branch["id"]] == path.rpartition("/")[2]
    assert found[lesson["id"]] == lesson["parent"]["id"]
