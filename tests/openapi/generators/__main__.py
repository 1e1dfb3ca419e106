"""Generates clients from `openapi/openapi.json`, compiles them, and plays with one of them: `make clients`.

openapi-typescript plays against a server: a game of Skyjo through its own types, and a game of each ruleset through the
routes for any ruleset. openapi-python-client is generated and type-checked. openapi-generator makes typescript-fetch
where Java is installed, and Go where Go is, too, by the lines of `docs/clients.md`. `build/generators` keeps compiled
clients until the document, the tools or the players change.
"""

import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from openapi import build
from tests.openapi.generators.tools import (
    HERE,
    LOCK,
    NODE_LOCK,
    PLACE,
    ROOT,
    Failed,
    install_node,
    install_python,
    once,
    run,
    tool,
)
from tests.support.clients import Server

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
    run(
        tool("openapi-python-client"), "generate", "--path", build.FILE, "--output-path", package, "--meta", "none",
        "--config", HERE / "python.yml", "--fail-on-warning",
    )  # fmt: skip
    run(tool("python"), "-m", "compileall", "-q", package.parent)
    run(tool("mypy"), "--config-file", HERE / "mypy.ini", "-p", "stammtisch_client", folder=package.parent)


def typescript_types() -> None:
    folder = PLACE / "node"
    for name in ("play.ts", "tsconfig.json"):
        shutil.copy(HERE / name, folder)
    run("npx", "--no-install", "openapi-typescript", build.FILE, "--output", folder / "api.d.ts", folder=folder)
    run("npx", "--no-install", "tsc", "--project", "tsconfig.json", folder=folder)


def as_documented(generator: str, folder: Path) -> None:
    """Run the line of `docs/clients.md` for a generator of openapi-generator, which writes to `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copy(build.FILE, folder.parent / "openapi.json")
    lines = CLIENTS.read_text().splitlines()
    [line] = [
        each for each in lines if each.startswith(f"openapi-generator-cli generate --generator-name {generator} ")
    ]
    program, *arguments = shlex.split(line)
    run(tool(program), *arguments, folder=folder.parent)


def typescript_fetch() -> None:
    folder = PLACE / "node" / "fetch"
    as_documented("typescript-fetch", folder)
    run(
        "npx", "--no-install", "tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "bundler", "--lib", "es2022,dom", folder / "index.ts", folder=PLACE / "node",
    )  # fmt: skip


def go() -> None:
    folder = PLACE / "go"
    as_documented("go", folder)
    shutil.rmtree(folder / "test")  # it has dependencies of its own
    run("go", "build", "./...", folder=folder)


CLIENTS = ROOT / "docs" / "clients.md"
PYTHON = Generator("openapi-python-client", (HERE / "python.yml", HERE / "mypy.ini"), python_client)
TYPES = Generator("openapi-typescript", (HERE / "play.ts", HERE / "tsconfig.json"), typescript_types)
FETCH = Generator("typescript-fetch", (CLIENTS,), typescript_fetch)
GO = Generator("go", (CLIENTS,), go)


def generated(generator: Generator) -> str:
    """What to say about it."""
    begun = time.monotonic()
    made_of = (build.FILE, LOCK, NODE_LOCK, *generator.files)
    if once(generator.name, made_of, generator.make):
        return f"{generator.name}: generated and compiled in {time.monotonic() - begun:.0f} s"
    return f"{generator.name}: as it was compiled before"


# --- all of it ----------------------------------------------------------------------------------------------------


def main() -> None:
    PLACE.mkdir(parents=True, exist_ok=True)
    generators = [PYTHON, TYPES]
    if shutil.which("java"):
        generators += [FETCH, *([GO] if shutil.which("go") else [])]
    else:
        say("LEFT OUT: openapi-generator's typescript-fetch and Go, for there is no Java here.")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for each in [pool.submit(install_python), pool.submit(install_node)]:
            each.result()
        for told in pool.map(generated, generators):
            say(told)
        with TemporaryDirectory() as folder, Server(Path(folder) / "games.db", rate_limit="off") as server:
            say(f"TypeScript played {run('node', 'play.js', server.url, folder=PLACE / 'node').strip()}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(str(failed))
