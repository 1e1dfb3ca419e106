"""The modules of the pages in deno: unit tests, and the laws over positions that are written here."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.web import positions

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def deno(test: str, **environment: str) -> None:
    """Run a test file; fail with what deno says."""
    from deno import find_deno_bin

    ran = subprocess.run(
        [find_deno_bin(), "test", "--quiet", "--no-check", "--allow-all", "--config", str(HERE / "deno.json"),
         str(HERE / test)],
        cwd=ROOT, env={**os.environ, "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"} | environment,
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-6000:]
    assert re.search(r"ok \| [1-9]\d* passed", ran.stdout), ran.stdout[-1000:]


@pytest.mark.parametrize(
    "file", ["units.test.js", "network.test.js", "tables.test.js", "tallies.test.js", "characters.test.js"]
)
def test_the_modules_of_core(file: str) -> None:
    deno(file)


def test_what_descriptions_say_of_cards() -> None:
    deno("faces.test.js")


@pytest.mark.planted("A8", "A9")
def test_the_laws_of_tables(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Over a golden and a random game of every ruleset, or over all golden games and many random ones. Faults that are
    planted in each table are found."""
    everything = request.config.getoption("--everything")
    positions.write_all(tmp_path, *(50, None) if everything else (1, 1))
    deno("laws.test.js", POSITIONS=str(tmp_path), MANY="30" if everything else "8")
