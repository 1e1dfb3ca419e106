"""In a browser that reaches this machine only: the site, its search, and the page that docs/browser.md prints."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.docs.pages import DOCS, blocks
from tests.openapi.test_docs_page import visited
from tests.support.clients import Server
from tests.support.files import static
from tests.web.browsers import chromium

PAGE = (DOCS / "browser.md").read_text()
THEIRS = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def url(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the site is served, with a page that searches in it."""
    folder = tmp_path_factory.mktemp("served") / "site"
    shutil.copytree(site, folder)
    shutil.copy(Path(__file__).with_name("search.html"), folder)
    with static(folder) as url:
        yield url


@pytest.mark.by_default()  # `test_site` finds what is loaded from elsewhere
def test_a_browser_without_internet_shows_a_page_whole(url: str, tmp_path: Path) -> None:
    visit = visited(f"{url}/architecture/", tmp_path)
    assert visit.shows("A move's way")
    assert visit.console == []
    assert visit.asked
    assert [asked for asked in visit.asked if not asked.startswith(f"{url}/")] == []


def test_the_search_finds_a_page_without_internet(url: str, tmp_path: Path) -> None:
    visit = visited(f"{url}/search.html#evicts%20allkeys-lru", tmp_path)
    assert visit.shows(f"[{url}/scaling/?h=evicts+allkeys-lru#redis]")
    assert [asked for asked in visit.asked if not asked.startswith(f"{url}/")] == []


def channel_page() -> str:
    """A script with the printed start of a channel, which logs the messages of the service."""
    (printed,) = blocks(PAGE, "js")
    assert printed.count(THEIRS.replace("http:", "ws:")) == 1
    guest = f"""fetch("{THEIRS}/v1/players", {{
      method: "POST", headers: {{ "Content-Type": "application/json" }}, body: JSON.stringify({{ name: "Cleo" }}),
    }})"""
    start = f"const {{ token }} = await (await {guest}).json();\n{printed}"
    return f'<script type="module">{start}\nsocket.onmessage = (message) => console.log(message.data);</script>'


@pytest.mark.by_default()  # a whole game in a browser
@pytest.mark.parametrize("allowed", [True, False])
def test_the_printed_page_plays_a_game_where_its_origin_is_allowed(tmp_path: Path, allowed: bool) -> None:
    """So does a page with the printed start of a channel."""
    (printed,) = blocks(PAGE, "html")
    assert printed.count(THEIRS) == 1
    printed += channel_page()
    folder = tmp_path / "site"
    folder.mkdir()
    with static(folder) as origin:
        server = Server(tmp_path / "games.db", cors_origins=origin if allowed else "https://other.example")
        theirs, ours = THEIRS.removeprefix("http:"), server.url.removeprefix("http:")
        (folder / "index.html").write_text(printed.replace(theirs, ours))
        logged: list[str] = []
        with server, chromium() as browser:
            page = browser.new_page()
            page.on("console", lambda message: logged.append(message.text))
            page.goto(origin)
            if allowed:
                expect(page.locator("#state")).to_have_text(re.compile(r"Winners: \d"), timeout=60_000)
                assert page.locator("#events li").all_inner_texts()[-2:] == ["ended", "revealed"], "the stream ended"
            while not any(('"type":"authenticated","id":1' if allowed else "CORS") in line for line in logged):
                page.wait_for_event("console", timeout=60_000)
            assert allowed or "Winners" not in page.inner_text("body")
