"""Subscribers are notified of what other processes append."""

import asyncio
from collections.abc import Callable

import pytest

from domain.game.commands import Join
from domain.rulesets.skyjo import SKYJO
from service.games import peers as peers_module
from service.games.games import Games
from service.games.peers import Peers
from service.live.subscriptions import Subscriptions
from service.log.game_log import GameLog
from service.log.mapper import Row
from tests.service.test_games import BOB, Process

pytestmark = pytest.mark.anyio


async def test_a_game_that_cannot_be_read_does_not_affect_the_others(
    open_store: Callable[[], GameLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """During an upgrade the new release may write events that the old one cannot decode."""
    monkeypatch.setattr(peers_module, "POLL_INTERVAL", 0.05)
    subscriptions, store, there = Subscriptions(), open_store(), Process(open_store(), shared=True)
    games = Games(store, budget=2**30, shared=True, subscriptions=subscriptions)
    peers = Peers(store, games, subscriptions)
    (theirs, _), (newer, _) = await there.open(), await there.open()
    cached, _held = await games.find(SKYJO, theirs.game.id), await games.find(SKYJO, newer.game.id)
    with (
        subscriptions.subscribe(newer.game.id, "ann", "home"),
        subscriptions.subscribe(theirs.game.id, "ann", "home") as subscription,
    ):
        peers.start()
        unknown = {"event": {"type": "unknown"}}
        await there.store.append([Row(newer.game.id, newer.game.version + 1, f"{newer.rules.rules}.unknown", unknown)])
        await asyncio.sleep(0.2)
        await there.games.execute(theirs, BOB, Join())
        assert await subscription.wait(5)
    assert cached.game.version == theirs.game.version
    await peers.stop()
