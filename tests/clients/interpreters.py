"""Tests the Python client on every Python version that it supports: `python -m tests.clients.interpreters`.

On each of them the package is installed as users install it, in an environment of its own below `build/interpreters`;
its unit tests run, and it plays every ruleset against a real server, through connections that break. The server runs on
this Python. Versions that are not on this machine are listed. The review of a game of each ruleset has the same bytes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

from domain.codec import encode
from domain.fairness.record import complete
from domain.rulesets import RULESETS
from tests.agents.test_review import HASHES, golden
from tests.clients.played import check
from tests.openapi.generators.tools import Failed, run
from tests.support.clients import Server, fewest
from tests.support.cuts import CuttingProxy

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients" / "python"
PLACE = ROOT / "build" / "interpreters"
VERSIONS = ("3.11", "3.12", "3.13")
WAYS = ("channel", "sse", "sync", "bot")
CUTS = 50


def main() -> int:
    """The exit status: 1 if a version fails, or if none was found."""
    results = {version: tested(version) for version in VERSIONS}
    return 0 if any(results.values()) and False not in results.values() else 1


def tested(version: str) -> bool | None:
    """Whether everything works on this version; None without an interpreter. Prints what was tested."""
    found = next((path for path in candidates(version) if version_of(path).startswith(f"{version}.")), None)
    if found is None:
        say(f"Python {version}: NOT TESTED, it is neither on the PATH nor installed by pyenv or uv")
        return None
    try:
        python = environment(version, found)
        units = run(
            python, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "no:cacheprovider", "tests", folder=PACKAGE
        )
        games, cuts = played(python)
        check_reviews(python)
    except (Failed, AssertionError):
        say(f"Python {version_of(found)}: FAILED\n{traceback.format_exc()}")
        return False
    say(f"Python {version_of(found)}: {units.splitlines()[-1]}; {games} games with {cuts} cut connections")
    return True


def candidates(version: str) -> Iterator[str]:
    """Where interpreters of this version usually are."""
    if on_path := shutil.which(f"python{version}"):
        yield on_path
    folders = (
        (os.environ.get("PYENV_ROOT", "~/.pyenv"), f"versions/{version}.*"),
        (os.environ.get("UV_PYTHON_INSTALL_DIR", "~/.local/share/uv/python"), f"cpython-{version}.*"),
    )
    for folder, pattern in folders:
        yield from sorted(map(str, Path(folder).expanduser().glob(f"{pattern}/bin/python3")), reverse=True)


def version_of(python: str) -> str:
    """The version of an interpreter; empty if it does not start, like the shims of pyenv."""
    done = subprocess.run(
        [python, "-c", "import platform; print(platform.python_version())"], capture_output=True, text=True
    )
    return done.stdout.strip()


def environment(version: str, python: str) -> str:
    """The interpreter of a new virtual environment, which has the package, and pytest, with the locked dependencies."""
    folder = PLACE / version
    run(python, "-m", "venv", "--clear", folder, folder=ROOT)
    installed = str(folder / "bin" / "python")
    with tempfile.TemporaryDirectory() as temporary:
        source, pins = Path(temporary, "package"), Path(temporary, "pins.txt")
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
        locked = re.findall(r"(?m)^[\w.-]+==[^\\\n]+", (ROOT / "requirements-dev.txt").read_text())
        pins.write_text("\n".join(locked))
        run(installed, "-m", "pip", "install", "--quiet", "--constraint", pins, "pytest", source, folder=ROOT)
    return installed


def played(python: str) -> tuple[int, int]:
    """How many games were played, and how many connections were cut in them. Raises `Failed`, `AssertionError`."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder, "games.db"), rate_limit="off")
        proxy = CuttingProxy(server.url, CUTS, most=4_000)
        games = [(how, name) for how in WAYS for name in RULESETS]
        try:
            for how, name in games:
                program = ROOT / "tests" / "clients" / "play.py"
                check(server.url, name, json.loads(run(python, program, proxy.url, name, str(fewest(name)), how)))
        finally:
            proxy.close()
            server.stop()
    return len(games), CUTS - proxy.left


def check_reviews(python: str) -> None:
    """Raises `Failed`, `AssertionError`."""
    with tempfile.TemporaryDirectory() as folder:
        for name in RULESETS:
            Path(folder, name).write_bytes(encode(complete(golden(RULESETS[name], "3-seats"))))
        files = [str(Path(folder, name)) for name in RULESETS]
        found = run(python, "-m", "tests.agents.same_review", *files, folder=ROOT).split()
    assert dict(zip(RULESETS, found, strict=True)) == HASHES, "another review"


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
