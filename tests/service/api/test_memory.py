"""What is in memory is never the truth: not when it is too small for all games, nor when others write to the log."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.support.clients import Caller, any_of, done, fewest, in_process, play, play_to_the_end, problem

pytestmark = pytest.mark.anyio

NAMES = ("Ann", "Bob", "Cem", "Dora")


async def test_more_games_are_played_than_fit_into_memory(database: Path, ruleset: str) -> None:
    async with in_process(database, max_cached_games=1) as service:
        players = await service.guests(*NAMES[: fewest(ruleset)])
        games = [await service.table(ruleset, players) for _ in range(2)]
        over = await asyncio.gather(*(play_to_the_end(players, game, seed) for seed, game in enumerate(games)))
        for game, seen in zip(games, over, strict=True):
            assert len(await players[0].events(game)) == seen["version"]


async def test_a_slow_request_for_a_game_that_was_put_out_of_memory_is_seen_by_the_next(
    database: Path, ruleset: str
) -> None:
    async with in_process(database, max_cached_games=1) as service:
        players = await service.guests(*NAMES[: fewest(ruleset)])
        game, other = [await service.table(ruleset, players) for _ in range(2)]
        seat = (await players[0].look(game))["to_act"][0]
        mover, rival = players[seat], players[seat - 1]
        chosen = (await mover.moves(game))[0]
        sent = asyncio.Event()

        async def slowly() -> AsyncIterator[bytes]:
            text = msgspec.json.encode(chosen)
            yield text[:5]
            await sent.wait()
            yield text[5:]

        moving = asyncio.create_task(mover.post(f"{game}/moves", slowly()))
        await asyncio.sleep(0.02)
        await rival.look(other)
        before = await rival.look(game)
        sent.set()
        made = done(await moving)
        after = await rival.look(game)
        assert made["version"] > before["version"]
        assert (after["version"], after["head"]) == (made["version"], made["head"])


async def test_processes_on_one_log_see_each_others_moves_at_once(database: Path, ruleset: str) -> None:
    async with in_process(database, workers=2) as one, in_process(database, workers=2) as other:
        players = await one.guests(*NAMES[: fewest(ruleset)])
        game = await one.table(ruleset, players)
        elsewhere = [player.at(other) for player in players]
        dice = Random(1)
        number = 0
        while to_act := (await players[0].look(game))["to_act"]:
            here, there = (players, elsewhere)[:: dice.choice((1, -1))]
            seat = dice.choice(to_act)
            chosen = any_of(await here[seat].moves(game), dice)
            headers = {"Idempotency-Key": f"k{number}"}
            first = done(await here[seat].post(f"{game}/moves", chosen, headers=headers))
            assert (await there[seat].look(game)) == first["game"]
            again = await there[seat].post(f"{game}/moves", chosen, headers=headers)
            assert (again.json(), again.headers["idempotency-replayed"]) == (first, "true")
            number += 1
        assert await elsewhere[0].events(game) == await players[0].events(game)
        assert await elsewhere[0].every("/v1/games") == await players[0].every("/v1/games")


async def test_moves_that_race_at_different_processes_are_each_made_once(database: Path, ruleset: str) -> None:
    async with in_process(database, workers=2) as one, in_process(database, workers=2) as other:
        players = await one.guests(*NAMES[: fewest(ruleset)])
        game = await one.table(ruleset, players)
        elsewhere = [player.at(other) for player in players]
        dice, number = Random(2), 0
        async for _ in play(players, game, dice):
            to_act = (await players[0].look(game))["to_act"]
            if not to_act or (number := number + 1) > 30:
                break
            requests = []
            for seat in to_act:  # who may choose at the same time does so here or there, and twice
                headers = {"Idempotency-Key": f"{number}"}
                chosen = any_of(await players[seat].moves(game), dice)
                requests += [who[seat].post(f"{game}/moves", chosen, headers=headers) for who in (players, elsewhere)]
            answers = [done(answer) for answer in await asyncio.gather(*requests)]
            for first, again in zip(answers[::2], answers[1::2], strict=True):
                assert first["events"] == again["events"]
        events = await players[0].events(game, limit=500)
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))


async def test_a_game_is_opened_once_though_the_requests_race_at_different_processes(
    database: Path, ruleset: str
) -> None:
    async with in_process(database, workers=2) as one, in_process(database, workers=2) as other:
        ann = await one.guest("Ann")
        opened: list[Any] = await asyncio.gather(*(who.open(ruleset, key="k") for who in (ann, ann.at(other)) * 3))
        assert len(set(opened)) == 1
        assert len(await ann.every("/v1/games")) == 1


async def test_of_two_who_want_the_last_seat_at_different_processes_one_gets_it(database: Path, ruleset: str) -> None:
    async with in_process(database, workers=2) as one, in_process(database, workers=2) as other:
        ann, *early = await one.guests(*NAMES[: fewest(ruleset) - 1])
        game = await ann.open(ruleset)
        for player in early:
            await player.sit(game)
        rivals: list[Caller] = [await one.guest("Bob"), (await one.guest("Eve")).at(other)]
        answers = await asyncio.gather(*(rival.post(f"{game}/seats", {}) for rival in rivals))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        for answer in answers:
            if answer.status_code == 409:
                problem(answer, 409, "not-waiting")
