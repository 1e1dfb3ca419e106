"""The projection runner keeps the projections up to date, also when a database fails."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from domain.game import LIFECYCLE
from projections.lobby import Search, page
from projections.projection import Projections
from service.databases import derived
from service.live import projection_runner as runner_module
from service.live.projection_runner import ProjectionRunner, rebuild
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.log.mapper import Logged
from tests.projections.histories import Table, contents, history, noted
from tests.service.conftest import on_sqlite

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]


@asynccontextmanager
async def following(store: GameLog, projections: Projections) -> AsyncIterator[ProjectionRunner]:
    projection_runner = ProjectionRunner(store, projections)
    await projection_runner.start()
    try:
        yield projection_runner
    finally:
        await projection_runner.stop()


def shown(engine: Engine) -> list[str]:
    return [listed.id for listed in page(engine, Search(), None, limit=100).items]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 - a database sends no notification
            await asyncio.sleep(0.01)


class Reads:
    """Records the reads of the log: the searched positions, and the events found."""

    def __init__(self, store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
        self.spans: list[tuple[int, int]] = []
        self.found: list[Logged] = []
        self.fails = False
        self._follow = store.follow
        monkeypatch.setattr(store, "follow", self._read)

    async def _read(self, after: int, limit: int, tags: Sequence[str], upto: int) -> list[Logged]:
        if self.fails:
            raise Unavailable("simulated")
        found = await self._follow(after, limit, tags, upto)
        self.spans.append((after, upto))
        self.found += found
        return found


# --- keeping up ---------------------------------------------------------------------------------------------------


async def test_players_who_open_games_concurrently_see_them(
    store: GameLog, projections: Projections, engine: Engine
) -> None:
    async def open_and_look(projection_runner: ProjectionRunner, name: str) -> None:
        await store.append(Table(name).open())
        await projection_runner.caught_up()
        assert name in shown(engine)

    async with following(store, projections) as projection_runner:
        await asyncio.gather(*(open_and_look(projection_runner, f"game-{number}") for number in range(30)))


async def test_caught_up_ends_the_pause_between_two_cycles(
    store: GameLog, projections: Projections, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "CYCLE_PAUSE", 30)
    async with following(store, projections) as projection_runner:
        for name in "abc":
            await store.append(Table(name).open())
            await projection_runner.caught_up()
            assert shown(engine)[0] == name


async def test_caught_up_returns_at_once_if_nothing_was_appended(
    store: GameLog, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "POLL_INTERVAL", 3600)
    async with following(store, projections) as projection_runner:
        await store.append([noted("ada")])
        await projection_runner.caught_up()
        with pytest.raises(StopIteration):
            projection_runner.caught_up().send(None)  # returns without waiting for anything


async def test_appends_are_applied_without_a_call_of_caught_up(
    store: GameLog, projections: Projections, engine: Engine
) -> None:
    async with following(store, projections):
        await store.append(Table("g").open())
        await until(lambda: shown(engine) == ["g"])


async def test_appends_of_another_process_are_applied(
    store: GameLog, open_store: Callable[[], GameLog], projections: Projections, engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(runner_module, "POLL_INTERVAL", 0.05)
    async with following(store, projections):
        await open_store().append(Table("g").open())
        await until(lambda: shown(engine) == ["g"])


@pytest.mark.by_default("-0]")
@pytest.mark.parametrize("seed", range(2))
async def test_rebuilt_projections_equal_updated_ones(
    store: GameLog, projections: Projections, engine: Engine, seed: int
) -> None:
    random = Random(seed)
    async with following(store, projections) as projection_runner:
        for number, rows in enumerate(history(random, games=30)):
            await store.append(rows)
            if number == 30:
                await projection_runner.stop()
                projection_runner = ProjectionRunner(store, projections)
                await projection_runner.start()
            if random.random() < 0.1:
                await projection_runner.caught_up()
        await projection_runner.caught_up()
        await projection_runner.stop()
    updated = contents(engine)
    assert all(updated.values())
    progress: list[tuple[int, int]] = []
    await rebuild(store, projections, lambda position, last: progress.append((position, last)))
    assert contents(engine) == updated
    last = await store.position()
    assert progress[-1] == (last, last)


async def test_a_rebuild_does_not_disturb_a_running_service(
    store: GameLog, projections: Projections, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "BATCH_SIZE", 5)
    logged = list(history(Random(3), games=12))
    async with following(store, projections) as projection_runner:
        for rows in logged:
            await store.append(rows)
        await projection_runner.caught_up()
        before = contents(engine)
        await asyncio.gather(rebuild(store, projections), store.append(Table("last").open()))
        await store.append([noted("zoe")])
        await projection_runner.caught_up()
        assert shown(engine)[0] == "last"
    after = contents(engine)
    assert before["games"] < after["games"]
    await rebuild(store, projections)
    assert contents(engine) == after


# --- reading no more than necessary -------------------------------------------------------------------------------


def test_the_lifecycle_of_games_by_all_rules_is_read_and_no_move() -> None:
    read = sorted({e.__struct_config__.tag for p in derived() for e in p.events})
    assert len(read) == len(set(read)) == 11
    assert {"opened", "ended"} < set(read) <= {kind.__struct_config__.tag for kind in LIFECYCLE}


async def test_positions_without_relevant_events_are_not_searched_again(
    store: GameLog, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = Reads(store, monkeypatch)
    table, random = Table("g"), Random(1)
    await store.append(table.open(hotseat=True))
    async with following(store, projections) as projection_runner:
        for _ in range(20):
            await store.append(table.move(random))
            await projection_runner.caught_up()
        assert projection_runner.position == await store.position()
    assert all(one[1] == following[0] for one, following in zip(reads.spans, reads.spans[1:], strict=False))
    assert len(reads.found) == 1 + len(table.game.players) + 1  # opened, joined, begun


async def test_a_restart_searches_at_most_a_checkpoint_interval_again(
    store: GameLog, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "CHECKPOINT_INTERVAL", 50)
    monkeypatch.setattr(runner_module, "SEARCH_WINDOW", 20)
    table, random = Table("g"), Random(1)
    await store.append(table.open(hotseat=True))
    while table.game.status == "running" and table.game.version < 200:
        await store.append(table.move(random))
    async with following(store, projections) as projection_runner:
        await projection_runner.caught_up()
    reads = Reads(store, monkeypatch)
    async with following(store, projections) as projection_runner:
        await projection_runner.caught_up()
        assert projection_runner.position == await store.position()
    assert reads.spans[0][0] > await store.position() - 50 - 20


async def test_a_full_batch_skips_no_later_event(
    store: GameLog, projections: Projections, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "BATCH_SIZE", 2)
    monkeypatch.setattr(runner_module, "SEARCH_WINDOW", 7)
    for number in range(20):
        table = Table(f"g{number:02}")
        await store.append([*table.open(seats=2), *table.leave(0)])
    async with following(store, projections) as projection_runner:
        await projection_runner.caught_up()
    assert shown(engine) == [f"g{number:02}" for number in reversed(range(20))]
    assert {each.status for each in page(engine, Search(), None, limit=100).items} == {"aborted"}


# --- failures -----------------------------------------------------------------------------------------------------


async def test_the_runner_continues_when_the_log_is_available_again(
    store: GameLog, projections: Projections, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "BACK_OFF", (0.01, 0.02))
    monkeypatch.setattr(runner_module, "POLL_INTERVAL", 30)
    reads = Reads(store, monkeypatch)
    async with following(store, projections) as projection_runner:
        reads.fails = True
        await store.append(Table("g").open())
        await asyncio.sleep(0.1)
        assert shown(engine) == []
        reads.fails = False
        await projection_runner.caught_up()
        assert shown(engine) == ["g"]


async def test_each_type_of_error_is_logged_once_and_so_is_the_recovery(
    store: GameLog, projections: Projections, engine: Engine,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(runner_module, "BACK_OFF", (0.01, 0.02))
    tries: list[Exception] = []

    def fails(error: Exception) -> Callable[..., int]:
        def apply(*_: Any) -> int:
            tries.append(error)
            raise error

        return apply

    full = OperationalError("INSERT", {}, Exception("database or disk is full"))
    async with following(store, projections) as projection_runner:
        for name in "ab":
            with monkeypatch.context() as broken:
                broken.setattr(projections, "apply", fails(full))  # before there is anything to apply
                await store.append(Table(name).open())
                for error in (full, ZeroDivisionError("a bug"), full):
                    broken.setattr(projections, "apply", fails(error))
                    tries.clear()
                    await until(lambda: len(tries) > 3)
            await projection_runner.caught_up()
            assert shown(engine)[0] == name
    logged = [(record.message.splitlines(), record.exc_info is not None) for record in caplog.records]
    assert logged == 2 * [
        (["the projections cannot be updated: (builtins.Exception) database or disk is full"], False),
        (["the projections cannot be updated: a bug"], True),
        (["the projections are being updated again"], False),
    ]


async def test_caught_up_has_a_timeout(
    store: GameLog, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "CATCH_UP_TIMEOUT", 0.1)
    reads = Reads(store, monkeypatch)
    async with following(store, projections) as projection_runner:
        reads.fails = True
        await store.append([noted("ada")])
        async with asyncio.timeout(60):
            await projection_runner.caught_up()
        assert projection_runner.position < await store.position()


@on_sqlite
async def test_projections_of_another_log_are_rebuilt(
    open_store: Callable[..., GameLog], projections: Projections, engine: Engine
) -> None:
    """Of a log that is shorter. In PostgreSQL all databases of a server count positions together."""
    first, second = open_store("first"), open_store("second")
    await first.append(Table("old").open(seats=2))
    await second.append(Table("new").open(sit=False))
    for store, name in ((first, "old"), (second, "new")):
        async with following(store, projections) as projection_runner:
            await projection_runner.caught_up()
            assert shown(engine) == [name]


async def test_stop_returns_at_once_and_leaves_no_task(
    store: GameLog, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pause in ("POLL_INTERVAL", "CYCLE_PAUSE", "IDLE_CYCLE_PAUSE"):
        monkeypatch.setattr(runner_module, pause, 3600)
    monkeypatch.setattr(runner_module, "BACK_OFF", (3600, 3600))
    tasks = len(asyncio.all_tasks())
    reads = Reads(store, monkeypatch)
    for reads.fails in (False, True):
        projection_runner = ProjectionRunner(store, projections)
        await projection_runner.start()
        await store.append([noted(f"ada{reads.fails}")])
        await asyncio.sleep(0.05)
        async with asyncio.timeout(60):
            await projection_runner.stop()
        assert len(asyncio.all_tasks()) == tasks


async def test_stop_without_start_does_nothing(store: GameLog, projections: Projections) -> None:
    await ProjectionRunner(store, projections).stop()
