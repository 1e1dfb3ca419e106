"""The TypeScript client plays every ruleset from Node and from a browser, through connections that break."""

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.clients.played import check
from tests.openapi.generators.tools import PLACE, install_node, node_tool
from tests.support.clients import Json, Server, fewest
from tests.support.cuts import CuttingProxy
from tests.verifiers.standalone import node
from tests.web.browsers import chromium

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients" / "typescript"
PLAY = Path(__file__).with_name("play.mjs")
FIRST = next(iter(RULESETS))
each_ruleset = pytest.mark.parametrize("ruleset", [pytest.param(name, id=f"{name}/1") for name in RULESETS])


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Path:
    """The folder of the compiled package."""
    PLACE.mkdir(parents=True, exist_ok=True)
    install_node()
    for command in ([str(node_tool("tsc")), "--project", "tsconfig.json"], [node(), "copy-verifier.mjs"]):
        done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    return PACKAGE / "dist"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("typescript") / "games.db", rate_limit="off", cors_origins="*")
    yield server
    server.stop()


def with_web_sockets() -> list[str]:
    """The options with which this Node has web sockets."""
    version = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True).stdout
    return [] if int(version.removeprefix("v").split(".")[0]) >= 22 else ["--experimental-websocket", "--no-warnings"]


def played(url: str, ruleset: str, *, channel: bool = True, **terms: object) -> Json:
    """What `play.mjs` prints of a game."""
    options = with_web_sockets() if channel else ["--no-experimental-websocket"] if not with_web_sockets() else []
    command = [node(), *options, str(PLAY), url, ruleset, str(fewest(ruleset)), json.dumps(terms)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found: Json = json.loads(done.stdout)
    assert found["channel"] is channel
    return found


@each_ruleset
@pytest.mark.by_default(f"channel-{FIRST}/1")
@pytest.mark.parametrize("channel", [True, False], ids=["channel", "sse"])
def test_a_game_is_played_through_cut_connections_with_nothing_lost_or_doubled(
    server: Server, ruleset: str, channel: bool, request: pytest.FixtureRequest
) -> None:
    proxy = CuttingProxy(
        server.url, 50 if request.config.getoption("--everything") else 6, most=12_000 if channel else 4_000
    )
    while proxy.left:  # one game may need fewer connections than there are cuts
        check(server.url, ruleset, played(proxy.url, ruleset, channel=channel))
    proxy.close()


@each_ruleset
@pytest.mark.by_default()
def test_every_ruleset_is_played(server: Server, ruleset: str) -> None:
    check(server.url, ruleset, played(server.url, ruleset))


def test_parts_that_need_no_service() -> None:
    done = subprocess.run(
        [node(), "--test", *map(str, (PACKAGE / "test").glob("*.test.mjs"))],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"(?m)^# pass [1-9]", done.stdout)


@pytest.mark.by_default()
def test_the_package_works_where_it_is_installed(tmp_path: Path) -> None:
    """What npm publishes is enough to compile and run a program, without the repository."""
    version = json.loads((PACKAGE / "package.json").read_text())["version"]
    place = tmp_path / "node_modules" / "@stammtisch"
    place.mkdir(parents=True)
    program = (PACKAGE / "test" / "types.ts").read_text().replace("../src/index.js", "@stammtisch/client")
    (tmp_path / "main.ts").write_text(
        program + "\nconsole.log(new Client('http://test').token, problems.NotFound.name);\n"
    )
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"]
    for command, folder in (
        (["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(tmp_path)], PACKAGE),
        (["tar", "--extract", "--gzip", "--file", f"stammtisch-client-{version}.tgz"], tmp_path),
        (["mv", "package", str(place / "client")], tmp_path),
        ([str(node_tool("tsc")), *options, "main.ts"], tmp_path),
        ([node(), "main.js"], tmp_path),
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "null NotFound\n"
    published = {file.name for file in (place / "client").iterdir()}
    assert published == {"LICENSE", "README.md", "dist", "package.json"}


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
def test_a_game_is_played_in_a_browser(server: Server, compiled: Path) -> None:
    class Files(SimpleHTTPRequestHandler):
        extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

        def do_GET(self) -> None:
            if self.path.startswith("/page"):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(PAGE.replace("RULESET", FIRST).encode())
            else:
                super().do_GET()

        def log_message(self, *_: object) -> None:
            pass

    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(compiled)))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    try:
        with chromium() as browser:
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{files.server_port}/page?api={server.url}")
            page.wait_for_function("document.title !== ''", timeout=60_000)
            assert page.title() == "finished ok true"
    finally:
        files.shutdown()
