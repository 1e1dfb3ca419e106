"""Each extension can be removed: its folder, and its line in the list. An example is added in the same way."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "agents", "projections", "stammtisch", "service", "openapi")
LIST = "service/extensions/__init__.py"
EXAMPLE = Path(__file__).parent / "example" / "openings"

pytestmark = pytest.mark.checked

DESCRIBE = """
import asyncio, json, re, sys
from html import unescape
from pathlib import Path
from openapi import build
from tests.support.clients import done, in_process

async def play():
    async with in_process(Path(sys.argv[1]), web="on") as service:
        players = await service.guests("Ann", "Bob")
        game = await service.table("skyjo", players)
        for page in ("/", "/table", "/schema/openapi.json", "/schema/asyncapi.json", "/metrics", "/health/ready"):
            assert (await players[0].get(page)).status_code == 200, page
        await players[0].move(game, (await players[0].moves(game))[0])
        assert done(await players[0].post(f"{game}/votes", {"on": "abort", "yes": True}))
        table = (await players[0].get("/table")).text
        places = json.loads(unescape(re.search('name="places" content="([^"]*)"', table)[1]))
        files = re.search("web/[0-9a-f]{16}/", table)[0]
        named = [entry for entries in places.values() for entry in entries]
        for path in [f"/{files}{each['module']}" for each in named if "module" in each] + [
                     f"/{each[key]}" for each in named for key in ("page", "href") if key in each]:
            assert (await players[0].get(path)).status_code == 200, path
        words = {}
        for part in ("", "lobby.", "more."):
            words |= (await players[0].get(f"/{files}words/{part}de.json")).json()
        assert not [each["text"] for each in named if "text" in each and each["text"] not in words]
        return places, await players[0].get("/v1/openings"), await players[0].get("/openings")

made = {"openapi": build.built(), "asyncapi": build.built_asyncapi()}
made["places"], counted, page = asyncio.run(play())
made["counted"] = counted.json()
made["page"] = page.status_code, "pages/openings.js" in page.text
print(json.dumps(made, sort_keys=True))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The product without tests. Types that were checked before need not be checked again."""
    folder = tmp_path / "copy"
    for part in LAYERS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("web", "clients", "docs", "pyproject.toml"):
        (folder / part).symlink_to(ROOT / part)
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", folder / ".mypy_cache")
    return folder


def run(copy: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{copy}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([sys.executable, *command], cwd=copy, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout


def described(copy: Path) -> Any:
    """What a service of this copy answers. A game is played meanwhile."""
    return json.loads(run(copy, "-c", DESCRIBE, str(copy.parent / "games.db")).splitlines()[-1])


def committed(name: str) -> Any:
    return json.loads((ROOT / f"openapi/{name}.json").read_text())


def without(listed: str, name: str) -> str:
    """The list without an extension: the import of its value, and the value."""
    found = re.search(rf"^from service\.extensions\.{name} import (\w+)\n", listed, re.MULTILINE)
    assert found is not None
    left = re.sub(rf"(?<=[(\s]){found[1]}\b(, |,\n|(?=\)))", "", listed.replace(found[0], ""))
    assert found[1] not in left
    return left


def names() -> list[str]:
    found = re.findall(r"^from service\.extensions\.(\w+) import", (ROOT / LIST).read_text(), re.MULTILINE)
    folders = [path.parent.name for path in (ROOT / LIST).parent.glob("*/__init__.py")]
    assert sorted(found) == sorted(folders)
    return found


@pytest.mark.parametrize("extension", names())
def test_a_service_without_an_extension_is_whole(copy: Path, extension: str) -> None:
    """It starts, games are played, types agree, every other path of the contract is the same, and what extensions have
    on pages of the core is that of the others."""
    shutil.rmtree(copy / "service/extensions" / extension)
    (copy / LIST).write_text(without((copy / LIST).read_text(), extension))
    from service.extension import REGISTERED

    ours = REGISTERED[extension].operations
    left, before = described(copy), committed("openapi")["paths"]
    changed = {path for path in before if left["openapi"]["paths"].get(path) != before[path]}
    gone = {each["operationId"] for path in changed for each in before[path].values() if isinstance(each, dict)}
    kept = {each["operationId"] for path in changed for each in left["openapi"]["paths"].get(path, {}).values()}
    assert not kept
    assert {name for name in gone if not any(f"_{name}".endswith(f"_{each}") for each in ours)} == set()
    assert bool(gone) == bool(ours)
    theirs = ROOT / "service/extensions" / extension / "web"
    own = {each.relative_to(theirs).as_posix() for each in theirs.rglob("*.js")}
    modules = {entry.get("module") for entries in left["places"].values() for entry in entries}
    assert modules and not modules & own
    run(copy, "-m", "mypy")


def test_a_new_extension_is_its_folder_and_its_line(copy: Path) -> None:
    """It has a route, a table that follows from the log, a command, a page and a place on the pages of the
    core, with words."""
    shutil.copytree(EXAMPLE, copy / "service/extensions/openings")
    listed = (copy / LIST).read_text()
    listed = listed.replace("\nregister(", "from service.extensions.openings import OPENINGS\n\nregister(OPENINGS, ")
    (copy / LIST).write_text(listed)
    made = described(copy)
    assert made["counted"] == {"games": 1}
    assert made["page"] == [200, True]
    assert "openings" in [each["page"] for each in made["places"]["bar"]]
    paths = made["openapi"]["paths"]
    assert paths.pop("/v1/openings")["get"]["operationId"] == "openings"
    assert paths == committed("openapi")["paths"]
    assert made["asyncapi"] == committed("asyncapi")
    database = str(copy.parent / "games.db")
    [line] = run(copy, "-m", "service", "openings", "--database", database).splitlines()
    assert line.endswith(" 1")
    assert "openings" in run(copy, "-m", "service", "--help")
    run(copy, "-m", "service", "rebuild", "--database", database)
    assert run(copy, "-m", "service", "openings", "--database", database).splitlines() == [line]
    run(copy, "-m", "mypy")
