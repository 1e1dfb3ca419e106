"""Undo, votes and rematches over HTTP."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from domain.fairness import record
from domain.fairness.verification import verify
from service.cli.import_ import import_games
from service.settings import read
from tests.kit.json_patch import applied
from tests.support.clients import Caller, Json, any_of, done, in_process, play_to_the_end, problem
from tests.support.long_rounds import long_round

pytestmark = pytest.mark.anyio


async def table(players: list[Caller], ruleset: str = "scout", **terms: object) -> str:
    game = await players[0].open(ruleset, len(players), **terms)
    for player in players[1:]:
        await player.sit(game)
    return game


async def vote(who: Caller, game: str, on: str, *, yes: bool = True) -> Json:
    return dict(done(await who.post(f"{game}/votes", {"on": on, "yes": yes})))


async def checks(who: Caller, game: str) -> None:
    found = {each["name"]: each["ok"] for each in done(await who.get(f"{game}/audit"))["checks"]}
    assert False not in found.values(), found


async def oriented(players: list[Caller], game: str) -> tuple[Json, Json]:
    """The game before and after the first player has kept the hand, which tells nobody anything."""
    before = await players[0].look(game)
    return before, await players[0].move(game, {"type": "keep"})


# --- undo ---------------------------------------------------------------------------------------------------------


async def test_a_move_is_taken_back(ann: Caller, bob: Caller, eve: Caller) -> None:
    players = [ann, bob, eve]
    game = await table(players)
    before, moved = await oriented(players, game)
    assert (before["undo_mode"], before["undo"]) == ("free", None)
    version = moved["version"]
    assert moved["game"]["undo"] == version
    assert [(await other.look(game))["undo"] for other in (bob, eve)] == [None, None]
    after = done(await ann.delete(f"{game}/moves/{version}", headers={"Idempotency-Key": "oops"}))
    assert (after["version"], after["undo"]) == (version + 1, None)
    for field in ("view", "legal_moves", "to_act"):
        assert after[field] == before[field]
    again = await ann.delete(f"{game}/moves/{version}", headers={"Idempotency-Key": "oops"})
    assert again.headers["idempotency-replayed"] == "true"
    (event,) = await bob.events(game, after=version)
    assert event["event"] == {"type": "taken_back", "seat": 0, "to": before["version"], "agreed": False}
    await ann.move(game, {"type": "turn"})
    await checks(ann, game)


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


async def test_the_key_of_a_move_that_was_taken_back_answers_as_before(ann: Caller, bob: Caller, eve: Caller) -> None:
    game, key = await table([ann, bob, eve]), {"Idempotency-Key": "hasty"}
    moved = await ann.move(game, {"type": "keep"}, headers=key)
    done(await ann.delete(f"{game}/moves/{moved['version']}"))
    again = await ann.post(f"{game}/moves", {"type": "keep"}, headers=key)
    assert again.headers["idempotency-replayed"] == "true"
    assert [again.json()[name] for name in ("version", "head", "events")] == [
        moved[name] for name in ("version", "head", "events")
    ]
    assert 0 in (await ann.look(game))["to_act"], "it was not made again"


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


async def test_what_cannot_be_taken_back(ann: Caller, bob: Caller, eve: Caller, stranger: Caller) -> None:
    game = await table([ann, bob, eve])
    before, moved = await oriented([ann, bob, eve], game)
    version = moved["version"]
    for wrong in (version - 1, version + 1, 1, before["version"]):
        refused = problem(await ann.delete(f"{game}/moves/{wrong}"), 409, "not-undoable")
        assert refused["undo"] == version
        assert "detail" not in refused, "a reason could betray a card"
    for unknown in ("0", "-1", "+1", "x", "1e3", "007", "9" * 40):
        problem(await ann.delete(f"{game}/moves/{unknown}"), 404, "not-found")
    assert problem(await bob.delete(f"{game}/moves/{version}"), 409, "not-undoable")["undo"] is None
    problem(await stranger.delete(f"{game}/moves/{version}"), 401, "unauthenticated")
    assert (await ann.look(game))["version"] == version, "nothing has changed"
    turned = await bob.move(game, {"type": "turn"})
    assert problem(await ann.delete(f"{game}/moves/{version}"), 409, "not-undoable")["undo"] is None
    done(await bob.delete(f"{game}/moves/{turned['version']}"))
    problem(await bob.delete(f"{game}/moves/{turned['version']}"), 409, "not-undoable")
    assert (await ann.look(game))["undo"] == version, "the move after it does not stand"
    done(await ann.delete(f"{game}/moves/{version}"))


async def test_terms_without_undo(ann: Caller, bob: Caller, eve: Caller) -> None:
    game = await table([ann, bob, eve], undo="none")
    _, moved = await oriented([ann, bob, eve], game)
    assert "undo" not in moved["game"]
    assert "undo_mode" not in moved["game"]
    problem(await ann.delete(f"{game}/moves/{moved['version']}"), 409, "not-undoable")
    problem(await ann.post(f"{game}/votes", {"on": "undo", "yes": True}), 409, "not-undoable")
    for wrong in ("yes", None, True, 1, ""):
        problem(await ann.post("/v1/games/scout", {"seats": 3, "undo": wrong}), 400, "malformed")


async def test_before_and_after_a_game_nothing_is_taken_back(ann: Caller, bob: Caller) -> None:
    game = await ann.open("skyjo", 2)
    problem(await ann.delete(f"{game}/moves/1"), 409, "not-running")
    problem(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}), 409, "not-running")
    await bob.sit(game)
    over = await play_to_the_end([ann, bob], game)
    assert over["undo"] is None
    problem(await ann.delete(f"{game}/moves/{over['version']}"), 409, "not-running")


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


async def test_players_agree_to_take_back_a_move(ann: Caller, bob: Caller, eve: Caller) -> None:
    players = [ann, bob, eve]
    game = await table(players, "skyjo", undo="agreed")
    before = await ann.look(game)
    seat = before["to_act"][0]
    mover, others = players[seat], [player for player in players if player is not players[seat]]
    moved = await mover.move(game, before["legal_moves"][0] if seat == 0 else (await mover.moves(game))[0])
    asked = done(await mover.delete(f"{game}/moves/{moved['version']}"))
    question = {"on": "undo", "seat": seat, "yes": [seat], "to": before["version"]}
    assert asked["vote"] == question == (await others[0].look(game))["vote"]
    problem(await mover.delete(f"{game}/moves/{moved['version']}"), 409, "cannot-vote")
    problem(await others[0].post(f"{game}/votes", {"on": "abort", "yes": True}), 409, "cannot-vote")
    assert (await vote(others[0], game, "undo"))["view"] != before["view"]
    after = await vote(others[1], game, "undo")
    assert "vote" not in after
    assert after["view"] == (await others[1].look(game, at=before["version"]))["view"]
    await checks(ann, game)


async def test_players_agree_to_abort(ann: Caller, bob: Caller, eve: Caller) -> None:
    game = await table([ann, bob, eve])
    problem(await ann.post(f"{game}/votes", {"on": "abort", "yes": False}), 409, "cannot-vote")
    await vote(ann, game, "abort")
    assert "vote" not in await vote(bob, game, "abort", yes=False)
    for player in (bob, ann):
        assert (await vote(player, game, "abort"))["status"] == "running"
    problem(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}), 409, "cannot-vote")
    over = await vote(eve, game, "abort")
    assert (over["status"], over["cause"], over["to_act"]) == ("aborted", "agreed", [])
    found = record.decode((await ann.get(f"{game}/record")).content)
    assert not [check for check in verify(found) if not check.ok]


async def test_a_player_of_bots_decides_alone(ann: Caller) -> None:
    game = await ann.open("skyjo", ["me", "random/1", "random/1"], undo="agreed")
    before = await ann.look(game)
    moved = await ann.move(game, before["legal_moves"][0])
    moved = await ann.move(game, (await ann.moves(game))[0]) if moved["game"]["undo"] is not None else moved
    after = await vote(ann, game, "undo")
    assert after["version"] == moved["version"] + 2
    assert (await vote(ann, game, "abort"))["cause"] == "agreed"


async def test_votes_that_are_not_valid(ann: Caller, bob: Caller, eve: Caller) -> None:
    game = await table([ann, bob, eve])
    wrong: list[object] = [{"on": "abort"}, {"on": "talk", "yes": True}, {"on": "abort", "yes": 1}, {}, [], "abort"]
    for body in (*wrong, {"on": "undo", "yes": None}, {"on": "undo", "yes": True, "to": 3}):
        problem(await ann.post(f"{game}/votes", body), 400, "malformed")
    other = await table([ann, bob], "skyjo")
    problem(await eve.post(f"{other}/votes", {"on": "abort", "yes": True}), 403, "not-seated")


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
