"""Plays a game at random and prints, as JSON, what `played.py` checks: `python play.py URL RULESET SEATS HOW`.

Imports nothing but the client package, because it runs on every Python version that the package supports. HOW:

* `channel`, `sse`: a client on every seat, and a bystander who follows the events; then the beginning of a rematch;
* `sync`: the synchronous client against bots of the service;
* `bot`: one client, one bot of the package's runner, and bots of the service.
"""

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from stammtisch_client import AsyncClient, AsyncTable, Client, backoff, bot, problems
from stammtisch_client.rulesets import RULESETS

backoff.PAUSES = (0.01, 0.02, 0.05)


def any_of(moves: Sequence[Any]) -> Any:
    """A random move; every type is equally likely."""
    kind = random.choice(sorted({type(move).__name__ for move in moves}))
    return random.choice([move for move in moves if type(move).__name__ == kind])


async def play(table: AsyncTable[Any, Any, Any, Any]) -> list[Any]:
    """The moves that were made."""
    made = []
    async for turn in table.turns():
        assert isinstance(turn.view, RULESETS[table.ruleset.name].view)
        made.append(move := any_of(turn.legal_moves))
        await turn.play(move)
    return made


async def found(table: AsyncTable[Any, Any, Any, Any], moves: list[list[Any]], events: list[Any]) -> dict[str, Any]:
    verdict, ok = (await table.record()).verify().verdict, (await table.audit()).ok
    return {"id": table.id, "moves": moves, "events": events, "verdict": verdict, "ok": ok}


async def from_all_seats(url: str, ruleset: str, seats: int, *, channel: bool) -> dict[str, Any]:
    players = [AsyncClient(url, channel=channel) for _ in range(seats)]
    watcher = AsyncClient(url, channel=channel)
    for number, player in enumerate(players):
        await player.register(f"Player {number}", bot=True)
    first = await players[0].open(RULESETS[ruleset], seats, clock={"bank": 3600})
    tables = [first, *(player.table(RULESETS[ruleset], first.id) for player in players[1:])]
    for table in tables[1:]:
        await table.sit()

    async def follow() -> list[Any]:
        return [item async for item in watcher.table(RULESETS[ruleset], first.id).events()]

    events, *moves = await asyncio.gather(follow(), *map(play, tables))
    answer = await found(first, moves, events)
    me = await players[0].rename("Anna", "fox")
    profile = await players[0].player(me.id)
    assert (profile.name, profile.face) == ("Anna", "fox")
    assert [game.id async for game in players[0].games(player=me.id, status="finished")] == [first.id]
    assert me.id in [standing.player.id async for standing in players[0].standings(ruleset)]
    await play_again(tables, players)
    for client in (*players, watcher):
        await client.close()
    return answer


async def play_again(over: list[AsyncTable[Any, Any, Any, Any]], players: list[AsyncClient]) -> None:
    """Everything else that players do: a rematch, time given, a move taken back, an end by agreement."""
    ids = {await table.rematch() for table in over}
    assert len(ids) == 1, ids
    tables = [player.table(over[0].ruleset, *ids) for player in players]
    games = [await table.game() for table in tables]
    await tables[0].give_time(games[1].you, 5)
    table = next(table for table, game in zip(tables, games, strict=True) if game.legal_moves)
    mine = players[tables.index(table)].tables_to_play()
    assert (await anext(mine)).name == table.name
    await mine.aclose()
    turns = table.turns()
    turn = await anext(turns)
    made = await turn.play(turn.legal_moves[0])
    if (await table.game()).undo == made.version:
        await table.take_back(made.version)
        same = await anext(turns)
        assert same.legal_moves == turn.legal_moves
        await same.play(same.legal_moves[-1])
    else:
        try:
            await table.take_back(made.version)
        except problems.NotUndoable as refused:
            assert refused.document.undo is None
        else:
            raise AssertionError("a move that told something was taken back")
    await turns.aclose()
    for each in tables:
        await each.vote("abort", yes=True)
    assert (await table.game()).cause == "agreed"


def synchronously(url: str, ruleset: str, seats: int) -> dict[str, Any]:
    with Client(url) as client:
        client.register("Ann")
        table = client.open(RULESETS[ruleset], ["me", *["random/1"] * (seats - 1)])
        made = []
        for turn in table.turns():
            made.append(move := any_of(turn.legal_moves))
            turn.play(move)
        verdict, ok = table.record().verify().verdict, table.audit().ok
        return {"id": table.id, "moves": [made], "events": list(table.events()), "verdict": verdict, "ok": ok}


async def with_a_bot(url: str, ruleset: str, seats: int) -> dict[str, Any]:
    def choose(choice: bot.Choice) -> int:
        return random.randrange(len(choice.legal_moves))

    async with AsyncClient(url) as client:
        await client.register("Ann")
        table = await client.open(RULESETS[ruleset], ["me", "open", *["random/1"] * (seats - 2)])
        with tempfile.TemporaryDirectory() as folder:
            token = Path(folder, "token")
            playing = bot.play(url, "Robot", choose, token=token, rulesets=[ruleset], total=1)
            made, (game,) = await asyncio.gather(play(table), playing)
        assert game.id == table.id and game.seats[1].player is not None and game.seats[1].player.bot is True
        return await found(table, [made], [item async for item in table.events()])


def main(url: str, ruleset: str, seats: str, how: str) -> None:
    if how == "sync":
        answer = synchronously(url, ruleset, int(seats))
    elif how == "bot":
        answer = asyncio.run(with_a_bot(url, ruleset, int(seats)))
    else:
        answer = asyncio.run(from_all_seats(url, ruleset, int(seats), channel=how == "channel"))
    sys.stdout.write(json.dumps(msgspec.to_builtins(answer)))


if __name__ == "__main__":
    main(*sys.argv[1:])
