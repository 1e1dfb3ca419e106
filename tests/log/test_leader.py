"""One process leads at a time, and another one follows when it ends."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from service.databases import leadership
from service.live import leader as leader_module
from service.live.leader import Leader
from service.log.leadership import IDLE_TIMEOUT, DatabaseLock
from service.settings import Settings, read
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio


def shared(settings: Settings, tmp_path: Path) -> Settings:
    return settings if settings.uses_postgres else read({}, database=tmp_path / "log.db", workers=2)


async def test_one_process_leads_until_it_ends(
    databases: Callable[[str], Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leader_module, "INTERVAL", 0.02)
    settings = shared(databases("log"), tmp_path)
    first, second, third = [Leader(leadership(settings)) for _ in range(3)]
    for each in (first, second, third):
        await each.start()
    await asyncio.sleep(0.1)
    assert [each.leads for each in (first, second, third)] == [True, False, False]
    await first.stop()
    async with asyncio.timeout(60):
        while not (second.leads or third.leads):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    assert not (second.leads and third.leads)
    for each in (second, third):
        await each.stop()


def test_a_process_alone_leads(tmp_path: Path) -> None:
    assert Leader(leadership(read({}, database=tmp_path / "log.db"))).leads


def test_a_lock_is_lost_with_its_session_and_acquired_again(migrated_url: str, postgres: Postgres) -> None:
    first, second = DatabaseLock(migrated_url), DatabaseLock(migrated_url)
    assert [first.hold(), first.hold(), second.hold()] == [True, True, False]
    ((timeout,),) = first._connection.execute("SHOW idle_session_timeout").fetchall()  # type: ignore[union-attr, misc]
    assert timeout == f"{IDLE_TIMEOUT}s", "the server ends the session of a process that stands still"
    postgres.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    assert [second.hold(), first.hold(), first.hold()] == [True, False, False]
    second.close()
    while not first.hold():  # the server notices it a moment later
        pass
    first.close()


def test_nobody_leads_while_the_database_is_away() -> None:
    lock = DatabaseLock("postgresql://ada@127.0.0.1:1/games")
    assert not lock.hold()
    lock.close()
