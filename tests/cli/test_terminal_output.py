"""What commands print of a record is text: a terminal has nothing in it to obey."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.codec import encode
from domain.rulesets import RULESETS
from service.__main__ import main
from tests.verifiers import samples
from tests.verifiers.standalone import JAVASCRIPT, PYTHON, node

RULES = next(iter(RULESETS.values()))
Json = dict[str, Any]

ODD = "\x1b]0;owned\x07\x9b2J\u202e\r\n\x7f"


FIELDS = "id", "parent", "head", "player", "deck", "cause", "at"


def odd(field: str) -> Json:
    """A record with such a text in the field."""
    record: Json = json.loads(encode(samples.shortest(RULES, RULES.seats[0])))
    match field:
        case "id" | "head":
            record[field] = ODD
        case "parent":
            record["parent"] = {"id": ODD, "root": ODD, "at": 9}
        case "player":
            record["seats"][0]["player"] = ODD
            record["names"] = {ODD: ODD}
        case "deck":
            record["deck"]["name"] = ODD
        case "at":
            record["events"][2]["at"] = ODD
        case "cause":
            record["events"][-1]["event"] = {"type": ODD, "cause": ODD}
    return record


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["words", "json"])
@pytest.mark.parametrize("program", ["stammtisch verify", "verifier in Python", "verifier in JavaScript"])
def test_verify_escapes_what_a_terminal_could_obey(
    program: str, options: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One process reads a file for each field."""
    records = {str(tmp_path / f"{field}{ODD.replace('/', '')}.json"): odd(field) for field in FIELDS}
    for file, record in records.items():
        Path(file).write_text(json.dumps(record))
    match program:
        case "stammtisch verify":
            status = main(["verify", *options, *records])
        case "verifier in Python":
            status = subprocess.run([sys.executable, PYTHON, *options, *records]).returncode
        case _:
            status = subprocess.run([node(), JAVASCRIPT, *options, *records]).returncode
    assert status != 0
    told = capfd.readouterr()
    assert (told.out + told.err).replace("\n", "").isprintable(), repr(told)
    assert all(f"/{field}\\" in told.out + told.err for field in FIELDS)
    if options:
        found = [json.loads(line) for line in told.out.splitlines()]
        for each, (file, record) in zip(found, records.items(), strict=True):
            assert file in each.values()
            assert each["error"] or any(check["ok"] is False for check in each["checks"])
            assert each["id"] == (None if each["error"] else record["id"])
