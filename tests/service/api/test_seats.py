"""Taking and leaving seats. The game begins when the last seat is taken."""

import asyncio
from typing import Any

import pytest

from domain.game import Rules
from tests.support.clients import Caller, Service, fewest, problem

pytestmark = [pytest.mark.anyio, pytest.mark.turns("servers")]


def seated(game: Any) -> list[str | None]:
    return [seat["player"] and seat["player"]["name"] for seat in game["seats"]]


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
