"""The pages `day` and `same` in Chromium: hidden before the own try, results and a challenge after it."""

import json
import re
from datetime import UTC, datetime
from random import Random
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.clients import Server, any_of
from tests.web.browsers import Json, Visitor, ask, somebody
from tests.web.measures import inaccessible

WINDOWS = (1920, 1080), (1280, 800), (844, 390), (768, 1024), (390, 844), (360, 640)


SMALL = """[...document.querySelectorAll("main *")].filter((each) => each.childElementCount === 0 &&
    each.textContent.trim() && parseFloat(getComputedStyle(each).fontSize) < 12).map((each) => each.outerHTML)"""
"""Elements with a text under 12 px."""


CLIPPED = "[...document.querySelectorAll('main p')].filter((each) => each.scrollWidth > each.clientWidth + 1).length"
"""Paragraphs with a word that their panel cuts off."""


RAW = re.compile(r"\b(?:labels|same|ui|event)\.\w+")
"""The key of a text that the page does not know."""


def play_out(url: str, token: str, path: str, seed: int = 5) -> None:
    """Play a game against bots to its end."""
    dice, game = Random(seed), path.removeprefix("/v1/")
    seen = ask(url, game, token=token)
    while seen["status"] == "running":
        seen = ask(url, f"{game}/moves", any_of(seen["legal_moves"], dice), token)["game"]


def fits(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Nothing overflows and no text is small in any window; axe finds nothing in the narrowest. Pages take turns with
    the schemes, which have other colours, not another layout."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert page.evaluate(CLIPPED) == 0, width
    assert page.evaluate(SMALL) == []
    assert RAW.findall(page.locator("main").inner_text()) == []
    page.emulate_media(color_scheme=scheme)
    assert inaccessible(page) == [], scheme
    page.set_viewport_size({"width": 1280, "height": 800})


def today(url: str, ruleset: str = "scout") -> Json:
    listed = ask(url, f"pairings?day={datetime.now(UTC).strftime('%Y-%m-%d')}")["items"]
    return next(each for each in listed if each["ruleset"] == ruleset)


def checks(page: Page) -> None:
    """The page checks the records itself, and says of a forged one that it is wrong."""
    button = page.get_by_role("button", name="In diesem Browser prüfen")
    button.click()
    verdict = page.locator("main div.right")
    expect(verdict).to_contain_text("2 Protokolle geprüft")
    expect(verdict).to_contain_text("festgelegt waren, bevor jemand spielte")
    fetched = 0

    def forge(route: Route) -> None:
        nonlocal fetched
        fetched += 1
        text = route.fetch().text()
        if fetched == 2:  # of the second table: another card at the same place
            record = json.loads(text)
            events = [each["event"] for each in record["events"]]
            hands = next(event["cards"] for event in events if event["type"] == "hands_dealt")
            hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
            text = json.dumps(record)
        route.fulfill(body=text, content_type="application/json")

    page.route("**/record", forge)
    button.click()
    expect(page.locator("main div.wrong")).to_contain_text("stimmt etwas nicht")
    expect(page.locator("main div.wrong li").first).to_contain_text("heads: `head` does not follow")
    page.unroute("**/record")


@pytest.mark.checked
def test_a_game_that_is_over_offers_a_challenge(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann = somebody(browser, server, visitors, "Ann")
    opened = ask(server.url, "games/scout", {"seats": ["careful/1", "me", "careful/1"]}, ann.token)
    play_out(server.url, ann.token, f"/v1/games/scout/{opened['id']}")
    ann.page.goto(f"{server.url}/table?g=scout/{opened['id']}")
    ann.page.get_by_role("link", name="Challenge a friend").press("Enter")
    ann.page.get_by_role("button", name="New challenge").click()
    ann.page.wait_for_url("**/same?id=*")
    (pairing, *_) = ask(server.url, "pairings", token=ann.token)["items"]
    assert ask(server.url, f"pairings/{pairing['id']}", token=ann.token)["places"] == ["careful/1", "me", "careful/1"]
    own = ask(server.url, f"pairings/{pairing['id']}/tables", token=ann.token, method="POST")
    play_out(server.url, ann.token, own["game"])
    ann.page.goto(f"{server.url}/{own['game'].replace('/v1/games/', 'table?g=')}")
    ann.page.get_by_role("link", name="Everybody on this deal").press("Enter")
    ann.page.wait_for_url(f"**/same?id={pairing['id']}")
    expect(ann.page.locator("tr.me")).to_contain_text("You")


def test_the_deal_of_the_day_is_hidden_until_it_is_played(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    other = ask(server.url, "players", {"name": "Zenobia"})
    deal = today(server.url)
    own = ask(server.url, f"pairings/{deal['id']}/tables", token=other["token"], method="POST")
    play_out(server.url, other["token"], own["game"])
    ann = somebody(browser, server, visitors, "Ann")
    page = ann.page
    ann.visit().get_by_role("link", name="To the deal").click()
    page.wait_for_url("**/day")
    page.goto(f"{server.url}/day?ruleset=scout")
    expect(page.get_by_role("heading", level=1)).to_have_text("The deal of the day: SCOUT")
    expect(page.locator("main")).to_contain_text("Results appear after your own game.")
    assert "Zenobia" not in page.content()
    expect(page.locator("main :is(table, .bars)")).to_have_count(0)
    fits(page, "light")
    page.get_by_role("button", name="Play it").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table?g=scout/*")
    mine = ask(server.url, f"pairings/{deal['id']}/tables", token=ann.token, method="POST")
    play_out(server.url, ann.token, mine["game"])
    page.goto(f"{server.url}/day?ruleset=scout")
    expect(page.locator("table")).to_contain_text("Zenobia")
    expect(page.locator("tr.me")).to_contain_text("You")
    expect(page.locator(".house .pips")).to_have_count(2)
    with_many_tables(page)
    fits(page, "dark")
    page.get_by_role("button", name="Show all").last.click()
    expect(page.locator("main tbody tr")).to_have_count(24)
    page.get_by_text("How is that counted?").click()
    expect(page.locator("main details")).to_contain_text("a tie counts half")


def with_many_tables(page: Page) -> None:
    """Of a long list the first, those around the own one and the last are shown."""

    def many(route: Route) -> None:
        seen = route.fetch().json()
        own = next(each for each in seen["tables"] if each["game"] == seen["you"]["game"])
        other = next(each for each in seen["tables"] if each is not own)
        seen["tables"] = [other | {"game": f"{other['game']}{number}"} for number in range(24)]
        seen["tables"][11] = own
        seen["you"]["streak"] = 2
        seen["groups"] = [{"points": points, "tables": 1} for points in range(30, 6, -1)]
        route.fulfill(json=seen)

    page.route(re.compile(r"/v1/pairings/[0-9a-f-]{36}$"), many)
    page.reload()
    expect(page.locator("main tbody tr")).to_have_count(5 + 1 + 3 + 1 + 1)
    expect(page.locator("main tbody tr.me")).to_have_count(1)
    expect(page.locator(".lead")).to_contain_text("2 days in a row")
    expect(page.locator(".bars li")).to_have_count(12)


@pytest.mark.checked
def test_a_challenge_shows_both_results_when_both_have_played(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann, bob = (somebody(browser, server, visitors, name, locale="de-DE") for name in ("Ann", "Bob"))
    ann.visit().get_by_role("link", name="Spiel wählen").click()
    ann.page.wait_for_url("**/same")
    ann.page.get_by_role("link", name="Scandaroon").click()
    expect(ann.page.locator(".house .pips")).to_have_count(2)
    fits(ann.page, "dark")
    ann.page.get_by_role("button", name="Neue Herausforderung").press("Enter")
    ann.page.wait_for_url("**/same?id=*")
    expect(ann.page.get_by_role("button", name="Link kopieren")).to_be_visible()
    expect(ann.page.locator(".cta")).to_contain_text(re.compile(r"Bis .+ \d+\. \w+"))
    expect(ann.page.locator("main table")).to_have_count(0)
    ann.page.get_by_role("button", name="Spielen").click()
    ann.page.wait_for_url("**/table?g=scandaroon/*")
    (pairing, *_) = ask(server.url, "pairings", token=ann.token)["items"]
    play_out(server.url, ann.token, pairing["you"])
    seen = ask(server.url, f"pairings/{pairing['id']}", token=ann.token)
    bob.page.goto(f"{server.url}/same?id={pairing['id']}#{seen['code']}")
    expect(bob.page.locator("main")).to_contain_text("Die Ergebnisse erscheinen nach deinem eigenen Spiel")
    expect(bob.page.get_by_role("button", name="Link kopieren")).to_have_count(0)  # it is for two
    bob.page.get_by_role("button", name="Spielen").click()
    bob.page.wait_for_url("**/table?g=scandaroon/*")
    mine = ask(server.url, "pairings", token=bob.token)["items"][0]["you"]
    ann.page.goto(f"{server.url}/same?id={pairing['id']}")
    expect(ann.page.locator("main")).to_contain_text("spielt noch")
    play_out(server.url, bob.token, mine, seed=6)
    expect(ann.page.locator(".parting")).to_be_visible()  # without a reload: the page follows the pairing
    bob.page.goto(f"{server.url}/{mine.replace('/v1/games/', 'table?g=')}")
    bob.page.get_by_role("link", name="Alle mit diesen Karten").press("Enter")
    bob.page.wait_for_url(f"**/same?id={pairing['id']}")
    ann.page.goto(f"{server.url}/same?id={pairing['id']}")
    for visitor in (ann, bob):
        expect(visitor.page.locator("main tbody tr")).to_have_count(2)
        expect(visitor.page.locator("main tbody a")).to_have_count(2)
    parting = ann.page.locator(".parting")
    expect(parting.locator("li")).to_have_count(2)
    expect(parting.locator("svg.position")).to_be_visible()
    fills = parting.locator("svg .num").evaluate_all("all => all.map((each) => getComputedStyle(each).fill)")
    assert set(fills) == {"none"}  # numbers are lines: the page has the styles of cards
    assert len({*parting.locator("li > span").all_inner_texts()}) == 2
    checks(ann.page)
    fits(ann.page, "light")
    parting.get_by_role("link").last.click()
    ann.page.wait_for_url("**/table?g=**")  # the page hides the code and the version of its link at once
    expect(ann.page.locator(".felt, .table").first).to_be_visible()
    ann.page.go_back()
    ann.page.locator("main tbody a").last.click()
    expect(ann.page.locator("main")).to_be_visible()
    expect(ann.page.locator(".panel.wrong")).to_have_count(0)
