"""What is in memory is never the truth: not when it is too small for all games, nor when others write to the log."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from tests.support.clients import any_of, done, fewest, in_process, play

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

NAMES = ("Ann", "Bob", "Cem", "Dora")


async def test_a_slow_request_for_a_game_that_was_put_out_of_memory_is_seen_by_the_next(
    database: Path, ruleset: str
) -> None:
    async with in_process(database, max_cached_mib=0.001) as service:
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
