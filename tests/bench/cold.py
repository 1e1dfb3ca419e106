"""The time to load a game that is not in memory, and the memory of a cached game."""

import gc
import random
import sqlite3
import tracemalloc
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import msgspec

from domain import game
from domain.game import Rules, log
from domain.game.commands import Move
from service import databases
from service.games.commands import Commands
from service.games.games import Games
from service.games.shelf import Shelf
from service.log.game_log import GameLog
from service.server.server import tune_garbage_collection
from service.settings import Settings

EVENTS = 500
PLAYER = "bench"


async def fill(rules: Rules, store: GameLog, seats: int, count: int) -> list[str]:
    """`count` games of at least `EVENTS` events; if games are shorter, the longest of many."""
    commands, dice, played = Commands(Games(store, budget=2**30, shared=False)), random.Random(3), []
    deck = next(iter(rules.decks.values()))
    while sum(version >= EVENTS for version, _ in played) < count and len(played) < 8 * count:
        live, _ = await commands.open(
            rules, PLAYER, seats, rules.options(), deck, game.Agreed(hotseat=True), sit=True, entropy="", key=None
        )
        while live.game.status == "running" and live.game.version < EVENTS:
            seat = dice.choice(live.to_act())
            await commands.execute(live, PLAYER, Move(dice.choice(game.legal(rules, live.game, seat)), seat))
        played.append((live.game.version, live.game.id))
    return [game_id for _, game_id in sorted(played)[-count:]]


class Cold(NamedTuple):
    """Seconds for opening a cold game, and for the floor: its rows, read and decoded; how many rows it has; and the
    bytes of a cached game with a view for every seat."""

    opened: float
    floor: float
    events: int
    size: float


async def measured(rules: Rules, seats: int, count: int, rounds: int) -> Cold:
    tune_garbage_collection()
    with TemporaryDirectory() as folder:
        settings = Settings(database=str(Path(folder, "bench.db")))
        store = databases.open_store(settings, Shelf().kinds())
        ids = await fill(rules, store, seats, count)
        ours, floor = [], []
        with sqlite3.connect(settings.database) as connection:
            for _ in range(rounds):
                for game_id in ids:
                    floor.append(read_and_decode(connection, rules, game_id))
                    games = Games(store, budget=2**30, shared=False)
                    begun = perf_counter()
                    await games.find(rules, game_id)
                    ours.append(perf_counter() - begun)
        lengths = [len(await store.read(game_id)) for game_id in ids]
        size = await memory(rules, Games(store, budget=2**40, shared=False), ids, seats)
        await store.stop()
    return Cold(median(ours), median(floor), int(median(lengths)), size)


def read_and_decode(connection: sqlite3.Connection, rules: Rules, game_id: str) -> float:
    decoder = msgspec.json.Decoder(log.stored_type(rules))
    query = "SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"
    begun = perf_counter()
    entries = [decoder.decode(state) for (state,) in connection.execute(query, (game_id,))]
    taken = perf_counter() - begun
    assert entries
    return taken


async def memory(rules: Rules, games: Games, ids: list[str], seats: int) -> float:
    """Bytes of each of these games in the cache."""
    gc.collect()
    tracemalloc.start()
    for game_id in ids:
        live = await games.find(rules, game_id)
        for seat in range(seats):
            await games.view(live, seat)
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(ids)
