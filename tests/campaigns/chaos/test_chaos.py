"""Each fault of a single process once, under load. `make chaos` injects a thousand, also on PostgreSQL and Redis."""

from pathlib import Path

import pytest

from tests.campaigns.chaos import clock
from tests.campaigns.chaos.campaign import campaign, faults
from tests.campaigns.chaos.deployment import on_sqlite
from tests.campaigns.chaos.players import PHASES, players

pytestmark = pytest.mark.anyio


@pytest.mark.by_default()  # `tests/e2e` has most faults alone
async def test_every_acknowledged_request_is_in_the_log_exactly_once_after_all_faults(tmp_path: Path) -> None:
    with on_sqlite(tmp_path) as deployment:
        async with players(deployment) as idle:
            kinds = [fault.name for fault in faults(deployment, idle)]
        assert len(kinds) == len(set(kinds)) == 11 + len(PHASES)
        result = await campaign(deployment, len(kinds), 600)
    assert result.complaints == []
    assert sorted(outcome.name for outcome in result.outcomes) == sorted(kinds)
    assert all(len(outcome.seconds) == 1 for outcome in result.outcomes)


def test_the_offset_of_a_clock_is_the_number_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "clock"
    clock.make(file)
    wrong = clock.watched(file)
    assert wrong() == 0
    for seconds in (3600, -0.5):
        clock.set_wrong(file, seconds)
        assert wrong() == seconds * 1_000_000_000
