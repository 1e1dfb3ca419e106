"""The README keeps its word: its first game is played as it is written there."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.clients import Server

README = Path(__file__).parents[2] / "README.md"


def first_game() -> str:
    text = README.read_text()
    found = re.search(r"<!-- A test runs this block as it stands\. -->\n```sh\n(.*?)```", text, flags=re.DOTALL)
    assert found, "the README has no first game"
    return found[1]


def test_the_first_game_of_the_readme_is_played_to_its_end(tmp_path: Path) -> None:
    server = Server(tmp_path / "readme.db")
    try:
        script = ["bash", "-euo", "pipefail", "-c", first_game()]
        here = os.environ | {"API": server.url, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        done = subprocess.run(script, env=here, capture_output=True, text=True, timeout=240)
    finally:
        server.stop()
    assert done.returncode == 0, done.stderr
    moved, result, events, layout = done.stdout.splitlines()
    assert moved.startswith("[{'version': 6, ") and "'type': 'flipped'" in moved
    assert "'winners': [" in result
    assert re.search(r"'type': 'opened'.*'secret': '[0-9a-f]{64}'", events), "the secret is revealed"
    assert layout.count("'up': True") == 2
