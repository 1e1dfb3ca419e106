"""The campaign for a moment: `make fuzz` sends a million requests and 100,000 messages."""

from pathlib import Path

import pytest

from tests.campaigns.fuzz import program
from tests.openapi.chance import no_chance

pytestmark = pytest.mark.anyio


async def test_garbage_is_answered_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with no_chance():  # so few requests would else carry out too few kinds of commands now and then
        await program.requests(tmp_path, 400, 1)


@pytest.mark.checked
async def test_garbage_over_channels_breaks_nothing(tmp_path: Path) -> None:
    await program.messages(tmp_path, 200, 1)
