"""Pairings over REST: opened once, seats kept as invitations, results only after the own table."""

import asyncio
from typing import Any

import pytest

from tests.extensions.pairings.tables import BOT, ask, challenge, kept, look, pair, play_out
from tests.support.clients import Caller, Service, done, problem

pytestmark = pytest.mark.anyio


async def test_a_pairing_invites_and_seats_nobody(service: Service) -> None:
    """Consent: a kept seat is an invitation. It counts against nobody's open games."""
    olga, *people = await service.guests("Olga", "Ann", "Bob", "Cem", "Dan")
    made = await pair(olga, tables=[kept(*people[:2]), kept(*people[2:])], name="Monday, round 1")
    assert (made["state"], made["count"], made["deal"]) == ("open", 2, None)
    assert [seat["sitting"] for table in made["tables"] for seat in table["seats"]] == [False] * 4
    assert [table["status"] for table in made["tables"]] == ["waiting"] * 2
    for who in people:
        (invited,) = await who.every("/v1/games", invited="me")
        assert f"/v1/games/scout/{invited['id']}" in [table["game"] for table in made["tables"]]


async def test_the_same_request_opens_nothing_again(service: Service) -> None:
    olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
    body = {"ruleset": "scout", "tables": [kept(ann, bob)]}
    headers = {"Idempotency-Key": "k"}
    first = await olga.post("/v1/pairings", body, headers=headers)
    again = await olga.post("/v1/pairings", body, headers=headers)
    assert done(first, 201) == done(again, 201)
    assert ("Idempotency-Replayed" in first.headers, again.headers["Idempotency-Replayed"]) == (False, "true")
    other = await olga.post("/v1/pairings", {**body, "name": "another"}, headers=headers)
    problem(other, 422, "idempotency-key-reused")
    problem(await olga.post("/v1/pairings", body), 400, "malformed")
    (found,) = done(await olga.get("/v1/pairings", key="k"))["items"]
    assert found["id"] == done(first, 201)["id"]
    assert done(await ann.get("/v1/pairings", key="k"))["items"] == []


async def test_two_requests_at_once_open_each_table_once(service: Service) -> None:
    olga, *people = await service.guests("Olga", *[f"P{number}" for number in range(8)])
    tables = [kept(*people[at : at + 2]) for at in range(0, 8, 2)]
    made = await asyncio.gather(*[pair(olga, tables=tables) for _ in range(4)])
    assert len({each["id"] for each in made}) == 1
    for who in people:
        assert len(await who.every("/v1/games", invited="me")) == 1


async def test_a_pairing_exists_for_its_people_and_holders_of_the_code(service: Service) -> None:
    olga, ann, bob, eve = await service.guests("Olga", "Ann", "Bob", "Eve")
    made = await pair(olga, tables=[kept(ann, bob)])
    for who in (olga, ann, bob):
        assert (await look(who, made))["id"] == made["id"]
    path = f"/v1/pairings/{made['id']}"
    for who in (eve, service.stranger):
        problem(await who.get(path), 404, "not-found")
        problem(await who.get(path, invite="0" * 32), 404, "not-found")
        assert done(await who.get(path, invite=made["code"]))["id"] == made["id"]
    problem(await eve.delete(path), 404, "not-found")
    problem(await ann.delete(path), 403, "forbidden")
    assert [each["id"] for each in done(await ann.get("/v1/pairings"))["items"]] == [made["id"]]


async def test_players_of_a_challenge_see_results_after_their_own_table(service: Service) -> None:
    ann, bob, eve = await service.guests("Ann", "Bob", "Eve")
    made = await challenge(ann)
    code = made["code"]
    game = (await ask(ann, made))["game"]
    assert (await ask(ann, made, 200))["game"] == game
    his = (await ask(bob, made, invite=code))["game"]
    problem(await eve.post(f"/v1/pairings/{made['id']}/tables", invite=code), 404, "not-found")
    finished = await play_out(ann, game)
    seen = await look(ann, made)
    assert (seen["state"], seen["results"], seen["deal"]["secret"]) == ("open", 1, None)
    assert seen["you"] == {"game": game, "status": "finished", "seat": 0}
    assert seen["tables"][0]["points"] == finished["result"]["scores"]
    sealed = await look(bob, made)
    assert sealed["results"] is None
    assert set(sealed["tables"][0]) == {"number", "seats"}
    assert await look(eve, made, invite=code) == sealed | {"you": None, "tables": [sealed["tables"][0], {
        "number": 2, "seats": sealed["tables"][1]["seats"]}]}  # fmt: skip
    await play_out(bob, his, seed=3)
    over = await look(bob, made)
    assert (over["state"], over["results"]) == ("over", 2)
    points = [table["points"][0] for table in over["tables"]]
    shares = [table["compared"][0]["ahead_of"] for table in over["tables"]]
    assert sum(shares) == 1
    assert shares[0] == (1 if points[0] > points[1] else 0 if points[0] < points[1] else 0.5)
    record = done(await eve.get(f"{game}/record", invite=over["tables"][0]["invite"]))
    assert record["secret"] == over["deal"]["secret"]


async def test_the_owner_without_a_seat_sees_who_sits_and_nothing_else(service: Service) -> None:
    olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
    made = await pair(olga, deal="same", tables=[[*kept(ann), BOT], [*kept(bob), BOT]])
    assert [set(table) for table in made["tables"]] == [{"number", "seats"}] * 2
    game = (await look(ann, made))["you"]["game"]
    await ann.sit(game)
    await play_out(ann, game)
    seen = await look(olga, made)
    assert [set(table) for table in seen["tables"]] == [{"number", "seats"}] * 2
    assert [table["seats"][0]["sitting"] for table in seen["tables"]] == [True, False]
    problem(await olga.get(game), 404, "not-found")


async def test_cancelling_ends_no_running_game(service: Service) -> None:
    """Tables that wait are cancelled; the deal is revealed when those that run are over."""
    olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
    made = await pair(olga, deal="same", tables=[[*kept(ann), BOT], [*kept(bob), BOT]])
    game, other = [(await look(who, made))["you"]["game"] for who in (ann, bob)]
    await ann.sit(game)
    cancelled = done(await olga.delete(f"/v1/pairings/{made['id']}"))
    assert (cancelled["state"], cancelled["deal"]["secret"]) == ("cancelled", None)
    assert (await ann.look(game))["status"] == "running"
    assert (await bob.look(other))["status"] == "aborted"
    await play_out(ann, game)
    seen = await look(ann, made)
    assert (seen["state"], seen["deal"]["secret"] is None) == ("cancelled", False)
    assert done(await ann.get(f"{game}/record"))["secret"] == seen["deal"]["secret"]


async def test_an_invitation_of_somebody_who_is_blocked_is_declined(service: Service) -> None:
    olga, ann, bob = await service.guests("Olga", "Ann", "Bob")
    assert (await ann.send("PUT", f"/v1/players/me/blocks/{olga.id}")).status_code == 204
    made = await pair(olga, tables=[kept(ann, bob)])
    assert made["tables"][0]["seats"][0] == {"seat": 0, "player": None, "sitting": False, "declined": True}
    assert await ann.every("/v1/games", invited="me") == []


async def test_invitations_of_one_player_are_bounded(service: Service) -> None:
    """The 21st is refused, and the problem does not say whose it is."""
    olga, ann = await service.guests("Olga", "Ann")
    others = await service.guests("Bob", "Cem", "Dan")
    for number, who in enumerate((olga, *others[:1])):
        await pair(who, f"k{number}", tables=[[*kept(ann), BOT] for _ in range(8)])
    await pair(others[1], tables=[[*kept(ann), BOT] for _ in range(4)])
    body = {"ruleset": "scout", "tables": [[*kept(ann), BOT], [*kept(olga), BOT]]}
    refused = problem(
        await others[2].post("/v1/pairings", body, headers={"Idempotency-Key": "k"}), 409, "too-many-invitations"
    )
    assert ann.id not in str(refused)


async def test_a_player_has_a_bounded_number_of_pairings(service: Service) -> None:
    olga, *people = await service.guests("Olga", "Ann", "Bob")
    for number in range(10):
        await challenge(olga, f"k{number}")
    body = {"ruleset": "scout", "tables": [kept(*people)]}
    problem(await olga.post("/v1/pairings", body, headers={"Idempotency-Key": "k"}), 409, "too-many-pairings")


SAME: dict[str, Any] = {"deal": "same"}
ANN, BOB = {"player": "00000000-0000-4000-8000-000000000001"}, {"player": "00000000-0000-4000-8000-000000000002"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"ruleset": "chess", "tables": [["open", BOT]]}, "$.ruleset"),
    ({}, "$"),
    ({"tables": [["open", BOT]], "seats": ["me", BOT]}, "$"),
    ({"tables": []}, "$.tables"),
    ({"tables": [["open", BOT]] * 101}, "$.tables"),
    ({"tables": [["open", BOT]] * 9}, "$.tables"),
    ({"tables": [["open", BOT], ["open", "open", BOT]]}, "$.tables"),
    ({"tables": [["open", "deep/1"]]}, "$.tables[0][1]"),
    ({"tables": [["me", BOT]]}, "$.tables[0][0]"),
    ({"tables": [[BOT, BOT]]}, "$.tables[0]"),
    ({"tables": [["open"]]}, "$.tables[0]"),
    ({"tables": [[ANN, ANN]]}, "$.tables[0]"),
    ({"tables": [[ANN, BOT]]}, "$.tables[0][0].player"),
    ({"tables": [["open", BOT]], "until": "2026-01-31T18:00:00.000000Z"}, "$.until"),
    ({"tables": [["open", BOT]], "opens_at": "2020-01-31T18:00:00.000000Z"}, "$.opens_at"),
    ({"tables": [["open", BOT]], "opens_at": "9999-99-99T99:99:99.000000Z"}, "$.opens_at"),
    ({"tables": [["open", BOT]], "opens_at": "tomorrow"}, "$.opens_at"),
    ({"tables": [["open", BOT]], "deck": "none"}, "$.deck"),
    ({"tables": [["open", BOT]], "absent": "deep/1"}, "$.absent"),
    ({"tables": [["open", BOT]], "options": {"x": 1}}, "$.options"),
    ({"tables": [["open", BOT]], "clock": {"bank": 1, "increment": 0}}, "$.clock.bank"),
    ({"seats": ["me", BOT]}, "$.most"),
    ({"seats": ["me", BOT], "most": 2}, "$.most"),
    ({**SAME, "seats": ["me", BOT]}, "$.most"),
    ({**SAME, "seats": ["me", BOT], "most": 9}, "$.tables"),
    ({**SAME, "seats": ["me", "me"], "most": 2}, "$.seats"),
    ({**SAME, "seats": ["me", "open"], "most": 2}, "$.seats"),
    ({**SAME, "seats": ["me", *[BOT] * 9], "most": 2}, "$.seats"),
    ({**SAME, "seats": ["me", BOT], "most": 2, "sit_until": "2027-01-31T18:00:00.000000Z"}, "$.sit_until"),
    ({**SAME, "seats": ["me", BOT], "most": 2, "until": "2020-01-31T18:00:00.000000Z"}, "$.until"),
    ({**SAME, "tables": [[ANN, BOT]]}, "$.tables"),
    ({**SAME, "tables": [[ANN, BOT], [ANN, BOT]]}, "$.tables"),
    ({**SAME, "tables": [[ANN, BOT], ["open", BOT]]}, "$.tables[1][0]"),
    ({**SAME, "tables": [[ANN, BOT], [BOT, BOB]]}, "$.tables"),
]  # fmt: skip


@pytest.fixture(scope="module")
async def olga(service: Service) -> Caller:
    return await service.guest("Olga")


@pytest.mark.parametrize(("body", "path"), WRONG, ids=[str(number) for number in range(len(WRONG))])
async def test_bad_input_opens_nothing(olga: Caller, body: dict[str, Any], path: str) -> None:
    sent = {"ruleset": "scout", **body}
    refused = problem(await olga.post("/v1/pairings", sent, headers={"Idempotency-Key": "bad"}), 400, "malformed")
    assert [error["path"] for error in refused["errors"]] == [path], refused
    assert done(await olga.get("/v1/pairings"))["items"] == []
