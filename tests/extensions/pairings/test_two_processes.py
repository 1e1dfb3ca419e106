"""Two processes on PostgreSQL and Redis: each try and each table is opened once, and either process reveals."""

import asyncio
from typing import Any

import pytest

from tests.extensions.pairings.tables import BOT, ask, challenge, kept, look, play_out
from tests.extensions.pairings.test_days import deal
from tests.support.clients import done, in_process
from tests.support.servers import Postgres, Redis

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PLAYERS = 8


@pytest.mark.checked
async def test_one_game_for_each_player_whichever_process_is_asked(
    postgres: Postgres, redis: Redis, migrated: str
) -> None:
    redis.execute("FLUSHDB")
    with postgres.database(migrated) as name:
        url: str = postgres.url(name)
        shared: Any = {"redis": redis.url, "secret": "x" * 32}
        async with in_process(url, **shared) as one, in_process(url, **shared) as two:
            people = [await one.guest(f"P{number}") for number in range(PLAYERS)]
            today = await deal(one)
            path = f"/v1/pairings/{today['id']}/tables"
            answers = await asyncio.gather(*[who.at(service).post(path) for who in people for service in (one, two)])
            games = [answer.json()["game"] for answer in answers]
            assert games[::2] == games[1::2]
            assert len(set(games)) == PLAYERS
            assert (await look(two.stranger, today))["count"] == PLAYERS


async def test_either_process_opens_and_reveals(postgres: Postgres, redis: Redis, migrated: str) -> None:
    redis.execute("FLUSHDB")
    with postgres.database(migrated) as name:
        url: str = postgres.url(name)
        shared: Any = {"redis": redis.url, "secret": "x" * 32, "days": "none"}
        async with in_process(url, **shared) as one, in_process(url, **shared) as two:
            olga, ann, bob = await one.guests("Olga", "Ann", "Bob")
            tables = [[*kept(ann), BOT], [*kept(bob), BOT]]
            body = {"ruleset": "scout", "tables": tables}
            headers = {"Idempotency-Key": "k"}
            answers = await asyncio.gather(
                *[olga.at(service).post("/v1/pairings", body, headers=headers) for service in (one, two) * 3]
            )
            assert len({done(answer, 201)["id"] for answer in answers}) == 1
            assert len(await ann.at(two).every("/v1/games", invited="me")) == 1
            made = await challenge(ann)
            first = await ask(ann.at(one), made)
            second = await ask(bob.at(two), made, invite=made["code"])
            await play_out(ann.at(two), first["game"])
            await play_out(bob.at(one), second["game"])
            seen = await look(ann.at(one), made)
            assert (seen["state"], seen["results"]) == ("over", 2)
            assert (await look(bob.at(two), made))["deal"]["secret"] == seen["deal"]["secret"] is not None
