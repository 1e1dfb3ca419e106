"""Installs the peers into a folder and starts them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.bench.cpu import Cpu
from tests.bench.http import Served
from tests.bench.load import Figures

HERE = Path(__file__).parent
RLSKYJO = "rlskyjo==1.0.0"
NUMBA = "numba>=0.60"
"""The dependencies of rlskyjo's engine; its others are for training."""


GIN = {"rlcard": ("setuptools<81", "rlcard==1.2.0"), "openspiel": ("setuptools<81", "open_spiel==2.0.2")}
"""Toolkits for learning with a card game: gin rummy, the one that both have."""
ENGINES = {"rlskyjo": ((NUMBA,), ("--no-deps", RLSKYJO))} | {name: (packages,) for name, packages in GIN.items()}
"""What is installed for each, in turn."""


class Played(msgspec.Struct):
    """The result of random play in an engine; a step of rlskyjo counts as a move."""

    moves: int
    rounds: int
    seconds: float


class Missing(Exception):
    """A peer cannot be installed; the message gives the reason."""


class Peers:
    """The peers in a folder, which can be reused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._boardgame = folder / "boardgame"

    def install(self) -> None:
        """Install what is missing. Raises Missing."""
        if shutil.which("node") is None or shutil.which("npm") is None:
            raise Missing("boardgame.io needs node and npm.")
        asked, done = HERE / "boardgame" / "package.json", self._boardgame / "installed.json"
        if not done.exists() or done.read_text() != asked.read_text():
            self._boardgame.mkdir(parents=True, exist_ok=True)
            shutil.copy(asked, self._boardgame)
            run("npm", "install", "--prefix", self._boardgame, "--no-audit", "--no-fund", "--silent")
            shutil.copy(asked, done)
        for name, packages in ENGINES.items():
            python = self._folder / name / "bin" / "python"
            if not python.with_name("installed").exists():
                run(sys.executable, "-m", "venv", python.parent.parent)
                for package in packages:
                    run(python, "-m", "pip", "install", "--quiet", *package)
                python.with_name("installed").touch()

    @contextmanager
    def boardgame(self, *folder: Path) -> Iterator[Served]:
        """boardgame.io's server, in memory or with its file store in the folder."""
        with started(["node", HERE / "boardgame" / "server.cjs", *folder], self._environment()) as server:
            assert server.stdout is not None
            for line in server.stdout:
                if line.startswith("port "):
                    yield Served(int(line.split()[1]), server.pid)
                    return
            raise Missing("boardgame.io's server does not start.")

    def load(self, server: Served, seats: int, people: int, games: int, seconds: float) -> Figures:
        """The measurement of clients of boardgame.io in a separate process, `people` at each game."""
        command = [
            "node",
            str(HERE / "boardgame" / "load.cjs"),
            *map(str, (server.port, seats, people, games, seconds)),
        ]
        cpu = Cpu(server.pid)
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=self._environment()).stdout
        made = msgspec.json.decode(answer, type=Figures)
        made.cpu = cpu.seconds()
        return made

    @contextmanager
    def engine(self, name: str) -> Iterator["Engine"]:
        """rlskyjo's engine, or gin rummy in RLCard or OpenSpiel; compiled and warm."""
        command = [self._folder / name / "bin" / "python", HERE / "random_play.py", name]
        with started(command, dict(os.environ)) as process:
            yield Engine(process)

    def _environment(self) -> dict[str, str]:
        return os.environ | {"NODE_PATH": str(self._boardgame / "node_modules"), "NODE_ENV": "production"}


class Engine:
    """A process that plays for a given time on request."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def play(self, seconds: float) -> Played:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=Played)


def run(*command: Any) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"{' '.join(map(str, command))}: {done.stderr.strip()[-500:]}")


@contextmanager
def started(command: list[Any], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [str(part) for part in command], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)
