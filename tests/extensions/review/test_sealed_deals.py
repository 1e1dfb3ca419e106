"""A game of a sealed deal, which others still play, is not up for review."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.clients import done
from tests.support.common_deals import Tables, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    async with serving(tmp_path) as found:
        yield found


async def test_a_finished_game_of_a_sealed_deal_is_not_up_for_review(tables: Tables) -> None:
    async def finished() -> int:
        await tables.runtime.projection_runner.caught_up()
        return int(done(await tables.ann.get("/v1/players/me/reviews/scout"))["finished"])

    assert (await tables.play(tables.ann, tables.games[0]))["status"] == "finished"
    assert await finished() == 0
    await tables.runtime.commands.reveal(await tables.cached(tables.games[0]))
    assert await finished() == 1
