"""Who is barred: known at once after a change, also if the players have to be read again."""

from collections.abc import Callable
from typing import Any

import pytest

from service.identity.players import Players
from service.identity.tokens import Unauthenticated
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.settings import Settings
from service.tables import players as table
from tests.tables.test_mutable import opened

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(databases: Callable[[str], Settings], store: GameLog) -> Settings:  # noqa: ARG001 - it makes the file
    return databases("log")


async def test_each_change_counts_so_that_no_caller_stays_admitted(settings: Settings) -> None:
    with opened(settings) as mutable:
        players = Players()
        await players.start(mutable)
        ann, bob = [(await players.register(name)).id for name in ("Ann", "Bob")]
        for player, change in ((ann, lambda: signed_out(players, ann)), (bob, lambda: players.forget(bob))):
            players.check(player, 0)
            admitted = players.changes
            await change()
            assert players.changes > admitted
            assert players.is_barred(player, 0)
            with pytest.raises(Unauthenticated):
                players.check(player, 0)
        await players.stop()


async def signed_out(players: Players, player: str) -> None:
    code, _ = await players.new_code(player)
    await players.sign_out(player, code)


async def test_after_a_restored_backup_players_are_read_until_that_succeeds(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(settings) as mutable:
        players = Players()
        await players.start(mutable)
        ann = (await players.register("Ann")).id
        await signed_out(players, ann)
        revision, query = players._revision, mutable.query
        players._revision, players.generations = revision + 9, {}  # the file is older than what is in memory

        async def interrupted(work: Callable[..., Any], *args: Any) -> Any:
            if work is table.generations:
                raise Unavailable("injected")
            return await query(work, *args)

        with monkeypatch.context() as patch:
            patch.setattr(mutable, "query", interrupted)
            with pytest.raises(Unavailable):
                await players._poll()
        admitted = players.changes
        await players._poll()
        assert players._revision == revision
        assert players.changes > admitted
        assert players.is_barred(ann, 0)
        await players.stop()
