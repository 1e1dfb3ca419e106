"""The games in memory: how many, which, and that they take what is counted."""

import asyncio
import gc
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from domain.game import Rules
from domain.game.commands import Join, Leave
from domain.rulesets import RULESETS
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import Flip
from service.games import cached_game
from service.games.errors import MoveRejected
from service.log.game_log import GameLog
from tests.service.test_games import ADA, BOB, CEM, DORA, Process, ended
from tests.service.test_games import process as process
from tests.service.test_unknown_outcomes import Insert

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]


# --- the cache ----------------------------------------------------------------------------------------------------


async def test_many_games_can_be_played_with_a_cache_of_one(store: GameLog, open_store: Callable[[], GameLog]) -> None:
    process = Process(store, budget=1)
    ids = [(await process.table()).game.id for _ in range(6)]
    most = 0

    async def play(game_id: str, dice: Random) -> None:
        nonlocal most
        for _ in range(25):
            cached = await process.find(game_id)
            if cached.game.status == "running":
                _, failed = await ended(process.any_move(cached, dice))
                assert failed in ([], [MoveRejected])
            most = max(most, len(process.games))
            await asyncio.sleep(0)

    await asyncio.gather(*(play(game_id, Random(number)) for number, game_id in enumerate(ids * 2)))
    cold = Process(open_store())
    for game_id in ids:
        warm = await process.find(game_id)
        again = await cold.find(game_id)
        assert (warm.game, warm.head, warm.commands) == (again.game, again.head, again.commands)
        assert (await process.logged(game_id))[-1].head == warm.head.hex()
        assert warm.game.version > 20
    await process.open()
    assert len(process.games) == 1


@pytest.mark.checked
@pytest.mark.slow
@pytest.mark.by_default("skyjo]")
@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
async def test_the_budget_bounds_the_memory_of_games(store: GameLog, rules: Rules) -> None:
    """What counts for a game is never less than nine tenths of what it takes, and not three times as much."""
    dice, playing, ids = Random(4), Process(store), []
    for _ in range(8):
        cached, _ = await playing.open(rules, min(rules.seats), hotseat=True)
        for _ in range(dice.choice((2, 20, 60))):
            if cached.game.status == "running":
                await playing.any_move(cached, dice)
        ids.append(cached.game.id)
    process = Process(store)
    await process.view(await process.find(ids[0], rules), 0)  # what is made once, such as types and plans
    process = Process(store)
    gc.collect()
    tracemalloc.start()
    try:
        for game_id in ids:
            await process.view(await process.find(game_id, rules), 0)
            cached = await process.find(game_id, rules)
            if cached.game.status == "running":
                await process.any_move(cached, dice)
            cached.responses["a reader's"] = bytes(5_000)
        for game_id in ids:
            await process.find(game_id, rules)  # counts the views
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.9 * taken < process.games.cached_bytes < 3 * taken
    counted = process.games.cached_bytes
    for share in (2, 50):
        small = Process(store, budget=counted // share)
        for game_id in (*ids, *ids):
            await small.view(await small.find(game_id, rules), 0)
            assert small.games.cached_bytes <= counted // share or len(small.games) == 1
            assert small.games.cached_bytes == sum(each.counted for each in small.games._games.values())
        assert 1 <= len(small.games) <= len(ids) // share + 2


async def test_a_move_in_a_game_that_is_not_in_memory_is_one_read_and_one_append(
    store: GameLog, open_store: Callable[[], GameLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = await Process(store).table()
    cold = Process(open_store(), shared=True)
    reads, appends = Mock(wraps=cold.store._reader._select), Mock(wraps=cold.store.commit)
    monkeypatch.setattr(cold.store._reader, "_select", reads)
    monkeypatch.setattr(cold.store, "commit", appends)
    await cold.move(await cold.find(cached.game.id), 0, Flip(0))
    assert (reads.call_count, appends.call_count) == (1, 1)


async def test_a_game_that_is_evicted_during_a_request_stays_the_same_object(store: GameLog) -> None:
    """The request keeps using it, and later requests must see its changes."""
    process = Process(store, budget=1)
    held = await process.table()
    await process.table()
    found = await process.find(held.game.id)
    await process.table()
    await process.move(held, 0, Flip(0))
    assert found.game.version == (await process.find(held.game.id)).game.version == held.game.version


async def test_a_game_can_be_evicted_during_a_change(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(store, budget=1)
    cached = await process.table()
    other = await process.table()
    insert = Insert(store, monkeypatch)
    insert.may_insert.clear()
    changing = asyncio.create_task(process.move(cached, 0, Flip(0)))
    await asyncio.sleep(0.02)
    await process.find(other.game.id)
    found = await process.find(cached.game.id)
    insert.may_insert.set()
    await changing
    assert found.game.version == cached.game.version == len(await process.logged(cached.game.id))


async def test_a_first_read_of_a_fast_game_shows_the_version_at_the_time_of_the_call(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The view is built from entries that are older than those in memory while the game moves on."""
    cached, _ = await process.open(hotseat=True, options=SKYJO.options(target_points=1000))
    read, dice = process.store.read, Random(1)

    async def go_on() -> None:
        upto = cached.game.version + 3 * cached_game.MIN_TAIL_LENGTH
        while cached.game.version < upto:
            await process.any_move(cached, dice)

    async def slow(*part: Any) -> Any:
        rows = await read(*part)
        if delays.pop():
            await go_on()
        return rows

    delays = [True, True]
    await go_on()
    requested = cached.game.version
    monkeypatch.setattr(process.store, "read", slow)
    seen = await process.games.view(cached, None)
    assert (seen.version, delays) == (requested, [])
    delays = [False]
    assert (await process.games.view(cached, None)).version == cached.game.version


async def test_a_player_who_leaves_during_a_read_does_not_see_the_view_of_the_next_player(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached, _ = await process.open(seats=3)
    for number in range(cached_game.MIN_TAIL_LENGTH + 1):  # so that the view has to be built from the log
        guest = f"guest-{number}"
        await process.commands.execute(cached, guest, Join(1))
        await process.commands.execute(cached, guest, Leave(1))
    requested, read = cached.game.version, process.store.read

    async def slow(*part: Any) -> Any:
        rows = await read(*part)
        if cached.game.status == "waiting":
            await process.commands.execute(cached, BOB, Join(1))
            await process.commands.execute(cached, ADA, Leave(0))
            for player in (CEM, DORA):
                await process.commands.execute(cached, player, Join())
        return rows

    monkeypatch.setattr(process.store, "read", slow)
    seen = await process.games.view(cached, 0)
    assert cached.game.status == "running"
    assert (seen.version, seen.status, seen.state) == (requested, "waiting", None)


async def test_concurrent_readers_of_a_cold_game_share_one_read(
    process: Process, open_store: Callable[[], GameLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = await process.table()
    cold = Process(open_store())
    load, loads = cold.store.load, []

    async def counted(stream: str, made: Any) -> Any:
        loads.append(stream)
        return await load(stream, made)

    monkeypatch.setattr(cold.store, "load", counted)
    found = await asyncio.gather(*(cold.find(cached.game.id) for _ in range(20)))
    assert len(loads) == 1
    assert all(each is found[0] for each in found)
