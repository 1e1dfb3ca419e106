"""Tables in pages of other origins, in Chromium: what the page learns, and what it can never reach."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page, Route, expect

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.support.files import static
from tests.web.browsers import FIRST, LEGAL, Json, ask
from tests.web.test_drawn import WIDTHS, frame_height


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def other(folder: Path) -> Iterator[str]:
    with static(folder) as url:
        yield url


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, other: str) -> Iterator[Server]:
    """The service, which lets the other site embed its tables."""
    path = tmp_path_factory.mktemp("web") / "games.db"
    with Server(path, rate_limit="off", embed_origins=other) as started:
        yield started


HOST = """<!doctype html><meta charset="utf-8"><title>Another site</title>
<script type="module" src="{service}/embed.js"></script>
<script>
  window.told = [];
  for (const type of ["turn", "over", "error"]) {{
    addEventListener(type, ({{ target, detail }}) => {{
      if (target.localName === "stammtisch-table") told.push({{ ...detail, problem: detail.type, type }});
    }}, true);
  }}
</script>
{tables}"""
ELEMENT = '<stammtisch-table game="{game}" theme="dark" lang="de"></stammtisch-table>'


def hosted(browser: Browser, folder: Path, origin: str, server: Server, games: list[str]) -> Page:
    tables = "\n".join(ELEMENT.format(game=game) for game in games)
    (folder / "index.html").write_text(HOST.format(service=server.url, tables=tables))
    page = browser.new_page(locale="en-US", reduced_motion="reduce")
    page.set_default_timeout(60_000)
    page.goto(f"{origin}/index.html")
    return page


def give(page: Page, token: str, colors: Json | None = None) -> None:
    page.evaluate(
        "([token, colors]) => { for (const each of document.querySelectorAll('stammtisch-table')) "
        "{ each.token = token; each.colors = colors; } }",
        [token, colors or {}],
    )


def frames(page: Page) -> list[Frame]:
    return page.frames[1:]


def against_the_house(server: Server, token: str, ruleset: str = FIRST) -> str:
    seats = ["me", *["random/1"] * (RULESETS[ruleset].seats[0] - 1)]
    game = ask(server.url, f"games/{ruleset}", {"seats": seats}, token)
    return f"{ruleset}/{game['id']}"


def test_a_page_of_another_origin_embeds_all_tables(
    browser: Browser, folder: Path, other: str, server: Server, everything: bool
) -> None:
    token = ask(server.url, "players", {"name": "Ann"})["token"]
    rulesets = [*RULESETS] if everything else [*RULESETS][::4]
    games = [against_the_house(server, token, ruleset) for ruleset in rulesets]
    page = hosted(browser, folder, other, server, games)
    give(page, token)
    for frame in frames(page):
        frame.locator(LEGAL).or_(frame.locator(".rail .btn")).first.wait_for()
        assert frame.locator("html").get_attribute("lang") == "de"
        assert frame.locator("html").get_attribute("data-theme") == "dark"
        assert not frame.locator(".brand").is_visible()
        kept = frame.evaluate("[localStorage.length, sessionStorage.length, name, document.cookie, location.href]")
        assert kept[:4] == [0, 0, "", ""]
        assert token not in kept[4]
    page.wait_for_function(f"told.filter(({{ type, yours }}) => type === 'turn' && yours).length >= {len(games)}")
    assert {each["game"] for each in page.evaluate("told")} == {*games}
    assert token not in page.content()
    page.close()


@pytest.mark.checked
def test_a_game_is_played_to_its_end(browser: Browser, folder: Path, other: str, server: Server) -> None:
    """Moves, its events, and that the frame follows its width."""
    token = ask(server.url, "players", {"name": "Ann"})["token"]
    game = against_the_house(server, token)
    page = hosted(browser, folder, other, server, [game])
    give(page, token)
    (frame,) = frames(page)
    before = ask(server.url, f"games/{game}", token=token)["version"]
    frame.locator(LEGAL).first.click()
    page.wait_for_function(f"told.some(({{ version }}) => version > {before})")
    page.evaluate("document.body.style.margin = 0")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        sizes = "document.querySelector('iframe').clientWidth, document.querySelector('iframe').clientHeight"
        page.wait_for_function(f"size => [{sizes}].join() === size", arg=f"{width},{frame_height(width)}")
    ask(server.url, f"games/{game}/seats/0?running=true", None, token, "DELETE")
    page.wait_for_function("told.some(({ type }) => type === 'over')", timeout=60_000)
    page.close()


def test_colors_are_checked(browser: Browser, folder: Path, other: str, server: Server) -> None:
    token = ask(server.url, "players", {"name": "Ann"})["token"]
    page = hosted(browser, folder, other, server, [against_the_house(server, token)])
    bad = {
        "paper": "red; } body { display: none",
        "ink": "url(//evil.example)",
        "wood": 7,
        "font": "red",
        "link": "var(--x)",
    }
    give(page, token, {"felt": "rgb(1, 2, 3)"} | bad)
    (frame,) = frames(page)
    frame.locator(LEGAL).first.wait_for()
    color = "name => getComputedStyle(document.querySelector('.room')).getPropertyValue('--' + name).trim()"
    frame.wait_for_function(f"({color})('felt') === 'rgb(1, 2, 3)'")
    assert frame.evaluate("document.adoptedStyleSheets[0].cssRules.length") == 1
    assert frame.evaluate("document.adoptedStyleSheets[0].cssRules[0].style.length") == 1
    page.close()


@pytest.mark.by_default()
def test_a_token_that_is_not_valid_is_reported(browser: Browser, folder: Path, other: str, server: Server) -> None:
    """The table is shown as to a bystander, also if it is read before the service has answered about the token; and a
    valid token is good at any time."""
    token = ask(server.url, "players", {"name": "Ann"})["token"]
    page = hosted(browser, folder, other, server, [against_the_house(server, token)])
    asked = list[Route]()
    page.route("**/players/me", lambda route: asked.append(route))  # the answer waits
    give(page, "nonsense")
    (frame,) = frames(page)
    frame.locator(".rail").first.wait_for()
    assert asked
    for each in asked:
        each.continue_()
    page.wait_for_function("told.some(({ type }) => type === 'error')")
    assert page.evaluate("told.find((each) => each.type === 'error')")["problem"] == "unauthenticated"
    assert not frame.locator(LEGAL).count()
    page.unroute("**/players/me")
    give(page, token)
    frame.locator(LEGAL).first.wait_for()
    page.close()


def test_no_other_page_is_framed_and_no_other_site_frames(
    browser: Browser, folder: Path, other: str, server: Server, tmp_path: Path
) -> None:
    framed: Callable[[str], str] = lambda path: f'<iframe src="{server.url}/{path}"></iframe>'  # noqa: E731
    (folder / "frames.html").write_text("".join(map(framed, ("", f"table?g={FIRST}/x", "record"))))
    page = browser.new_page()
    page.goto(f"{other}/frames.html")
    page.wait_for_load_state("networkidle")
    assert [frame.url for frame in frames(page)] == ["chrome-error://chromewebdata/"] * 3
    (tmp_path / "index.html").write_text(framed(f"embed?g={FIRST}/x#origin={other}"))
    with static(tmp_path) as stranger:
        page.goto(stranger)
        page.wait_for_load_state("networkidle")
        assert [frame.url for frame in frames(page)] == ["chrome-error://chromewebdata/"]
    page.goto(f"{server.url}/embed?g={FIRST}/x")  # not in a frame
    expect(page.get_by_role("heading", name="may not show")).to_be_visible()
    page.close()


@pytest.mark.by_default()
def test_messages_of_others_are_ignored(browser: Browser, folder: Path, other: str, server: Server) -> None:
    """A frame beside the table cannot speak for the site."""
    token = ask(server.url, "players", {"name": "Ann"})["token"]
    page = hosted(browser, folder, other, server, [against_the_house(server, token)])
    (frame,) = frames(page)
    page.wait_for_function("document.querySelector('stammtisch-table')")
    message = json.dumps({"stammtisch": 1, "type": "begin", "token": token, "colors": {"felt": "red"}})
    frame.wait_for_selector("main")
    frame.evaluate(f"window.postMessage({message}, '*')")  # from the frame itself: another source
    frame.evaluate(f"dispatchEvent(new MessageEvent('message', {{ data: {message}, origin: 'https://evil.example' }}))")
    page.wait_for_timeout(300)
    assert frame.evaluate("document.adoptedStyleSheets[0].cssRules.length") <= 1
    assert "red" not in frame.evaluate(
        "[...document.adoptedStyleSheets[0].cssRules].map((rule) => rule.cssText).join()"
    )
    page.close()
