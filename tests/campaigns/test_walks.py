"""The campaign for a moment."""

import json
from pathlib import Path

import pytest

from tests.campaigns import __main__ as campaigns
from tests.campaigns import walks
from tests.web.pictures import DRAWN


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One walk through two positions."""
    monkeypatch.setattr(walks, "WINDOWS", walks.WINDOWS[3:4])
    notes = str(tmp_path / "notes")
    return ["walks", "--games", "1", "--positions", "2", "--rulesets", DRAWN[0], "--resume", notes]


NAME = f"{DRAWN[0]} 1 0 390x844 2"


def test_what_was_found_is_found_again_without_a_walk(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(arguments[-1]).write_text(json.dumps([NAME, ["A1 a card"]]) + '\n["cut')
    assert campaigns.main(arguments) == 1
    assert "1 walks, 1 of them done" in capsys.readouterr().err


@pytest.mark.by_default()
def test_a_walk_is_made(arguments: list[str]) -> None:
    assert campaigns.main(arguments) == 0
    assert [json.loads(line) for line in Path(arguments[-1]).read_text().splitlines()] == [[NAME, []]]
