"""Generates clients from `openapi/openapi.json`, compiles them, and plays with two of them: `make clients`.

openapi-python-client and openapi-typescript play against a server: a game of Skyjo through its own types, and a game of
each ruleset through the routes for any ruleset. openapi-generator's typescript-fetch is generated and compiled where
Java is installed. `build/generators` keeps compiled clients until the document, the tools or the players change.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from openapi import build
from tests.support.clients import Server

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / "build" / "generators"
LOCK = ROOT / "requirements-generators.txt"


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


# --- the tools, as they are locked --------------------------------------------------------------------------------


def python_tools() -> None:
    run(sys.executable, "-m", "venv", "--clear", PLACE / "venv")
    run(tool("pip"), "install", "--quiet", "--require-hashes", "--requirement", LOCK)


def node_tools() -> None:
    shutil.copytree(HERE, PLACE / "node", dirs_exist_ok=True, ignore=lambda *_: ("node_modules", "__pycache__"))
    run("npm", "ci", "--silent", "--no-audit", "--no-fund", folder=PLACE / "node")


def tool(name: str) -> Path:
    return PLACE / "venv" / "bin" / name


# --- the clients --------------------------------------------------------------------------------------------------


class Generator(NamedTuple):
    """A generator of clients: what is made of the document and these files, and how."""

    name: str
    files: tuple[Path, ...]
    make: Callable[[], None]


def python_client() -> None:
    package = PLACE / "python" / "stammtisch_client"
    shutil.rmtree(package.parent, ignore_errors=True)
    package.parent.mkdir()
    shutil.copy(HERE / "play.py", package.parent)
    run(
        tool("openapi-python-client"), "generate", "--path", build.FILE, "--output-path", package, "--meta", "none",
        "--config", HERE / "python.yml", "--fail-on-warning",
    )  # fmt: skip
    run(tool("python"), "-m", "compileall", "-q", package.parent)
    run(
        tool("mypy"), "--config-file", HERE / "mypy.ini", "-m", "play", "-p", "stammtisch_client", folder=package.parent
    )


def typescript_types() -> None:
    folder = PLACE / "node"
    for name in ("play.ts", "tsconfig.json"):
        shutil.copy(HERE / name, folder)
    run("npx", "--no-install", "openapi-typescript", build.FILE, "--output", folder / "api.d.ts", folder=folder)
    run("npx", "--no-install", "tsc", "--project", "tsconfig.json", folder=folder)


def typescript_fetch() -> None:
    folder = PLACE / "node" / "fetch"
    shutil.rmtree(folder, ignore_errors=True)
    run(
        tool("openapi-generator-cli"), "generate", "--generator-name", "typescript-fetch", "--input-spec", build.FILE,
        "--output", folder,
    )  # fmt: skip
    run(
        "npx", "--no-install", "tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "bundler", "--lib", "es2022,dom", folder / "index.ts", folder=PLACE / "node",
    )  # fmt: skip


PYTHON = Generator("openapi-python-client", (HERE / "play.py", HERE / "python.yml", HERE / "mypy.ini"), python_client)
TYPES = Generator("openapi-typescript", (HERE / "play.ts", HERE / "tsconfig.json"), typescript_types)
FETCH = Generator("typescript-fetch", (), typescript_fetch)


def generated(generator: Generator) -> str:
    """What to say about it."""
    begun = time.monotonic()
    made_of = (build.FILE, LOCK, HERE / "package-lock.json", *generator.files)
    if once(generator.name, made_of, generator.make):
        return f"{generator.name}: generated and compiled in {time.monotonic() - begun:.0f} s"
    return f"{generator.name}: as it was compiled before"


# --- all of it ----------------------------------------------------------------------------------------------------


def main() -> None:
    PLACE.mkdir(parents=True, exist_ok=True)
    generators = [PYTHON, TYPES]
    if shutil.which("java"):
        generators.append(FETCH)
    else:
        say("LEFT OUT: openapi-generator's typescript-fetch, for there is no Java here.")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tools = [
            pool.submit(once, "python-tools", (LOCK,), python_tools),
            pool.submit(once, "node-tools", (HERE / "package-lock.json",), node_tools),
        ]
        for each in tools:
            each.result()
        for told in pool.map(generated, generators):
            say(told)
        with TemporaryDirectory() as folder:
            server = Server(Path(folder) / "games.db", rate_limit="off")
            try:
                players = [
                    pool.submit(run, tool("python"), "play.py", server.url, folder=PLACE / "python"),
                    pool.submit(run, "node", "play.js", server.url, folder=PLACE / "node"),
                ]
                for name, player in zip(("Python", "TypeScript"), players, strict=True):
                    say(f"{name} played {player.result().strip()}")
            finally:
                server.stop()


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(str(failed))
