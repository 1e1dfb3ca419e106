"""Two versions of a ruleset over REST: a game is played to its end by the rules it names, a new one by the newest."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain.rulesets import RULESETS, VERSIONS
from openapi import build
from service.cli.export import export_games
from service.cli.import_ import import_games
from service.settings import read
from tests.domain.two_versions import FIRST, SECOND
from tests.support.clients import Caller, Service, done, in_process, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PATH = f"/v1/games/{FIRST.name}"


class Registry:
    """Which versions are registered."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch

    def holds(self, *versions: Any) -> None:
        """The last one is the newest."""
        self.patch.setitem(RULESETS, FIRST.name, versions[-1])
        for rules in versions:
            self.patch.setitem(VERSIONS, rules.rules, rules)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    return Registry(monkeypatch)


SECRET = "s" * 32


async def begun(service: Service, seats: int = 2) -> tuple[list[Caller], str]:
    players = await service.guests("Ann", "Bob", "Cem")
    return players[:seats], await service.table(FIRST.name, players[:seats])


async def take(players: list[Caller], game: str, pebbles: int) -> Any:
    seen = await players[0].look(game)
    return await players[seen["to_act"][0]].move(game, {"type": "take", "pebbles": pebbles})


async def down_to(players: list[Caller], game: str, left: int) -> None:
    """Pebbles are taken until this many are left."""
    while (pebbles := (await players[0].look(game))["view"]["pebbles"]) > left:
        await take(players, game, min(3, pebbles - left))


async def test_a_running_game_finishes_by_its_version_and_new_ones_open_by_the_newest(
    registry: Registry, database: Path
) -> None:
    registry.holds(FIRST)
    async with in_process(database, secret=SECRET) as service:
        players, old = await begun(service)
        await down_to(players, old, 4)
        assert (await players[0].look(old))["rules"] == "pebbles/1"
    registry.holds(FIRST, SECOND)
    async with in_process(database, secret=SECRET) as service:
        players = [player.at(service) for player in players]
        new = await service.table(FIRST.name, players)
        assert [(await players[0].look(game))["rules"] for game in (old, new)] == ["pebbles/1", "pebbles/2"]
        assert {each["id"]: each["rules"] for each in await players[0].every("/v1/games")} == {
            old.rpartition("/")[2]: "pebbles/1", new.rpartition("/")[2]: "pebbles/2",
        }  # fmt: skip
        for game, least in ((old, 1), (new, 2)):
            await down_to(players, game, 1)
            seat = (await players[0].look(game))["to_act"][0]
            assert len(await players[seat].moves(game)) == least
            if game == old:
                refused = problem(await players[seat].post(f"{game}/moves", {"type": "pass"}), 409, "illegal-move")
                assert refused["legal_moves"] == [{"type": "take", "pebbles": 1}]
            await take(players, game, 1)
            over = await players[0].look(game)
            winner = seat if game == old else 1 - seat
            assert (over["status"], over["result"]["winners"]) == ("finished", [winner])
            assert ("passed" in over["view"]) == (game == new)
            assert done(await players[0].get(f"{game}/audit"))["ok"] is True
            assert done(await players[0].get(f"{game}/record"))["rules"] == over["rules"]


async def test_repeated_requests_to_an_old_game_get_the_same_response(registry: Registry, database: Path) -> None:
    """Byte for byte: its views, its events, its record; and a request that is sent again."""
    registry.holds(FIRST)
    paths = ("", "?at=6", "/events", "/record", "/audit")
    async with in_process(database, secret=SECRET) as service:
        players, game = await begun(service, seats=3)
        await play_to_the_end(players, game)
        before = [(await players[0].get(game + path)).content for path in paths]
    registry.holds(FIRST, SECOND)
    async with in_process(database, secret=SECRET) as service:
        ann = players[0].at(service)
        assert [(await ann.get(game + path)).content for path in paths] == before


async def test_a_branch_of_an_old_game_is_played_by_its_version(registry: Registry, database: Path) -> None:
    registry.holds(FIRST)
    async with in_process(database, secret=SECRET) as service:
        players, game = await begun(service)
        await play_to_the_end(players, game)
    registry.holds(FIRST, SECOND)
    async with in_process(database, secret=SECRET) as service:
        ann = players[0].at(service)
        branch = done(await ann.post(f"{game}/branches", {"at": 5}), 201)
        assert branch["rules"] == "pebbles/1"
        problem(await ann.post(f"{branch['links']['self']}/moves", {"type": "pass"}), 409, "illegal-move")


async def test_old_games_are_exported_and_imported(registry: Registry, database: Path, tmp_path: Path) -> None:
    registry.holds(FIRST)
    async with in_process(database) as service:
        players, old = await begun(service)
        await play_to_the_end(players, old)
    registry.holds(FIRST, SECOND)
    async with in_process(database) as service:
        players, new = await begun(service)
        await play_to_the_end(players, new)
    archive = str(tmp_path / "games.gz")
    assert (await export_games(read({}, database=str(database)), [], archive)).games == 2
    elsewhere = tmp_path / "elsewhere.db"
    assert (await import_games(read({}, database=str(elsewhere)), [archive])).games == 2
    async with in_process(elsewhere) as service:
        for game, rules in ((old, "pebbles/1"), (new, "pebbles/2")):
            assert (await service.stranger.look(game))["rules"] == rules


@pytest.mark.by_default()
async def test_the_contract_describes_the_newest_version_and_is_true_of_old_games(
    registry: Registry, database: Path
) -> None:
    registry.holds(FIRST)
    async with in_process(database, secret=SECRET) as service:
        players, old = await begun(service)
        await down_to(players, old, 4)
    registry.holds(FIRST, SECOND)
    document = json.loads(build.written(build.built()))
    components = document["components"]["schemas"]
    assert set(components["PebblesMove"]["discriminator"]["mapping"]) == {"take", "pass"}
    assert {"PebblesPouredEvent", "PebblesPassedEvent"} <= components.keys()
    assert list(document["paths"]).count(PATH + "/{game_id}/moves") == 1

    def holds(name: str, body: Any) -> None:
        Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": document["components"]}).validate(
            body
        )

    async with in_process(database, secret=SECRET) as service:
        players = [player.at(service) for player in players]
        new = await service.table(FIRST.name, players)
        dice = Random(1)
        for game in (old, new):
            while (seen := await players[0].look(game))["to_act"]:
                seat = seen["to_act"][0]
                holds("PebblesGame", await players[seat].look(game))
                holds("PebblesMoved", await players[seat].move(game, dice.choice(await players[seat].moves(game))))
            holds("PebblesGame", seen)
            holds("PebblesGameRecord", done(await players[0].get(f"{game}/record")))


async def test_the_ruleset_is_described_as_new_games_are_played(registry: Registry, database: Path) -> None:
    registry.holds(FIRST, SECOND)
    async with in_process(database) as service:
        described = done(await service.stranger.get(f"/v1/rulesets/{FIRST.name}"))
        assert described["rules"] == "pebbles/2"
        assert [each["rules"] for each in done(await service.stranger.get("/v1/rulesets"))["items"]].count(
            "pebbles/2"
        ) == 1


def test_nothing_of_this_is_registered() -> None:
    assert FIRST.name not in RULESETS
