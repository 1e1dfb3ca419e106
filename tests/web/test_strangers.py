"""What pages of other origins and their links can do to a user of the pages: nothing that the user was not asked for.

The service has the name of a host, as in a local network: without HTTPS the browser does not isolate its pages.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.clients import Server
from tests.support.files import static
from tests.web.browsers import FIRST, LEGAL, Json, Visitor, ask, now, opened, somebody


def named(browser: Browser, server: Server, visitors: list[Visitor], name: str = "") -> Visitor:
    """A visitor who knows the service by the name of its host."""
    visitor = somebody(browser, server, visitors, host="games.test")
    if name:
        visitor.settle(name)
    return visitor


def code_of(server: Server, token: str) -> str:
    return str(ask(server.url, "players/me/codes", token=token, method="POST")["code"])


def identity(page: Page) -> Json | None:
    found: Json | None = page.evaluate("JSON.parse(localStorage['stammtisch.identity'] ?? 'null')")
    return found


def forgeries(server: Server, mallory: Json, game: Json) -> str:
    """What the pages once kept in the name of a tab: an identity, moves of two tables, a code."""
    path = f"{game['ruleset']}/{game['id']}"
    letter = {
        "game": path, "player": None, "move": game["legal_moves"][0], "key": "0" * 32, "seat": "0",
        "version": game["version"],
    }  # fmt: skip
    astray = letter | {"game": "../players", "move": {"name": "forged", "type": "x"}}
    kept = {
        "identity": mallory, f"outbox.{path}": letter, "outbox.": astray, "renewal": code_of(server, mallory["token"]),
        f"seen.{path}": {"version": 1, "head": "0" * 64},
    }  # fmt: skip
    return json.dumps([[key, json.dumps(value)] for key, value in kept.items()])


LEADS = {
    "by a link": "window.name = NAME; location.href = TO",
    "by a window": "document.body.onclick = () => window.open(TO, NAME)",
}


@pytest.mark.by_default(  # each two of the three parameters
    "[-newcomer-by a link]", "[table-known-by a link]", "[table-newcomer-by a window]", "[-known-by a window]"
)
@pytest.mark.parametrize("way", LEADS)
@pytest.mark.parametrize("known", [False, True], ids=["newcomer", "known"])
@pytest.mark.parametrize("to", ["", "table"])
def test_the_name_of_a_tab_is_believed_by_nobody(
    browser: Browser, server: Server, visitors: list[Visitor], tmp_path: Path, way: str, known: bool, to: str
) -> None:
    """A foreign page names the tab before it leads to the service: no move is made, and nobody becomes another one."""
    visitor, host = named(browser, server, visitors, "Ann" if known else ""), somebody(browser, server, visitors, "Ben")
    mallory = ask(server.url, "players", {"name": "Mallory"})
    game = opened(visitor if known else host, hotseat=True)
    path = f"{to}?g={FIRST}/{game['id']}" if to else ""
    given = [forgeries(server, mallory, game), f"{visitor.pages}/{path}"]
    script = f"const [NAME, TO] = {json.dumps(given)}; {LEADS[way]}"
    (tmp_path / "index.html").write_text(f"<!doctype html><body>Click<script>{script}</script>")
    before = identity(visitor.visit())
    posted: list[str] = []
    visitor.context.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    with static(tmp_path) as foreign:
        page = visitor.page
        page.goto(f"{foreign.replace('127.0.0.1', 'mallory.test')}/index.html", wait_until="commit")
        if way == "by a window":
            with visitor.context.expect_page() as found:
                page.locator("body").click()
            page = found.value
        page.wait_for_url(f"{visitor.pages}/**")
        page.wait_for_selector("[data-ready]" if to else ".swatches label")
        expect(page.locator("button.user")).to_contain_text("Ann" if known else "Settings")
        page.reload()
        page.wait_for_selector("[data-ready]" if to else ".swatches label")
    assert (identity(page), posted) == (before, [])
    assert now(host, game)["version"] == game["version"]


@pytest.mark.parametrize("known", [False, True], ids=["newcomer", "known"])
def test_a_link_signs_nobody_in_unasked(browser: Browser, server: Server, visitors: list[Visitor], known: bool) -> None:
    """Also in a tab that shows the lobby already. The code is not used either."""
    visitor = named(browser, server, visitors, "Ann" if known else "")
    mallory = ask(server.url, "players", {"name": "Mallory"})
    before = identity(visitor.visit())
    for reloads in (False, True):
        code = code_of(server, mallory["token"])
        visitor.page.goto("about:blank") if reloads else None
        page = visitor.visit(f"#code={code}")
        asked = page.get_by_role("dialog")
        expect(asked).to_contain_text("signs this browser in")
        assert "code" not in page.url
        asked.get_by_role("button", name="Cancel").click()
        assert identity(page) == before
        assert ask(server.url, "players/tokens", {"code": code})["id"] == mallory["id"]


def test_another_tab_changes_the_identity_of_this_one_visibly(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """The table and its connection are the new player's: a move of the player before cannot be made any more."""
    ann, ben = named(browser, server, visitors, "Ann"), somebody(browser, server, visitors, "Ben")
    table = ann.at(opened(ann, hotseat=True))
    table.wait_for_selector(LEGAL)
    other = ann.context.new_page()
    other.goto(f"{ann.pages}/#code={code_of(server, ben.token)}")
    other.get_by_role("dialog").get_by_role("button", name="Take over the seats").click()
    for page in (other, table):
        expect(page.locator("button.user")).to_contain_text("Ben")
    expect(table.locator(LEGAL)).to_have_count(0)
    own = opened(ben, hotseat=True)
    ann.at(own).wait_for_selector(LEGAL)
    table.locator(LEGAL).first.click()
    expect(table.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    assert now(ben, own)["version"] > own["version"]
