"""The wheel, built from the working copy and installed into a folder that no other environment sees."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

BACKEND = runpy.run_path(str(ROOT / ".ci" / "wheel" / "backend.py"))
"""What builds it: `PACKAGE`, `LAYERS`, `renamed`."""


def built(project: Path, folder: Path) -> Path:
    """The wheel of a project, with the packages of this environment."""
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(project))
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> Path:
    """The folder with what the wheel installs; its dependencies are those of this environment."""
    pip("install", "--no-deps", "--target", str(folder), "--upgrade", str(wheel))
    return folder


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--no-input", *arguments], check=True)


def environment(*folders: Path, **variables: str) -> dict[str, str]:
    """The environment of a process that finds these folders first."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), **variables}
