"""Games with bots and reserved seats, and players who leave a running game and come back."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.fairness import record
from domain.fairness.verification import flawless, verify
from domain.game import Rules
from domain.rulesets import RULESETS
from tests.support.clients import Caller, Json, Service, done, in_process, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

GAMES = "/v1/games"


async def play(players: list[Caller], game: str, seed: int = 1, most: int = 3000) -> Json:
    """Play at random until the game is over or nobody of them is to act."""
    dice = Random(seed)
    for _ in range(most):
        moved = False
        for who in players:
            seen = await who.look(game)
            if seen["legal_moves"]:
                await who.move(game, dice.choice(seen["legal_moves"]))
                moved = True
        if not moved:
            break
    return await players[0].look(game)


async def leave(who: Caller, game: str, seat: int, **rest: Any) -> Any:
    return await who.delete(f"{game}/seats/{seat}", running="true", **rest)


async def against_bots(who: Caller, ruleset: str, bots: int = 2, **terms: Any) -> str:
    """A game of this player on the last seat, which begins when it is opened."""
    seats = [*["careful/1"] * bots, "me"]
    answer = done(await who.post(f"{GAMES}/{ruleset}", {"seats": seats, **terms}), 201)
    return str(answer["links"]["self"])


def kinds(events: list[Json]) -> list[str]:
    return [entry["event"]["type"] for entry in events]


# --- bots ---------------------------------------------------------------------------------------------------------


async def test_a_ruleset_lists_its_bots_with_labels(service: Service, rules: Rules) -> None:
    shown = done(await service.stranger.get(f"/v1/rulesets/{rules.name}"))
    assert shown["bots"] == list(rules.house)
    for labels in shown["labels"].values():
        assert all(labels["bots"][bot]["about"] and labels["bots"][bot]["title"] for bot in shown["bots"])


async def test_a_game_against_bots_begins_at_once_ends_and_verifies(ann: Caller, ruleset: str) -> None:
    game = await against_bots(ann, ruleset, entropy="mine")
    begun = await ann.look(game)
    assert (begun["status"], begun["you"], begun["to_act"]) == ("running", 2, [2])
    assert [seat.get("bot") for seat in begun["seats"]] == ["careful/1", "careful/1", None]
    assert [seat["player"] and seat["player"]["id"] for seat in begun["seats"]] == [None, None, ann.id]
    over = await play([ann], game)
    assert over["status"] == "finished"
    checks = {each["name"]: each["ok"] for each in done(await ann.get(f"{game}/audit"))["checks"]}
    assert checks["bots"] is True and all(checks.values())
    text = (await ann.get(f"{game}/record")).content
    assert {each.name: each.ok for each in verify(record.decode(text))}["bots"] is True
    assert flawless(verify(record.decode(text)))


async def test_the_opener_can_see_the_commitment_before_sitting_down(ann: Caller, bob: Caller, ruleset: str) -> None:
    """Nobody else can take the seat meanwhile."""
    game = await against_bots(ann, ruleset, sit=False)
    waiting = await ann.look(game)
    assert (waiting["status"], waiting["you"]) == ("waiting", None)
    assert waiting["seats"][2]["reserved"] == {"id": ann.id, "name": "Ann"}
    problem(await bob.post(f"{game}/seats", {}), 409, "reserved")
    problem(await bob.post(f"{game}/seats", {"seat": 2}), 409, "reserved")
    problem(await bob.post(f"{game}/seats", {"seat": 0}), 409, "seat-taken")
    begun = await ann.sit(game, entropy="after the commitment")
    assert (begun["status"], begun["you"], begun["seats"][2]["entropy"]) == ("running", 2, "after the commitment")
    assert "reserved" not in begun["seats"][2]


async def test_a_bot_moves_in_the_append_of_the_move_before_it(ann: Caller, ruleset: str) -> None:
    game = await against_bots(ann, ruleset)
    for _ in range(10):
        seen = await ann.look(game)
        if seen["status"] != "running":
            break
        moved = await ann.move(game, seen["legal_moves"][0])
        assert moved["events"][-1]["more"] == 0
        assert set(moved["game"]["to_act"]) <= {2}
        assert all("move" not in entry or entry["by"] == 2 for entry in moved["events"])
    assert {entry["by"] for entry in await ann.events(game)} >= {0, 1, 2}


async def test_bots_of_a_game_that_is_no_longer_in_memory_choose_the_same(database: Path) -> None:
    """Their views are folded from the log. The check `bots` compares the choices."""
    async with in_process(database) as before:
        ann = await before.guest("Ann")
        games = [await against_bots(ann, ruleset) for ruleset in RULESETS]
        for game in games:
            await play([ann], game, most=25)
    async with in_process(database) as after:
        ann = ann.at(after)
        for game in games:
            if (await play([ann], game))["status"] == "finished":
                checks = {each["name"]: each["ok"] for each in done(await ann.get(f"{game}/audit"))["checks"]}
                assert checks["bots"] is True and all(checks.values())


# --- opening: bad input -------------------------------------------------------------------------------------------


CEM = {"player": "site:x"}


@pytest.mark.parametrize(
    "seats",
    [
        [], ["me"], ["careful/1"], ["careful/1", "random/1", "careful/1"], ["me", "me", "open"],
        *(
            ["me", wrong, "open"]
            for wrong in (
                "careful/0", "careful", "Open", "", None, 3, {}, {"player": ""}, {"player": "a b"}, ["open"],
                {"player": "x" * 200}, {"player": None}, {"bot": "careful/1"}, CEM | {"bot": "careful/1"},
                {"player": "00000000-0000-4000-8000-000000000000"},
            )
        ),
        ["me", CEM, CEM], ["me"] + ["open"] * 8, ["open"] * 1000, {"0": "me"}, "me", 2.5, True, None,
    ],
    ids=lambda seats: str(seats)[:60],
)  # fmt: skip
async def test_seats_that_make_no_game_are_refused(ann: Caller, seats: Any) -> None:
    refused = problem(await ann.post(f"{GAMES}/skyjo", {"seats": seats}), 400, "malformed")
    assert refused["errors"][0]["path"].startswith("$")
    assert refused["errors"][0]["message"]


async def test_nothing_is_opened_without_bots_and_places_that_there_are(ann: Caller) -> None:
    problem(await ann.post(f"{GAMES}/skyjo", {"seats": ["open"] * 10_000}), 413, "too-large")
    problem(await ann.post(f"{GAMES}/skyjo", {"seats": ["me", {"player": ann.id}, "open"]}), 400, "malformed")
    for absent in ("careful", "careful/0", "", "me", None, 1, ["abort"], {"bot": "careful/1"}):
        refused = problem(await ann.post(f"{GAMES}/skyjo", {"seats": 2, "absent": absent}), 400, "malformed")
        assert refused["errors"][0]["path"] == "$.absent"
    assert await ann.every(GAMES, player=ann.id) == []
    game = done(await ann.post(f"{GAMES}/skyjo", {"seats": ["open", {"player": ann.id}]}), 201)
    assert (game["you"], game["seats"][1]["reserved"]["id"], game["absent"]) == (None, ann.id, "careful/1")


async def test_nobody_leaves_a_hotseat_game_and_it_has_no_bots(ann: Caller, ruleset: str) -> None:
    path = f"{GAMES}/{ruleset}"
    three = {"seats": 3, "hotseat": True}
    problem(await ann.post(path, {**three, "absent": "abort"}), 400, "malformed")
    problem(await ann.post(path, {**three, "seats": ["me", "careful/1", "open"]}), 400, "malformed")
    game = done(await ann.post(path, three), 201)
    assert "absent" not in game
    problem(await leave(ann, game["links"]["self"], 0), 409, "not-waiting")


# --- reserved seats -----------------------------------------------------------------------------------------------


async def invitations(who: Caller, **query: Any) -> list[str]:
    return [f"{GAMES}/{listed['ruleset']}/{listed['id']}" for listed in await who.every(GAMES, invited="me", **query)]


async def test_a_reserved_seat_is_listed_for_its_player_who_takes_it(ann: Caller, bob: Caller, eve: Caller) -> None:
    for private in (False, True):
        seats = ["me", {"player": bob.id}, "careful/1"]
        game = done(await ann.post(f"{GAMES}/skyjo", {"seats": seats, "private": private}), 201)["links"]["self"]
        assert await invitations(bob) == [game]
        assert await invitations(ann) == await invitations(eve) == []
        listed = (await bob.every(GAMES, invited="me", ruleset="skyjo", player=ann.id))[0]
        assert listed["seats"][1] == {"seat": 1, "player": None, "reserved": {"id": bob.id, "name": "Bob"}}
        assert (listed["seats"][2]["bot"], listed["open"]) == ("careful/1", 0)
        assert await invitations(bob, ruleset="scout") == await invitations(bob, open="true") == []
        assert (await bob.look(game))["seats"][1]["reserved"]["name"] == "Bob"
        assert (await eve.get(game)).status_code == (404 if private else 200)
        assert (await bob.sit(game))["status"] == "running"
        assert await invitations(bob) == []


async def test_a_reserved_seat_does_not_count_as_an_open_game(database: Path) -> None:
    async with in_process(database, max_open_games=1) as service:
        ann, bob, cem = await service.guests("Ann", "Bob", "Cem")
        for opener in (ann, cem):
            seats = {"seats": ["me", {"player": bob.id}]}
            done(await opener.post(f"{GAMES}/skyjo", seats), 201)
        first, second = await invitations(bob)
        await bob.sit(first)
        problem(await bob.post(f"{second}/seats", {}), 409, "too-many-games")


async def test_invitations_are_for_callers_with_a_token_and_not_for_streams(ann: Caller, stranger: Caller) -> None:
    problem(await ann.get(GAMES, invited="me", acting="me"), 400, "malformed")
    for name in ("invited", "acting"):
        problem(await stranger.get(GAMES, **{name: "me"}), 401, "unauthenticated")
        refused = await ann.get(GAMES, headers={"Accept": "text/event-stream"}, **{name: "me"})
        assert problem(refused, 400, "malformed")["errors"][0]["path"] == f"?{name}"


# --- leaving and coming back --------------------------------------------------------------------------------------


async def test_who_moved_first_is_recorded_although_a_bot_moved_too(ann: Caller, bob: Caller) -> None:
    """The player who never moved comes back and leaves again: the moves of the bot are not theirs."""
    game = await ann.open("skyjo", absent="random/1")
    await bob.sit(game)
    for _ in range(2):
        done(await leave(ann, game, 0))
        await bob.move(game, (await bob.look(game))["legal_moves"][0])
        await ann.sit(game)
    seen = await ann.look(game)
    while not seen["legal_moves"]:
        await bob.move(game, (await bob.look(game))["legal_moves"][0])
        seen = await ann.look(game)
    await ann.move(game, seen["legal_moves"][0])
    done(await leave(ann, game, 0))
    events = await bob.events(game)
    assert [each["event"]["moved"] for each in events if each["event"]["type"] == "gone"] == [False, False, True]
    assert all(each["ok"] for each in done(await bob.get(f"{game}/audit"))["checks"])


async def test_concurrent_departures_and_moves_leave_a_game_that_verifies(players: list[Caller], game: str) -> None:
    dice = Random(2)
    for _ in range(12):
        deeds = []
        for seat, who in enumerate(players):
            seen = await who.look(game)
            if seen["status"] != "running":
                break
            if seen["seats"][seat].get("gone"):
                deeds.append(who.post(f"{game}/seats", {}))
            elif dice.random() < 0.2:
                deeds.append(leave(who, game, seat))
            elif seen["legal_moves"]:
                deeds.append(who.post(f"{game}/moves", dice.choice(seen["legal_moves"])))
        for answer in await asyncio.gather(*deeds):
            assert answer.status_code in (200, 403, 409)
    assert all(each["ok"] is not False for each in done(await players[0].get(f"{game}/audit"))["checks"])
