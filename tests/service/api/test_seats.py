"""Taking and leaving seats. The game begins when the last seat is taken."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.game import Rules
from tests.support.clients import Caller, Service, done, fewest, in_process, play_to_the_end, problem

pytestmark = pytest.mark.anyio


def seated(game: Any) -> list[str | None]:
    return [seat["player"] and seat["player"]["name"] for seat in game["seats"]]


async def stand(who: Caller, game: str, seat: int, key: str | None = None) -> Any:
    return await who.delete(f"{game}/seats/{seat}", headers={} if key is None else {"Idempotency-Key": key})


async def test_the_default_seat_is_the_first_free_one(service: Service, rules: Rules) -> None:
    seats = max(rules.seats)
    ann, *others = await service.guests(*(f"P{number}" for number in range(seats)))
    game = await ann.open(rules.name, seats)
    for number, other in enumerate(others, 1):
        seen = await other.sit(game)
        assert seen["you"] == number
        assert seen["status"] == ("running" if number == seats - 1 else "waiting")


async def test_a_seat_can_be_chosen(rules: Rules, ann: Caller, bob: Caller) -> None:
    seats = max(rules.seats)
    game = await ann.open(rules.name, seats)
    seen = await bob.sit(game, seats - 1, entropy="from Bob")
    assert (seen["you"], seen["seats"][-1]["entropy"]) == (seats - 1, "from Bob")


async def test_the_game_begins_when_the_last_seat_is_taken(players: list[Caller], ruleset: str) -> None:
    game = await players[0].open(ruleset)
    for player in players[1:]:
        waiting = await players[0].look(game)
        assert (waiting["status"], waiting["view"], waiting["to_act"]) == ("waiting", None, [])
        assert (waiting["legal_moves"], waiting["decision"]) == ([], None)
        begun = await player.sit(game)
    assert begun["status"] == "running"
    assert begun["view"] is not None
    assert begun["to_act"]


async def test_a_seat_that_was_left_can_be_taken_again(
    service: Service, rules: Rules, ann: Caller, bob: Caller
) -> None:
    eve, seats = await service.guest("Eve"), max(rules.seats)
    game = await ann.open(rules.name, seats, sit=False)
    await ann.sit(game, 0, entropy="of Ann")
    await bob.sit(game, 1)
    left = await ann.stand(game, 0)
    assert (left["you"], seated(left)[:2], left["seats"][0]["entropy"]) == (None, [None, "Bob"], "")
    assert (await eve.sit(game))["you"] == 0


async def test_the_opener_may_take_any_free_seat_later(ann: Caller, bob: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, sit=False)
    await bob.sit(game, 0)
    sitting = await ann.sit(game)
    assert (sitting["you"], seated(sitting)[:2]) == (1, ["Bob", "Ann"])


async def test_the_game_is_aborted_when_its_last_player_leaves(ann: Caller, bob: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    aborted = await ann.stand(game, 0)
    assert (aborted["status"], aborted["result"], aborted["view"], aborted["legal_moves"]) == (
        "aborted",
        None,
        None,
        [],
    )
    problem(await bob.post(f"{game}/seats", {}), 409, "not-waiting")
    problem(await stand(ann, game, 0), 403, "not-seated")
    problem(await ann.get(f"{game}/moves"), 403, "not-seated")
    assert [event["event"]["type"] for event in await bob.events(game)][-3:] == ["left", "aborted", "revealed"]


async def test_a_game_that_has_begun_or_is_over_cannot_be_joined(game: str, players: list[Caller], eve: Caller) -> None:
    for _ in range(2):
        for who in (players[0], eve):
            problem(await who.post(f"{game}/seats", {}), 409, "not-waiting")
        problem(await stand(players[0], game, 0), 409, "not-waiting")
        problem(await stand(eve, game, 0), 403, "not-seated")
        await play_to_the_end(players, game)


async def test_a_hotseat_game_cannot_be_joined(ann: Caller, eve: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, hotseat=True)
    problem(await eve.post(f"{game}/seats", {}), 409, "not-waiting")
    problem(await stand(ann, game, 1), 409, "not-waiting")


async def test_a_seat_must_exist_and_be_free(ann: Caller, bob: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    for seat in (0, fewest(ruleset), 999):
        problem(await bob.post(f"{game}/seats", {"seat": seat}), 409, "seat-taken")
    assert (await bob.look(game))["version"] == 2


async def test_a_player_cannot_take_two_seats(ann: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    for seat in (None, 0, 1):
        problem(await ann.post(f"{game}/seats", {"seat": seat}), 409, "already-seated")


async def test_a_player_cannot_leave_the_seat_of_another(ann: Caller, bob: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    for seat in (0, 1, 2, 999):
        problem(await stand(bob, game, seat), 403, "not-seated")
    problem(await stand(ann, game, 1), 403, "not-seated")
    assert seated(await ann.look(game))[:2] == ["Ann", None]


async def test_callers_without_a_token_cannot_take_or_leave_a_seat(stranger: Caller, game: str) -> None:
    problem(await stranger.post(f"{game}/seats", {}), 401, "unauthenticated")
    problem(await stand(stranger, game, 0), 401, "unauthenticated")


async def test_with_a_key_a_seat_is_taken_once_and_left_once(ann: Caller, bob: Caller, rules: Rules) -> None:
    game = await ann.open(rules.name, max(rules.seats))
    sitting = [await bob.post(f"{game}/seats", {}, headers={"Idempotency-Key": "sit"}) for _ in range(2)]
    standing = [await stand(bob, game, 1, "stand") for _ in range(2)]
    for first, again in (sitting, standing):
        assert done(first) == done(again)
        assert "idempotency-replayed" not in first.headers
        assert again.headers["idempotency-replayed"] == "true"
    answer = await bob.post(f"{game}/seats", {"seat": 1}, headers={"Idempotency-Key": "sit"})
    problem(answer, 422, "idempotency-key-reused")
    assert [event["event"]["type"] for event in await ann.events(game)] == ["opened", "joined", "joined", "left"]


async def test_with_a_key_a_seat_is_taken_once_even_after_a_restart(database: Path, ruleset: str) -> None:
    async with in_process(database) as before:
        ann, bob = await before.guests("Ann", "Bob")
        game = await ann.open(ruleset)
        first = await bob.post(f"{game}/seats", {"entropy": "B"}, headers={"Idempotency-Key": "k"})
    async with in_process(database) as after:
        again = await bob.at(after).post(f"{game}/seats", {"entropy": "B"}, headers={"Idempotency-Key": "k"})
        assert done(again) == done(first)
        assert again.headers["idempotency-replayed"] == "true"


async def test_of_two_concurrent_requests_for_the_last_seat_one_succeeds(
    service: Service, ann: Caller, ruleset: str
) -> None:
    game = await ann.open(ruleset)
    for early in await service.guests(*["Emil"] * (fewest(ruleset) - 2)):
        await early.sit(game)
    others = await service.guests("Bob", "Cem", "Dora")
    answers = await asyncio.gather(*(other.post(f"{game}/seats", {}) for other in others))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    for answer in answers:
        if answer.status_code == 409:
            problem(answer, 409, "not-waiting")


async def test_concurrent_joins_get_different_seats(service: Service, rules: Rules) -> None:
    seats = max(rules.seats)
    ann, *others = await service.guests(*(f"P{number}" for number in range(seats)))
    game = await ann.open(rules.name, seats)
    answers = await asyncio.gather(*(other.sit(game) for other in others))
    assert sorted(answer["you"] for answer in answers) == list(range(1, seats))
    assert (await ann.look(game))["status"] == "running"


async def test_a_renamed_player_has_the_new_name_at_a_running_game(ann: Caller, bob: Caller, game: str) -> None:
    await ann.patch("/v1/players/me", {"name": "Anna"})
    assert seated(await bob.look(game))[:2] == ["Anna", "Bob"]
