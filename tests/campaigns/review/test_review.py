"""The campaign of the review: it resumes, judges what was measured, and notices figures that are missed."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.review import weighing
from domain.rulesets import RULESETS
from tests.agents.same_review import CHEAP
from tests.campaigns import __main__ as campaigns
from tests.campaigns.review import figures, games, program
from tests.campaigns.review.figures import JUDGES


def missed(trial: str, rows: list[dict[str, Any]]) -> list[str]:
    return [figure.name for figure in JUDGES[trial](rows) if not figure.reached]


def choice(**other: Any) -> dict[str, Any]:
    """A planted blunder that is found, and cost what is claimed."""
    found = {
        "rules": "scout", "planted": True, "claim": 3, "claimed": 4.0, "gap": 4.0, "true": 4.0, "error": 0.1,
        "costly": 3, "least": 0.7,
    }  # fmt: skip
    return found | other


def test_each_missed_figure_of_planted_errors_is_named():
    good = [choice() for _ in range(60)]
    assert missed("recall", good) == []
    assert missed("recall", good[1:]) == ["costly choices"]
    assert missed("recall", good[10:] + [choice(claim=0)] * 10) == ["found: blunders"]
    assert missed("recall", good + [choice(claim=0, costly=1)] * 41) == ["found: all"]
    invented = choice(planted=False, costly=0, claim=1, claimed=0.8)
    assert missed("recall", good + [invented | {"gap": 0.6}] * 7) == ["low claims"]
    assert missed("recall", good + [invented | {"gap": 0.3}] * 2) == ["false claims"]
    assert missed("recall", good + [invented | {"gap": 0.8, "claimed": 1.9}] * 60) == ["bias, in lowest thresholds"]


def test_luck_players_and_searches_are_judged_by_their_errors():
    lucky = [{"luck": {"careful": value}} for value in (1.0, 2.0, 3.0)]
    assert missed("luck", lucky) == ["luck of careful in 3 games"]
    assert missed("luck", [*lucky, *[{"luck": {"careful": -value}} for value in (1.0, 2.0, 3.0)]]) == []
    row = {"loss": {"careful": 0.2, "erring": 0.5, "random": 0.9}, "own": {"careful": 0, "erring": -9, "random": -20}}
    rows = [{"rules": "scout"} | row] * 2
    assert missed("order", rows) == []
    rows[0] |= {"loss": {"careful": 0.9, "erring": 0.5, "random": 0.9}}
    assert missed("order", rows) == ["loss: erring beside careful in 2 games"]
    assert missed("order", [rows[0] | {"rules": "scandaroon"}] * 2) == []
    assert missed("search", [{"points": -3, "own": 2}, {"points": 5, "own": 3}]) == []
    assert missed("search", [{"points": -3, "own": 2}, {"points": 5, "own": -3}]) == ["own choices of the search"]
    assert missed("blind", [{"alike": 8, "asked": 8}, {"alike": 7, "asked": 8}]) == ["weighed alike"]
    assert missed("times", [{"rules": "scout", "milliseconds": 2000, "asked": 10}]) == []
    assert missed("times", [{"rules": "scout", "milliseconds": 2010, "asked": 10}]) == ["milliseconds a choice"]
    assert missed("first", [{"seconds": 60}, {"seconds": 1}, {"seconds": 99}]) == []
    assert missed("first", [{"seconds": 61}, {"seconds": 1}, {"seconds": 99}])
    assert missed("hints", [{"gains": [-1.0, -1.1, -0.9], "puzzles": 0, "choices": 30}]) == ["3 hints gain"]


def test_games_are_measured_once_and_cut_ones_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    asked = ["review", "blind", "scout", "--games", "1", "--rows", str(tmp_path)]
    file = tmp_path / "blind-scout.jsonl"
    file.write_text('{"rules": "scout", "game": 0, "alike": 0, "asked": 9}\n{"rules": "sc')
    monkeypatch.setitem(weighing.PLANS, "quick", CHEAP)
    monkeypatch.setattr(program, "EVERY", 20)
    assert campaigns.main(asked) == 0
    [row] = map(json.loads, file.read_text().splitlines())
    assert row["done"]
    assert row["alike"] == row["asked"] > 0
    monkeypatch.setitem(program.TRIALS, "blind", None)  # nothing is measured again
    assert campaigns.main(asked) == 0
    assert f"weighed alike: {row['asked']} of {row['asked']}" in capsys.readouterr().out


@pytest.mark.checked
def test_planted_errors_are_noted_and_the_truth_is_measured(monkeypatch: pytest.MonkeyPatch):
    rules = RULESETS["scout"]
    monkeypatch.setitem(weighing.PLANS, "standard", CHEAP)
    monkeypatch.setattr(games, "SIFTED", 2)
    monkeypatch.setattr(program, "TRUTH", 2)
    made = games.trial(rules, ["erring"] * games.SEATS, 0)
    assert 0 < len(made.planted) < len(made.played.moves) / 2
    *rows, done = program.recall(rules, 0)
    assert done == {}
    assert {row["move"] for row in rows if row["planted"]} <= {*made.planted}
    assert [*figures.judged([{"rules": "scout"} | dict(row) for row in rows])]
