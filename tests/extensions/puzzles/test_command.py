"""The command `puzzles`."""

import json
from pathlib import Path

import pytest

from agents.review import weighing
from domain.codec import encode
from domain.rulesets import RULESETS
from service.__main__ import main
from tests.extensions.review.test_command import CHEAP
from tests.extensions.review.test_command import game as game
from tests.verifiers import samples


@pytest.mark.by_default()
def test_puzzles_are_listed_without_the_game_and_its_players(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    game.write_bytes(encode(samples.shortest(RULESETS["scout"], 3)))
    monkeypatch.setattr("service.extensions.puzzles.finding.WORLDS", 3)
    monkeypatch.setattr("service.extensions.puzzles.finding.CERTAIN", 0.0)
    monkeypatch.setattr(weighing, "SHARES", (0, 0, 0))
    monkeypatch.setitem(weighing.PLANS, "quick", CHEAP._replace(moves=4, sift=4))
    record = json.loads(game.read_text())
    assert main(["puzzles", str(game), "--plan", "quick"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed
    assert all(line.startswith(record["id"]) for line in listed)
    assert main(["puzzles", str(game), "--plan", "quick", "--json"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) == len(listed)
    assert not any(part in text for part in (record["id"], *record["names"], *record["names"].values()))
    for line in text.splitlines():
        puzzle = json.loads(line)
        assert puzzle["solution"] in puzzle["moves"]


def test_a_record_that_cannot_be_looked_through_is_rejected(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = json.loads(game.read_text())
    forged["events"][-3]["at"] = "2020-01-01T00:00:00.000000Z"
    game.write_text(json.dumps(forged))
    assert main(["puzzles", str(game), "--plan", "quick"]) == 1
    assert "not valid" in capsys.readouterr().err
    [(_, aborted), *_] = samples.aborted(RULESETS["scout"]).items()
    game.write_bytes(encode(aborted))
    assert main(["puzzles", str(game), "--plan", "quick"]) == 1
    assert "finished" in capsys.readouterr().err
