"""Replay: a recorded game in the terminal, as each of its viewers saw it, by keys and without."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect as kinds

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.game import Game, Rules
from domain.rulesets import VERSIONS
from service.__main__ import main
from service.cli import replay
from service.cli.replay import BACK, EMPTY, WORDS, Film, cell, harmless, row
from tests.golden import Golden
from tests.golden import play as golden_play

ROOT = Path(__file__).parents[2]

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def played(rules: Rules, name: str = "replayed") -> Golden:
    golden = golden_play(rules, name, min(rules.seats), {})
    assert golden is not None
    return golden


def file(folder: Path, *games: Golden) -> str:
    path = folder / "games.ndjson"
    path.write_bytes(b"".join(encode(record.of(each.id, each.log)) + b"\n" for each in games))
    return str(path)


def film(golden: Golden, viewer: Any, language: str = "en") -> Film:
    return Film(record.of(golden.id, golden.log), viewer, language)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """The steps that the command prints, each as its lines."""
    assert main(["replay", *arguments]) == 0
    return [step.splitlines() for step in capsys.readouterr().out.rstrip("\n").split("\n\n")]


# --- without a terminal -------------------------------------------------------------------------------------------


@every_version
def test_every_step_is_told_once(rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = played(rules)
    steps = told(capsys, file(tmp_path, golden))
    assert len(steps) == len(golden.log)
    for number, (step, entry) in enumerate(zip(steps, golden.log, strict=True), 1):
        assert step[0].startswith(f"{rules.rules}   {number} of {len(golden.log)}   seen by everybody together")
        tag = entry.event.__struct_config__.tag
        assert step[1].startswith(rules.labels["en"].events.get(tag) or WORDS["en"][tag])
    assert "result: scores [" in "\n".join(steps[-1])


@every_version
def test_the_labels_come_in_english_and_german(
    rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = played(rules)
    steps = told(capsys, file(tmp_path, golden), "--language", "de")
    for step, entry in zip(steps, golden.log, strict=True):
        tag = entry.event.__struct_config__.tag
        assert step[1].startswith(rules.labels["de"].events.get(tag) or WORDS["de"][tag])


def test_both_languages_have_the_same_words() -> None:
    assert WORDS["en"].keys() == WORDS["de"].keys()
    assert WORDS["en"].keys() >= {event.__struct_config__.tag for event in game.LIFECYCLE}


@every_version
@pytest.mark.parametrize("seat", ["0", "1", "bystander", "all"])
def test_a_version_is_shown_as_somebody_saw_it(
    rules: Rules, seat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The view is the fold of what they were shown, and nothing else stands there."""
    golden = played(rules)
    at = len(golden.log) // 2
    viewer: Any = {"bystander": None, "all": "all"}.get(seat, 0 if seat == "0" else 1)
    (step,) = told(capsys, file(tmp_path, golden), "--seat", seat, "--at", str(at))
    seen = Game(golden.id)
    for entry in golden.log[:at]:
        seen = game.evolve(rules, seen, entry.event if viewer == "all" else game.redact(rules, entry.event, viewer))
    state_type: Any = kinds.type_info(rules.state)
    expected = [f"  {line}" for line in replay.written(state_type, seen.state)]
    assert step[2 : 2 + len(expected)] == expected


@every_version
def test_two_worlds_that_a_bystander_cannot_tell_apart_look_the_same(rules: Rules) -> None:
    """What the film of a bystander shows follows from what is public: redacted before, it is the same film."""
    golden = played(rules)
    whole = record.of(golden.id, golden.log)
    ours, theirs = Film(whole, None, "en"), Film(record.seen(rules, whole, None), "all", "en")
    for version in range(1, ours.last + 1):
        assert (ours.event(version), ours.lines(version)) == (theirs.event(version), theirs.lines(version))
    dealt = "\n".join(line for version in range(1, ours.last + 1) for line in ours.lines(version))
    assert BACK in dealt


@every_version
def test_of_several_games_one_is_chosen(rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = played(rules, "one"), played(rules, "other")
    games = file(tmp_path, one, other)
    assert len(told(capsys, games, "--game", other.id)) == len(other.log)
    assert main(["replay", games]) == 2
    complaint = capsys.readouterr().err
    assert one.id in complaint
    assert other.id in complaint
    assert main(["replay", games, "--game", "nothing"]) == 2


@every_version
@pytest.mark.parametrize(
    "arguments", [["--seat", "99"], ["--seat", "-1"], ["--seat", "me"], ["--at", "0"], ["--at", "100000"]]
)
def test_what_is_not_there_cannot_be_shown(
    rules: Rules, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [f"{arguments[0]}={arguments[1]}"]
    assert main(["replay", file(tmp_path, played(rules)), *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err


def test_what_is_no_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (b"", b"{}", b"\x1f\x8bnot really", b"\xff"):
        (tmp_path / "bad").write_bytes(text)
        assert main(["replay", str(tmp_path / "bad")]) == 2
    assert main(["replay", str(tmp_path / "missing")]) == 2
    assert capsys.readouterr().out == ""


@every_version
def test_a_record_that_makes_no_sense_is_refused(
    rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = played(rules)
    upside_down = Golden(rules, golden.id, (golden.log[0], *reversed(golden.log[1:])))
    assert main(["replay", file(tmp_path, upside_down)]) == 2
    assert "verify it" in capsys.readouterr().err


@every_version
def test_it_goes_on_by_itself_at_a_speed(rules: Rules, tmp_path: Path) -> None:
    golden = played(rules)
    steps = len(golden.log)
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "service", "replay", file(tmp_path, golden), "--speed", str(steps)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert time.monotonic() - begun > 0.9 * (steps - 1) / steps
    assert done.stdout.count(f" of {steps} ") == steps


# --- in a terminal ------------------------------------------------------------------------------------------------


class Terminal:
    """A replay that believes it has a terminal."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self.master, self.process, self.text = master, process, ""

    def shows(self, text: str) -> None:
        """Wait until it does."""
        patience = time.monotonic() + 20
        while text not in self.text:
            assert time.monotonic() < patience, self.text
            if select.select([self.master], [], [], 0.1)[0]:
                self.text += os.read(self.master, 65536).decode("utf-8", "replace")

    def press(self, keys: str, shows: str) -> None:
        self.text = ""
        os.write(self.master, keys.encode())
        self.shows(shows)


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "replay", *arguments], cwd=ROOT, stdin=slave, stdout=slave,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "150", "LINES": "60"},
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # what a shell starts behind it ignores it
    )  # fmt: skip
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@every_version
def test_keys_go_on_back_and_to_both_ends(rules: Rules, tmp_path: Path) -> None:
    golden = played(rules)
    last = len(golden.log)
    with terminal(file(tmp_path, golden), "--seat", "1", "--at", "5") as screen:
        screen.shows(f" 5 of {last} ")
        screen.shows("quit: q")
        screen.press(" ", f" 6 of {last} ")
        screen.press("\x1b[C", f" 7 of {last} ")
        screen.press("\x1b[D\x1b[D", f" 5 of {last} ")
        screen.press("x\x1b[Z\x1b[A\x1bOC", f" 6 of {last} ")
        screen.press("\x1b[F", f" {last} of {last} ")
        screen.press(" p", f" {last - 1} of {last} ")
        screen.press("\x1b[H", f" 1 of {last} ")
        screen.press("p", f" 1 of {last} ")
        os.write(screen.master, b"q")
        assert screen.process.wait(10) == 0


def test_it_can_be_interrupted(tmp_path: Path) -> None:
    golden = played(next(iter(VERSIONS.values())))
    with terminal(file(tmp_path, golden)) as screen:
        screen.shows("quit: q")
        screen.process.send_signal(2)
        assert screen.process.wait(10) == 0


# --- values as text -----------------------------------------------------------------------------------------------


def test_a_row_counts_what_is_many_times_the_same() -> None:
    assert row(["1", "2", "2"]) == "[1  2  2]"
    assert row([BACK] * 12 + ["5"]) == f"[{BACK}x12  5]"
    assert row([]) == "[]"


def test_a_back_an_empty_place_and_nothing_are_not_the_same() -> None:
    info: Any = kinds
    struct = info.type_info(game.Player)
    assert cell(info.IntType(), None, in_row=True) == BACK
    assert cell(struct, None, in_row=True) == EMPTY
    assert cell(info.IntType(), None) == replay.NOTHING


def test_a_terminal_does_not_obey_names() -> None:
    assert harmless("Ann \x1b[2J\x07 Zoë") == "Ann \\x1b[2J\\x07 Zoë"
