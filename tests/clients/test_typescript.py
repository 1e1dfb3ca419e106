"""The TypeScript client plays every ruleset from Node and from a browser, through connections that break."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.clients.played import check
from tests.docs.pages import DOCS, blocks, section
from tests.openapi.generators.tools import PLACE, install_node, node_tool
from tests.support.clients import Json, Server, fewest
from tests.support.cuts import CuttingProxy
from tests.support.files import static
from tests.verifiers.standalone import node
from tests.web.browsers import chromium

ROOT = Path(__file__).parents[2]
PLAY = Path(__file__).with_name("play.mjs")
FIRST = next(iter(RULESETS))
Played = Callable[..., Json]
each_ruleset = pytest.mark.parametrize("ruleset", [pytest.param(name, id=f"{name}/1") for name in RULESETS])


def ran(folder: Path, *command: str | Path, **environment: str) -> str:
    """What the command prints."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project beside a clean copy of the repository's clients, into which the guide's command has installed the
    package."""
    folder = tmp_path_factory.mktemp("project")
    ignored = shutil.ignore_patterns("dist", "node_modules", "__pycache__")
    shutil.copytree(ROOT / "clients", folder / "stammtisch" / "clients", ignore=ignored)
    (folder / "package.json").write_text('{"type": "module"}')
    (command,) = [line for line in blocks((DOCS / "clients.md").read_text(), "sh") if "stammtisch/clients/typ" in line]
    assert command in (ROOT / "clients" / "typescript" / "README.md").read_text()
    ran(folder, *command.split())
    return folder


@pytest.fixture(scope="module")
def package(project: Path) -> Path:
    """The folder of the installed package."""
    return project / "node_modules" / "@stammtisch" / "client"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("typescript") / "games.db", rate_limit="off", cors_origins="*") as server:
        yield server


def with_web_sockets() -> list[str]:
    """The options with which this Node has web sockets."""
    version = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True).stdout
    return [] if int(version.removeprefix("v").split(".")[0]) >= 22 else ["--experimental-websocket", "--no-warnings"]


@pytest.fixture(scope="module")
def played(package: Path) -> Played:
    return partial(play, package)


def play(package: Path, url: str, ruleset: str, *, channel: bool = True, **terms: object) -> Json:
    """What `play.mjs` prints of a game."""
    options = with_web_sockets() if channel else ["--no-experimental-websocket"] if not with_web_sockets() else []
    command = [node(), *options, PLAY, url, ruleset, str(fewest(ruleset)), json.dumps(terms)]
    found: Json = json.loads(ran(ROOT, *command, PACKAGE=(package / "dist" / "index.js").as_uri()))
    assert found["channel"] is channel
    return found


@each_ruleset
@pytest.mark.by_default()  # that of Python plays through the same cuts
@pytest.mark.parametrize("channel", [True, False], ids=["channel", "sse"])
def test_a_game_is_played_through_cut_connections_with_nothing_lost_or_doubled(
    server: Server, played: Played, ruleset: str, channel: bool, request: pytest.FixtureRequest
) -> None:
    proxy = CuttingProxy(
        server.url, 50 if request.config.getoption("--everything") else 6, most=12_000 if channel else 4_000
    )
    while proxy.left:  # one game may need fewer connections than there are cuts
        check(server.url, ruleset, played(proxy.url, ruleset, channel=channel))
    proxy.close()


@each_ruleset
@pytest.mark.by_default()
def test_every_ruleset_is_played_with_sealed_entropies(server: Server, played: Played, ruleset: str) -> None:
    check(server.url, ruleset, played(server.url, ruleset, sealed=True))


@pytest.mark.checked
def test_parts_that_need_no_service(project: Path) -> None:
    printed = ran(project / "stammtisch" / "clients" / "typescript", "npm", "test")
    assert re.search(r"(?m)^# pass [1-9]", printed)


OPTIONS = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"]
"""Of the compiler, for programs of users."""


@pytest.mark.checked
def test_a_program_compiles_against_the_installed_package(project: Path, package: Path) -> None:
    published = {file.name for file in package.iterdir()}
    assert published == {"LICENSE", "README.md", "dist", "package.json"}, "nothing else is needed"
    source = project / "stammtisch" / "clients" / "typescript"
    program = (source / "test" / "types.ts").read_text().replace("../src/index.js", "@stammtisch/client")
    program += "\nconsole.log(new Client('http://test').token, problems.NotFound.name);\n"
    (project / "main.ts").write_text(program)
    ran(project, source / "node_modules" / ".bin" / "tsc", *OPTIONS, "main.ts")
    assert ran(project, node(), "main.js") == "null NotFound\n"


@pytest.mark.by_default()
def test_the_guides_program_with_openapi_fetch_compiles() -> None:
    """Errors have their types: a field of one problem is no field of another."""
    PLACE.mkdir(parents=True, exist_ok=True)
    install_node()
    (program,) = blocks(section((DOCS / "clients.md").read_text(), "Other clients"), "ts")
    wrong = "\nif (error?.type === 'not-found') {\n  // @ts-expect-error\n  error.legal_moves;\n}\n"
    folder = PLACE / "node" / "guide"
    folder.mkdir(exist_ok=True)
    (folder / "move.ts").write_text(program + wrong)
    ran(folder, node_tool("openapi-typescript"), ROOT / "openapi" / "openapi.json", "--output", "stammtisch.d.ts")
    # The generators' own program checks all of the generated file (`make clients`): that takes most of the time.
    ran(folder, node_tool("tsc"), *OPTIONS, "--skipLibCheck", "--noEmit", "move.ts")


PAGE = """<!doctype html><script type="module">
import { Client, problems } from "./index.js";
try {
  const client = new Client(new URLSearchParams(location.search).get("api"));
  await client.register("Ann");
  const table = await client.open("RULESET", { seats: ["me", "random/1"], options: { target_points: 1 } });
  for await (const turn of table.turns()) await turn.play(turn.legalMoves[0]);
  const { verdict } = await (await table.record()).verify();
  const refused = await table.sit().catch((problem) => problem);
  document.title = `${(await table.game()).status} ${verdict} ${refused instanceof problems.NotWaiting}`;
} catch (error) {
  document.title = `failed: ${error}`;
}
</script>"""


@pytest.mark.by_default()
def test_a_game_is_played_in_a_browser(server: Server, package: Path) -> None:
    (package / "dist" / "page.html").write_text(PAGE.replace("RULESET", FIRST))
    with static(package / "dist") as url, chromium() as browser:
        page = browser.new_page()
        page.goto(f"{url}/page.html?api={server.url}")
        page.wait_for_function("document.title !== ''", timeout=60_000)
        assert page.title() == "finished ok true"
