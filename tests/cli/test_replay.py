"""`stammtisch replay`: recorded games in the terminal, from every perspective, with and without keys."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec import inspect as kinds

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.game import Game, Rules
from domain.rulesets import VERSIONS
from domain.sentences import sentence
from service.__main__ import main
from service.cli import replay
from service.cli.replay import BACK, EMPTY, RecordedGame, cell, labels, printable, row
from tests.golden import Golden
from tests.golden import play as golden_play
from tests.verifiers import samples

pytestmark = pytest.mark.turns("ends")

ROOT = Path(__file__).parents[2]

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def played(rules: Rules, name: str = "replayed") -> Golden:
    golden = golden_play(rules, name, min(rules.seats), {})
    assert golden is not None
    return golden


def file(folder: Path, *games: Golden) -> str:
    path = folder / "games.ndjson"
    path.write_bytes(b"".join(encode(samples.record_of(each.id, each.log)) + b"\n" for each in games))
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """The lines of each step that the command prints."""
    assert main(["replay", *arguments]) == 0
    return [step.splitlines() for step in capsys.readouterr().out.rstrip("\n").split("\n\n")]


def said(golden: Golden, event: Any, language: str) -> str:
    """The text of the event: a sentence of the ruleset, or a label of the game's own events."""
    tag = event.__struct_config__.tag
    if tag in labels(language):
        return labels(language)[tag]
    joined = {entry.event.seat: entry.event.player for entry in golden.log if isinstance(entry.event, game.Joined)}
    names = [f"{seat} {joined[seat]}" for seat in sorted(joined)]
    return sentence(golden.rules.labels[language], event, names)


# --- without a terminal -------------------------------------------------------------------------------------------


@every_version
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_version_is_printed_once(
    rules: Rules, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = played(rules)
    steps = printed(capsys, file(tmp_path, golden), "--language", language)
    assert len(steps) == len(golden.log)
    of = {"en": "{} of {}   seen by all seats together", "de": "{} von {}   gesehen von allen Plätzen zusammen"}
    for number, (step, entry) in enumerate(zip(steps, golden.log, strict=True), 1):
        place = of[language].format(f"{number}", f"{len(golden.log)}")
        assert step[0].startswith(f"{rules.rules}   {place}")
        assert step[1].startswith(said(golden, entry.event, language))
    assert {"en": "result: scores [", "de": "Ergebnis: "}[language] in "\n".join(steps[-1])


@every_version
@pytest.mark.parametrize(("seat", "moves_of"), [("0", {0}), ("bystander", set()), ("all", {0, 1, 2})])
def test_a_move_is_shown_to_its_seat_and_to_all_seats_together(
    rules: Rules, seat: str, moves_of: set[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = played(rules)
    moves = rules.labels["en"].moves
    for step, entry in zip(printed(capsys, file(tmp_path, golden), "--seat", seat), golden.log, strict=True):
        chosen = [line for line in step if line.startswith("  chosen: ")]
        shown = entry.move is not UNSET and entry.by in moves_of
        assert len(chosen) == shown
        assert not shown or chosen[0].startswith(f"  chosen: {moves[entry.move.__struct_config__.tag]}")


def test_both_languages_have_the_same_labels() -> None:
    assert labels("en").keys() == labels("de").keys()
    assert labels("en").keys() >= {event.__struct_config__.tag for event in game.LIFECYCLE}


@every_version
@pytest.mark.parametrize("seat", ["0", "1", "bystander", "all"])
def test_a_version_is_shown_from_any_perspective(
    rules: Rules, seat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines are the fold of the perspective's redacted events."""
    golden = played(rules)
    at = len(golden.log) // 2
    viewer: Any = {"bystander": None, "all": "all"}.get(seat, 0 if seat == "0" else 1)
    (step,) = printed(capsys, file(tmp_path, golden), "--seat", seat, "--at", str(at))
    seen = Game(golden.id)
    for entry in golden.log[:at]:
        seen = game.evolve(rules, seen, entry.event if viewer == "all" else game.redact(rules, entry.event, viewer))
    state_type: Any = kinds.type_info(rules.state)
    expected = [f"  {line}" for line in replay.format_state(state_type, seen.state)]
    assert step[2 : 2 + len(expected)] == expected


@every_version
def test_a_bystanders_replay_follows_from_public_events_alone(rules: Rules) -> None:
    """The replay of the whole record as a bystander equals the replay of the redacted record."""
    golden = played(rules)
    whole = samples.record_of(golden.id, golden.log)
    of_whole, of_redacted = RecordedGame(whole, None, "en"), RecordedGame(samples.seen(rules, whole, None), "all", "en")
    for version in range(1, of_whole.last + 1):
        assert (of_whole.event(version), of_whole.lines(version)) == (
            of_redacted.event(version),
            of_redacted.lines(version),
        )
    dealt = "\n".join(line for version in range(1, of_whole.last + 1) for line in of_whole.lines(version))
    assert BACK in dealt


@every_version
def test_one_of_several_games_is_selected_by_id(
    rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = played(rules, "one"), played(rules, "other")
    games = file(tmp_path, one, other)
    assert len(printed(capsys, games, "--game", other.id)) == len(other.log)
    assert main(["replay", games]) == 2
    message = capsys.readouterr().err
    assert one.id in message
    assert other.id in message
    assert main(["replay", games, "--game", "nothing"]) == 2


@every_version
@pytest.mark.parametrize(
    "arguments", [["--seat", "99"], ["--seat", "-1"], ["--seat", "me"], ["--at", "0"], ["--at", "100000"]]
)
def test_seats_and_versions_that_do_not_exist_are_refused(
    rules: Rules, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [f"{arguments[0]}={arguments[1]}"]
    assert main(["replay", file(tmp_path, played(rules)), *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err


def test_files_without_a_record_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (b"", b"{}", b"\x1f\x8bnot really", b"\xff"):
        (tmp_path / "bad").write_bytes(text)
        assert main(["replay", str(tmp_path / "bad")]) == 2
    assert main(["replay", str(tmp_path / "missing")]) == 2
    assert capsys.readouterr().out == ""


@every_version
def test_an_invalid_record_is_refused(rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = played(rules)
    upside_down = Golden(rules, golden.id, (golden.log[0], *reversed(golden.log[1:])))
    assert main(["replay", file(tmp_path, upside_down)]) == 2
    assert "verify it first" in capsys.readouterr().err


@every_version
def test_speed_is_in_steps_per_second(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = played(rules)
    steps = len(golden.log)
    pauses: list[float] = []
    monkeypatch.setattr(replay.time, "sleep", pauses.append)
    assert main(["replay", file(tmp_path, golden), "--speed", "4"]) == 0
    assert pauses == [0.25] * (steps - 1)
    assert capsys.readouterr().out.count(f" of {steps} ") == steps


# --- in a terminal ------------------------------------------------------------------------------------------------


class Terminal:
    """A replay in a pseudo-terminal."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self.master, self.process, self.text = master, process, ""

    def shows(self, text: str) -> None:
        """Wait until the text is on the screen."""
        deadline = time.monotonic() + 60
        while text not in self.text:
            assert time.monotonic() < deadline, self.text
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
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # background jobs of a shell ignore SIGINT
    )  # fmt: skip
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@every_version
def test_keys_step_forward_and_back_and_jump_to_both_ends(rules: Rules, tmp_path: Path) -> None:
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
        assert screen.process.wait(60) == 0


def test_ctrl_c_ends_the_replay(tmp_path: Path) -> None:
    golden = played(next(iter(VERSIONS.values())))
    with terminal(file(tmp_path, golden)) as screen:
        screen.shows("quit: q")
        while screen.process.poll() is None:  # a signal just before a read begins is noticed at the next one
            screen.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                screen.process.wait(2)
        assert screen.process.returncode == 0


# --- values as text -----------------------------------------------------------------------------------------------


def test_a_row_counts_equal_neighbours() -> None:
    assert row(["1", "2", "2"]) == "[1  2  2]"
    assert row([BACK] * 12 + ["5"]) == f"[{BACK}x12  5]"
    assert row([]) == "[]"


def test_a_card_back_an_empty_slot_and_no_value_look_different() -> None:
    info: Any = kinds
    struct = info.type_info(record.RecordedSeat)
    assert cell(info.IntType(), None, in_row=True) == BACK
    assert cell(struct, None, in_row=True) == EMPTY
    assert cell(info.IntType(), None) == replay.NOTHING


def test_control_characters_in_names_are_escaped() -> None:
    assert printable("Ann \x1b[2J\x07 Zoë") == "Ann \\x1b[2J\\x07 Zoë"
