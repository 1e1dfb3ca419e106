"""Generates clients from `openapi/openapi.json`, compiles them, and plays with one of them: `make clients`.

openapi-typescript plays against a server: a game of Skyjo through its own types, and a game of each ruleset through the
routes for any ruleset. The others are generated and compiled; openapi-generator makes typescript-fetch where Java is
installed, and Go where Go is, too. Their commands are the lines of `docs/clients.md`. `build/generators` keeps compiled
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


def as_documented(command: str, folder: Path) -> None:
    """Run the line of `docs/clients.md` that begins with the command, in the folder."""
    draft = folder / f"{command.split()[-1]}.json"  # others in the folder may be reading
    shutil.copy(build.FILE, draft)
    draft.replace(folder / "openapi.json")
    lines = CLIENTS.read_text().splitlines()
    [line] = [each for each in lines if each.startswith(f"{command} ") and " openapi.json " in each]
    programs = os.pathsep.join([str(tool("python").parent), os.environ["PATH"]])
    run(*shlex.split(line), folder=folder, PATH=programs, NPM_CONFIG_YES="false")


def python_client() -> None:
    folder = emptied(PLACE / "python")
    as_documented("openapi-python-client generate", folder)
    run(tool("python"), "-m", "compileall", "-q", folder)
    run(tool("mypy"), "--config-file", HERE / "mypy.ini", "-p", "stammtisch_client", folder=folder)


def python_models() -> None:
    folder = emptied(PLACE / "models")
    as_documented("datamodel-codegen", folder)
    program = "import models; print(type(models.SkyjoMove.model_validate({'type': 'flip', 'slot': 0}).root).__name__)"
    found = run(tool("python"), "-c", program, folder=folder).strip()
    if found != "SkyjoFlipMove":
        raise Failed(f"datamodel-codegen: a move with the tag `flip` became {found}")


def typescript_types() -> None:
    folder = PLACE / "node"
    for name in ("play.ts", "tsconfig.json"):
        shutil.copy(HERE / name, folder)
    as_documented("npx openapi-typescript", folder)
    run("npx", "--no-install", "tsc", "--project", "tsconfig.json", folder=folder)


def orval() -> None:
    emptied(PLACE / "node" / "orval")
    as_documented("npx orval", PLACE / "node")
    compile_typescript("orval/stammtisch.ts")


def typescript_fetch() -> None:
    emptied(PLACE / "node" / "fetch")
    as_documented("openapi-generator-cli generate --generator-name typescript-fetch", PLACE / "node")
    compile_typescript("fetch/index.ts")


def compile_typescript(file: str) -> None:
    run(
        "npx", "--no-install", "tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", file, folder=PLACE / "node",
    )  # fmt: skip


def go() -> None:
    folder = emptied(PLACE / "go")
    as_documented("openapi-generator-cli generate --generator-name go", PLACE)
    shutil.rmtree(folder / "test")  # it has dependencies of its own
    run("go", "build", "./...", folder=folder)


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


CLIENTS = ROOT / "docs" / "clients.md"
PYTHON = Generator("openapi-python-client", (CLIENTS, HERE / "mypy.ini"), python_client)
MODELS = Generator("datamodel-code-generator", (CLIENTS,), python_models)
TYPES = Generator("openapi-typescript", (CLIENTS, HERE / "play.ts", HERE / "tsconfig.json"), typescript_types)
ORVAL = Generator("orval", (CLIENTS,), orval)
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
    generators = [PYTHON, MODELS, TYPES, ORVAL]
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
