"""Every reader of a record, a description or a deck refuses an object with a key twice (R1): one file would have two
contents, and each reader would show its own. Films over REST: tests/extensions/films/test_routes.py."""

import json
import subprocess
from argparse import _SubParsersAction
from pathlib import Path

import msgspec
import pytest
from stammtisch_client.record import Record as ClientRecord

from domain.codec import encode
from domain.description import description
from domain.fairness import record
from domain.rulesets import VERSIONS
from domain.strict import only_once
from service.__main__ import main
from service.cli.parser import LINES, RECORDS, parser
from tests.verifiers import samples
from tests.verifiers.standalone import JAVASCRIPT, PYTHON, node, python, refused

RULES = next(iter(VERSIONS.values()))
WHOLE = samples.shortest(RULES, RULES.seats[0])
TEXT = encode(WHOLE).decode()
DECK = encode(WHOLE.deck).decode()

READERS: dict[str, list[str]] = {
    "verify": [],
    "replay": ["--at", "1"],
    "review": ["--plan", "quick"],
    "import": ["--database", "games.db"],
    "compare": [RULES.rules, RULES.rules],
    "film": [],
    "puzzles": [],
}
"""The commands that read records, with the arguments that they need."""


def twice(text: str, entry: str) -> str:
    """The text with this entry of an object before the one that has the same key."""
    key = entry[: entry.index(":") + 1]
    assert f",{key}" in text or f"{{{key}" in text, key
    before = "," if f",{key}" in text else "{"
    return text.replace(f"{before}{key}", f"{before}{entry},{key}", 1)


ENTRIES = [
    '"id":"018f3c2e-7b1a-7c3d-9e4f-00000000b003"', '"rules":"org.example.tarot/7"', '"format":"stammtisch-record/2"',
    '"secret":null', '"result":null', '"at":"2026-11-20T08:00:00.000001Z"', '"entropy":"another"', '"more":false',
    '"opener":"p9"', '"type":"x"', '"names":{"p0":"Eve"}', '"\\u0068ead":"x"',
]  # fmt: skip
DUPLICATES = {entry.split(":")[0]: twice(TEXT, entry) for entry in ENTRIES if "u0068" not in entry}
DUPLICATES["escaped"] = TEXT.replace('"head":', '"\\u0068ead":"x","head":', 1)
DUPLICATES["a name"] = TEXT.replace('"names":{"', '"names":{"p0":"Eve","', 1)
LAST = TEXT.replace(f'"rules":"{RULES.rules}"', f'"rules":"{RULES.rules}","rules":"org.example.tarot/7"', 1)
DUPLICATES["unknown rules"] = LAST


def commands_that_read_records() -> set[str]:
    [commands] = [each for each in parser()._actions if isinstance(each, _SubParsersAction)]
    return {
        name
        for name, command in commands.choices.items()
        if any(each.help and (each.help == LINES or each.help.startswith(RECORDS[:18])) for each in command._actions)
    }


def test_every_command_that_reads_records_is_listed() -> None:
    assert commands_that_read_records() == set(READERS)


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("place", ['"id"', '"entropy"', "unknown rules"])
def test_every_command_refuses_them(
    command: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("record.json").write_text(DUPLICATES[place])
    names = READERS[command]
    before, after = (names, []) if command == "compare" else ([], names)
    status = main([command, *before, "record.json", *after])
    said = "".join(capsys.readouterr())
    assert "twice" in said, said
    assert status != 0
    assert not any(path.name != "record.json" and "p0" in path.read_text("latin-1") for path in tmp_path.iterdir())


@pytest.mark.parametrize("text", DUPLICATES.values(), ids=DUPLICATES)
def test_they_are_refused_wherever_they_are(text: str) -> None:
    assert json.loads(text)["id"] == WHOLE.id, "readers that take the last one would accept it"
    with pytest.raises(record.Unreadable) as refusal:
        record.decode(text.encode())
    assert not isinstance(refusal.value, record.Uncheckable)
    with pytest.raises(ValueError, match="duplicate key"):
        python().read(text)
    with pytest.raises(ValueError, match="duplicate key"):
        _ = ClientRecord(text.encode()).fields


@pytest.mark.parametrize("program", [[node(), JAVASCRIPT], ["python3", PYTHON]], ids=["JavaScript", "Python"])
def test_the_verifiers_refuse_each_of_them(program: list[str], tmp_path: Path) -> None:
    """One process reads all of them: each has a line that names its file."""
    for number, text in enumerate(DUPLICATES.values()):
        (tmp_path / f"{number}.json").write_text(text)
    files = [f"{number}.json" for number in range(len(DUPLICATES))]
    ran = subprocess.run([*program, *files], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    found = [line.partition(": ") for line in ran.stderr.splitlines()]
    assert [file for file, _, reason in found if "duplicate key" in reason] == files


def test_a_description_and_a_deck_with_a_key_twice_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = description(RULES).decode()
    assert refused(text) == ("", "")
    assert all("duplicate key" in said for said in refused(twice(text, '"rules":"x/1"')))
    file = tmp_path / "deck.json"
    file.write_text(DECK)
    assert main(["deck", "check", str(file)]) == 0
    file.write_text(twice(DECK, '"name":"another"'))
    assert main(["deck", "check", str(file)]) == 1
    assert "twice" in capsys.readouterr().out


@pytest.mark.parametrize("text", ['{"a":1,"b":2,"a":3}', '[{"x":{"a":1,"a":1}}]', '{"a":1,"\\u0061":1}'])
def test_the_key_is_named(text: str) -> None:
    with pytest.raises(msgspec.DecodeError, match="An object has the key 'a' twice"):
        only_once(text.encode())
