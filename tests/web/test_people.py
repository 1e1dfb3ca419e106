"""The user on several devices, profiles and standings, in Chromium; and what pages of other origins and their links can
do to a user: nothing that the user was not asked for."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.support.files import static
from tests.web.browsers import FIRST, LEGAL, Json, Player, Visitor, ask, now, opened, played_out, somebody
from tests.web.measures import inaccessible

TITLE = RULESETS[FIRST].labels["en"].title
LAST = [*RULESETS][-1]


def signed_in(browser: Browser, server: Server, visitors: list[Visitor], name: str) -> Visitor:
    """As `somebody`, but the identity may change: it is stored once, not for every page."""
    visitor = somebody(browser, server, visitors)
    visitor.settle(name)
    return visitor


def account(page: Page) -> None:
    page.locator("button.user").click()
    page.get_by_text("Your seats on other devices").click()


def taken_over(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Take over the seats").click()


@pytest.mark.checked
def test_seats_go_to_another_device(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    laptop, phone, thief = (somebody(browser, server, visitors, name) for name in ("Ann", "", ""))
    thief.provokes("404")
    page = laptop.visit()
    account(page)
    page.get_by_role("button", name="Take my seats").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert len(link.partition("#code=")[2]) == 32
    expect(page.locator(".qr")).to_be_visible()
    other = phone.page
    other.goto(link)
    taken_over(other)
    expect(other.locator(".bar .me, .bar .user").first).to_contain_text("Ann")
    assert "#" not in other.url
    assert not any("code=" in url.partition("#")[0] for url in phone.asked)
    thief.page.goto(link)
    taken_over(thief.page)
    expect(thief.page.get_by_role("dialog")).to_contain_text("used or has expired")
    ids = [each.evaluate("JSON.parse(localStorage['stammtisch.identity']).id") for each in (page, other)]
    assert ids[0] == ids[1]


@pytest.mark.by_default()
def test_signing_out_ends_the_other_device(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    laptop = signed_in(browser, server, visitors, "Ann")
    game = opened(laptop, hotseat=True)
    code = ask(server.url, "players/me/codes", token=laptop.token, method="POST")["code"]
    phone = somebody(browser, server, visitors)
    taken_over(phone.visit(f"#code={code}"))
    expect(phone.page.locator(".bar .me, .bar .user").first).to_contain_text("Ann")
    table = phone.at(game)
    table.wait_for_selector(LEGAL)
    for visitor in visitors:  # the old token is refused
        visitor.provokes("401")
    page = laptop.visit()
    account(page)
    with page.expect_navigation():  # with the new token the page loads again
        page.get_by_role("button", name="Sign out on all other devices").click()
    assert page.evaluate("JSON.parse(localStorage['stammtisch.identity']).token") != laptop.token
    assert page.evaluate("localStorage['stammtisch.renewal']") is None
    laptop.at(game).wait_for_selector(LEGAL)
    table.reload()
    expect(table.locator(".alone")).to_be_visible()


@pytest.mark.by_default()
def test_data_are_saved_and_the_player_forgotten(
    browser: Browser, server: Server, visitors: list[Visitor], tmp_path: Path
) -> None:
    visitor = signed_in(browser, server, visitors, "Zerlina")
    game = opened(visitor, hotseat=True)
    page = visitor.visit()
    account(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my data").click()
    download.value.save_as(tmp_path / "saved.json")
    saved = json.loads((tmp_path / "saved.json").read_text())
    assert (saved["format"], saved["token"], saved["profile"]["name"]) == (
        "stammtisch-player/1",
        visitor.token,
        "Zerlina",
    )
    assert [each["id"] for each in saved["games"]] == [game["id"]]
    account(page)
    page.get_by_role("button", name="Have me forgotten").click()
    sure = page.locator("dialog").filter(has=page.get_by_role("heading", name="Have me forgotten"))
    sure.get_by_role("button", name="Have me forgotten").click()
    expect(page.locator("button.user")).to_contain_text("Settings")
    assert ask(server.url, f"players/{saved['id']}")["name"] is None


@pytest.mark.by_default()
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_profile_and_standings(browser: Browser, server: Server, visitors: list[Visitor], scheme: str) -> None:
    ann, ben = (somebody(browser, server, visitors, name, color_scheme=scheme) for name in ("Ann", "Ben"))
    ann.provokes("404")
    game = opened(ann, options={"target_points": 1})
    path = f"games/{FIRST}/{game['id']}"
    ask(server.url, f"{path}/seats", {}, ben.token, "POST")
    assert played_out(game, ann, ben)["result"]
    page = ann.visit(f"standings?ruleset={FIRST}")
    row = page.locator("tr.me")
    expect(row).to_contain_text("Ann")
    expect(row).to_contain_text("±")
    assert inaccessible(page) == []
    row.get_by_role("link", name="Ann").click()
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    expect(page.locator(".people")).to_contain_text("1 finished")
    expect(page.locator(".scores")).to_contain_text(TITLE)
    assert inaccessible(page) == []
    page.locator(".latest a[href*='#replay']").first.click()
    page.wait_for_selector(".rail.scrub")
    page = ann.visit("player?id=nobody")
    expect(page.locator(".alone")).to_be_visible()
    page = ben.visit("rules?ruleset=unknown")
    expect(page.locator(".boxes > li")).to_have_count(7)
    page.get_by_role("link", name=RULESETS[LAST].labels["en"].title).click()
    expect(page.locator("h1")).to_have_text(RULESETS[LAST].labels["en"].title)
    assert page.url.endswith(f"rules?ruleset={LAST}")
    assert inaccessible(page) == []
    page = ben.visit("record")
    expect(page.locator(".drop")).to_be_visible()
    assert inaccessible(page) == []


# --- strangers ------------------------------------------------------------------------------------------------------

# The service has the name of a host, as in a local network: without HTTPS the browser does not isolate its pages.


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


@pytest.mark.by_default("[table-known-by a link]")
@pytest.mark.parametrize("way", LEADS)
@pytest.mark.parametrize("known", [False, True], ids=["newcomer", "known"])
@pytest.mark.parametrize("to", ["", "table"])
def test_the_name_of_a_tab_is_believed_by_nobody(
    browser: Browser, server: Server, visitors: list[Visitor], tmp_path: Path, way: str, known: bool, to: str
) -> None:
    """A foreign page names the tab before it leads to the service: no move is made, and nobody becomes another one."""
    visitor, host = named(browser, server, visitors, "Ann" if known else ""), Player(server.url, "Ben")
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
        page.wait_for_selector("[data-ready]" if to else ".games li")
        expect(page.locator(".bar .me, .bar .user").first).to_contain_text("Ann" if known else "Settings")
        page.reload()
        page.wait_for_selector("[data-ready]" if to else ".games li")
    assert (identity(page), posted) == (before, [])
    assert now(host, game)["version"] == game["version"]


@pytest.mark.by_default("[newcomer]")
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


@pytest.mark.by_default()
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
        expect(page.locator(".bar .me, .bar .user").first).to_contain_text("Ben")
    expect(table.locator(LEGAL)).to_have_count(0)
    own = opened(ben, hotseat=True)
    ann.at(own).wait_for_selector(LEGAL)
    table.locator(LEGAL).first.click()
    expect(table.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    assert now(ben, own)["version"] > own["version"]


# --- people at a table ------------------------------------------------------------------------------------------------


def said(page: Page, phrase: str) -> None:
    page.get_by_role("button", name="Say something").click()
    page.get_by_role("dialog").get_by_role("button", name=phrase).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.planted("A23")
@pytest.mark.by_default()
def test_people_are_seen_and_say_phrases_that_nothing_keeps(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """A23: no log, event or record has a phrase; that of a muted player is neither drawn nor announced."""
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann)
    path = f"games/{FIRST}/{game['id']}"
    ask(server.url, f"{path}/seats", {"seat": 1}, ben.token)
    mine, theirs = ann.at(game), ben.at(game)
    expect(mine.locator(".others .dot.here")).to_have_count(1)
    said(theirs, "What luck!")
    for page in (mine, theirs):
        expect(page.locator(".bubble")).to_have_text("What luck!")
    expect(mine.locator("#polite")).to_contain_text("Ben: What luck!")
    expect(mine.locator(".bubble")).to_have_count(0)  # after four seconds
    for text in (mine.locator(".log").inner_text(), json.dumps(ask(server.url, f"{path}/events?limit=500"))):
        assert "luck" not in text
    mine.get_by_role("button", name="Say something").click()
    mine.get_by_label("Hear Ben").uncheck()
    mine.keyboard.press("Escape")
    mine.evaluate("document.querySelector('#polite').textContent = ''")
    said(theirs, "Clever.")
    expect(theirs.locator(".bubble")).to_have_text("Clever.")
    said(mine, "Sorry!")  # after it: what was said before has arrived
    expect(mine.locator(".bubble")).to_have_text("Sorry!")
    assert "Clever" not in mine.inner_text("body") and "Clever" not in str(mine.text_content("#polite"))
    mine.evaluate("localStorage.removeItem('stammtisch.muted')")  # the fault: what is muted is heard
    said(theirs, "Hello!")
    expect(mine.locator(".others .bubble")).to_have_text("Hello!")
    ben.visit("standings")
    expect(mine.locator(".others .tag.away time")).to_have_text(re.compile(r"^\d+ s$|^\d+:\d\d$"))
    assert mine.locator(".others .dot.away").count() == 1


@pytest.mark.by_default()
def test_a_player_is_blocked_from_the_profile(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    ben.provokes("403")
    game, theirs = opened(ann), opened(ben)
    known = ask(server.url, "players/me", token=ben.token)
    page = ann.visit(f"player?id={known['id']}")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.locator("#block")).to_contain_text("You have blocked this player")
    other = ben.at(game)
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("#assertive")).to_have_text("A player at this table has blocked you.")
    lobby = ann.visit()
    expect(lobby.locator(".two .panel")).to_have_count(2)
    assert lobby.locator(f"a[href$='{theirs['id']}']").count() == 0
    ann.visit("player").get_by_role("link", name="Ben").click()
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_role("button", name="Block", exact=True)).to_be_visible()
