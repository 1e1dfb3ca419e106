"""The wheel, built from the working copy and installed into a folder that no other environment sees."""

import fcntl
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BACKEND = runpy.run_path(str(ROOT / ".ci" / "wheel" / "backend.py"))
"""What builds it: `PACKAGE`, `LAYERS`, `renamed`."""


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder with that name, which one of the processes of a run makes for all of them."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            making = folder.with_suffix(".making")
            making.mkdir()
            make(making)
            making.rename(folder)
    return folder


def built(project: Path, folder: Path) -> Path:
    """The wheel of a project, with the packages of this environment."""
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(project))
    (wheel,) = folder.glob("*.whl")
    return wheel


def shared(factory: pytest.TempPathFactory) -> Path:
    """The folder with the wheel of the working copy, for all processes of a run."""
    return once(factory, "wheels", lambda folder: built(ROOT, folder))


def site(factory: pytest.TempPathFactory) -> Path:
    """The folder in which that wheel is installed. Nothing writes into it."""
    (wheel,) = shared(factory).glob("*.whl")
    return once(factory, "site", lambda folder: installed(wheel, folder))


def installed(wheel: Path, folder: Path) -> Path:
    """The folder with what the wheel installs; its dependencies are those of this environment."""
    pip("install", "--no-deps", "--target", str(folder), "--upgrade", str(wheel))
    return folder


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--no-input", *arguments], check=True)


def environment(*folders: Path, **variables: str) -> dict[str, str]:
    """The environment of a process that finds these folders first."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), **variables}
