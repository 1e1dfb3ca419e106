"""`--same-deal`: the three verifiers compare games of one deal alike."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from domain.codec import encode
from domain.fairness import common_deal
from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.verifiers import samples
from tests.verifiers.samples import Json, plain
from tests.verifiers.standalone import command, same_deal

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

RULES = next(iter(VERSIONS.values()))
ROOT = Path(__file__).parents[2]


def renamed(record: samples.AnyRecord, game_id: str, player: str) -> samples.AnyRecord:
    """The same game under another id with other players."""
    seats = [msgspec.structs.replace(seat, player=f"{player} {n}") for n, seat in enumerate(record.seats)]
    return msgspec.structs.replace(record, id=game_id, seats=seats)


@every_ruleset
def test_all_verifiers_say_the_same_of_games_of_one_deal(rules: Rules):
    one, stopped = samples.with_deal(rules).values()
    again, other = samples.with_deal(rules, "deal")["stopped"], samples.finished(rules, 3, 1)
    third = renamed(one, samples.BRANCH, "third")
    half = msgspec.structs.replace(third, events=[*third.events[:-6], *third.events[-2:]])
    found = {}
    for name, records in {
        "other choices": (one, stopped), "equal choices": (one, third), "fewer choices": (one, half),
        "more choices": (half, one), "the third one sat before": (one, third, again), "another deal": (one, other),
        "no deal": (other, other),
    }.items():  # fmt: skip
        ours = msgspec.to_builtins(common_deal.same_deal(records))
        for theirs in same_deal([plain(each) for each in records]):
            ok, detail = theirs["ok"], theirs["detail"]
            assert (ok, detail.lower().rstrip(".")) == (ours["ok"], ours["detail"].lower().rstrip(".")), name
        found[name] = ours["ok"], re.sub(r"[0-9]+ here, [0-9]+ in .*", "", ours["detail"])
    ends = "the same deal; one of the games ends before an event differs"
    twice = "; ".join(f"deal {seat} played it in {samples.ID} too" for seat in range(3))
    assert found["other choices"] == (True, "the same deal; the first difference is version ")
    assert found["equal choices"] == (True, "the same deal; no event differs")
    assert found["fewer choices"] == found["more choices"] == (True, ends)
    assert found["the third one sat before"] == (False, f"the same deal; {twice}; the first difference is version ")
    assert found["another deal"][1].startswith("another deal, commitment")
    assert found["no deal"] == (False, "The game has no deal.")


def another(name: str, value: object) -> Callable[[Json], None]:
    return lambda record: record["events"][0]["event"].update({name: value})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("commitment", another("commitment", "0" * 64)),
        ("rules", another("rules", "org.example.other/1")),
        ("seats", another("seats", 4)),
        ("options", another("options", {"target_points": 7})),
        ("deck", another("deck", [1, 2, 3])),
        ("bots", another("places", [{}, {"bot": "careful/1"}, {}])),
        ("entropies", lambda record: record["seats"][1].update(entropy="x")),
    ],
)
def test_the_stand_alone_verifiers_name_what_differs(name: str, change: Callable[[Json], None]):
    one, other = map(plain, samples.with_deal(RULES).values())
    change(other)
    checks = same_deal([one, other])
    assert checks[0] == checks[1] == {"name": "same-deal", "ok": False, "version": None, "detail": f"another {name}"}


def test_the_stand_alone_verifiers_refuse_what_is_no_record():
    one = plain(samples.with_deal(RULES)["deal"])
    for junk in (None, 1, "x", [], {}, {"events": []}, one | {"seats": 3}, one | {"events": [None]}):
        for records in ([one, junk], [junk, one], [junk, junk]):
            for check in same_deal(records):  # type: ignore[arg-type]
                assert not check["ok"] and check["detail"].startswith("malformed: "), (junk, check)


@pytest.mark.parametrize("program", ["stammtisch", "Python", "JavaScript"])
@pytest.mark.parametrize("change", ["nothing", "one player"])
def test_every_program_compares_the_files(tmp_path: Path, program: str, change: str):
    one, other = samples.with_deal(RULES, "deal" if change == "one player" else "stopped").values()
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file, each in zip(files, (one, other), strict=True):
        file.write_bytes(encode(each))
    ours = [sys.executable, "-m", "service", "verify"]
    run = ours if program == "stammtisch" else command(program)
    ran = subprocess.run(
        [*run, "--same-deal", "--json", *map(str, files)], capture_output=True, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "ascii"}, timeout=120,
    )  # fmt: skip
    first, last = [json.loads(line) for line in ran.stdout.splitlines()]
    assert "same-deal" not in [check["name"] for check in first["checks"]]
    check = last["checks"][-1]
    assert (check["name"], check["ok"], last["status"], ran.returncode) == (
        ("same-deal", True, 0, 0) if change == "nothing" else ("same-deal", False, 1, 1)
    )
    assert re.search("the first difference is version [0-9]+ here, [0-9]+ in " + samples.ID, check["detail"])
    assert ("deal 0 played it in " in check["detail"]) == (change == "one player")
