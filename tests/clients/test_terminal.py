"""`stammtisch play`: a whole game from piped numbers, in both languages."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from service.__main__ import main
from tests.support.clients import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("terminal") / "games.db", rate_limit="off") as server:
        yield server


def piped(server: Server, folder: Path, typed: str, *options: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "service", *command(server, folder, options)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=Path(__file__).parents[2],
        check=False,
    )


def played(server: Server, folder: Path, typed: str, *options: str) -> subprocess.CompletedProcess[str]:
    """The command in this process: its imports take longer than a game."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", StringIO(typed))
        status = main(command(server, folder, options))
    return subprocess.CompletedProcess(options, status, out.getvalue(), err.getvalue())


def command(server: Server, folder: Path, options: Sequence[str]) -> list[str]:
    return ["play", *options, "--url", server.url, "--token", str(folder / "token")]


@pytest.mark.parametrize(("language", "play"), [("en", played), ("de", piped)], ids=["en", "de"])
def test_piped_numbers_play_a_game_to_its_end(server: Server, tmp_path: Path, language: str, play: Any) -> None:
    """What is no number of a move is asked again. No byte but new lines is a control character."""
    typed = "x\n0\n999999999999\n" + "1\n" * 400
    done = play(
        server, tmp_path, typed, "skyjo", "--language", language, "--option", "target_points=1", "--name", "Ann"
    )
    assert done.returncode == 0, done.stderr
    said = {"en": "The game is over. Won by: ", "de": "Das Spiel ist aus. Gewonnen: "}[language]
    assert said in done.stdout and {"en": "(you, Ann)", "de": "(du, Ann)"}[language] in done.stdout
    asked_again = {"en": "A number from 1 to", "de": "Eine Zahl von 1 bis"}[language]
    assert done.stdout.count(asked_again) == 3
    assert not [c for c in done.stdout if ord(c) < 32 and c != "\n"]


def test_a_game_that_is_left_goes_on(server: Server, tmp_path: Path) -> None:
    begun = played(server, tmp_path, "1\nq\n", "skyjo", "--option", "target_points=1")
    name = begun.stdout.splitlines()[0]
    again = played(server, tmp_path, "1\n" * 400, "skyjo", "--game", name.partition("/")[2])
    assert again.stdout.startswith(name) and "The game is over." in again.stdout


def test_refusals_are_one_line(server: Server, tmp_path: Path) -> None:
    for options in (["nope"], ["skyjo", "nobody/9"], ["skyjo", "--option", "x"], ["skyjo", "--option", "x=1"]):
        refused = played(server, tmp_path, "", *options)
        assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1, refused
