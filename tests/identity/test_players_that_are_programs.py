"""Players that are programs: they say so once, and it is shown wherever they are, for ever."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jwt
import pytest

from domain.player import is_bot, is_guest
from tests.support.channels import channel
from tests.support.clients import Caller, Json, Service, done, in_process, play_to_the_end, problem
from tests.support.listening import over_http

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SECRET = "of the site, of at least thirty-two characters"


@pytest.fixture
async def house(database: Path) -> AsyncIterator[Service]:
    async with in_process(database, issuer_key=SECRET) as running:
        yield running


async def program(house: Service, name: str = "Robot") -> Caller:
    registered = done(await house.stranger.post("/v1/players", {"name": name, "bot": True}), 201)
    assert registered.pop("bot") is True
    return Caller(house.http, **registered)


def flags(seats: list[Json]) -> list[bool]:
    return [seat["player"].get("bot", False) for seat in seats]


async def test_a_program_is_known_as_one_wherever_it_is_shown(house: Service) -> None:
    robot, ann = await program(house), await house.guest("Ann")
    assert robot.id is not None and robot.id.startswith("bot:")
    game = await house.table("skyjo", [ann, robot], options={"target_points": 1})
    assert flags((await ann.look(game))["seats"]) == [False, True]
    assert flags(done(await ann.get("/v1/games"))["items"][0]["seats"]) == [False, True]
    await play_to_the_end([ann, robot], game)
    for profile in ("/v1/players/me", f"/v1/players/{robot.id}"):
        assert done(await robot.get(profile))["bot"] is True
    assert "bot" not in done(await ann.get("/v1/players/me"))
    standings = done(await ann.get("/v1/standings/skyjo"))["items"]
    assert {each["player"]["id"]: each["player"].get("bot") for each in standings} == {ann.id: None, robot.id: True}


async def test_it_stays_one_under_another_name_and_after_it_was_forgotten(house: Service) -> None:
    robot, ann = await program(house), await house.guest("Ann")
    game = await house.table("skyjo", [ann, robot])
    assert done(await robot.patch("/v1/players/me", {"name": "Human"})) == {
        "id": robot.id, "name": "Human", "bot": True,
    }  # fmt: skip
    problem(await robot.patch("/v1/players/me", {"name": "Human", "bot": False}), 400, "malformed")
    assert (await robot.delete("/v1/players/me")).status_code == 204
    assert flags((await ann.look(game))["seats"]) == [False, True]


async def test_lists_leave_programs_out_on_request(house: Service) -> None:
    robot, ann, bob = await program(house), *await house.guests("Ann", "Bob")
    options = {"target_points": 1}
    with_robot = await house.table("skyjo", [robot, ann], options=options)
    with_house = await ann.open("skyjo", ["me", "careful/1"])  # type: ignore[arg-type]
    people = await house.table("skyjo", [bob, ann], options=options)

    async def listed(**query: Any) -> list[str]:
        return [each["id"] for each in done(await ann.get("/v1/games", **query))["items"]]

    every = [path.rpartition("/")[2] for path in (people, with_house, with_robot)]
    assert await listed() == await listed(bots="true") == every
    assert await listed(bots="false") == await listed(bots="false", ruleset="skyjo", status="running") == every[:1]
    assert await listed(bots="false", acting="me") in ([], every[:1])
    for each in ("/v1/games?bots=no", "/v1/standings/skyjo?bots=2"):
        problem(await ann.get(each), 400, "malformed")

    for game, players in ((with_robot, [robot, ann]), (people, [bob, ann])):
        await play_to_the_end(players, game)
    of_people = done(await ann.get("/v1/standings/skyjo", bots="false"))["items"]
    assert {each["player"]["id"] for each in of_people} == {ann.id, bob.id}
    assert of_people[0]["rank"] == 1
    pages = await ann.every("/v1/standings/skyjo", bots="false", limit=1)
    assert [each["rank"] for each in pages] == [each["rank"] for each in of_people]
    assert len(await ann.every("/v1/standings/skyjo", limit=1)) == 3


async def test_a_site_says_it_with_a_claim(house: Service) -> None:
    def user(**claims: Any) -> Caller:
        return Caller(house.http, jwt.encode({"sub": "u-1", "exp": 2**33, **claims}, SECRET, "HS256"))

    person, robot = user(), user(bot=True)
    found = [done(await each.get("/v1/players/me")) for each in (person, robot, user(sub="bot:u-1"))]
    assert [(each["id"], each.get("bot", False)) for each in found] == [
        ("site:u-1", False), ("site:bot:u-1", True), ("site:bot:u-1", True),
    ]  # fmt: skip
    for wrong in ({"bot": 1}, {"bot": "true"}, {"bot": None}, {"bot": True, "sub": "x" * 125}):
        problem(await user(**wrong).get("/v1/players/me"), 401, "unauthenticated")


async def test_the_lobby_live_leaves_games_with_bots_out_on_request(tmp_path: Path) -> None:
    async with over_http(tmp_path / "games.db") as house:
        ann = await house.guest("Ann")
        async with channel(ann) as open_channel:
            await open_channel.did("follow_lobby", bots=False)
            await ann.open("skyjo", ["me", "careful/1"])  # type: ignore[arg-type]
            people = await ann.open("skyjo")
            news = await open_channel.next("lobby")
            assert people.endswith(news["item"]["id"])


def test_the_id_alone_tells_a_program() -> None:
    uuid = "00000000-0000-4000-8000-000000000000"
    assert [is_bot(each) for each in (f"bot:{uuid}", "site:bot:x", uuid, "site:x", "site:x:bot:y", "robot:x")] == [
        True, True, False, False, False, False,
    ]  # fmt: skip
    assert is_guest(f"bot:{uuid}") and is_guest(uuid) and not is_guest("bot:x") and not is_guest(f"site:{uuid}")
