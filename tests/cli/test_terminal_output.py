"""What commands print of a record is text: a terminal has nothing in it to obey."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from domain.codec import encode
from domain.rulesets import RULESETS
from service.__main__ import main
from tests.verifiers import samples
from tests.verifiers.standalone import JAVASCRIPT, PYTHON, node

RULES = next(iter(RULESETS.values()))
ODD = "\x1b]0;owned\x07\x9b2J\u202e\r\n\x7f"


@pytest.mark.parametrize("field", ["id", "parent", "head", "player", "deck", "cause", "at"])
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["words", "json"])
@pytest.mark.parametrize("program", ["stammtisch verify", "verifier in Python", "verifier in JavaScript"])
def test_verify_escapes_what_a_terminal_could_obey(
    program: str, field: str, options: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(encode(samples.shortest(RULES, RULES.seats[0])))
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
    file = tmp_path / f"{ODD.replace('/', '')}.json"
    file.write_text(json.dumps(record))
    match program:
        case "stammtisch verify":
            status = main(["verify", *options, str(file)])
        case "verifier in Python":
            status = subprocess.run([sys.executable, PYTHON, *options, file]).returncode
        case _:
            status = subprocess.run([node(), JAVASCRIPT, *options, file]).returncode
    assert status != 0
    told = capfd.readouterr()
    assert (told.out + told.err).replace("\n", "").isprintable(), repr(told)
    if options and told.out:
        found = json.loads(told.out)
        assert str(file) in found.values()
        assert found["id"] == (None if found["error"] else record["id"])
