"""Every way to a seat, in Chromium: each ends with a move that the service has made."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsers import FIRST, LEGAL, Json, Visitor, ask, moves_of, opened, played_out

Way = Callable[[Visitor, Visitor], Json]
"""Lead a visitor to a seat, with the help of a host. Returns the game."""


def introduced(visitor: Visitor) -> None:
    """A visitor who is asked for a name gives one."""
    if not visitor.token:
        visitor.page.get_by_label("Name").fill("Newcomer")
        visitor.page.get_by_role("button", name="OK", exact=True).click()


def entered(visitor: Visitor) -> Json:
    """The game that the page of the visitor has gone to."""
    visitor.page.wait_for_url(re.compile(r"table\?g="))
    return ask(visitor.url, f"games/{visitor.page.url.partition('g=')[2]}")


def sat_down(visitor: Visitor, page: Page) -> None:
    """One click for an invited guest, who says a name on the same page."""
    if not visitor.token:
        page.get_by_label("Your name").fill("Newcomer")
    page.get_by_role("button", name="Sit down").click()


def by_link(visitor: Visitor, host: Visitor) -> Json:
    game = opened(host, private=True)
    visitor.page.goto(host.at(game).get_by_label("Only people with this link").input_value())
    sat_down(visitor, visitor.page)
    return game


def by_looking(visitor: Visitor, host: Visitor) -> Json:
    """From the lobby to the table first."""
    game = opened(host)
    row = visitor.visit().locator(".rows li").filter(has_text=host.name)
    row.get_by_role("link").click()
    sat_down(visitor, visitor.page)
    return game


def by_lobby(visitor: Visitor, host: Visitor) -> Json:
    opened(host)
    row = visitor.visit().locator(".rows li").filter(has_text=host.name)
    row.get_by_role("button", name="Sit down").click()
    introduced(visitor)
    return entered(visitor)


def by_play_now(visitor: Visitor, _host: Visitor) -> Json:
    visitor.visit().get_by_role("button", name="Play now").click()
    introduced(visitor)
    return entered(visitor)


def by_hotseat(visitor: Visitor, _host: Visitor) -> Json:
    visitor.visit().get_by_role("button", name="Open a table").first.click()
    visitor.page.get_by_role("radio", name="One device").check(force=True)
    visitor.page.get_by_label("Player 2").fill("Berta")
    visitor.page.get_by_role("button", name="Deal on this device").click()
    introduced(visitor)
    game = entered(visitor)
    expect(visitor.page.get_by_text("Berta").first).to_be_visible()
    return game


def by_device_code(visitor: Visitor, host: Visitor) -> Json:
    """The host goes on in this browser, at a game where the other seat is a house player's."""
    game = opened(host, seats=["me", "careful/1"])
    code = ask(host.url, "players/me/codes", token=host.token, method="POST")["code"]
    page = visitor.visit(f"#code={code}")
    page.get_by_role("dialog").get_by_role("button", name="Take over the seats").click()
    expect(page.locator(".bar .me, .bar .user").first).to_contain_text(host.name)
    page.locator(".tile").click()
    return game


def by_rematch(visitor: Visitor, host: Visitor) -> Json:
    """At a table where the visitor sat down by the link and has played to the end."""
    game = opened(host, private=True, options={"target_points": 1})
    visitor.page.goto(host.at(game).get_by_label("Only people with this link").input_value())
    sat_down(visitor, visitor.page)
    visitor.page.wait_for_selector(LEGAL)
    visitor.token = visitor.page.evaluate("JSON.parse(localStorage['stammtisch.identity']).token")
    host.visit()  # nothing is drawn for the host
    played_out(game, host, visitor)
    host.at(game)
    expect(visitor.page.locator(".finale")).to_be_visible(timeout=60_000)  # it has drawn every move
    for page, answer in ((host.page, "Once more"), (visitor.page, "Sit down")):
        page.get_by_role("button", name=answer, exact=True).click()
        page.wait_for_url(lambda url: game["id"] not in url)
    return ask(host.url, f"games/{FIRST}/{game['id']}/rematch", token=visitor.token)


CHECKED = {by_lobby, by_device_code}
WAYS = [
    pytest.param(way, marks=[pytest.mark.checked] if way in CHECKED else [])
    for way in (by_link, by_looking, by_lobby, by_play_now, by_hotseat, by_device_code, by_rematch)
]


@pytest.mark.by_default(
    "by_link-newcomer", "by_lobby-known",
    "by_device_code-newcomer",  # a page draws a whole game before a rematch: see test_moments
)  # fmt: skip
@pytest.mark.parametrize("known", [False, True], ids=["newcomer", "known"])
@pytest.mark.parametrize("way", WAYS)
def test_every_way_in_leads_to_a_move(guests: Callable[[str], Visitor], way: Way, known: bool) -> None:
    """At the page that the visitor has come to, without another visit, over a connection that was open before."""
    host, visitor = guests(f"Host {way.__name__} {known}"), guests("")
    if known:
        visitor.settle("Ann")
    game = way(visitor, host)
    visitor.page.wait_for_selector(LEGAL)
    visitor.page.wait_for_selector("[data-ready]", state="attached")
    before = moves_of(host, game)
    visitor.page.locator(LEGAL).first.click()
    expect(visitor.page.locator(".rail.busy")).to_have_count(0)
    expect(visitor.page.locator(".rail")).not_to_contain_text("session")
    assert moves_of(host, game) > before
