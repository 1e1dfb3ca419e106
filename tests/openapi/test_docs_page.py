"""The documentation page in a real browser that can reach nothing but the service."""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from domain.rulesets import RULESETS
from openapi import build
from service.pages.docs import VERSION
from tests.support.chromium import chromium_binary
from tests.support.clients import Server

pytestmark = pytest.mark.checked

DOCUMENT: dict[str, Any] = json.loads(build.FILE.read_bytes())

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1200,2400",
    "--enable-logging=stderr", "--virtual-time-budget=60000", "--dump-dom",
)  # fmt: skip


@dataclass
class Visit:
    """What a browser has made of a page."""

    text: str
    """What the page shows, without spaces."""
    console: list[str]
    asked: list[str]
    """The URLs that the page has asked for, whether they were answered or not."""

    def shows(self, text: str) -> bool:
        return "".join(text.split()) in self.text


def visited(url: str, folder: Path) -> Visit:
    net_log = folder / "net.json"
    seen = subprocess.run(
        [
            chromium_binary(), *FLAGS, f"--user-data-dir={folder / 'profile'}", f"--log-net-log={net_log}",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", url,
        ],
        capture_output=True, text=True, timeout=180, check=True,
    )  # fmt: skip
    words = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>", "", seen.stdout)
    return Visit("".join(unescape(words).split()), re.findall(r".*:CONSOLE:.*", seen.stderr), requests(net_log))


def requests(net_log: Path) -> list[str]:
    """The browser asks for this and that on its own account; what a page asks for has the page's origin with it."""
    found = json.loads(net_log.read_text())
    start = found["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    jobs = [event.get("params", {}) for event in found["events"] if event["type"] == start]
    return [job["url"] for job in jobs if job.get("initiator", "not an origin") != "not an origin"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("docs") / "games.db") as server:
        yield server


@pytest.mark.by_default()
def test_the_page_loads_without_internet_and_within_its_policy(server: Server, tmp_path: Path) -> None:
    visit = visited(f"{server.url}/docs", tmp_path)
    assert visit.console == []
    files = ("swagger-ui.css", "swagger-ui-bundle.js")
    assert sorted(visit.asked) == sorted(
        f"{server.url}/{path}"
        for path in (*(f"docs/{VERSION}/{file}" for file in files), "docs/start.js", "schema/openapi.json")
    )
    for tag in DOCUMENT["tags"]:
        assert visit.shows(tag["name"])


@pytest.mark.by_default()
@pytest.mark.parametrize("ruleset", [*RULESETS][::4])  # a visit takes seconds, and the page is made alike for all
def test_the_page_shows_the_operations_and_expands_one(server: Server, ruleset: str, tmp_path: Path) -> None:
    title = RULESETS[ruleset].labels["en"].title
    visit = visited(f"{server.url}/docs#/{quote(title)}/{ruleset}_move", tmp_path)
    # Swagger UI grumbles about its own way to read `_` in links.
    assert [line for line in visit.console if "escaping deep link whitespace" not in line] == []
    assert all(url.startswith(server.url) for url in visit.asked)
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if title in operation["tags"]:
                assert visit.shows(f"{method.upper()} {path} {operation['summary']}")
    shown = DOCUMENT["paths"][f"/v1/games/{ruleset}/{{game_id}}/moves"]["post"]
    assert visit.shows(shown["description"].replace("`", ""))
    assert all(visit.shows(parameter["name"]) for parameter in shown["parameters"])
    assert visit.shows("Example Value")


def test_the_browser_check_detects_policy_violations_and_external_requests(tmp_path: Path) -> None:
    """Else the tests above would prove nothing."""
    page = tmp_path / "page.html"
    policy = """<meta http-equiv="Content-Security-Policy" content="script-src 'none'">"""
    page.write_text(f"""{policy}<script>1</script><img src="http://elsewhere.test/picture.png">""")
    visit = visited(page.as_uri(), tmp_path)
    assert any("Content Security Policy" in line for line in visit.console)
    assert visit.asked == ["http://elsewhere.test/picture.png"]
