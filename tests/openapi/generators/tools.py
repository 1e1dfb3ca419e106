"""The generators and compilers, as they are locked, installed below `build/generators`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / "build" / "generators"
LOCK = ROOT / "requirements-generators.txt"
NODE_LOCK = HERE / "package-lock.json"


class Failed(Exception):
    """A step has failed. The message is what it has said."""


def run(*command: str | Path, folder: Path = PLACE, **environment: str) -> str:
    """What the command prints. Raises `Failed`."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=os.environ | environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def digest(*files: Path) -> str:
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def once(name: str, made_of: Sequence[Path], make: Callable[[], None]) -> bool:
    """Whether something had to be made, because what it is made of is not the same as when it was made last."""
    mark, now = PLACE / f"{name}.made", digest(*made_of)
    if mark.is_file() and mark.read_text() == now:
        return False
    mark.unlink(missing_ok=True)
    make()
    mark.write_text(now)
    return True


def install_python() -> bool:
    """Install the tools written in Python, unless they are. Whether they were not."""
    return once("python-tools", (LOCK,), _python)


def install_node() -> bool:
    """Install the tools written in JavaScript, unless they are. Whether they were not."""
    return once("node-tools", (NODE_LOCK,), _node)


def _python() -> None:
    run(sys.executable, "-m", "venv", "--clear", PLACE / "venv")
    run(tool("pip"), "install", "--quiet", "--require-hashes", "--requirement", LOCK)


def _node() -> None:
    folder = PLACE / "node"
    folder.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    run("npm", "ci", "--silent", "--no-audit", "--no-fund", folder=folder)


def tool(name: str) -> Path:
    """A program that was installed by `install_python`."""
    return PLACE / "venv" / "bin" / name


def node_tool(name: str) -> Path:
    """A program that was installed by `install_node`."""
    return PLACE / "node" / "node_modules" / ".bin" / name
