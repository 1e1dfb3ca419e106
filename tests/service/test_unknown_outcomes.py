"""Commits whose outcome is unknown: a command is carried out once, and its answer is right."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any
from unittest.mock import AsyncMock

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError

from domain.rulesets.skyjo.rules import Flip
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from tests.service.test_games import Process, ended
from tests.service.test_games import process as process

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]


# --- commits with an unknown outcome ------------------------------------------------------------------------------


class Insert:
    """Replaces the recorder's `insert_events`: waits before it, or raises the given errors after it."""

    def __init__(self, store: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
        self._insert = store.recorder.insert_events
        self.errors: list[Exception] = []
        self.may_insert = threading.Event()
        self.may_insert.set()
        monkeypatch.setattr(store.recorder, "insert_events", self)

    def __call__(self, events: Sequence[Any]) -> Any:
        assert self.may_insert.wait(60)
        inserted = self._insert(events)
        if self.errors:
            raise self.errors.pop(0)
        return inserted


async def test_a_committed_move_is_found_in_the_log_after_a_conflict(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the connection were lost after the commit and the library had tried again."""
    cached = await process.table()
    Insert(process.store, monkeypatch).errors = [IntegrityError("simulated")]
    change = await process.move(cached, 0, Flip(0))
    assert not change.replayed
    assert (await process.logged(cached.game.id))[-1] == change.entries[-1] == cached.tail[-1]
    await process.move(cached, 1, Flip(0))


async def test_a_retry_with_the_same_key_finds_a_commit_of_unknown_outcome(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = await process.table()
    before = cached.game.version
    Insert(process.store, monkeypatch).errors = [OperationalError("simulated")]
    with pytest.raises(Unavailable):
        await process.move(cached, 0, Flip(0), "key")
    change = await process.move(cached, 0, Flip(0), "key")
    assert change.replayed
    assert [entry.version for entry in await process.logged(cached.game.id)][before:] == [change.entries[0].version]


async def test_the_next_read_shows_a_commit_of_unknown_outcome(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = await process.table()
    for error in (OperationalError, IntegrityError):
        before = cached.game.version
        Insert(process.store, monkeypatch).errors = [error("simulated")]
        with monkeypatch.context() as patched:
            if error is IntegrityError:  # and the log cannot be read
                patched.setattr(process.store, "read", AsyncMock(side_effect=Unavailable))
            with pytest.raises(Unavailable):
                await process.move(cached, 0, Flip(before % 2))
        assert (
            (await process.find(cached.game.id)).game.version == before + 1 == len(await process.logged(cached.game.id))
        )


@pytest.mark.parametrize("error", [OperationalError, IntegrityError])
async def test_a_retry_after_an_unknown_outcome_opens_no_second_game(
    process: Process, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    Insert(process.store, monkeypatch).errors = [error("simulated")]
    opened, _ = await ended(process.open(key="key"))
    (again, change) = await process.open(key="key")
    assert change.replayed
    assert all(cached.game.id == again.game.id for cached, _ in opened)
    assert len(await process.logged(again.game.id)) == again.game.version == 2


async def test_the_next_request_after_a_cancelled_one_finds_its_append(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a request that arrives during the append."""
    cached = await process.table()
    insert = Insert(process.store, monkeypatch)
    insert.may_insert.clear()
    request = asyncio.create_task(process.move(cached, 0, Flip(0), "key"))
    await asyncio.sleep(0.02)
    request.cancel()
    await asyncio.sleep(0.02)
    meanwhile = asyncio.create_task(process.find(cached.game.id))
    same = asyncio.create_task(process.move(cached, 0, Flip(0), "key"))
    await asyncio.sleep(0.02)
    insert.may_insert.set()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert (await same).replayed
    await meanwhile
    found = await process.find(cached.game.id)
    assert found.tail == await process.logged(cached.game.id)
    assert not (await process.move(found, 1, Flip(0))).replayed


async def test_the_append_of_a_cancelled_request_is_visible_without_another_write(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = await process.table()
    insert = Insert(process.store, monkeypatch)
    insert.may_insert.clear()
    request = asyncio.create_task(process.move(cached, 0, Flip(0)))
    await asyncio.sleep(0.02)
    request.cancel()
    looked = asyncio.create_task(process.find(cached.game.id))
    await asyncio.sleep(0.02)
    insert.may_insert.set()
    await asyncio.wait([request, looked])
    await process.open()  # by the same writer, so after the move
    assert (await process.find(cached.game.id)).tail == await process.logged(cached.game.id)
