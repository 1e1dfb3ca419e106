"""What whole games by keys and by finger have taught: one press is one move, and answers follow their question."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.clients import Server
from tests.web.browsers import LEGAL, Visitor, opened, somebody
from tests.web.pictures import Demo, scene_with, served


def at_a_turn(page: Page) -> None:
    """Two cards are turned up by digits, which lead to cards as they are read: row by row."""
    page.wait_for_selector(LEGAL)
    for digit, slot in (("2", 3), ("6", 4)):  # of four columns and three rows; slots go by columns
        page.keyboard.press(digit)
        expect(page.locator(f".mine [data-thing='layouts/0/{slot}'].is-back")).to_have_count(0)
    page.wait_for_selector("button[data-thing=draw]")


@pytest.mark.checked
def test_one_press_is_one_move_and_its_answers_follow_their_question(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors, "Ann", viewport={"width": 1280, "height": 520})
    page = ann.at(opened(ann, "skyjo", seats=["me", "careful/1"]))
    at_a_turn(page)
    page.keyboard.press("?")
    expect(page.locator("dialog h2")).to_be_in_viewport()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Table").click()
    expect(page.locator("dialog .fold summary")).to_have_css("list-style-type", "none")  # it has a sign of its own
    page.keyboard.press("Escape")
    page.locator("[data-thing=draw]").focus()
    page.keyboard.down("Enter")
    page.wait_for_selector(".hold .card")
    page.keyboard.down("Enter")  # it is held, and the pile on which the card would be tossed has the focus
    page.keyboard.up("Enter")
    page.keyboard.press("1")
    expect(page.locator(".log")).to_contain_text("Ann lays")
    page.wait_for_selector("button[data-thing=draw]")
    # a log that loses the focus scrolls back to its newest line
    top = "() => document.querySelector('.log-panel .scroll').scrollTop"
    page.locator(".log li button").first.focus()
    assert page.evaluate(top) < 0
    page.locator("[data-thing=draw]").focus()
    assert page.evaluate(top) == 0

    page.evaluate("localStorage['stammtisch.confirm'] = JSON.stringify('always')")
    page.reload()
    draw = page.locator("button[data-thing=draw]")
    draw.press("Enter")
    expect(page.locator(".ask")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(draw).to_be_focused()
    draw.press("Enter")
    page.keyboard.press("t")
    page.wait_for_selector(".hold .card")


def test_a_finger_is_told_how_to_learn_what_a_card_does(browser: Browser) -> None:
    """Where a tap takes a card at once; a mouse points at it."""
    scene = scene_with("skyjo_action", 3, "take_action", 4)
    with served() as address:
        for touch, told in ((True, 1), (False, 0)):
            demo = Demo(browser, address, "820", drawn=False, has_touch=touch, is_mobile=touch)
            demo.show(scene, language="en")
            assert demo.page.locator(".ask", has_text="Long-press a card").count() == told
            demo.page.close()


@pytest.mark.checked
def test_what_is_ticked_in_the_form_of_a_table_is_no_chip(ann: Visitor) -> None:
    """A check box beside its explanation is not one of several choices."""
    page = ann.visit()
    page.get_by_role("button", name="Open a table").first.click()
    chips = page.locator(".opening label:has(input:checked)")
    expect(chips.first).to_be_visible()
    framed = "all => all.map((each) => [each.className, getComputedStyle(each).boxShadow !== 'none'])"
    assert {(name, has) for name, has in chips.evaluate_all(framed)} == {("", True), ("check", False)}
