"""What other processes append is heard of here by whoever follows it."""

import asyncio
from collections.abc import Callable

import pytest

from domain.rulesets.skyjo import SKYJO
from service.games import log_tailer as tailer_module
from service.games.games import Games
from service.games.log_tailer import LogTailer
from service.live.subscriptions import Subscriptions
from service.store.event_store import Row, Store
from tests.service.test_games import BOB, House

pytestmark = pytest.mark.anyio


async def test_a_game_that_cannot_be_read_does_not_keep_the_others_from_being_heard(
    open_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a new release is installed it may write events that the old one does not know."""
    monkeypatch.setattr(tailer_module, "POLL_INTERVAL", 0.05)
    subscriptions, store, there = Subscriptions(), open_store(), House(open_store(), shared=True)
    games = Games(store, size=9, shared=True, subscriptions=subscriptions)
    log_tailer = LogTailer(store, games, subscriptions)
    (theirs, _), (newer, _) = await there.open(), await there.open()
    live, _held = await games.find(SKYJO, theirs.game.id), await games.find(SKYJO, newer.game.id)
    with (
        subscriptions.subscribe(newer.game.id, "ann", "home"),
        subscriptions.subscribe(theirs.game.id, "ann", "home") as follower,
    ):
        log_tailer.start()
        unheard_of = {"event": {"type": "unheard_of"}}
        await there.store.append(
            [Row(newer.game.id, newer.game.version + 1, f"{newer.rules.rules}.unheard_of", unheard_of)]
        )
        await asyncio.sleep(0.2)
        await there.games.join(theirs, BOB, None, "", None)
        assert await follower.wait(5)
    assert live.game.version == theirs.game.version
    await log_tailer.stop()
