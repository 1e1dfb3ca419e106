"""Runs the quick tests of these folders against the installed wheel (`make test-wheel`), with their imports renamed as
in the wheel.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import wheel

SOURCES = ("domain/test_bots.py", "domain/test_layers.py", "domain/test_rule_citations.py")
"""Tests that read the sources of the layers, which are not in the copy."""
LEFT = (".git", ".venv", "build", "site", *wheel.BACKEND["LAYERS"], wheel.BACKEND["PACKAGE"])


def main() -> int:
    """The exit status of pytest."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        site = wheel.installed(wheel.built(wheel.ROOT, folder), folder / "installed")
        copy = folder / "copy"
        shutil.copytree(wheel.ROOT, copy, ignore=lambda at, _: LEFT if Path(at) == wheel.ROOT else ())
        for path in (copy / "tests").rglob("*.py"):
            path.write_text(wheel.BACKEND["renamed"](path.read_text(), path, folder))
        command = [sys.executable, "-m", "pytest", "--quick", *(f"--ignore=tests/{name}" for name in SOURCES)]
        return subprocess.run([*command, *sys.argv[1:]], cwd=copy, env=wheel.environment(site)).returncode


if __name__ == "__main__":
    sys.exit(main())
