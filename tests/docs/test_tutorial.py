"""The tutorial's clients run as they are printed, against a real server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, blocks, section
from tests.support.clients import Server
from tests.verifiers.standalone import node

TUTORIAL = (DOCS / "tutorial.md").read_text()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("tutorial") / "games.db") as server:
        yield server


def run(command: list[str], url: str) -> str:
    done = subprocess.run(
        command, env=os.environ | {"API": url}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def program(heading: str, language: str, file: Path) -> str:
    """The file that a reader gets who copies all blocks of a section."""
    file.write_text("\n".join(blocks(section(TUTORIAL, heading), language)))
    return str(file)


@pytest.mark.parametrize(
    ("heading", "language", "suffix", "interpreter"),
    [("Python", "python", ".py", lambda: [sys.executable, "-I"]), ("JavaScript", "js", ".mjs", lambda: [node()])],
    ids=["Python", "JavaScript"],
)
def test_a_client_of_the_tutorial_plays_a_game_to_its_end(
    server: Server, tmp_path: Path, heading: str, language: str, suffix: str, interpreter
) -> None:
    told = run([*interpreter(), program(heading, language, tmp_path / f"client{suffix}")], server.url)
    assert re.search(r"winners: \[ ?\d.*scores: \[ ?-?\d", told)
    assert re.search(r"events: \d{2,} last: revealed", told)
    assert re.search(r"audit ok: [Tt]rue", told)


@pytest.mark.by_default()  # the README has a game in curl, too
def test_the_tutorials_script_plays_a_game_to_its_end(server: Server, tmp_path: Path) -> None:
    told = run(["bash", program("curl", "sh", tmp_path / "client.sh")], server.url)
    assert told.startswith("status: running\n")
    assert re.search(r'"winners:"\n\[\d', told)
    assert re.search(r"(?m)^ +1 revealed$", told)
    assert told.endswith('"audit ok: true"\n')
