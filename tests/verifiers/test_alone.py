"""The stand-alone verifiers as programs: they need nothing of this project and say what they could not check."""

import ast
import gzip
import json
import os
import shlex
import signal
import subprocess
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import UNSET

from domain.codec import encode
from domain.description import description, description_hash
from domain.fairness.verification import flawless, verify
from domain.game import Rules
from domain.rulesets import VERSIONS
from tests import golden
from tests.support.chromium import chromium_binary
from tests.verifiers import described, samples
from tests.verifiers.samples import Json, chained_anew, plain
from tests.verifiers.standalone import JAVASCRIPT, PYTHON, Checks, command, javascript, outcome, python, wrong

pytestmark = pytest.mark.turns("rulesets")

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
both = pytest.mark.parametrize("program", ["Python", "JavaScript"])

RULES = next(iter(VERSIONS.values()))


def run(program: str, folder: Path, *arguments: Any, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run outside the repository."""
    return subprocess.run(
        [*command(program), *map(str, arguments)], input=text, capture_output=True, text=True, encoding="utf-8",
        cwd=folder, env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii"}, timeout=60,
    )  # fmt: skip


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    file = tmp_path / "whole.json"
    file.write_bytes(encode(samples.shortest(RULES, RULES.seats[0])))
    return file


# --- what they are made of ----------------------------------------------------------------------------------------


def test_the_python_verifier_imports_only_the_standard_library_and_runs_on_3_9():
    tree = ast.parse(PYTHON.read_text(), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"argparse", "copy", "functools", "hashlib", "hmac", "json", "os", "pathlib", "re", "sys"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "strict"]


def test_the_javascript_verifier_imports_nothing_in_a_browser():
    """On the command line it imports only modules of Node."""
    text = JAVASCRIPT.read_text()
    assert not [line for line in text.splitlines() if line.startswith("import ")]
    assert {part.split('"')[1] for part in text.split("await import(")[1:]} <= {"node:fs", "node:url", "node:util"}


def test_the_javascript_verifier_is_small():
    """Every browser that checks a game loads it."""
    assert len(gzip.compress(JAVASCRIPT.read_bytes(), 9, mtime=0)) <= 33 * 1024


def test_both_know_the_same_rulesets():
    names = [rules for rules in VERSIONS if f'"{rules}": {{' in JAVASCRIPT.read_text()]
    assert names == [rules for rules in VERSIONS if rules in python().TABLE]
    assert names


@every_ruleset
def test_the_tables_of_moves_and_choices_are_complete(rules: Rules):
    """Every move with its fields, and no event that does not exist."""
    if rules.rules not in python().TABLE:
        pytest.skip("the ruleset is not in the table of the stand-alone verifiers")
    table = python().TABLE[rules.rules]
    moves = {
        kind.__struct_config__.tag: [
            field.encode_name + ("?" if field.default is UNSET else "") for field in msgspec.structs.fields(kind)
        ]
        for kind in get_args(rules.move) or (rules.move,)
    }
    assert {kind: sorted(fields.split()) for kind, (fields, _) in table["moves"].items()} == {
        kind: sorted(fields) for kind, fields in moves.items()
    }
    causes = {event for _, causes in table["moves"].values() for event in causes}
    assert causes | set(table["acting"]) <= set(table["events"])


@every_ruleset
def test_appends_of_the_golden_games_are_right(rules: Rules):
    """They contain every event."""
    for file in sorted(golden.folder(rules).glob("*.jsonl")):
        played, _ = golden.read(rules, file)
        found = python().Record(plain(samples.record_of(played.id, played.log)))
        assert found.appends().endswith("appends, each complete"), file.name


# --- whole games --------------------------------------------------------------------------------------------------


def expected(rules: Rules, complete: bool = True) -> dict[str, bool | None]:
    known = rules.rules in python().TABLE
    hashes = ("heads",) if complete else ("public", "secret", "heads")
    names = ("shape", "header", "versions", "times", "appends", "life", *hashes, "commitment")
    names += ("shuffles",) if known else ("description", "shuffles")
    partly = () if known else ("appends", "life", hashes[0], "description", "shuffles")
    return {name: None if name in partly else True for name in names}


@every_ruleset
def test_games_of_any_seats_and_options_are_right(rules: Rules, everything: bool):
    """Also branches, and a game that was aborted because all players left."""
    records = [samples.finished(rules, seats, seed) for seats in rules.seats for seed in range(1 + everything)]
    records += [samples.branched(rules, seed) for seed in range(1 + everything)]
    for found, other in zip(records, javascript([plain(one) for one in records]), strict=True):
        assert outcome(python().verify(plain(found))) == expected(rules) == outcome(other)
    given_up = plain(samples.given_up(rules, 'Ann "♥" \u2028 😀'))  # to a verifier an id is a text like any other
    assert outcome(python().verify(given_up)) == expected(rules) == outcome(javascript([given_up])[0])


@every_ruleset
def test_aborted_games_are_right_whatever_the_cause(rules: Rules):
    for cause, whole in samples.aborted(rules).items():
        found = plain(whole)
        assert found["events"][-2]["event"].get("cause", "left") == cause
        assert outcome(python().verify(found)) == expected(rules) == outcome(javascript([found])[0])


@every_ruleset
def test_aborted_games_with_an_uncommon_history_are_right(rules: Rules):
    records = samples.unusually_aborted(rules)
    for (name, whole), other in zip(records.items(), javascript([*map(plain, records.values())]), strict=True):
        assert whole.events[-2].event.__class__.__name__ == "Aborted", name
        assert flawless(verify(whole)), name
        assert outcome(python().verify(plain(whole))) == expected(rules) == outcome(other), name


@every_ruleset
def test_games_with_bots_and_leavers_are_right(rules: Rules):
    records = samples.with_bots(rules)
    for (name, whole), other in zip(records.items(), javascript([*map(plain, records.values())]), strict=True):
        assert flawless(verify(whole)), name
        assert outcome(python().verify(plain(whole))) == expected(rules) == outcome(other), name


@every_ruleset
def test_other_bots_and_leavers_are_found_though_all_hashes_are_right(rules: Rules):
    back, bot = samples.with_bots(rules)["gone and back"], samples.with_bots(rules)["a bot"]
    forged = [plain(back) for _ in range(7)] + [plain(bot) for _ in range(5)]
    kinds = [entry["event"]["type"] for entry in forged[0]["events"]]
    gone, rejoined = kinds.index("gone"), kinds.index("rejoined")
    forged[0]["events"][gone]["event"]["moved"] ^= True
    forged[1]["events"][gone]["event"]["bot"] = "careful/1"
    del forged[2]["events"][gone]["event"]["bot"]
    forged[3]["events"][gone]["event"]["seat"] = forged[3]["events"][gone]["by"] = 0
    forged[4]["events"][rejoined]["event"]["seat"] = forged[4]["events"][rejoined]["by"] = 0
    del forged[5]["events"][rejoined]
    forged[6]["events"][0]["event"]["absent"] = "abort"
    opened = [each["events"][0]["event"] for each in forged]
    del opened[7]["places"]
    opened[8]["places"][0], opened[8]["places"][-1] = opened[8]["places"][-1], opened[8]["places"][0]
    opened[9]["places"][0]["player"] = "mallory"
    opened[10]["places"].append({})
    begun = next(entry for entry in forged[11]["events"] if entry.get("acting"))
    begun["acting"] = sorted({*begun["acting"], opened[11]["seats"] - 1})  # the bot
    kept = samples.with_bots(rules)["kept"]
    forged += [plain(kept) for _ in range(4)]
    declined = next(
        number for number, entry in enumerate(kept.events) if entry.event.__struct_config__.tag == "declined"
    )
    for each, seat in zip(forged[-4:-1], (0, 2, 3), strict=True):  # taken; still to be taken by its player; unknown
        each["events"][declined]["event"]["seat"] = each["events"][declined]["by"] = seat
    forged[-1]["events"][declined + 1]["event"]["player"] = "p2"  # who has another seat later
    made = [samples.rehashed(each) for each in forged]
    for number, (each, other) in enumerate(zip(made, javascript(made), strict=True)):
        assert wrong(python().verify(each)) and wrong(other), number


@every_ruleset
def test_a_changed_cause_is_found_though_all_hashes_are_right(rules: Rules):
    for cause, whole in samples.aborted(rules).items():
        for other in {"left", "cancelled", "expired", "longest"} - {cause, *CANNOT_BE_TOLD.get(cause, ())}:
            forged = plain(whole)
            forged["events"][-2]["event"]["cause"] = other
            if other == "left":
                del forged["events"][-2]["event"]["cause"]
            forged = samples.chained_anew(forged)
            for found in (python().verify(forged), javascript([forged])[0]):
                assert outcome(found)["life"] is False, (cause, other)


CANNOT_BE_TOLD = {"cancelled": {"expired"}, "expired": {"cancelled"}}
"""A record does not contain who requested the abort, nor how long games wait."""


@every_ruleset
def test_a_game_that_continues_beyond_its_maximum_length_is_found_though_all_hashes_are_right(rules: Rules):
    forged = plain(samples.shortest(rules, rules.seats[0]))
    forged["events"][0]["event"]["longest"] = len(forged["events"]) // 2
    forged = samples.chained_anew(forged)
    for found in (python().verify(forged), javascript([forged])[0]):
        assert outcome(found)["life"] is False
    for odd in (0, -1, None, "9", True):
        forged["events"][0]["event"]["longest"] = odd
        for found in (python().verify(forged), javascript([forged])[0]):
            assert outcome(found)["life"] is False, odd
    short = plain(samples.aborted(rules)["longest"])
    short["events"][0]["event"]["longest"] = len(short["events"])
    short = samples.chained_anew(short)
    for found in (python().verify(short), javascript([short])[0]):
        assert outcome(found)["life"] is False


@every_ruleset
def test_in_a_redacted_record_the_visible_events_are_checked(rules: Rules):
    whole, part = samples.shortest(rules, rules.seats[0]), samples.running(rules, rules.seats[0], 0)
    for viewer in (None, 0, 1):
        over, runs = (plain(samples.seen(rules, one, viewer)) for one in (whole, part))
        for found in (python().verify(over), javascript([over])[0]):
            assert outcome(found) == expected(rules, complete=False) | {"secret": None, "shuffles": None}
        for found in (python().verify(runs), javascript([runs])[0]):
            unknown = {"secret": None, "shuffles": None, "commitment": None}
            assert outcome(found) == expected(rules, complete=False) | unknown


@both
def test_checks_that_cannot_be_made_show_in_the_text_the_json_and_the_exit_status(program: str, tmp_path: Path):
    """A game of an unknown ruleset: everything but the shuffles and the hashes is checked. The description is named."""
    unknown = plain(samples.shortest(RULES, RULES.seats[0]))
    for part in (unknown, unknown["events"][0]["event"]):
        part |= {"ruleset": "tarot", "rules": "tarot/7"}
        part["deck"]["ruleset"] = "tarot"
    file = tmp_path / "unknown.json"
    file.write_text(json.dumps(unknown))
    words = run(program, tmp_path, file)
    assert words.returncode == 3, words
    assert "SHUFFLES NOT CHECKED: tarot/7" in words.stdout
    assert "NOT ALL CHECKS COULD BE MADE" in words.stdout
    assert f"sha256:{description_hash(RULES)}" in words.stdout
    told = json.loads(run(program, tmp_path, "--json", file).stdout)
    assert told["status"] == 3
    assert {c["name"] for c in told["checks"] if c["ok"] is None} == {
        "appends",
        "life",
        "heads",
        "description",
        "shuffles",
    }


def of_another_author(folder: Path) -> tuple[Json, bytes, Path]:
    """A record of a ruleset that no verifier knows, its description, and the file of the description."""
    name, whole = "org.example.tarot", plain(samples.shortest(RULES, RULES.seats[0]))
    text = description(RULES).replace(f'"{RULES.rules}"'.encode(), f'"{name}/7"'.encode())
    for part in (whole, whole["events"][0]["event"]):
        part |= {"ruleset": name, "rules": f"{name}/7"}
        part["deck"]["ruleset"] = name
    whole["events"][0]["event"]["description"] = sha256(text).hexdigest()
    (file := folder / "tarot.rules.json").write_bytes(text + b"\n")
    return described.sealed(whole, text), text, file


@both
def test_with_its_description_a_game_of_another_author_is_checked(program: str, tmp_path: Path):
    whole, text, rules = of_another_author(tmp_path)
    (file := tmp_path / "tarot.json").write_text(json.dumps(whole))
    (other := tmp_path / "skyjo.rules.json").write_bytes(description(RULES))
    right = run(program, tmp_path, "--rules", other, "--rules", rules, file)
    assert (right.returncode, right.stderr) == (0, "")
    assert "all checks were made that a description allows" in right.stdout
    assert f"sha256:{sha256(text).hexdigest()}" in right.stdout
    assert run(program, tmp_path, "--rules", other, file).returncode == 3  # it is not about this ruleset
    (changed := tmp_path / "changed.rules.json").write_bytes(text.replace(b'"seats":[2,8]', b'"seats":[2,9]'))
    wrong_one = run(program, tmp_path, "--json", "--rules", changed, file)
    assert wrong_one.returncode == 1
    assert [c["name"] for c in json.loads(wrong_one.stdout)["checks"] if c["ok"] is False] == ["description"]
    for unusable in (tmp_path / "nowhere", file):
        ran = run(program, tmp_path, "--rules", unusable, file)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran


@both
def test_a_game_whose_rules_this_file_knows_can_be_compared_with_a_description(
    program: str, whole: Path, tmp_path: Path
):
    (rules := tmp_path / "rules.json").write_bytes(description(RULES))
    ran = run(program, tmp_path, "--rules", rules, whole)
    assert (ran.returncode, "right: all checks were made\n" in ran.stdout) == (0, True)
    assert f"sha256:{description_hash(RULES)}" in ran.stdout
    forged = json.loads(whole.read_text())
    forged["events"][0]["event"]["description"] = "0" * 64
    ran = run(program, tmp_path, "--json", "--rules", rules, "-", text=json.dumps(samples.rehashed(forged)))
    assert [c["name"] for c in json.loads(ran.stdout)["checks"] if c["ok"] is False] == ["description"]


@both
def test_another_version_of_the_protocol_or_format_cannot_be_checked(program: str, tmp_path: Path):
    """It is not called wrong. What is no version is wrong."""
    whole = plain(samples.shortest(RULES, RULES.seats[0]))
    for numbers, status in ((("2", "17"), 3), (("02", "", "1 "), 1)):
        forged = []
        for number in numbers:
            later = plain(whole)
            later["events"][0]["event"]["protocol"] = f"stammtisch/{number}"
            other = {"format": f"stammtisch-record/{number}"}
            forged += [whole | other, other, later]
        text = "\n".join(map(json.dumps, forged))
        told = [
            json.loads(line)["status"] for line in run(program, tmp_path, "--json", "-", text=text).stdout.splitlines()
        ]
        assert told == [status] * len(forged)
        ran = run(program, tmp_path, "-", text=text)
        assert ran.returncode == status
        assert ran.stdout.count("CANNOT BE CHECKED") == (len(forged) if status == 3 else 0), ran.stdout


# --- as programs --------------------------------------------------------------------------------------------------


@both
def test_the_exit_status_reports_the_worst_result(program: str, whole: Path, tmp_path: Path):
    original = json.loads(whole.read_text())
    wrong_one, seat = tmp_path / "wrong.json", tmp_path / "seat.json"
    wrong_one.write_text(json.dumps(original | {"id": "x"}))
    seat.write_bytes(encode(samples.seen(RULES, samples.shortest(RULES, RULES.seats[0]), 0)))
    text = tmp_path / "no.json"
    text.write_text('{"format":')
    for files, status in (
        ([whole], 0), ([wrong_one], 1), ([text], 2), ([tmp_path / "nowhere"], 2), ([seat], 3), ([whole, seat], 3),
        ([seat, wrong_one], 1), ([wrong_one, text], 2),
    ):  # fmt: skip
        ran = run(program, tmp_path, *files)
        assert ran.returncode == status, (files, ran)
        assert bool(ran.stderr) == (status == 2)
        assert "Traceback" not in ran.stderr and "    at " not in ran.stderr
    files = [whole, wrong_one, text, tmp_path / "nowhere", seat]
    told = [json.loads(line) for line in run(program, tmp_path, "--json", *files).stdout.splitlines()]
    assert [(one["file"], one["status"]) for one in told] == list(zip(map(str, files), (0, 1, 2, 2, 3), strict=True))
    assert all((one["error"] is None) == (one["status"] != 2) == bool(one["checks"]) for one in told)


@both
def test_a_given_head_must_be_in_the_record(program: str, whole: Path, tmp_path: Path):
    heads = samples.heads(json.loads(whole.read_text()))
    assert run(program, tmp_path, "--head", heads[3], whole).returncode == 0
    ran = run(program, tmp_path, "--head", "0" * 64, whole)
    assert ran.returncode == 1
    assert "receipt" in ran.stdout


@both
def test_many_records_are_read_one_on_each_line_also_from_standard_input(program: str, whole: Path, tmp_path: Path):
    line = whole.read_text()
    ran = run(program, tmp_path, "--json", "-", text=f"{line}\n\n{line}\n")
    assert [json.loads(one)["status"] for one in ran.stdout.splitlines()] == [0, 0]
    assert run(program, tmp_path, "-", text=json.dumps(json.loads(line), indent=2)).returncode == 0


@both
def test_no_json_makes_a_verifier_crash(program: str, tmp_path: Path):
    whole = plain(samples.shortest(RULES, RULES.seats[0]))
    nonsense = [None, 0, [], {}, "x", {"format": 1}, whole | {"events": {}}, whole | {"events": [None]},
                whole | {"events": [{}]}, whole | {"deck": {}}, whole | {"seats": None}]  # fmt: skip
    ran = run(program, tmp_path, "--json", "-", text="\n".join(map(json.dumps, nonsense)))
    assert [json.loads(line)["status"] for line in ran.stdout.splitlines()] == [1] * len(nonsense)


AMBIGUOUS = (
    ('"version":3,', '"version":7,"version":3,'),
    ('"version":3,', '"version":3,"versio\\u006e":3,'),
    ('"format":', '"format":"{\\"a\\":1,","format":'),
    ('"version":3,', '"version":3.0,'),
    ('"version":3,', '"version":3e0,'),
    ('"version":3,', '"version":0.3E1,'),
    ('"by":0,', '"by":-0.0,'),
    ('"version":3,', '"version":NaN,'),
)


@both
def test_ambiguous_json_is_refused(program: str, whole: Path, tmp_path: Path):
    """Duplicate keys, also with escapes, and numbers that are not written as integers."""
    text, files = whole.read_text(), []
    for number, (old, new) in enumerate(AMBIGUOUS):
        assert old in text
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(text.replace(old, new, 1))
    ran = run(program, tmp_path, *files)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert [line.partition(": ")[0] for line in ran.stderr.splitlines()] == [*map(str, files)]
    one = run(program, tmp_path, "-", text=files[0].read_text())
    assert (one.returncode, one.stdout, one.stderr[:3]) == (2, "", "-: ")


@both
def test_invalid_utf_8_is_refused(program: str, whole: Path, tmp_path: Path):
    for file, content in (("byte", b'"Player \xff'), ("surrogate", b'"Player \xed\xa0\x80')):
        path = tmp_path / file
        path.write_bytes(whole.read_bytes().replace(b'"Player ', content, 1))
        assert run(program, tmp_path, path).returncode == 2
    path.write_bytes(b"\xef\xbb\xbf" + whole.read_bytes())
    assert run(program, tmp_path, path).returncode == 2


@both
def test_keys_and_numbers_in_strings_are_no_keys_and_numbers(program: str, whole: Path, tmp_path: Path):
    forged = json.loads(whole.read_text())
    joined = [entry["event"] for entry in forged["events"] if entry["event"]["type"] == "joined"]
    joined[-1]["player"] = '{"a": 0.5, "a": 1e9} \\" [,] \\\\'
    text = json.dumps(samples.rehashed(forged), indent=1)
    assert run(program, tmp_path, "-", text=text).returncode == 0


def unwritten(program: str, folder: Path, redirected: str, *arguments: Any) -> subprocess.CompletedProcess[str]:
    """Run with the output redirected by the shell."""
    line = " ".join(shlex.quote(str(part)) for part in (*command(program), *arguments))
    return subprocess.run(
        ["bash", "-c", f"{line} {redirected}"], capture_output=True, text=True, cwd=folder,
        env={"PATH": os.environ["PATH"]}, timeout=60,
    )  # fmt: skip


@both
def test_an_output_that_cannot_be_written_is_reported_in_one_line(program: str, whole: Path, tmp_path: Path):
    for options in ([], ["--json"]):
        full = unwritten(program, tmp_path, ">/dev/full", *options, whole)
        assert full.returncode == 2
        assert full.stderr.startswith("standard output: ")
        assert full.stderr.count("\n") == 1
    silent = unwritten(program, tmp_path, ">/dev/full 2>/dev/full", whole)
    assert (silent.returncode, silent.stderr) == (2, "")
    assert unwritten(program, tmp_path, "2>/dev/full", tmp_path / "nowhere").returncode == 2
    if program == "Python":  # Node opens what is closed
        closed = unwritten(program, tmp_path, ">&-", whole)
        assert (closed.returncode, closed.stderr) == (2, "standard output: closed\n")
        assert unwritten(program, tmp_path, "<&-", "-").returncode == 2


@both
def test_a_broken_pipe_ends_the_program_without_a_message(program: str, whole: Path, tmp_path: Path):
    """The exit status does not claim that anything is right."""
    many = tmp_path / "many"
    many.write_text((whole.read_text() + "\n") * 40)
    for options in ([], ["--json"]):
        ran = unwritten(program, tmp_path, "| head -c 5; exit ${PIPESTATUS[0]}", *options, many, many)
        assert (ran.returncode, ran.stderr) == (2, "")


@both
def test_a_record_cannot_control_the_terminal(program: str, whole: Path, tmp_path: Path):
    forged = json.loads(whole.read_text()) | {"id": "\x1b[2J\u202e\r"}
    forged["events"][1]["at"] = "\x1b[2J\u202e"
    file = tmp_path / "forged"
    file.write_text(json.dumps(forged))
    ran = run(program, tmp_path, file)
    assert ran.returncode == 1
    assert ran.stdout.replace("\n", "").isascii()
    assert ran.stdout.replace("\n", "").isprintable()


# --- in a browser -------------------------------------------------------------------------------------------------

PAGE = b"""<!doctype html><meta charset="utf-8"><script type="module">
const post = (found) => fetch("/found", {method: "POST", body: JSON.stringify(found)});
try {
  const { verify } = await import("/verifier.mjs");
  const records = await (await fetch("/records")).json();
  await post(await Promise.all(records.map((record) => verify(record))));
} catch (error) { await post(String(error)); }
</script>"""


def in_browser(records: list[Any], folder: Path) -> list[Checks]:
    """The checks of the JavaScript verifier in a browser for each record."""
    pages = {"/": ("text/html", PAGE), "/verifier.mjs": ("text/javascript", JAVASCRIPT.read_bytes()),
             "/records": ("application/json", json.dumps(records).encode())}  # fmt: skip
    found: list[Any] = []
    done = threading.Event()

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            media, body = pages.get(self.path, ("text/plain", b""))
            self.send_response(200 if self.path in pages else 404)
            self.send_header("Content-Type", media)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            found.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    flags = (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--remote-debugging-port=0", f"--user-data-dir={folder / 'profile'}",
    )  # fmt: skip
    url = f"http://127.0.0.1:{server.server_port}/"
    command, null = [chromium_binary(), *flags, url], subprocess.DEVNULL
    with subprocess.Popen(command, stdout=null, stderr=null, start_new_session=True) as process:
        try:
            assert done.wait(60), "the page did not respond"
        finally:
            os.killpg(process.pid, signal.SIGTERM)  # the binary may be a script that starts Chromium
            server.shutdown()
            server.server_close()
    assert isinstance(found[0], list), found[0]
    checks: list[Checks] = found[0]
    return checks


@pytest.mark.checked
def test_in_a_browser_the_same_is_found_as_in_node(tmp_path: Path):
    """Web Crypto needs a secure context: a page from localhost, or any page over HTTPS."""
    originals = [plain(samples.shortest(rules, rules.seats[0])) for rules in VERSIONS.values()]
    originals += [plain(samples.given_up(RULES, 'Ann "♥" \u2028 😀'))]
    forged = chained_anew(json.loads(json.dumps(originals[0]).replace('"p1"', '"mallory"')))
    records = [*originals, forged, originals[0] | {"id": "x"}, {}]
    found = in_browser(records, tmp_path)
    assert found == javascript(records)
    assert [wrong(checks) for checks in found] == [False] * (len(originals) + 1) + [True, True]
