"""Several tables in the browser, and cards that are dragged."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.clients import Server
from tests.web.browsers import (
    FIRST,
    LEGAL,
    Visitor,
    ask,
    now,
    opened,
    somebody,
)  # fmt: skip
from tests.web.test_browser import SIZES, seated


@pytest.mark.by_default()
def test_the_next_table_is_where_it_is_my_turn(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    games = [seated(ann, ben, clock={"bank": 3600}) for _ in range(2)]
    lobby = ann.visit()
    expect(lobby.locator(".tile.mine time").first).to_have_text(re.compile(r"^(59:\d\d|1:00:00)$"))
    expect(lobby.locator(".tile.mine")).to_have_count(2)
    expect(lobby).to_have_title("(2) Stammtisch")
    page = ann.at(games[0])
    expect(page.get_by_role("link", name="Next table")).to_be_visible()
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("icon-turn"))
    page.keyboard.press("n")
    page.wait_for_url(f"**{games[1]['id']}")
    page.wait_for_selector(LEGAL)
    for _ in range(2):  # then it is the other's turn
        page.locator(LEGAL).first.click()
        expect(page.locator(".rail.busy")).to_have_count(0)
    expect(page.get_by_role("link", name="Next table")).to_be_visible()
    ask(server.url, f"games/{FIRST}/{games[0]['id']}/moves", {"type": "flip", "slot": 0}, ann.token)
    ask(server.url, f"games/{FIRST}/{games[0]['id']}/moves", {"type": "flip", "slot": 1}, ann.token)
    expect(page.get_by_role("link", name="Next table")).to_have_count(0)


HIDDEN = """
Object.defineProperty(document, "hidden", { get: () => true });
window.notes = [];
window.Notification = class {
  static permission = "granted";
  static requestPermission = () => Promise.resolve("granted");
  constructor(title) { window.notes.push(title); }
};
"""


@pytest.mark.by_default()
def test_a_hidden_page_tells_by_choice_that_it_is_my_turn(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = seated(ann, ben)
    ann.context.add_init_script(HIDDEN)
    page = ann.visit()
    page.get_by_role("button", name="Settings").click()
    assert page.get_by_label("Sounds").input_value() == "60"
    page.get_by_label("Notify").check()
    page.get_by_role("dialog").get_by_role("button", name="OK", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    for player in (ann, ann, ben, ben):
        legal = now(player, game)["legal_moves"]
        ask(server.url, f"games/{FIRST}/{game['id']}/moves", legal[0], player.token)
    for _ in range(6):  # until it is Ann's turn again
        if (seat := now(ann, game)["to_act"][0]) == 0 and page.evaluate("notes.length"):
            break
        player = (ann, ben)[seat]
        ask(server.url, f"games/{FIRST}/{game['id']}/moves", now(player, game)["legal_moves"][-1], player.token)
        page.wait_for_timeout(100)
    assert page.evaluate("[...new Set(notes)]") == ["Your turn"]


@pytest.mark.by_default()
def test_a_guest_who_changes_the_name_stays_signed_in(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors)
    ann.settle("Ann")
    page = ann.visit()
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Anna")
    dialog.get_by_role("button", name="OK", exact=True).click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("Anna")
    known = page.evaluate("JSON.parse(localStorage.getItem('stammtisch.identity'))")
    assert (known["name"], known["token"]) == ("Anna", ann.token)


@pytest.mark.by_default()
def test_what_was_missed_is_asked_for_and_played(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Several moves wait until the player wants to see or to skip them; both lead to the present."""
    ann, ben = (somebody(browser, server, visitors, name, reduced_motion="no-preference") for name in ("Ann", "Ben"))
    for answer in ("Show me", "Skip"):
        game = seated(ann, ben)
        ann.at(game).wait_for_selector(LEGAL)
        page = ann.visit()
        for slot in (3, 4):
            ask(server.url, f"games/{FIRST}/{game['id']}/moves", {"type": "flip", "slot": slot}, ben.token)
        ann.at(game)
        expect(page.locator(".ask strong")).to_have_text("2 moves since you looked")
        expect(page.locator(".ask span")).to_contain_text("Ben turns up")
        expect(page.locator("#assertive")).to_contain_text("2 moves since you looked")
        assert page.locator(LEGAL).count() == 0
        page.get_by_role("button", name=answer, exact=True).click()
        page.wait_for_selector(LEGAL)
        expect(page.locator(".others .card:not(.is-back)")).to_have_count(2)


class Finger:
    """Touches of a real screen; with `Page.mouse`'s methods."""

    def __init__(self, page: Page) -> None:
        self._page, self._at = page, {"x": 0.0, "y": 0.0}
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self) -> None:
        self._send("touchStart", [self._at])

    def move(self, x: float, y: float, steps: int = 1) -> None:
        begun = self._at
        for step in range(1, steps + 1):
            share = step / steps
            self._at = {"x": begun["x"] + (x - begun["x"]) * share, "y": begun["y"] + (y - begun["y"]) * share}
            self._send("touchMove", [self._at])

    def at(self, x: float, y: float) -> None:
        self._at = {"x": x, "y": y}

    def up(self) -> None:
        self._send("touchEnd", [])


def middle(page: Page, thing: str) -> tuple[float, float]:
    box = page.locator(f"[data-thing='{thing}']").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.by_default()
@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_drag_is_two_clicks(browser: Browser, server: Server, visitors: list[Visitor], kind: str) -> None:
    """From the first to the last card of a set; a drag to nowhere does nothing."""
    phone = {"viewport": SIZES["phone"], "has_touch": True} if kind == "touch" else {}
    visitor = somebody(browser, server, visitors, "Ann", **phone)
    game = opened(visitor, "scout", hotseat=True)
    page = visitor.at(game)
    for _ in range(20):
        if page.locator(".curtain button").count():
            page.locator(".curtain button").click()
        page.wait_for_selector(f"{LEGAL}, .rail .btn")
        legal = [move for move in now(visitor, game)["legal_moves"] if move["type"] == "show" and move["count"] > 1]
        if legal:
            break
        page.locator(f".rail .btn, {LEGAL}").first.click()
        expect(page.locator(".rail.busy")).to_have_count(0)
    you, move, before = now(visitor, game)["you"], legal[0], now(visitor, game)["version"]
    start, end = (f"hands/{you}/{index}" for index in (move["start"], move["start"] + move["count"] - 1))
    finger = Finger(page) if kind == "touch" else None
    for target in (None, end):
        if finger:
            finger.at(*middle(page, start))
        else:
            page.mouse.move(*middle(page, start))
        pointer = finger or page.mouse
        pointer.down()
        x, y = middle(page, start)
        pointer.move(x + 12, y)
        expect(page.locator(".dragged")).to_have_count(1)
        pointer.move(*(middle(page, target) if target else (5, 300)), steps=4)
        pointer.up()
        expect(page.locator(".dragged, .card.chosen")).to_have_count(0)
        if target is None:
            assert now(visitor, game)["version"] == before
    expect(page.locator(".rail.busy")).to_have_count(0)
    assert now(visitor, game)["version"] > before
