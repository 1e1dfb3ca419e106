"""Each fault of a single machine once, under load. `make chaos` goes on with a thousand, and on PostgreSQL."""

from pathlib import Path

import pytest

from tests.campaigns.chaos import clock
from tests.campaigns.chaos.campaign import campaign, faults
from tests.campaigns.chaos.house import on_sqlite
from tests.campaigns.chaos.players import PHASES, players

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_whatever_happens_what_was_acknowledged_stands_and_stands_once(tmp_path: Path) -> None:
    with on_sqlite(tmp_path) as house:
        async with players(house) as nobody:
            kinds = [fault.name for fault in faults(house, nobody)]
        assert len(kinds) == len(set(kinds)) == 9 + len(PHASES)
        result = await campaign(house, len(kinds), 60)
    assert result.complaints == []
    assert sorted(outcome.name for outcome in result.outcomes) == sorted(kinds)
    assert all(len(outcome.seconds) == 1 for outcome in result.outcomes)


def test_a_clock_is_as_wrong_as_its_file_says(tmp_path: Path) -> None:
    file = tmp_path / "clock"
    clock.make(file)
    wrong = clock.watched(file)
    assert wrong() == 0
    for seconds in (3600, -0.5):
        clock.set_wrong(file, seconds)
        assert wrong() == seconds * 1_000_000_000
