"""The user on several devices, profiles and standings, in Chromium."""

import json
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.web.browsers import FIRST, LEGAL, Visitor, ask, opened, somebody
from tests.web.test_browser import violations

TITLE = RULESETS[FIRST].labels["en"].title


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


def test_seats_go_to_another_device(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    laptop, phone, thief = (somebody(browser, server, visitors, name) for name in ("Ann", "", ""))
    page = laptop.visit()
    account(page)
    page.get_by_role("button", name="Take my seats").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert len(link.partition("#code=")[2]) == 32
    expect(page.locator(".qr")).to_be_visible()
    other = phone.page
    other.goto(link)
    taken_over(other)
    expect(other.locator("button.user")).to_contain_text("Ann")
    assert "#" not in other.url
    assert not any("code=" in url.partition("#")[0] for url in phone.asked)
    thief.page.goto(link)
    taken_over(thief.page)
    expect(thief.page.get_by_role("dialog")).to_contain_text("used or has expired")
    thief.complaints = [each for each in thief.complaints if "404" not in each]
    ids = [each.evaluate("JSON.parse(localStorage['stammtisch.identity']).id") for each in (page, other)]
    assert ids[0] == ids[1]


def test_signing_out_ends_the_other_device(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    laptop = signed_in(browser, server, visitors, "Ann")
    game = opened(laptop, hotseat=True)
    code = ask(server.url, "players/me/codes", token=laptop.token, method="POST")["code"]
    phone = somebody(browser, server, visitors)
    taken_over(phone.visit(f"#code={code}"))
    expect(phone.page.locator("button.user")).to_contain_text("Ann")
    table = phone.at(game)
    table.wait_for_selector(LEGAL)
    page = laptop.visit()
    account(page)
    with page.expect_navigation():  # with the new token the page loads again
        page.get_by_role("button", name="Sign out on all other devices").click()
    assert page.evaluate("JSON.parse(localStorage['stammtisch.identity']).token") != laptop.token
    assert page.evaluate("localStorage['stammtisch.renewal']") is None
    laptop.at(game).wait_for_selector(LEGAL)
    table.reload()
    expect(table.locator(".alone")).to_be_visible()
    for visitor in visitors:  # the old token is refused
        visitor.complaints = [each for each in visitor.complaints if "401" not in each]


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
    game = opened(ann, options={"target_points": 1})
    path = f"games/{FIRST}/{game['id']}"
    ask(server.url, f"{path}/seats", {}, ben.token, "POST")
    dice = Random(1)
    while not (found := ask(server.url, path, token=ann.token))["result"]:
        for each in (ann, ben):
            if legal := ask(server.url, f"{path}/moves", token=each.token)["legal_moves"]:
                ask(server.url, f"{path}/moves", dice.choice(legal), each.token)
    page = ann.visit(f"standings?ruleset={FIRST}")
    row = page.locator("tr.me")
    expect(row).to_contain_text("Ann")
    expect(row).to_contain_text("±")
    assert violations(page) == []
    row.get_by_role("link", name="Ann").click()
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    expect(page.locator(".people")).to_contain_text("1 finished")
    expect(page.locator(".scores")).to_contain_text(TITLE)
    assert violations(page) == []
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_selector(".rail.scrub")
    assert found["result"]
    page = ann.visit("player?id=nobody")
    expect(page.locator(".alone")).to_be_visible()
    ann.complaints = [each for each in ann.complaints if "404" not in each]
    page = ben.visit("record")
    expect(page.locator(".drop")).to_be_visible()
    assert violations(page) == []
