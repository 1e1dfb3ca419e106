"""Opening a game: its terms, and exactly once with a key."""

import asyncio
from typing import Any

import msgspec
import pytest

from domain.game import Rules
from tests.support.clients import Caller, Service, done, fewest, problem

pytestmark = [pytest.mark.anyio, pytest.mark.turns("servers")]

REPLAYED = "idempotency-replayed"


async def opens(who: Caller, ruleset: str, key: str, **terms: Any) -> Any:
    return await who.post(f"/v1/games/{ruleset}", {"seats": fewest(ruleset), **terms}, headers={"Idempotency-Key": key})


async def test_only_the_number_of_seats_is_required(ann: Caller, rules: Rules) -> None:
    answer = await ann.post(f"/v1/games/{rules.name}", {"seats": fewest(rules.name)})
    game = done(answer, 201)
    assert answer.headers["location"] == game["links"]["self"] == f"/v1/games/{rules.name}/{game['id']}"
    assert done(await ann.get(answer.headers["location"])) == game
    assert game["options"] == msgspec.json.decode(msgspec.json.encode(rules.options()))
    assert game["deck"]["name"] == next(iter(rules.decks))
    assert (game["status"], game["private"], game["hotseat"], game["you"]) == ("waiting", False, False, 0)
    assert game["seats"][0] == {"seat": 0, "player": {"id": ann.id, "name": "Ann"}, "entropy": ""}
    assert game["seats"][1:] == [{"seat": n, "player": None, "entropy": ""} for n in range(1, fewest(rules.name))]
    assert REPLAYED not in answer.headers


async def test_a_game_has_the_requested_options_deck_and_entropy(ann: Caller, rules: Rules) -> None:
    defaults = msgspec.json.decode(msgspec.json.encode(rules.options()))
    wishes = {name: not value for name, value in defaults.items() if isinstance(value, bool)}
    for deck in rules.decks:
        game = await ann.look(await ann.open(rules.name, options=wishes, deck=deck, entropy="salt 'n' pepper"))
        assert game["options"] == defaults | wishes
        assert game["deck"] == {"name": deck, "provenance": rules.decks[deck].data.provenance}
        assert game["seats"][0]["entropy"] == "salt 'n' pepper"


async def test_a_game_has_only_a_number_of_seats_that_the_ruleset_allows(ann: Caller, rules: Rules) -> None:
    for seats in rules.seats:
        assert len((await ann.look(await ann.open(rules.name, seats)))["seats"]) == seats
    for seats in (min(rules.seats) - 1, max(rules.seats) + 1, 0, -1):
        refused = problem(await ann.post(f"/v1/games/{rules.name}", {"seats": seats}), 400, "malformed")
        assert [fault["path"] for fault in refused["errors"]] == ["$.seats"]


async def test_a_hotseat_game_begins_at_once_with_one_player_on_all_seats(ann: Caller, rules: Rules) -> None:
    for seats in rules.seats:
        game = await ann.look(await ann.open(rules.name, seats, hotseat=True))
        assert (game["status"], game["hotseat"]) == ("running", True)
        assert {seat["player"]["id"] for seat in game["seats"]} == {ann.id}


# --- exactly once -------------------------------------------------------------------------------------------------


async def test_whitespace_and_the_order_of_fields_do_not_change_a_request(ann: Caller, ruleset: str) -> None:
    seats = fewest(ruleset)
    bodies = f'{{"seats":{seats},"sit":true}}', f' {{"sit": true, "seats": {seats}}}\n'
    headers = {"Idempotency-Key": "k"}
    first, again = [await ann.post(f"/v1/games/{ruleset}", body.encode(), headers=headers) for body in bodies]
    assert again.headers["location"] == first.headers["location"]


@pytest.mark.parametrize("key", ["!", "~" * 128, "7f9c:a/b\\c\"d'e%00"])
async def test_any_visible_ascii_is_a_key(ann: Caller, ruleset: str, key: str) -> None:
    first, again = await opens(ann, ruleset, key), await opens(ann, ruleset, key)
    assert done(first, 201)["id"] == done(again, 201)["id"]


async def test_concurrent_requests_with_one_key_open_one_game(ann: Caller, ruleset: str) -> None:
    answers = await asyncio.gather(*(opens(ann, ruleset, "k") for _ in range(8)))
    assert len({done(answer, 201)["id"] for answer in answers}) == 1
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1
    assert len(await ann.every("/v1/games", player=ann.id)) == 1


async def test_different_concurrent_requests_with_one_key_open_one_game(ann: Caller, ruleset: str) -> None:
    answers = await asyncio.gather(*(opens(ann, ruleset, "k", entropy=str(n)) for n in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 422, 422, 422]
    assert len(await ann.every("/v1/games", player=ann.id)) == 1


async def test_keys_of_different_players_do_not_collide(service: Service, ruleset: str) -> None:
    """The id is made of player and key: no player can choose a key that leads to another's game."""
    ann = await service.guest("Ann")
    path = await ann.open(ruleset, key="k")
    for key in (path.rpartition("/")[2], f"{ann.id}k", "k"):
        eve = await service.guest("Eve")
        assert await eve.open(ruleset, key=key) != path
