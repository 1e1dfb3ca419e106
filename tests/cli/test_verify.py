"""`stammtisch verify`: its input, output and exit status."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from domain.codec import encode
from domain.game import Rules
from domain.rulesets import VERSIONS
from service.__main__ import main
from tests.verifiers import samples

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

CHECKS = (
    "format", "header", "versions", "times", "appends", "life", "heads", "commitment", "rules", "deals",
)  # fmt: skip
RULES = next(iter(VERSIONS.values()))


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    file = tmp_path / "whole.json"
    file.write_bytes(encode(samples.shortest(RULES, RULES.seats[0])))
    return file


@every_ruleset
def test_every_check_is_printed(rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(encode(samples.shortest(rules, rules.seats[0])))
    assert main(["verify", str(file)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.endswith("events: right")
    assert [line.split()[:2] for line in lines] == [["ok", name] for name in CHECKS]


def test_a_failed_check_is_printed_with_the_version(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = json.loads(whole.read_text())
    forged["events"][6]["version"] = 9
    whole.write_text(json.dumps(forged))
    assert main(["verify", str(whole)]) == 1
    printed = capsys.readouterr().out
    assert "WRONG" in printed.splitlines()[0]
    assert "WRONG versions    version 7: " in printed


def test_checks_that_need_the_secret_are_open_for_a_running_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "running.json"
    file.write_bytes(encode(samples.seen(RULES, samples.running(RULES, RULES.seats[0], 0), 0)))
    assert main(["verify", str(file)]) == 3
    printed = capsys.readouterr().out
    assert "nothing is wrong, but not all can be checked\n" in printed
    assert "?     commitment" in printed


def test_an_unreadable_record_is_rejected_as_by_import(whole: Path, tmp_path: Path) -> None:
    wrong, text = tmp_path / "wrong.json", tmp_path / "text.json"
    wrong.write_text(json.dumps(json.loads(whole.read_text()) | {"id": "x"}))
    text.write_text('{"format": "stammtisch-record/1"}')
    assert main(["verify", str(whole), str(wrong), str(whole)]) == 1
    assert main(["verify", str(text), str(whole)]) == 1
    assert main(["verify", str(tmp_path / "nowhere")]) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format":"stammtisch-record/1"', '"format":"stammtisch-record/2"'),
        ('"protocol":"stammtisch/1"', '"protocol":"stammtisch/2"'),
        (f'"rules":"{RULES.rules}"', '"rules":"org.example.tarot/7"'),
    ],
)
def test_what_is_not_known_cannot_be_checked_and_is_not_called_wrong(
    old: str, new: str, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = whole.read_text()
    assert old in text
    whole.write_text(text.replace(old, new))
    assert main(["verify", "--json", str(whole)]) == 3
    printed = capsys.readouterr()
    assert json.loads(printed.out)["status"] == 3
    assert "Cannot be checked: Unknown" in printed.err
    whole.write_text(text.replace(old, new[:-2] + '"'))  # this is not a version
    assert main(["verify", str(whole)]) == 1


def test_files_with_many_records_gzip_and_standard_input_are_read(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = b"\n".join([whole.read_bytes(), b"", b'{"no": "record"}', whole.read_bytes()])
    packed = tmp_path / "many.gz"
    packed.write_bytes(gzip.compress(lines))
    assert main(["verify", "--json", str(packed)]) == 1
    printed = capsys.readouterr()
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert [(one["place"], one["status"]) for one in found] == [
        (f"{packed}:1", 0), (f"{packed}:3", 1), (f"{packed}:4", 0)
    ]  # fmt: skip
    unread = found[1]
    assert (unread["id"], unread["checks"]) == (None, [])
    assert printed.err == f"{packed}:3: {unread['error']}\n"
    assert found[0]["error"] is None
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(json.loads(whole.read_text()), indent=1).encode()))
    )
    assert main(["verify", "-"]) == 0
    packed.write_bytes(gzip.compress(lines)[:-20])
    assert main(["verify", str(packed)]) == 1


def test_a_record_without_the_given_head_is_wrong(whole: Path) -> None:
    head = samples.heads(json.loads(whole.read_text()))[4]
    assert main(["verify", "--head", head, str(whole)]) == 0
    assert main(["verify", "--head", "0" * 64, str(whole)]) == 1
