"""Whom a player has blocked, in memory."""

from collections.abc import AsyncIterator, Callable, Collection

import pytest

from service.identity import players as module
from service.identity.players import Players
from service.log.game_log import GameLog
from service.settings import Settings
from tests.tables.test_mutable import opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def players(databases: Callable[[str], Settings], store: GameLog) -> AsyncIterator[Players]:  # noqa: ARG001
    with opened(databases("log")) as mutable:
        players = Players()
        await players.start(mutable)
        yield players
        await players.stop()


async def test_a_block_drops_nothing_of_what_is_cached_for_others(players: Players) -> None:
    """A name that changes does."""
    ann, bob = [(await players.register(name)).id for name in ("Ann", "Bob")]
    dropped: list[Collection[str]] = []
    players.on_change = lambda changed: dropped.append({*changed})
    roster = await players.roster((ann, bob))
    await players.block(ann, bob)
    assert players.has_blocked(ann, bob)
    await players.unblock(ann, bob)
    assert not players.has_blocked(ann, bob)
    assert await players.roster((ann, bob)) is roster
    assert dropped == []
    await players.alter(ann, {"name": "Anna"})
    assert dropped == [{ann}]
    assert [each and each.name for each in (await players.roster((ann, bob))).players] == ["Anna", "Bob"]


async def test_reads_of_unknown_players_evict_no_block(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_NAMES", 10)
    ann, bob = [(await players.register(name)).id for name in ("Ann", "Bob")]
    await players.block(ann, bob)
    assert await players.blocked_by(ann) == {bob}
    for number in range(50):
        assert not await players.exists(f"unknown {number}")
        assert players.has_blocked(ann, bob)
    assert len(players._known) <= 10


async def test_blocks_that_are_asked_for_stay_longer_than_names(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_NAMES", 10)
    ann, bob = [(await players.register(name)).id for name in ("Ann", "Bob")]
    await players.block(ann, bob)
    await players.blocked_by(ann)
    for number in range(50):
        assert await players.exists((await players.register(f"Guest {number}")).id)
        assert players.has_blocked(ann, bob)
