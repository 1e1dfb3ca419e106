"""The command `review`: it verifies first, and shows the same review as text, JSON, lines and a page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.review import weighing
from agents.review.weighing import Plan
from domain.codec import encode
from domain.rulesets import RULESETS
from service.__main__ import main
from service.extensions.review import command
from tests.verifiers import samples

CHEAP = Plan(moves=2, look=2, sift=2, check=2, refine=3, most=3, account=3)


@pytest.fixture(autouse=True)
def plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(weighing.PLANS, "quick", CHEAP)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(encode(samples.shortest(RULESETS["scout"], 2)))
    return path


def test_the_review_is_shown_as_text_as_json_as_lines_and_as_a_page(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    made, steps = command.review, list[Any]()

    def once(*asked: Any) -> Iterator[Any]:
        steps[:] = steps or made(*asked)
        return iter(steps)

    monkeypatch.setattr(command, "review", once)  # the lines are made by another function
    asked = ["review", str(game), "--plan", "quick"]
    assert main([*asked, "--json"]) == 0
    [whole] = map(json.loads, capsys.readouterr().out.splitlines())
    assert (whole["format"], whole["state"], whole["plan"]) == ("stammtisch-review/1", "final", "quick")
    assert main([*asked, "--stream"]) == 0
    lines = [*map(json.loads, capsys.readouterr().out.splitlines())]
    assert lines[0] == {"phase": "first", "done": 1, "all": lines[0]["all"]}
    assert [line["state"] for line in lines if "state" in line] == ["first", "final"]
    assert lines[-1] == whole
    assert main([*asked, "--top", "3", "--language", "de"]) == 0
    text = capsys.readouterr().out
    for row in whole["accounts"]:
        assert f"{row['result']:+.1f} =" in text
    assert len(text.splitlines()) <= 1 + len(whole["accounts"]) + 1 + 3
    page = game.parent / "page.html"
    assert main([*asked, "--page", str(page)]) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert whole["head"] in page.read_text()


def test_a_record_that_is_not_valid_is_rejected(game: Path, capsys: pytest.CaptureFixture[str]):
    forged = json.loads(game.read_text())
    forged["events"][-3]["at"] = "2020-01-01T00:00:00.000000Z"
    game.write_text(json.dumps(forged))
    assert main(["review", str(game), "--plan", "quick"]) == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert "not valid" in found.err


def test_a_game_without_a_result_is_rejected(game: Path, capsys: pytest.CaptureFixture[str]):
    [(_, aborted), *_] = samples.aborted(RULESETS["scout"]).items()
    game.write_bytes(encode(aborted))
    assert main(["review", str(game), "--plan", "quick"]) == 1
    assert "finished" in capsys.readouterr().err


def test_arguments_that_cannot_be_used_are_named(game: Path, capsys: pytest.CaptureFixture[str]):
    for arguments, reason in (
        ([str(game), "--seat", "2"], "seats 0 to 1"),
        ([str(game), "--seat", "-1"], "seats 0 to 1"),
        ([str(game), "--game", "other"], "0 matching games"),
        ([str(game) + ".gone"], "No such file"),
    ):
        assert main(["review", *arguments]) == 2
        assert reason in capsys.readouterr().err
