"""Undo, votes and rematches over HTTP."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from service.cli.import_ import import_games
from service.settings import read
from tests.kit.json_patch import applied
from tests.support.clients import Caller, Json, any_of, done, in_process, play_to_the_end, problem
from tests.support.long_rounds import long_round

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def table(players: list[Caller], ruleset: str = "scout", **terms: object) -> str:
    game = await players[0].open(ruleset, len(players), **terms)
    for player in players[1:]:
        await player.sit(game)
    return game


async def checks(who: Caller, game: str) -> None:
    found = {each["name"]: each["ok"] for each in done(await who.get(f"{game}/audit"))["checks"]}
    assert False not in found.values(), found


async def oriented(players: list[Caller], game: str) -> tuple[Json, Json]:
    """The game before and after the first player has kept the hand, which reveals nothing."""
    before = await players[0].look(game)
    return before, await players[0].move(game, {"type": "keep"})


# --- undo ---------------------------------------------------------------------------------------------------------


async def test_a_game_with_a_long_round_is_served_after_a_restart(tmp_path: Path) -> None:
    """`tests/domain/test_undo.py` plays far longer ones."""
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        game = await ann.open("skyjo", 2, hotseat=True)
        await long_round(ann, game, 1_200)
    async with in_process(tmp_path / "games.db") as service:
        ann = ann.at(service)
        made = await long_round(ann, game, 1_203)
        if made["game"]["legal_moves"][0]["type"] != "draw":
            await ann.move(game, made["game"]["legal_moves"][0])
        taken = await ann.move(game, {"type": "take"})
        done(await ann.delete(f"{game}/moves/{taken['version']}"))
        assert (await ann.look(game))["legal_moves"]
        await checks(ann, game)
        assert (await ann.delete("/v1/players/me")).status_code == 204


async def test_views_patches_and_past_versions_go_back(players: list[Caller], ruleset: str) -> None:
    """In random games: every patch leads to the view of its version, whoever reads."""
    game, dice, taken = await table(players, ruleset), Random(5), 0
    for _ in range(40):
        seen = await players[0].look(game)
        if seen["status"] != "running":
            break
        seat = seen["to_act"][0]
        moved = await players[seat].move(game, any_of((await players[seat].look(game))["legal_moves"], dice))
        if moved["game"]["undo"] is not None and dice.random() < 0.7:
            assert moved["game"]["undo"] == moved["version"]
            done(await players[seat].delete(f"{game}/moves/{moved['version']}"))
            taken += 1
    assert taken or ruleset == "scopinion"
    for reader in (players[0], players[-1]):
        view = None
        for item in await reader.events(game, **{"with": "patch"}, limit=500):
            view = applied(view, item["patch"])
            if item["event"]["type"] == "taken_back" or item["version"] % 7 == 0:
                assert view == (await reader.look(game, at=item["version"]))["view"]
        assert view == (await reader.look(game))["view"]
    await checks(players[0], game)


async def test_a_branch_repeats_what_stood(ann: Caller, bob: Caller, eve: Caller) -> None:
    """Also one from a version at which a move stood that was taken back later."""
    players, dice = [ann, bob, eve], Random(2)
    game = await table(players, undo="agreed")
    while (seen := await ann.look(game))["status"] == "running":
        seat = dice.choice(seen["to_act"])
        moved = await players[seat].move(game, any_of(await players[seat].moves(game), dice))
        if moved["game"]["status"] == "running" and dice.random() < 0.3:
            for who in (players[seat], *players):
                if who is players[seat] or (await who.look(game)).get("vote"):
                    await who.post(f"{game}/votes", {"on": "undo", "yes": True})
    backs = [each for each in await ann.events(game, limit=500) if each["event"]["type"] == "taken_back"]
    assert len(backs) > 1
    for back in (backs[0], backs[-1]):
        for at in (back["event"]["to"], back["version"] - 1, back["version"]):
            branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)
            then = await ann.look(game, at=branch["parent"]["at"], as_="all")
            path = branch["links"]["self"]
            assert (await ann.look(path, as_="all"))["view"] == then["view"]
            assert branch["to_act"] == then["to_act"]
            tags = [each["event"]["type"] for each in await ann.events(path, limit=500)]
            assert "taken_back" not in tags
    await play_to_the_end([ann] * 3, path)
    await checks(ann, path)


async def test_a_restarted_service_knows_what_can_be_taken_back(database: Path) -> None:
    async with in_process(database) as before:
        players = await before.guests("Ann", "Bob", "Cem")
        game = await table(players)
        for _ in range(40):
            _, moved = await oriented(players, game)
            if len((await players[0].look(game))["to_act"]) and moved["version"] > 50:
                break
            done(await players[0].delete(f"{game}/moves/{moved['version']}"))
            if moved["version"] > 40:
                _, moved = await oriented(players, game)
                break
        states = [await who.look(game) for who in players]
        assert states[0]["undo"] == moved["version"]
    async with in_process(database) as after:
        assert [await who.at(after).look(game) for who in players] == states
        done(await players[0].at(after).delete(f"{game}/moves/{moved['version']}"))


# --- votes --------------------------------------------------------------------------------------------------------


# --- rematch ------------------------------------------------------------------------------------------------------


async def test_a_game_is_repeated(players: list[Caller], eve: Caller, ruleset: str) -> None:
    game = await table(players, ruleset, undo="agreed")
    problem(await players[0].post(f"{game}/rematch", {}), 409, "no-rematch")
    problem(await players[0].get(f"{game}/rematch"), 404, "not-found")
    over = await play_to_the_end(players, game)
    answer = await players[1].post(f"{game}/rematch", {"entropy": "once more"}, headers={"Idempotency-Key": "k"})
    assert answer.status_code == 201
    again = answer.json()
    path = answer.headers["location"]
    assert again["rematch_of"] == over["id"]
    rotated = [*range(1, len(players)), 0]
    assert again["you"] == rotated.index(1)
    for seat, before in enumerate(rotated):
        named = again["seats"][seat]
        assert (named["player"] if before == 1 else named["reserved"])["id"] == players[before].id
    for same in ("options", "undo_mode", "absent", "private", "rules"):
        assert again[same] == over[same]
    assert again["commitment"] != over["commitment"]
    repeated = await players[1].post(f"{game}/rematch", {"entropy": "once more"}, headers={"Idempotency-Key": "k"})
    assert (repeated.status_code, repeated.headers["idempotency-replayed"]) == (201, "true")
    problem(await eve.post(f"{game}/rematch", {}), 403, "not-seated")
    assert await players[0].look(game) == over, "nothing is added to the old game"
    for player in (players[0], *players[2:]):
        found = await player.post(f"{game}/rematch", {})
        assert (found.status_code, found.headers["location"]) == (200, path)
    assert done(await eve.get(f"{game}/rematch"))["id"] == again["id"]
    begun = await players[0].look(path)
    assert (begun["status"], begun["you"]) == ("running", rotated.index(0))
    assert done(await players[0].post(f"{game}/rematch", {}))["id"] == again["id"]
    await play_to_the_end([players[before] for before in rotated], path)
    await checks(eve, path)
    assert (await players[0].post(f"{path}/rematch", {})).status_code == 201


async def test_ten_at_once_get_one_game(ann: Caller, bob: Caller) -> None:
    game = await table([ann, bob], "skyjo")
    await play_to_the_end([ann, bob], game)
    answers = await asyncio.gather(*((ann, bob)[number % 2].post(f"{game}/rematch", {}) for number in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    path = answers[0].headers["location"]
    assert (await ann.look(path))["status"] == "running"


async def test_games_that_are_not_repeated(ann: Caller, bob: Caller) -> None:
    hotseat = await ann.open("skyjo", 2, hotseat=True)
    await play_to_the_end([ann, ann], hotseat)
    cancelled = await ann.open("skyjo", 2)
    await ann.delete(cancelled)
    for game in (hotseat, cancelled):
        problem(await ann.post(f"{game}/rematch", {}), 409, "no-rematch")
    problem(await bob.post(f"{hotseat}/rematch", {}), 403, "not-seated")
    for body in ({"entropy": 1}, {"entropy": "ä"}, {"x": 1}, [], None):
        problem(await ann.post(f"{hotseat}/rematch", body), 400, "malformed")


async def test_an_imported_game_is_not_repeated(tmp_path: Path) -> None:
    """Its players may not know that it is here."""
    async with in_process(tmp_path / "here.db", secret="x" * 32) as here:
        players = await here.guests("Ann", "Bob")
        game = await table(players, "skyjo")
        await play_to_the_end(players, game)
        (tmp_path / "game.json").write_bytes((await players[0].get(f"{game}/record")).content)
    there = tmp_path / "there.db"
    await import_games(read({}, database=str(there)), [str(tmp_path / "game.json")])
    async with in_process(there, secret="x" * 32) as other:
        refused = problem(await players[0].at(other).post(f"{game}/rematch", {}), 409, "no-rematch")
        assert "imported" in refused["detail"]


async def test_the_rematch_of_a_private_game_and_of_bots(ann: Caller, bob: Caller, eve: Caller) -> None:
    game = await ann.open("skyjo", ["me", {"player": bob.id}, "random/1"], private=True)
    await bob.sit(game)
    await play_to_the_end([ann, bob], game)
    again = (await bob.post(f"{game}/rematch", {})).json()
    assert again["private"]
    assert [seat.get("bot") for seat in again["seats"]] == [None, "random/1", None]
    problem(await eve.get(f"{game}/rematch"), 404, "not-found")
    assert done(await ann.get(f"{game}/rematch"))["id"] == again["id"]
