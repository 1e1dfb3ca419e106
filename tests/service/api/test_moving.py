"""Making a move: exactly once with a key, and only on the current choice with `If-Match`."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain.game import Rules
from tests.support.clients import (
    Caller,
    Service,
    any_of,
    done,
    fewest,
    in_process,
    play,
)  # fmt: skip

pytestmark = [pytest.mark.anyio, pytest.mark.turns("servers")]

REPLAYED = "idempotency-replayed"


class Told(msgspec.Struct):
    """A move's answer, its events byte for byte."""

    version: int
    head: str
    events: msgspec.Raw


def told(answer: httpx.Response) -> tuple[int, str, bytes]:
    read = msgspec.json.decode(answer.content, type=Told)
    return read.version, read.head, bytes(read.events)


async def a_choice(players: list[Caller], game: str) -> tuple[Caller, Any]:
    """Somebody who is to act, and a legal move."""
    seat = (await players[0].look(game))["to_act"][0]
    return players[seat], (await players[seat].moves(game))[0]


async def move(who: Caller, game: str, chosen: Any, key: str = "", etag: str = "", **more: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key, "If-Match": etag}
    return await who.post(f"{game}/moves", chosen, headers={k: v for k, v in headers.items() if v}, **more)


async def log(game: str, who: Caller) -> tuple[int, str]:
    seen = await who.look(game, as_="bystander")
    return seen["version"], seen["head"]


async def test_the_response_to_a_move_has_its_events_and_the_game(players: list[Caller], game: str) -> None:
    version, _ = await log(game, players[0])
    mover, chosen = await a_choice(players, game)
    answer = await move(mover, game, chosen)
    made = done(answer)
    assert set(made) == {"version", "head", "events", "game"}
    assert made["game"] == await mover.look(game)
    assert made["game"]["version"] == made["version"] == made["events"][-1]["version"]
    assert made["head"] == made["game"]["head"] == made["events"][-1]["head"]
    assert [event["version"] for event in made["events"]] == list(range(version + 1, made["version"] + 1))
    assert made["events"][0]["by"] == made["game"]["you"]
    assert REPLAYED not in answer.headers
    assert answer.headers["etag"] == (await mover.get(game)).headers["etag"]


async def test_every_listed_move_can_be_posted_unchanged(players: list[Caller], game: str) -> None:
    """And the game's list is the list: a whole game of moves from either."""
    async for seat, answer in play(players, game, Random(6)):
        after = answer.json()["game"]
        assert after["legal_moves"] == (await players[seat].moves(game))


# --- exactly once -------------------------------------------------------------------------------------------------


async def test_concurrent_requests_with_one_key_make_one_move(players: list[Caller], game: str) -> None:
    mover, chosen = await a_choice(players, game)
    answers = await asyncio.gather(*(move(mover, game, chosen, "k") for _ in range(8)))
    assert len({told(answer) for answer in answers}) == 1
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1


async def test_every_move_can_be_repeated_at_any_time_later(database: Path, ruleset: str) -> None:
    """At once, after the end of the game and after a restart: the events are those that were told, backs and all."""
    made: list[tuple[int, Any, httpx.Response]] = []
    dice = Random(9)
    async with in_process(database) as before:
        players = await before.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
        game = await before.table(ruleset, players)
        while to_act := (await players[0].look(game))["to_act"]:
            seat = dice.choice(to_act)
            chosen = any_of(await players[seat].moves(game), dice)
            made.append((seat, chosen, await move(players[seat], game, chosen, f"move-{len(made)}")))
        for number, (seat, chosen, first) in enumerate(made):
            assert told(await move(players[seat], game, chosen, f"move-{number}")) == told(first)
        over = await players[0].look(game)
    async with in_process(database) as after:
        for number, (seat, chosen, first) in enumerate(made):
            again = await move(players[seat].at(after), game, chosen, f"move-{number}")
            assert told(again) == told(first)
            assert again.headers[REPLAYED] == "true"
        assert await players[0].at(after).look(game) == over


# --- on the table that one decided on -----------------------------------------------------------------------------


async def test_of_two_concurrent_moves_with_the_same_if_match_one_is_made(players: list[Caller], game: str) -> None:
    mover, _ = await a_choice(players, game)
    tag = (await mover.get(game)).headers["etag"]
    moves = (await mover.moves(game))[:4]
    answers = await asyncio.gather(*(move(mover, game, chosen, etag=tag) for chosen in moves))
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * (len(moves) - 1)]


async def test_concurrent_moves_of_different_players_are_all_made(service: Service, rules: Rules) -> None:
    """All seats move concurrently as soon as they can, to the end of the game."""
    players = await service.guests(*("Ann", "Bob", "Cem", "Dora")[: max(rules.seats)])
    game = await service.table(rules.name, players)
    made: list[httpx.Response] = []

    async def take_part(player: Caller, dice: Random) -> None:
        while (seen := await player.look(game))["status"] == "running":
            if seen["legal_moves"]:
                answer = await move(player, game, any_of(seen["legal_moves"], dice), f"v{seen['version']}")
                made.append(answer)
                done(answer)
            await asyncio.sleep(0.002)

    await asyncio.gather(*(take_part(player, Random(seat)) for seat, player in enumerate(players)))
    events = await service.stranger.events(game, limit=500)
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    told_of = sorted(event["version"] for answer in made for event in answer.json()["events"])
    assert told_of == list(range(told_of[0], len(events) + 1))
